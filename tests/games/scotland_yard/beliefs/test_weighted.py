"""The filter equals brute-force Bayes over all hidden histories, in plain Python and compiled."""

import math
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node, Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.models import CategoryModel, SoftModel, UniformModel
from manhunt.games.scotland_yard.beliefs.public import PublicState
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief, prior
from manhunt.games.scotland_yard.rules.actions import Double, Piece, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions, outcome
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import events, opening_events, view
from scotland_yard_games import board_of, random_history, scotland_yard_histories
from scotland_yard_plain_belief import PlainWeightedBelief

pytestmark = pytest.mark.kernel

SEAT = Seat.PURSUERS
MOST_HISTORIES = 300
THETA = [0.3, -0.2, 0.5, 0.1, 0.7, -0.4, 0.2, 0.3, -0.5, 0.6, -0.3, -0.8, 1.0, 0.4, 0.5, -0.6]
MODELS = (UniformModel(), CategoryModel(), SoftModel(THETA))


class BruteForce:
    """Every hidden history on its own: where Mr X began, all he did, and how likely that was."""

    def __init__(self, start: ScotlandYardState, model) -> None:
        self.model, self.true = model, start
        seen = told(opening_events(start))
        starts = [at(start, node) for node in start.config.board.nodes() if node not in start.pursuers]
        if outcome(start) is not None:
            starts = [start]
        self.histories = [(s, 1.0 / len(starts)) for s in starts if told(opening_events(s)) == seen]

    def advance(self, action) -> None:
        before, self.true = self.true, apply_action(self.true, action)
        seen = told(events(before, action, self.true))
        found = []
        for state, weight in self.histories:
            options = (action,) if state.waiting else legal_actions(state)
            chances = (1.0,) if state.waiting else self.model.probabilities(state, options)
            for option, chance in zip(options, chances, strict=True):
                after = apply_action(state, option)
                if told(events(state, option, after)) == seen:
                    found.append((after, weight * float(chance)))
        self.histories = found

    @property
    def total(self) -> float:
        return sum(weight for _, weight in self.histories)

    @property
    def probabilities(self) -> dict[Node, float]:
        sums: dict[Node, float] = {}
        for state, weight in self.histories:
            sums[state.quarry] = sums.get(state.quarry, 0.0) + weight
        return {node: weight / self.total for node, weight in sums.items()}


def told(happened):
    return [event.seen_by(SEAT) for event in happened]


def at(state: ScotlandYardState, node: Node) -> ScotlandYardState:
    return ScotlandYardState(
        state.config, node, state.pieces, state.pursuers, state.tickets, state.log, state.waiting, state.free
    )


def followed(belief, states):
    belief.start(view(states[0], SEAT))
    belief.observe(told(opening_events(states[0])))
    return belief


def check_history(history, model) -> int:
    """All beliefs after every ply against brute force; returns the number of plies compared."""
    states, actions = history
    brute = BruteForce(states[0], model)
    beliefs = [followed(kind(model), states) for kind in (PlainWeightedBelief, WeightedBelief)]
    support = followed(Support(), states)
    for n, after in enumerate(states):
        if n:
            brute.advance(actions[n - 1])
            if len(brute.histories) > MOST_HISTORIES:
                return n
            happened = told(events(states[n - 1], actions[n - 1], after))
            for belief in (*beliefs, support):
                belief.observe(happened)
        for belief in beliefs:
            assert dict(belief.probabilities) == pytest.approx(brute.probabilities, abs=1e-12)
            assert set(belief.probabilities) == set(brute.probabilities) == belief.candidates == support.candidates
            assert belief.probabilities[after.quarry] > 0
            if outcome(after) is None:
                assert belief.evidence == pytest.approx(math.log(brute.total), abs=1e-9)
    return len(states)


@given(scotland_yard_histories(max_nodes=7, max_rounds=5), st.sampled_from(MODELS))
def test_equals_brute_force(history, model) -> None:
    check_history(history, model)


TOWN = board_of("1-2:TB 2-3:T 3-4:TU 4-5:T 5-1:T 2-5:B 3-5:TU 4-6:F 6-1:T")


