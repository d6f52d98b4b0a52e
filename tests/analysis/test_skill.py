"""Skill and luck add up to the result, and in solved games they are what brute force says."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from manhunt.analysis.analyse import analyse
from manhunt.analysis.findings import QUICK
from manhunt.analysis.skill import accuracy
from manhunt.analysis.small_games import SolvedGame, findings_by
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import kit_of, make_game
from manhunt.games.pursuit.show.analysis import Exact
from manhunt.games.pursuit.solvers.tables import FOREVER, solve_table
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record
from manhunt.solvers.equilibrium.sequence_form import solve_exactly
from manhunt.solvers.equilibrium.tree import build_tree
from random_games import SMALL, random_record

HIDING = {"pursuit": {"visibility": "rounds", "reveal_rounds": [3]}}
GAMES = [(name, options) for name, options in SMALL.items()] + [
    (name, {**SMALL[name], **more}) for name, more in HIDING.items()
]


def adds_up(found: dict[str, Any]) -> None:
    skill = found["skill"]
    parts = [*skill["choice"].values(), skill["luck"], skill["open"]]
    assert math.isclose(math.fsum(parts), skill["result"] - skill["start"], abs_tol=1e-9)
    steps = skill["steps"]
    assert all(abs(s["before"] + s["choice"] + s["luck"] + s["open"] - s["after"]) < 1e-9 for s in steps)
    assert all(one["after"] == two["before"] and one["end"] == two["ply"] for one, two in pairwise(steps))
    for step in steps:
        sign = 1 if step["seat"] == "evader" else -1
        assert sign * step["choice"] <= 1e-9
    for seat, player in found["players"].items():
        sides = [player["choice"], player["opponent"], player["luck"], player["open"]]
        assert math.isclose(math.fsum(sides), player["result"], abs_tol=1e-9), seat


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_choices_and_luck_add_up_to_the_result(name: str, options: dict[str, Any]) -> None:
    n = 0
    for seed in range(3):
        found = analyse(random_record(name, seed, **options).format(), QUICK)
        if found["skill"] is not None:
            adds_up(found)
            n += 1
    assert n > 0


def test_who_gives_up_has_chosen_it() -> None:
    game = make_game("pursuit")
    config = game.make_config(**SMALL["pursuit"])
    record = random_record("pursuit", 1, **SMALL["pursuit"])
    setup, actions = record.setup, [game.parse_action(config, text) for text in record.actions[:2]]
    gone = Record.of(game, config, setup, actions, outcome=Outcome(Side.PURSUERS, Termination.FORFEIT), fault="gave up")
    found = analyse(gone.format(), QUICK)
    adds_up(found)
    last = found["skill"]["steps"][-1]
    assert (last["seat"], last["cause"], last["luck"]) == ("evader", "gave up", 0.0)


def test_solved_pursuit_has_no_luck_and_its_choices_are_the_solvers_losses() -> None:
    table = None
    for seed in range(4):
        record = random_record("pursuit", seed, **SMALL["pursuit"])
        past, found = Hindsight(record), analyse(record.format(), QUICK)
        table = table or solve_table(past.config)
        exact, top = Exact(table), found["axis"]["high"]
        values = [min(exact.total(state), top) for state in past.states]
        assert (found["skill"]["luck"], found["skill"]["open"]) == (0.0, 0.0)
        assert [s["choice"] for s in found["skill"]["steps"]] == [b - a for a, b in pairwise(values)]
        assert all(total == FOREVER or total <= top for total in map(exact.total, past.states))


@cache
def small_solved(name: str, size: str = "tiny") -> tuple[Any, Any, SolvedGame]:
    game = make_game(name)
    config = game.make_config(**kit_of(name).part("miniatures")[size])
    tree = build_tree(game, config)
    return game, config, SolvedGame(tree, solve_exactly(tree.form))


SOLVED = [("fugitive", "small"), ("pursuit", "tiny"), ("scotland_yard", "tiny")]


def played_at_random(game: Any, config: Any, seed: int) -> Record:
    rng = Random(seed)
    setup = game.deal(config, rng)
    state, actions = game.start(config, setup), []
    while (seat := game.to_act(state)) is not None:
        act = game.sample_chance(state, rng) if seat is Seat.CHANCE else rng.choice(game.legal_actions(state))
        actions.append(act)
        state = game.apply_action(state, act)
    return Record.of(game, config, setup, actions, outcome=game.outcome(state))


@pytest.mark.parametrize(("name", "size"), SOLVED)
def test_in_solved_games_values_are_those_of_brute_force(name: str, size: str) -> None:
    """V by plain recursion over the rules, with the policy looked up by what the seat to act has seen and done."""
    game, config, solved = small_solved(name, size)
    tree, policy = solved.tree, {}
    for side, seat in enumerate(PLAYERS):
        for infoset in tree.infosets[side]:
            own = solved.policies[side][infoset.first : infoset.first + len(infoset.actions)]
            policy[knowledge(game, tree.history_of(infoset.node), seat)] = own
    for seed in range(5):
        past = Hindsight(played_at_random(game, config, seed))
        path = solved.path(past)
        for ply in range(past.last + 1):
            plies = [(past.states[i], past.acting(i), past.actions[i]) for i in range(ply)]
            chance = brute(game, past.states[0], plies, past.states[ply], policy)
            assert solved.values[path[ply]] == pytest.approx(chance, abs=1e-12)


def knowledge(game: Any, history: Any, seat: Seat) -> tuple[Any, ...]:
    first, plies, state = history
    heard = [repr(event.seen_by(seat)) for event in game.opening_events(first)]
    for i, (before, acting, action) in enumerate(plies):
        after = plies[i + 1][0] if i + 1 < len(plies) else state
        heard.append(repr(action) if acting is seat else "")
        heard += [repr(event.seen_by(seat)) for event in game.events(before, action, after)]
    return (seat, *heard)


def brute(game: Any, first: Any, plies: list[Any], state: Any, policy: dict[Any, Any]) -> float:
    seat = game.to_act(state)
    if seat is None:
        return float(game.outcome(state).winner is Side.EVADER)
    legal = game.legal_actions(state)
    if seat is Seat.CHANCE:
        odds = [p for _, p in game.chance_odds(state)]
    else:
        odds = [1.0] if len(legal) == 1 else policy[knowledge(game, (first, plies, state), seat)]
    return math.fsum(
        p * brute(game, first, [*plies, (state, seat, action)], game.apply_action(state, action), policy)
        for p, action in zip(odds, legal, strict=True)
        if p > 0
    )


@pytest.mark.parametrize(("name", "size"), SOLVED)
def test_in_solved_games_luck_averages_to_nothing(name: str, size: str) -> None:
    """Over what the mover cannot know, whatever they play; so skill is all that is left on average."""
    _, _, solved = small_solved(name, size)
    tree, nodes, n_checked = solved.tree, solved.tree.nodes, 0
    members = defaultdict(list)
    for n, (kind, number) in enumerate(zip(nodes.kind, nodes.infoset, strict=True)):
        members[int(kind), int(number)].append(n)
    for side in (0, 1):
        reach = solved._reach(side, solved.policies)
        sign = 1 if side == 0 else -1
        for number, infoset in enumerate(tree.infosets[side]):
            inside = members[side, number]
            known = solved.known[side][infoset.first : infoset.first + len(infoset.actions)]
            best = max(sign * known)
            for i, mine in enumerate(known):
                choice = sign * mine - best
                luck = [sign * (solved.values[solved.children[n][i]] - solved.values[n]) - choice for n in inside]
                weights = [reach[n] for n in inside]
                mean = sum(w * x for w, x in zip(weights, luck, strict=True)) / sum(weights)
                assert choice <= 1e-12
                assert mean > -1e-6
                if sum(weights) > 1e-5:  # the other side comes there in equilibrium
                    assert mean < 1e-6
                    n_checked += 1
    assert n_checked > 10


@pytest.mark.parametrize(("name", "size"), SOLVED)
def test_small_games_are_solved_without_being_asked(name: str, size: str) -> None:
    game, config, solved = small_solved(name, size)
    lost = 0.0
    for seed in range(6):
        record = played_at_random(game, config, seed)
        past, found = Hindsight(record), analyse(record.format(), QUICK)
        assert "solved" in found["how"][0]
        adds_up(found)
        exact = findings_by(past, solved)
        assert [move["lost"] for move in found["moves"]] == pytest.approx([move.lost for move in exact.moves], abs=1e-6)
        lost += found["players"]["evader"]["lost"] + found["players"]["pursuers"]["lost"]
    assert lost > 0


def test_accuracy_halves_with_every_half() -> None:
    assert accuracy([], 0.1) is None
    assert accuracy([0.0, 0.0], 0.1) == 100
    assert accuracy([0.1], 0.1) == pytest.approx(50)
    assert accuracy([0.0, 0.2], 0.1) == pytest.approx(62.5)
