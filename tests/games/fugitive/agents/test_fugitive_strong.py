"""notepad, exact and fugitive-search: legal, fair and repeatable in all decks, and right where it can be counted."""

import os
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from few_examples import at_most
from fugitive_games import fugitive_configs
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.fugitive.agents.guess_search import GuessSearch
from manhunt.games.fugitive.agents.manhunt_search import HiddenRow, ManhuntTree, hidden_rows, sprint_cards
from manhunt.games.fugitive.agents.notepad import noted_guess, number_chances
from manhunt.games.fugitive.agents.search_fugitive import WEIGHTS, SearchFugitive, payments, some_hunters
from manhunt.games.fugitive.agents.supposed_marshal import SupposedBelief, guess_hand
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, SensiblePlay, paid_placement
from manhunt.games.fugitive.beliefs.notes import MarshalNotes
from manhunt.games.fugitive.beliefs.sampling import World
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.actions import Hide, Pass
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import PRESETS, make_config, sprint_value
from manhunt.games.fugitive.rules.public import Phase
from manhunt.testing import check_agent
from reference_deals import shuffled_deal

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),  # bit counts without compilation
]
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
GAME = make_game("fugitive")
FUGITIVES = ("fugitive-search", "fugitive-search:bluffs=0")
MARSHALS = ("notepad", "exact", "exact:model=chance")
PAIRS = (("fugitive-search", "notepad"), ("fugitive-search", "exact"), ("hr-1", "exact:model=chance"))


def play(config, setup, fugitive, marshal, seed=0, on_turn=None, limit=None):
    state, actions, rng = GAME.start(config, setup), [], Random(seed)
    agents = {Seat.EVADER: fugitive, Seat.PURSUERS: marshal}
    for each, agent in agents.items():
        agent.start(views.view(state, each))
    while (seat := rules.to_act(state)) is not None:
        view = views.view(state, seat)
        advice = agents[seat].act(view, limit or Limit(), rng)
        if on_turn:
            on_turn(view, advice)
        actions.append(advice.action)
        state = rules.apply_action(state, advice.action)
    return state, actions


def marshal_views(n_games, phase=Phase.MARSHAL_GUESS):
    """What she sees before her guesses in some games of random players, with the truth."""
    found = []
    for seed in range(n_games):
        state, rng = GAME.start(make_config("mini"), GAME.deal(make_config("mini"), Random(seed))), Random(seed)
        while state.end is None:
            if state.phase is phase and not state.pending and state.row:
                found.append((state, views.view(state, Seat.PURSUERS)))
            state = rules.apply_action(state, rng.choice(rules.legal_actions(state)))
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_played_to_its_end_and_again(preset) -> None:
    config = make_config(preset)
    if SLOW and preset != "mini":
        config = make_config("mini", pass_bonus=config.pass_bonus, opening_hideouts=config.opening_hideouts)
    for seed, (fugitive, marshal) in enumerate(PAIRS if preset == "mini" else PAIRS[1:]):
        setup = GAME.deal(config, Random(seed))
        games = [play(config, setup, make_agent(fugitive), make_agent(marshal), seed) for _ in range(2)]
        assert games[0] == games[1]
        assert games[0][0].end is not None


@at_most(10 if SLOW else 25)
@given(fugitive_configs(max_last=14), st.sampled_from(FUGITIVES), st.sampled_from(MARSHALS), st.integers(0, 1000))
def test_any_deck_is_played_to_its_end(config, fugitive, marshal, seed) -> None:
    state, _ = play(config, GAME.deal(config, Random(seed)), make_agent(fugitive), make_agent(marshal), seed)
    assert state.end is not None


@pytest.mark.parametrize("name", ["fugitive-search", "notepad", "exact"])
def test_they_play_fair(name) -> None:
    seat = Seat.EVADER if name in FUGITIVES else Seat.PURSUERS
    config = make_config("mini" if SLOW or seat is Seat.EVADER else "exactly-two")
    n_games = 5 if seat is Seat.EVADER else 4
    report = check_agent(name, "fugitive", config, seat, games=n_games, positions=3, worlds=2, most_worlds=24)
    assert report.n_worlds > 0


@pytest.mark.skipif(SLOW, reason="whole games of the full deck need compiled kernels")
def test_exact_seldom_lets_anybody_escape() -> None:
    config, won = make_config("exactly-two"), 0
    for seed in range(12):
        fugitive = make_agent(("hr-1", "bir-1", "continuation")[seed % 3])
        state, _ = play(config, shuffled_deal(seed), fugitive, make_agent("exact"), seed)
        won += state.end.winner is Side.PURSUERS
    assert won >= 10


