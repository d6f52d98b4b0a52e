"""The study of Fugitive on a small deck: every part, resumption, what the page says, and bad input."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from manhunt.agents.registry import make_agent
from manhunt.arena.stats import Interval, PairCounts
from manhunt.cli.main import run
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent, BadConfig
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.fugitive.agents.bound_agents import whole_guess, whole_placement, without_bluff
from manhunt.games.fugitive.agents.planners import Placement
from manhunt.games.fugitive.rules.actions import Ask, Name, TakeFrom
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.study import mini as mini_part
from manhunt.games.fugitive.study.facts import Ending, Facts
from manhunt.games.fugitive.study.games import Games, load, n_missing, play
from manhunt.games.fugitive.study.setup import Pair, StudySetup, bound_fugitive, bound_marshal
from manhunt.games.fugitive.study.study import PART_NAMES, PARTS, pairs_of, parts_named, run_study, sections_of
from manhunt.games.fugitive.study.variants import Trial, in_words
from manhunt.games.fugitive.study.writing import page_of
from manhunt.play.referee import Referee

N_GAMES = 3
COMMON = ["--preset", "mini", "--games", str(N_GAMES), "--marshal", "l2", "--fugitive", "l1", "--workers", "0"]
COMMON += ["--second-marshal", "random", "--second-fugitive", "none"]


@pytest.fixture(scope="module")
def smallest_deck() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        deck = next(iter(mini_part.DECKS))  # type: ignore[attr-defined]
        patch.setattr(mini_part, "DECKS", {deck: mini_part.DECKS[deck]})  # type: ignore[attr-defined]
        patch.setattr(mini_part, "ITERATIONS", 200)
        yield patch


@pytest.fixture(scope="module")
def setup(tmp_path_factory, smallest_deck) -> StudySetup:
    """A whole study, played once for all tests."""
    folder = tmp_path_factory.mktemp("study")
    made = StudySetup("l1", "l2", N_GAMES, 5, folder, None, "random", "mini")
    run_study(made, PARTS, workers=0)
    return made


def last_view(marshal: str, fugitive: str, seed: int, phase: Phase):
    """The first view of this phase with at least two hideouts face down."""
    game, config = make_game("fugitive"), make_config("standard")
    agents = {
        Seat.EVADER: make_agent(fugitive, "fugitive", Seat.EVADER),
        Seat.PURSUERS: make_agent(marshal, "fugitive", Seat.PURSUERS),
    }
    referee = Referee(game, config, agents, seed=seed)
    while not referee.over:
        state = referee.state
        if state.phase is phase and not state.pending and sum(not h.face_up for h in state.row) >= 2:
            return game.view(state, referee.to_act)
        referee.step()
    pytest.fail("no such view")


def states_of(marshal: str, fugitive: str, seed: int, preset: str = "standard"):
    game, config = make_game("fugitive"), make_config(preset)
    agents = {
        Seat.EVADER: make_agent(fugitive, "fugitive", Seat.EVADER),
        Seat.PURSUERS: make_agent(marshal, "fugitive", Seat.PURSUERS),
    }
    referee = Referee(game, config, agents, seed=seed)
    referee.run()
    assert referee.fault is None
    return referee.state


@pytest.mark.parametrize(("piles", "order"), [("low", (0, 1, 2)), ("middle", (1, 0, 2)), ("high", (2, 1, 0))])
def test_bound_draws_come_from_the_first_pile_of_the_order_that_is_not_empty(piles, order) -> None:
    state = states_of(f"bound-marshal:inner=random,piles={piles}", "random", 3)
    sizes = [len(state.config.cards_of(pile)) - n for pile, n in enumerate(state.config.dealt)]
    assert state.draws
    for draw in state.draws:
        if draw.side is Side.PURSUERS:
            assert draw.pile == next(pile for pile in order if sizes[pile])
        sizes[draw.pile] -= 1


def test_first_high_binds_the_first_turn_alone() -> None:
    state = states_of("bound-marshal:inner=l2,piles=first-high", "random", 1)
    piles = [draw.pile for draw in state.draws if draw.side is Side.PURSUERS]
    assert piles[:2] == [2, 2]
    assert piles[2] == 0  # l2 draws from the lowest


@pytest.mark.parametrize("seed", range(4))
def test_rules_for_numbers_keep_their_word(seed) -> None:
    view = last_view("random", "l1", seed, Phase.MARSHAL_GUESS)
    named = {
        rule: whole_guess(make_agent(f"bound-marshal:inner=random,numbers={rule}"), view, Limit(), Random(seed))
        for rule in ("one", "likeliest", "certain", "certain-plus-one")
    }
    n_hidden = sum(spot.card is None for spot in view.public.row)
    own = whole_guess(make_agent("random"), view, Limit(), Random(seed))
    assert len(named["one"]) == 1
    assert set(named["one"]) <= set(own)
    assert len(named["likeliest"]) == 1
    assert set(named["certain"]) == set(named["likeliest"]) or set(named["certain"]) <= set(named["certain-plus-one"])
    assert len(named["certain-plus-one"]) <= n_hidden
    whole = whole_guess(make_agent("bound-marshal:inner=random,aim=capture"), view, Limit(), Random(seed))
    assert len(whole) == n_hidden


def test_who_keeps_the_manhunt_names_no_high_number_unless_it_would_win() -> None:
    for seed in range(3):
        state = states_of("bound-marshal:inner=random,aim=manhunt", "random", seed)
        open_from = 0
        for guess in state.guesses:
            if guess.round == state.row[-1].round and state.last_card == state.config.last:
                break  # the manhunt itself
            hidden = guess.n_placed - open_from
            high = [n for n in guess.numbers if n >= state.config.manhunt_below]
            assert not high or len(guess.numbers) == hidden
            open_from += len(guess.numbers) * guess.hit


@pytest.mark.parametrize("seed", range(6))
def test_bound_fugitives_bluff_as_often_as_they_should(seed) -> None:
    from manhunt.games.fugitive.study.facts import facts_of

    made = {
        bluff: [
            s.is_bluff for s in facts_of(states_of("random", f"bound-fugitive:inner=random,bluff={bluff}", seed)).steps
        ]
        for bluff in ("never", "early", "always")
    }
    assert not any(made["never"])
    assert sum(made["early"]) <= 1
    assert any(made["always"])


def test_without_bluff_drops_the_highest_first_and_still_pays() -> None:
    config = make_config("standard")
    assert without_bluff(config, 3, Placement(6, (2, 9))) == ()
    assert without_bluff(config, 3, Placement(8, (1, 2, 9))) == (2,)
    assert without_bluff(config, 3, Placement(7, (2,))) == (2,)  # one too much, but nothing can be left out


def test_a_rehearsal_asks_for_the_whole_turn() -> None:
    guess = last_view("l2", "l1", 0, Phase.MARSHAL_GUESS)
    agent = make_agent("l2")
    agent.start(guess)
    steps = agent.act(guess, Limit(), Random(0)).line
    assert tuple(step.number for step in steps if isinstance(step, Name)) == whole_guess(
        make_agent("l2"), guess, Limit(), Random(0)
    )
    assert steps[-1] == Ask()
    placing = last_view("random", "l1", 0, Phase.FUGITIVE_PLAY)
    agent = make_agent("l1")
    steps = agent.act(placing, Limit(), Random(0)).line
    placement = whole_placement(make_agent("l1"), placing, Limit(), Random(0))
    assert placement is None or placement.steps == list(steps)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("bound-marshal:piles=top", "unknown piles of bound-marshal 'top'"),
        ("bound-marshal:numbers=two", "unknown numbers of bound-marshal 'two'"),
        ("bound-marshal:aim=win", "unknown aim of bound-marshal 'win'"),
        ("bound-marshal:inner=l1", "does not play the seat pursuers"),
        ("bound-fugitive:bluff=often", "unknown bluff of bound-fugitive 'often'"),
        ("bound-fugitive:inner=l2", "does not play the seat evader"),
    ],
)
def test_bad_rules_are_refused_in_one_line(spec, says) -> None:
    with pytest.raises(BadAgent, match=says) as caught:
        make_agent(spec)
    assert "\n" not in str(caught.value)


def test_inner_options_pass_through() -> None:
    assert bound_marshal("l2:mode=argmax_only,worlds=8", "piles", "high") == (
        "bound-marshal:inner=l2:mode=argmax_only;worlds=8,piles=high"
    )
    agent = make_agent(bound_marshal("l2:mode=argmax_only,worlds=8", "piles", "high"))
    assert (agent.inner.mode, agent.inner.worlds, agent.piles) == ("argmax_only", 8, "high")  # type: ignore[attr-defined]
    assert bound_fugitive("l1", "own") == "l1"


def test_every_part_has_a_section_and_the_page_has_all(setup) -> None:
    sections = sections_of(setup)
    assert set(sections) == set(PART_NAMES)
    page = page_of(setup, sections, "manhunt study fugitive", "plots")
    for section in sections.values():
        assert section.title in page
        assert section.answer in page
        for plot in section.plots:
            assert f"(plots/{plot.name}.svg)" in page
            ElementTree.fromstring(plot.svg)
    assert "Not run yet" not in page
    assert "exploitability" in page
    json.dumps({name: section.figures for name, section in sections.items()})


def test_games_are_the_same_deals_in_all_pairs(setup) -> None:
    pairs = pairs_of(setup, PARTS)
    assert len(pairs) == len(set(pairs)) > 12
    assert {tuple(setup.plan(pair).match(n).seed for n in range(N_GAMES)) for pair in pairs} == {
        tuple(setup.plan(pairs[0]).match(n).seed for n in range(N_GAMES))
    }


def test_facts_agree_with_the_winners(setup) -> None:
    for pair in pairs_of(setup, PARTS):
        games = load(setup, pair)
        assert [facts.fugitive_wins for facts in games.facts] == [winner is Side.EVADER for winner in games.winners]
        for facts in games.facts:
            escaped = bool(facts.steps) and facts.steps[-1].is_escape
            assert escaped or facts.ending in (Ending.CAUGHT, Ending.GAVE_UP)
            assert all(step.paid >= step.need for step in facts.steps)


def test_a_stopped_study_goes_on_and_plays_nothing_twice(setup, tmp_path) -> None:
    class Stop(Exception):
        """Somebody presses Ctrl-C."""

    mine = replace(setup, folder=tmp_path / "games")
    pair = Pair("l1", "l2")

    def stop_at_two(ledger) -> None:
        if ledger.n_finished == 2:
            raise Stop

    with pytest.raises(Stop):
        play(mine, pair, workers=0, watch=stop_at_two)
    assert n_missing(mine, pair) == N_GAMES - 2
    results = mine.folder_of(pair) / "results.jsonl"
    before = results.read_text()
    assert sections_of(mine) == {}
    seen = []
    run_study(mine, parts_named(["balance"]), workers=0, watch=lambda done, total, note: seen.append((done, total)))
    assert results.read_text().startswith(before)
    assert results.read_text() == (setup.folder_of(pair) / "results.jsonl").read_text()
    assert seen[-1][0] == seen[-1][1] == 2 * N_GAMES
    assert "balance" in sections_of(mine)
    assert "piles" not in sections_of(mine)
    assert "Not run yet: piles" in page_of(mine, sections_of(mine), "command", "plots")


def games_with(wins: list[bool]) -> Games:
    winners = tuple(Side.PURSUERS if won else Side.EVADER for won in wins)
    facts = tuple(Facts(Ending.CAUGHT if won else Ending.FREE, 3, (), (), (), (), (), 0) for won in wins)
    return Games(Pair("f", "m"), winners, facts, {})


def test_words_follow_the_intervals() -> None:
    own = games_with([True, False] * 50)
    better = Trial("good", "f", games_with([True] * 100), own, Side.PURSUERS)
    worse = Trial("bad", "f", games_with([False] * 100), own, Side.PURSUERS)
    same = Trial("same", "f", games_with([True, False] * 50), own, Side.PURSUERS)
    assert (better.verdict, worse.verdict, same.verdict) == ("better", "worse", "no difference shown")
    assert better.counts == PairCounts(50, 0, 50, 0)
    assert isinstance(better.gap, Interval)
    trials = [Trial("own choice", "f", own, own, Side.PURSUERS), better, worse, same]
    text = in_words(trials, "piles")
    assert text.startswith("Better than her own choice: good (+50.0 points against `f`); worse: bad (-50.0 points")
    assert "1 of 3 comparisons" in text
    assert in_words([trials[0], same], "piles").startswith("No rule for piles is shown to be better")


def test_the_command_writes_the_page_and_prints_json(tmp_path, monkeypatch, capsys, smallest_deck) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["study", "fugitive", *COMMON, "--only", "balance", "mini", "--out", "page.md", "--json"]
    assert run(arguments) == 0
    figures = json.loads(capsys.readouterr().out)
    assert set(figures["parts"]) == {"balance", "hideouts", "mini"}  # hideouts needs no other games
    assert figures["games"] == N_GAMES
    page = Path("page.md").read_text()
    assert "manhunt study fugitive --preset mini" in page
    assert Path("page/balance.svg").exists()
    assert run([*arguments[:-1], "--seed", "0"]) == 0
    assert "written: page.md" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pursuit"], "unknown game to study 'pursuit'; known: fugitive"),
        (["fugitive", "--only", "pils"], "unknown part of the study 'pils'; did you mean piles"),
        (["fugitive", "--games", "0"], "0 is too small"),
        (["fugitive", "--marshal", "exakt"], "unknown agent 'exakt'"),
        (["fugitive", "--marshal", "l1"], "does not play the seat"),
        (["fugitive", "--preset", "tiny"], "unknown preset 'tiny'"),
        (["fugitive", "--out", "page.html"], "must be a Markdown file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, says, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["study", *arguments]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_unknown_parts_are_refused() -> None:
    with pytest.raises(BadConfig, match="unknown part"):
        parts_named(["everything"])
    assert parts_named([]) == tuple(PARTS)


def test_a_forced_pile_is_a_legal_one_when_the_first_is_empty() -> None:
    view = last_view("random", "random", 2, Phase.MARSHAL_DRAW)
    agent = make_agent("bound-marshal:inner=random,piles=high")
    left = replace(view, legal=(TakeFrom(0),))
    assert agent.act(left, Limit(), Random(0)).action == TakeFrom(0)