def town_game(rng: Random, double: int = 2, secret: int = 2) -> ScotlandYardState:
    """Mr X has every kind of ticket, so that doubles and secrets are played often."""
    mrx = StartingPlayer(Piece.MRX, Tickets(3, 2, 1, secret, double), rng.choice("345"))
    red = StartingPlayer(Piece.RED, Tickets(4, 3, 2), rng.choice("126"))
    return new_game(TOWN, [False, True, False, False, True], mrx, [red])


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_equals_brute_force_with_doubles_and_secrets(model) -> None:
    doubles = secrets = 0
    for seed in range(12):
        rng = Random(seed)
        states, actions = random_history(rng, town_game(rng), 7)
        doubles += sum(isinstance(action, Double) for action in actions)
        secrets += sum(entry.ticket is Ticket.SECRET for entry in states[-1].log)
        brute = BruteForce(states[0], model)
        belief = followed(WeightedBelief(model), states)
        for n, action in enumerate(actions):
            brute.advance(action)
            belief.observe(told(events(states[n], action, states[n + 1])))
            assert dict(belief.probabilities) == pytest.approx(brute.probabilities, abs=1e-12)
    assert doubles >= 5
    assert secrets >= 5


def test_two_tickets_of_one_kind_are_needed_for_a_double_move_with_both() -> None:
    """With one taxi ticket left no double move goes taxi, taxi; the kernel must not count those."""
    mrx = StartingPlayer(Piece.MRX, Tickets(taxi=1, secret=1, double=1), "3")
    state = new_game(TOWN, [False] * 3, mrx, [StartingPlayer(Piece.RED, Tickets(5, 5, 5), "1")])
    for action in legal_actions(state):
        assert check_history(((state, apply_action(state, action)), (action,)), MODELS[2]) == 2


def test_par_17_a_free_setup_begins_with_all_nodes_less_the_detectives() -> None:
    state = town_game(Random(1))
    belief = followed(WeightedBelief("uniform"), [state])
    free = [node for node in TOWN.nodes() if node not in state.pursuers]
    assert dict(belief.probabilities) == pytest.approx(dict.fromkeys(free, 1 / len(free)))


def test_par_17_a_drawn_setup_begins_with_the_start_places() -> None:
    game = make_game("scotland_yard")
    config = game.make_config()
    belief = followed(WeightedBelief(), [game.new(config, Random(3))])
    assert {config.board.label(n) for n in belief.candidates} == set(config.mrx_starts)


def test_the_prior_is_that_of_the_deal_also_where_some_start_places_are_shared() -> None:
    game = make_game("scotland_yard")
    config = make_config("custom", TOWN, n_detectives=2, mrx_starts=["1", "2", "3"], detective_starts=list("2345"))
    seen = make_setup("1", ["4", "2"], free=False)
    chance: dict[Node, float] = {}
    for mrx in config.mrx_starts:
        deals = list(permutations([label for label in config.detective_starts if label != mrx], 2))
        if ("4", "2") in deals:
            chance[TOWN.node(mrx)] = 1 / len(deals)
    wanted = {node: p / sum(chance.values()) for node, p in chance.items()}
    found = prior(PublicState(view(game.start(config, seen), SEAT)))
    assert {node: p / sum(found.values()) for node, p in found.items()} == pytest.approx(wanted)
    assert len(set(wanted.values())) == 2


def test_mrx_knows_his_node() -> None:
    states, actions = random_history(Random(2), town_game(Random(2)), 8)
    belief = WeightedBelief()
    belief.start(view(states[0], Seat.EVADER))
    belief.observe(e.seen_by(Seat.EVADER) for e in opening_events(states[0]))
    for before, action, after in zip(states, actions, states[1:], strict=False):
        belief.observe(e.seen_by(Seat.EVADER) for e in events(before, action, after))
        assert belief.candidates == {after.quarry}
        assert belief.sample(Random(0)) == after


def test_events_that_cannot_follow_are_one_line() -> None:
    state = town_game(Random(1))
    belief = followed(WeightedBelief(), [state])
    with pytest.raises(ManhuntError, match="cannot follow the view"):
        belief.observe([{"t": "logged", "ticket": "underground", "at": "1", "round": 1}])


@given(st.integers(0, 2**32))
def test_london_plain_equals_compiled(seed) -> None:
    """On the real board, with five detectives and all tickets; few plies, as the plain filter lists all moves."""
    game = make_game("scotland_yard")
    states, actions = random_history(Random(seed), game.new(game.make_config(), Random(seed)), 13)
    model = MODELS[seed % 3]
    plain, fast = followed(PlainWeightedBelief(model), states), followed(WeightedBelief(model), states)
    for before, action, after in zip(states, actions, states[1:], strict=False):
        happened = told(events(before, action, after))
        plain.observe(happened)
        fast.observe(happened)
        assert dict(fast.probabilities) == pytest.approx(dict(plain.probabilities), abs=1e-12)
        assert fast.probabilities[after.quarry] > 0
        if len(plain.candidates) > 40:
            return  # from here on the plain one takes long