def test_advice_tells_the_chances_and_keeps_the_limit() -> None:
    said = []

    def look(view, advice):
        assert advice.counters["iterations"] <= 3
        if advice.value is not None:
            said.append(view.seat)
            assert -1 <= advice.value <= 1
            assert 0 <= advice.confidence <= 1

    config = make_config("mini")
    for seed in range(4):
        setup = GAME.deal(config, Random(seed))
        agents = make_agent("fugitive-search"), make_agent("exact")
        play(config, setup, *agents, seed, look, Limit(iterations=3))
    assert set(said) == {Seat.EVADER, Seat.PURSUERS}


def test_a_guess_is_as_likely_right_as_the_worlds_say() -> None:
    for _, view in marshal_views(4 if SLOW else 20):
        worlds = Worlds(view.public, view.hand, SensiblePlay())
        choice = GuessSearch(view).guess(worlds.trails)
        assert choice.numbers
        assert choice.chance == pytest.approx(worlds.probability(choice.numbers))
        assert 0 <= choice.value <= 1


def test_what_surely_wins_is_guessed() -> None:
    n = 0
    for state, view in marshal_views(40):
        worlds = Worlds(view.public, view.hand)
        if len(worlds.trails.weights) == 1:
            hidden = tuple(h.card for h in state.row if not h.face_up)
            assert GuessSearch(view).guess(worlds.trails).numbers == hidden
            n += 1
    assert n


@given(st.integers(0, 10_000))
def test_the_hunt_tree_finds_the_best_order(seed) -> None:
    """Against all orders tried without pruning."""
    rng, weights = Random(seed), {}
    for _ in range(rng.randint(1, 6)):
        cards = rng.sample(range(1, 7), 3)
        row = HiddenRow(bits_of(cards), tuple(rng.choice((0, 1)) for _ in cards))
        weights[row] = weights.get(row, 0) + rng.choice((1, 2, 4))

    def plain(rows, found):
        if all(row.hidden == found for row in rows):
            return sum(weights[row] for row in rows)
        return max(plain_values(rows, found).values())

    def plain_values(rows, found):
        values = {}
        for card in cards_of(bits_of(c for row in rows for c in cards_of(row.hidden & ~found))):
            parts = {}
            for row in rows:
                if card in cards_of(row.hidden):
                    parts.setdefault(row.clues[cards_of(row.hidden).index(card)], []).append(row)
            values[card] = sum(plain(part, found | 1 << card) for part in parts.values())
        return values

    values, weight = plain_values(list(weights), 0), dict.fromkeys(range(7), 0)
    for row, n in weights.items():
        weight.update({card: weight[card] + n for card in cards_of(row.hidden)})
    best = [card for card, value in values.items() if value == max(values.values())]
    assert ManhuntTree(weights, lowest_of_equals=True).best() == (max(values.values()), min(best))
    assert ManhuntTree(weights).best()[0] == max(values.values())
    if len(weights) > 1:
        assert ManhuntTree(weights).best()[1] == max(best, key=lambda card: weight[card])
    number = ManhuntTree(weights, most_nodes=0).best()[1]
    assert len(weights) == 1 or weight[number] == max(weight.values())


def world(row, *sprints):
    return World(row, sprints, (), ())


def test_a_manhunt_by_hand() -> None:
    def first(worlds, hidden):
        rows = hidden_rows(worlds, hidden, sprint_cards, 1)
        return ManhuntTree(rows, lowest_of_equals=True).best()[1]

    # 3 is in all worlds; told what lies under it, she knows more of the rest.
    worlds = [world((3, 5), (1,), ()), world((3, 6), (2,), ()), world((3, 7), (1,), ())]
    assert first(worlds, (1, 2)) == 3
    assert first(worlds, (2,)) == 5
    assert first(worlds[1:2], (2,)) == 6
    two = [world((4, 9), (), (1,)), world((4, 9), (), (2,)), world((6, 8), (), ())]
    assert first(two, (1, 2)) == 4


def test_notes_are_all_that_the_notepad_needs() -> None:
    for _, view in marshal_views(4 if SLOW else 20):
        notes = MarshalNotes.of(view.public, view.hand)
        open_cards = [notes.candidates(i) for i, spot in enumerate(view.public.row, 1) if spot.card is None]
        numbers = noted_guess(view.public, view.hand)
        certain = {card for cards in open_cards if len(cards) == 1 for card in cards}
        assert certain <= set(numbers)
        assert len(numbers) == min(len(certain) + 1, len(open_cards))
        assert sum(number_chances(view.public, view.hand).values()) == pytest.approx(len(open_cards))


def test_habit_dislikes_waste_and_bluffs() -> None:
    config, model = make_config(), SensiblePlay(far=0.0)
    exact, one_more, two_more = (paid_placement(config.reach, 0, 5 - n, 1, 1, 1) for n in range(3))
    assert model.factor(exact) == 1
    assert model.factor(one_more) == pytest.approx(model.waste)
    assert model.factor(two_more) == pytest.approx(model.waste * model.more * model.bluff)
    assert SensiblePlay(far=0.1).factor(exact) > model.factor(exact)


