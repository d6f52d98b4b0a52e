"""Who knows what in Night Chase: views, events, beliefs and agents, on boards of any shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_games import NIGHT_CHASE
from manhunt.agents.registry import make_agent
from manhunt.boards.board import Board
from manhunt.core.agent import Advice, Agent
from manhunt.core.ids import EVERYBODY, PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.testing import ContractBroken, check_agent, check_game
from manhunt.testing.strategies import plain_boards
from manhunt.testing.worlds import OtherWorlds

BOARDS = plain_boards(min_nodes=3, max_nodes=7)
SIGHTS = st.integers(0, 3)
HUNTERS = st.integers(1, 2)
SEEDS = st.integers(0, 10_000)
BLIND_SEATS = (Seat.PURSUERS, Seat.SPECTATOR)


def random_game(game: Any, config: Any, seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """(before, action, after) of each ply."""
    rng = Random(seed)
    state = game.start(config, game.deal(config, rng))
    while game.outcome(state) is None:
        action = rng.choice(game.legal_actions(state))
        after = game.apply_action(state, action)
        yield state, action, after
        state = after


@given(board=BOARDS, sight=SIGHTS, hunters=HUNTERS, rounds=st.integers(1, 30), preset=st.sampled_from(["blind", None]))
def test_config_json_round_trip(
    chase: SimpleNamespace, board: Board, sight: int, hunters: int, rounds: int, preset: str | None
) -> None:
    config = chase.play.make_config(preset, board=board, sight=sight, hunters=hunters, rounds=rounds)
    assert chase.play.config_from_json(chase.play.config_to_json(config)) == config


@given(board=BOARDS, sight=SIGHTS, hunters=HUNTERS, seed=SEEDS)
def test_every_ply_makes_three_events(
    chase: SimpleNamespace, board: Board, sight: int, hunters: int, seed: int
) -> None:
    game = chase.play
    config = game.make_config(board=board, sight=sight, hunters=hunters, rounds=4)
    assert len(game.opening_events(game.new(config, Random(seed)))) == 3
    for before, action, after in random_game(game, config, seed):
        events = game.events(before, action, after)
        assert [event.kind for event in events] == ["moved", "runner", "seen"]
        hidden = [event.kind for event in events if Seat.PURSUERS not in event.audience]
        assert hidden == (["runner"] if action.piece is None else []), "whose turn it was is no secret"


@given(board=BOARDS, sight=SIGHTS, hunters=HUNTERS, seat=st.sampled_from(BLIND_SEATS), seed=SEEDS)
def test_candidates_are_those_of_brute_force_and_the_truth_is_among_them(
    chase: SimpleNamespace, board: Board, sight: int, hunters: int, seat: Seat, seed: int
) -> None:
    game = chase.play
    config = game.make_config(board=board, sight=sight, hunters=hunters, rounds=5)
    setup = game.deal(config, Random(seed))
    state = game.start(config, setup)
    belief = chase.belief.Candidates()
    belief.start(game.view(state, seat))
    belief.observe([event.seen_by(seat) for event in game.opening_events(state)])
    worlds = OtherWorlds(game, config, setup, seat, rng=Random(0), most=10_000)
    rng = Random(seed)
    while game.outcome(state) is None:
        assert state.quarry in belief.candidates
        by_force = {past.states[-1].quarry for past in worlds.pasts(10_000)} | {state.quarry}
        going_on = {world.quarry for world in belief.worlds if game.outcome(world) is None}
        assert going_on == by_force, "worlds that are over leave the belief with the next ply"
        action = rng.choice(game.legal_actions(state))
        after = game.apply_action(state, action)
        belief.observe([event.seen_by(seat) for event in game.events(state, action, after)])
        worlds.advance(action)
        state = after
    assert state.quarry in belief.candidates


@pytest.mark.parametrize("sight", [0, 1, 2])
@pytest.mark.parametrize("hunters", [1, 2])
def test_who_heard_the_same_sees_the_same(chase: SimpleNamespace, sight: int, hunters: int) -> None:
    """Every game of two rounds on a small board, from every start; that a game is over is no secret."""
    game = chase.play
    config = game.make_config(board="grid:4x3", sight=sight, hunters=hunters, rounds=2)
    for seat in BLIND_SEATS:
        groups = defaultdict(set)
        n_histories = 0
        for heard, state in histories(game, config, seat):
            groups[heard, game.outcome(state)].add(game.view(state, seat))
            n_histories += 1
        assert all(len(views) == 1 for views in groups.values())
        assert len(groups) < n_histories, "something is hidden"


def histories(game: Any, config: Any, seat: Seat) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What a seat heard, and the state, after every sequence of actions from every start."""

    def heard(events: Any) -> tuple[str, ...]:
        return tuple(str(event.seen_by(seat)) for event in events)

    def onwards(past: tuple[str, ...], state: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
        yield past, state
        for action in game.legal_actions(state):
            after = game.apply_action(state, action)
            yield from onwards(past + heard(game.events(state, action, after)), after)

    labels = config.board.labels
    hunters = list(labels[: config.hunters])
    for runner in labels[config.hunters :]:
        state = game.start(config, {"runner": runner, "hunters": hunters})
        yield from onwards(heard(game.opening_events(state)), state)


@given(board=BOARDS, sight=SIGHTS, hunters=HUNTERS, seed=SEEDS)
def test_two_states_that_differ_in_a_hidden_runner_look_the_same(
    chase: SimpleNamespace, board: Board, sight: int, hunters: int, seed: int
) -> None:
    game = chase.play
    config = game.make_config(board=board, sight=sight, hunters=hunters, rounds=4)
    for _, _, state in random_game(game, config, seed):
        if chase.rules.is_seen(state):
            continue
        for node in board.nodes():
            other = replace(state, quarry=node)
            if not chase.rules.is_seen(other) and game.outcome(other) == game.outcome(state):
                for seat in BLIND_SEATS:
                    assert game.view(other, seat) == game.view(state, seat)
                    assert game.format_view(game.view(other, seat)) == game.format_view(game.view(state, seat))


@given(board=BOARDS, sight=SIGHTS, hunters=HUNTERS, seed=SEEDS)
def test_the_size_is_an_upper_bound(chase: SimpleNamespace, board: Board, sight: int, hunters: int, seed: int) -> None:
    config = chase.play.make_config(board=board, sight=sight, hunters=hunters, rounds=4)
    size = chase.config.size_of(config)
    assert (size.pieces, size.rounds) == (hunters, 4)
    for _, _, after in random_game(chase.play, config, seed):
        assert len(chase.play.legal_actions(after)) <= size.choices
        assert chase.play.round_of(after) <= size.rounds


@pytest.mark.parametrize("preset", ["standard", "blind", "moonlight"])
def test_the_game_keeps_the_contract(chase: SimpleNamespace, preset: str) -> None:
    for seed in range(5):
        record = check_game("night_chase", chase.play.make_config(preset, board="petersen", rounds=8), seed=seed)
        assert record.actions


@pytest.mark.parametrize("agent", ["greedy", "random"])
@pytest.mark.parametrize("seat", PLAYERS)
def test_agents_keep_the_contract_and_use_no_secret(chase: SimpleNamespace, agent: str, seat: Seat) -> None:
    report = check_agent(agent, "night_chase", seat=seat)
    assert report.ok
    assert report.n_positions > 5
    assert (report.n_worlds > 0) is (seat is Seat.PURSUERS), "the runner sees everything"


def test_an_agent_that_peeks_is_found_out(chase: SimpleNamespace) -> None:
    class Peeks(Agent):
        """Looks for the truth in the referee's frame."""

        def act(self, view: Any, limit: Any, rng: Random) -> Advice:
            import sys

            frame: Any = sys._getframe()
            while frame is not None and not hasattr(frame.f_locals.get("self"), "state"):
                frame = frame.f_back
            quarry = frame.f_locals["self"].state.quarry
            hops = chase.rules.distances(view.config.board)
            return Advice(min(view.legal, key=lambda move: (hops[move.to, quarry], move.to)))

    with pytest.raises(ContractBroken):
        check_agent(Peeks, "night_chase", seat=Seat.PURSUERS)


def test_levels_are_those_of_the_readme(chase: SimpleNamespace) -> None:
    kit = kit_of("night_chase")
    rows = [
        [cell.strip(" `%") for cell in line.strip("|").split("|")]
        for line in (NIGHT_CHASE / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    escaped = {
        (runner, hunters): float(cell)
        for runner, *cells in rows
        for hunters, cell in zip(["random", "greedy"], cells, strict=True)
    }
    assert len(kit.levels) == 4
    for level in kit.levels:
        make_agent(level.spec, "night_chase", level.seat)
        pair = (level.spec, level.against) if level.seat is Seat.EVADER else (level.against, level.spec)
        score = escaped[pair] if level.seat is Seat.EVADER else 100 - escaped[pair]
        assert level.score == score
        assert f"{score} %" in level.summary


def test_everybody_gets_a_view(chase: SimpleNamespace) -> None:
    state = chase.play.new(chase.play.make_config(), Random(1))
    assert {chase.play.view(state, seat).seat for seat in EVERYBODY} == EVERYBODY
