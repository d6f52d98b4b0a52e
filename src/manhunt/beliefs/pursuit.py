"""Exact candidates for Pursuit where the quarry is hidden: the rules themselves say what could have happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from manhunt.beliefs.base import Belief
from manhunt.errors import BadConfig
from manhunt.games.base import View
from manhunt.games.pursuit import rules
from manhunt.games.pursuit.actions import Action, JointMove, Move
from manhunt.games.pursuit.config import Visibility
from manhunt.games.pursuit.state import State
from manhunt.games.pursuit.views import View as PursuitView
from manhunt.ids import Node


class PursuitCandidates(Belief):
    """The states that fit what the detectives were told, told apart by the quarry's node; all are equally likely.

    Exact when started with a game's first view; started later with a hidden quarry, every node that would not be
    seen now is a candidate.
    """

    def __init__(self) -> None:
        self._worlds: dict[Node, State] = {}
        self._placing: State | None = None
        self._moved: Mapping[str, Any] | None = None

    @property
    def candidates(self) -> frozenset[Node]:
        return frozenset(self._worlds)

    @property
    def probabilities(self) -> Mapping[Node, float]:
        return {node: 1 / len(self._worlds) for node in sorted(self._worlds)}

    def sample(self, rng: Random) -> State:
        """While the detectives are being placed there is no quarry yet, and the state is the true one."""
        return self._placing if self._placing is not None else self._worlds[self.sample_node(rng)]

    def start(self, view: View) -> None:
        if not isinstance(view, PursuitView):
            raise BadConfig(f"these candidates are for pursuit, not for {view.game}")
        self._moved = None
        bare = State(view.config, None, view.pursuers, view.round, view.waiting, view.sighting)
        self._placing = bare if view.placing else None
        nodes: Iterable[Node] = () if view.placing else view.config.board.nodes()
        if view.quarry is not None:
            nodes = (view.quarry,)
        worlds = (replace(bare, quarry=node) for node in nodes)
        self._worlds = {w.quarry: w for w in worlds if w.quarry is not None and self._fits(w, view)}

    def _fits(self, world: State, view: PursuitView) -> bool:
        is_seen = view.quarry is not None
        return is_seen or (not rules.is_seen(world) and rules.outcome(world) == view.outcome)

    def update(self, event: Mapping[str, Any]) -> None:
        kind = event.get("t")
        if kind == "moved" and self._is_open:
            self._advance(event, event["to"] if event.get("piece") == "quarry" else None)
        elif kind == "moved":
            self._moved = event  # its sighting tells the rest
        elif kind == "sighting":
            self._advance(self._moved or {"piece": "quarry"}, event["at"])
            self._moved = None

    @property
    def _is_open(self) -> bool:
        world = self._placing or next(iter(self._worlds.values()))
        return world.config.visibility is Visibility.ALWAYS

    def _advance(self, moved: Mapping[str, Any], seen: str | None) -> None:
        """One ply in every world; those stay in which it would have looked like this."""
        after: dict[Node, State] = {}
        sources = [self._placing] if self._placing is not None else list(self._worlds.values())
        for source in sources:
            for action in self._actions(source, moved):
                world = rules.apply_action(source, action)
                if world.placing:
                    self._placing = world
                elif world.quarry is not None and self._looks_like(world, moved, seen):
                    after[world.quarry] = world
        if after:
            self._worlds, self._placing = after, None

    def _looks_like(self, world: State, moved: Mapping[str, Any], seen: str | None) -> bool:
        if self._is_open and moved.get("piece") != "quarry":
            return True
        assert world.quarry is not None
        return seen == (world.config.board.label(world.quarry) if rules.is_seen(world) else None)

    @staticmethod
    def _actions(world: State, moved: Mapping[str, Any]) -> tuple[Action, ...]:
        legal, piece, node = rules.legal_actions(world), moved.get("piece"), world.config.board.node
        if moved.get("pieces") == "all":
            wanted: Action = JointMove(tuple(node(label) for label in moved["to"]))
        elif piece == "quarry":
            return tuple(a for a in legal if isinstance(a, Move) and a.piece is None)
        else:
            wanted = Move(node(moved["to"]), piece)
        return (wanted,) if wanted in legal else ()