@given(st.integers(0, 10_000))
def test_par_3_payments_suffice_and_the_fewest_cards_are_among_them(seed) -> None:
    config, rng = make_config(), Random(seed)
    hand = sorted(rng.sample(range(1, 42), 7))
    start, hideout = rng.randint(0, 10), rng.choice(hand)
    own = [card for card in hand if card != hideout]
    need = max(0, hideout - start - config.reach)
    sizes = [n for n in range(7) if any(sum(map(sprint_value, some)) >= need for some in combinations(own, n))]
    found = payments(config, hand, start, hideout)
    assert {len(sprints) for sprints in found} == set(sizes[:4])
    assert all(sum(map(sprint_value, sprints)) >= need and hideout not in sprints for sprints in found)


def test_the_outside_look_is_that_of_the_marshal() -> None:
    """With her true hand the chance of the true row is the one of her own worlds."""
    for state, view in marshal_views(4 if SLOW else 20):
        hidden = [h.card for h in state.row if not h.face_up]
        signs = SupposedBelief(view.public, view.hand, CHANCE_ONLY, [hidden]).signs(hidden)
        assert signs.row == pytest.approx(Worlds(view.public, view.hand).probability(hidden))
        own = views.view(state, Seat.EVADER)
        guessed = guess_hand(own, Random(0))
        assert len(guessed) == len(view.hand)
        assert not set(guessed) & set(own.hand)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("exact:model=best", "model of exact"),
        ("exact:waste=0", "waste must be more than 0 and at most 1"),
        ("exact:far=3", "far must be from -1 to 1"),
        ("exact:worlds=0", "worlds must be from 1 to 10000"),
        ("fugitive-search:bluffs=-1", "bluffs must be from 0 to 60"),
    ],
)
def test_bad_options_are_refused(spec, words) -> None:
    with pytest.raises(BadAgent, match=words):
        make_agent(spec)


def test_par_11_he_does_not_wait_until_he_has_lost() -> None:
    """With all piles empty he escapes while he can: his hand cannot get better, and she can only learn."""
    config, n_chances, passed = make_config("mini"), 0, []

    def on_turn(view, advice):
        nonlocal n_chances
        if view.phase is Phase.FUGITIVE_PLAY and not any(view.pile_sizes) and Hide(config.last) in view.legal:
            n_chances += 1
            passed.append(advice.action == Pass())

    for seed in range(2 if SLOW else 12):
        fugitive, marshal = make_agent("fugitive-search"), make_agent("random")
        setup = GAME.deal(config, Random(seed))
        play(config, setup, fugitive, marshal, seed, on_turn)
    assert n_chances
    assert not any(passed)


@cache
def fugitive_turns(n_games):
    """What he sees when he may escape into a manhunt, with all that he may do."""
    found = []
    for state, _ in marshal_views(n_games, Phase.FUGITIVE_PLAY):
        view = views.view(state, Seat.EVADER)
        if state.round > 1 and Hide(view.config.last) in view.legal and not view.public.way_is_clear:
            found.append((view, SearchFugitive().turns(view, 1)))
    return found


@pytest.mark.parametrize("wait", [-2, -1, 0, 1, 2, 4])
def test_hunts_that_are_cut_short_do_not_change_what_is_best(wait) -> None:
    """Escapes are hunted only as far as they may be among the best; all waits are worth the same here."""
    agent, n_cut = SearchFugitive(), 0
    agent.weights = np.array([wait, *[0.0] * (len(WEIGHTS) - 1)])
    for view, options in fugitive_turns(30 if SLOW else 50):
        (exact,) = agent.values(view, [options], Random(1), n_best=len(options))
        for n_best in (1, 2):
            (found,) = agent.values(view, [options], Random(1), n_best=n_best)
            assert sorted(found)[-n_best:] == sorted(exact)[-n_best:]
            assert (found <= exact).all()
            n_cut += (found < exact).any()  # type: ignore[assignment]
    assert n_cut or wait < 4


def test_par_11_the_best_way_out_is_found_without_judging_all() -> None:
    agent, n_left_out = SearchFugitive(), 0
    for seed, (view, options) in enumerate(fugitive_turns(30 if SLOW else 50)):
        rng = Random(seed)
        values = np.array([rng.random() for _ in options])
        hunters = some_hunters(view, rng)
        found = agent.in_time(view, options, values, hunters)
        ways = [agent.way_out(view, option, hunters) for option in options]
        exact = np.minimum(values, ways) if any(ways) else values
        assert sorted(found)[-2:] == pytest.approx(sorted(exact)[-2:])
        assert exact[int(np.argmax(found))] == exact.max()
        n_left_out += (found < exact).any()  # type: ignore[assignment]
    assert n_left_out
