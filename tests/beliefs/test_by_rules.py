"""The belief by rules: exactly the worlds that look the same, on hidden games of Pursuit."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.beliefs.by_rules import BeliefByRules
from manhunt.core.errors import BadConfig
from manhunt.core.events import Event
from manhunt.core.game import AnyGame
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.pursuit.beliefs.candidates import PursuitCandidates
from manhunt.games.pursuit.rules.config import Visibility
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.testing.worlds import OtherWorlds
from pursuit_games import pursuit_configs, pursuit_histories

GAME = PursuitGame()
HIDDEN = st.sampled_from([Visibility.ROUNDS, Visibility.SIGHT])
LOOKERS = st.sampled_from([Seat.PURSUERS, Seat.SPECTATOR])
ALL = 10**6


class Plain(BeliefByRules):
    """All that a game must write; no short cut."""

    game: ClassVar[AnyGame] = GAME

    def worlds_of(self, view: Any) -> Iterable[PursuitState]:
        nodes = (view.quarry,) if view.placing else view.config.board.nodes()
        return (
            PursuitState(view.config, node, view.pursuers, view.round, view.waiting, view.sighting) for node in nodes
        )


class SilentGame(PursuitGame):
    """Of a move that nobody sees there is nothing to hear but its number."""

    def events(self, before: PursuitState, action: Any, after: PursuitState) -> tuple[Event, ...]:
        return super().events(before, action, after)[:1]


class Silent(Plain):
    game: ClassVar[AnyGame] = SilentGame()


def hear(belief: BeliefByRules, events: Iterable[Event], seat: Seat) -> None:
    belief.observe(event.seen_by(seat) for event in events)


@given(HIDDEN.flatmap(pursuit_configs), LOOKERS, st.sampled_from([Plain, PursuitCandidates]), st.integers(0, 2**32))
def test_candidates_are_the_nodes_of_all_worlds_that_look_the_same(config, seat, kind, seed) -> None:
    """Beside them only worlds with the same events that are over where the true game goes on, or the reverse."""
    rng, belief = Random(seed), kind()
    setup = GAME.deal(config, rng)
    state = GAME.start(config, setup)
    worlds = OtherWorlds(GAME, config, setup, seat, rng=rng, most=ALL)
    belief.start(GAME.view(state, seat))
    hear(belief, GAME.opening_events(state), seat)
    for _ in range(12):
        alike = {state, *(past.states[-1] for past in worlds.pasts(ALL))}
        view = GAME.view(state, seat)
        assert {world for world in belief.worlds if GAME.view(world, seat) == view} == alike
        assert all(GAME.outcome(world) != view.outcome for world in set(belief.worlds) - alike)
        assert belief.candidates == {world.quarry for world in belief.worlds} - {None}
        assert belief.probabilities == {node: 1 / len(belief.candidates) for node in belief.candidates}
        assert belief.sample(Random(seed)) in belief.worlds
        if GAME.to_act(state) is None:
            break
        action = rng.choice(GAME.legal_actions(state))
        worlds.advance(action)
        before, state = state, GAME.apply_action(state, action)
        hear(belief, GAME.events(before, action, state), seat)


@given(HIDDEN.flatmap(pursuit_histories))
def test_a_hidden_ply_is_counted_by_its_number_alone(history) -> None:
    """Brute force over what is heard: worlds are kept by their events only."""
    states, actions = history
    game, seat, belief = Silent.game, Seat.PURSUERS, Silent()
    belief.start(game.view(states[0], seat))
    hear(belief, game.opening_events(states[0]), seat)
    worlds = {world for world in belief.worlds_of(game.view(states[0], seat)) if looks_alike(game, world, states[0])}
    for before, action, after in zip(states, actions, states[1:], strict=False):
        happened = game.events(before, action, after)
        hear(belief, happened, seat)
        seen = [event.seen_by(seat) for event in happened]
        worlds = {
            next_world
            for world in worlds
            for option in game.legal_actions(world)
            for next_world in [game.apply_action(world, option)]
            if [event.seen_by(seat) for event in game.events(world, option, next_world)] == seen
        }
        assert belief.candidates == {world.quarry for world in worlds} - {None}


def looks_alike(game: AnyGame, world: PursuitState, true: PursuitState) -> bool:
    return bool(game.view(world, Seat.PURSUERS) == game.view(true, Seat.PURSUERS))


@given(HIDDEN.flatmap(pursuit_histories), st.integers(0, 20), st.booleans())
def test_started_in_the_middle_of_a_game(history, first, with_opening) -> None:
    """With a view of later on, every world that looks so now is possible; the opening may be told or not."""
    states, actions = history
    first = 0 if with_opening else min(first, len(actions))
    belief, seat = PursuitCandidates(), Seat.PURSUERS
    view = GAME.view(states[first], seat)
    belief.start(view)
    if with_opening:
        hear(belief, GAME.opening_events(states[0]), seat)
    fitting = {world.quarry for world in Plain().worlds_of(view) if GAME.view(world, seat) == view}
    assert belief.candidates == fitting - {None}
    for n in range(first, len(actions)):
        hear(belief, GAME.events(states[n], actions[n], states[n + 1]), seat)
        assert states[n + 1].quarry is None or states[n + 1].quarry in belief.candidates


@given(HIDDEN.flatmap(pursuit_histories), st.integers(1, 3), LOOKERS)
def test_events_of_the_referee_change_nothing(history, every, seat) -> None:
    """A fault is hidden from the others, so that it looks like a hidden move."""
    states, actions = history
    undisturbed, belief = PursuitCandidates(), PursuitCandidates()
    for each in (undisturbed, belief):
        each.start(GAME.view(states[0], seat))
    for n, action in enumerate(actions):
        events = [event.seen_by(seat) for event in GAME.events(states[n], action, states[n + 1])]
        undisturbed.observe(events)
        if n % every == 0:
            belief.observe([{"v": 8}, {"v": 9, "t": "stand-in", "seat": "evader", "why": "illegal", "policy": "pass"}])
        belief.observe(events)
        if GAME.to_act(states[n + 1]) is None:
            belief.update({"v": 10, "t": "end", "outcome": "evader survives"})
        assert belief.candidates == undisturbed.candidates


@given(HIDDEN.flatmap(pursuit_histories), st.integers(0, 2**32))
def test_who_sees_the_quarry_has_one_world(history, seed) -> None:
    states, actions = history
    belief = PursuitCandidates()
    belief.start(GAME.view(states[0], Seat.EVADER))
    for n, action in enumerate(actions):
        hear(belief, GAME.events(states[n], action, states[n + 1]), Seat.EVADER)
        assert belief.sample(Random(seed)) == states[n + 1]


def test_other_games_are_refused() -> None:
    other = make_game("shortest_path")
    view = other.view(other.new(other.make_config(), Random(1)), Seat.PURSUERS)
    with pytest.raises(BadConfig, match="for pursuit, not for shortest_path"):
        Plain().start(view)
