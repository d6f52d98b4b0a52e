"""The scene that any hunt on a board gets without one of its own: driven with views of Pursuit and Scotland Yard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from followed import as_json, follow
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import kit_of, make_game
from manhunt.draw import board_scene
from manhunt.draw.board_words import ending_of, move_words
from manhunt.draw.scene_json import offers_json, scene_json
from manhunt.draw.scenes import draw_view, scene_of
from manhunt.games.pursuit.show import scene as own
from random_games import random_record

GAME = make_game("pursuit")
HIDDEN = {"visibility": "rounds", "reveal_rounds": (2,)}
CONFIGS = {
    "in order": GAME.make_config("seed", max_rounds=6),
    "any order": GAME.make_config("seed", max_rounds=6, order="any", n_detectives=3),
    "at once, chosen places": GAME.make_config("cops-and-robbers", board="petersen", max_rounds=5),
    "sight": GAME.make_config("seed", board="grid:4x4", visibility="sight", max_rounds=8),
}


@pytest.fixture
def plain_kit(monkeypatch) -> None:
    monkeypatch.delitem(kit_of("pursuit").parts, "scene")


def states(seed: int, **options):
    rng = Random(seed)
    state = GAME.new(GAME.make_config(board="grid:4x4", max_rounds=6, **options), rng)
    yield state
    while GAME.outcome(state) is None:
        state = GAME.apply_action(state, rng.choice(GAME.legal_actions(state)))
        yield state


@pytest.mark.parametrize("options", [{}, HIDDEN], ids=["seen", "hidden"])
@pytest.mark.usefixtures("plain_kit")
def test_it_shows_what_the_games_own_scene_shows(options) -> None:
    n_last_seen = 0
    for seed in range(4):
        for state in states(seed, **options):
            for seat in (Seat.EVADER, Seat.PURSUERS):
                view = GAME.view(state, seat)
                made, wanted = scene_of(view), own.scene(view)
                assert made.board is wanted.board
                assert [(p.key, p.node, p.text) for p in made.pieces] == [
                    (p.key, p.node, p.text) for p in wanted.pieces
                ]
                assert made.choices == wanted.choices
                assert [offer.picks for offer in made.offers] == [offer.picks for offer in wanted.offers]
                n_last_seen += made.last_seen is not None
    assert bool(n_last_seen) == (options is HIDDEN)


@pytest.mark.parametrize("name", CONFIGS)
def test_every_legal_action_is_offered_once_in_words(name: str) -> None:
    config = CONFIGS[name]
    for _, logs in follow("pursuit", config, seed=2):
        for log in logs.values():
            offers = as_json(offers_json(board_scene.scene(log.view)))  # type: ignore[arg-type]
            assert [offer["action"] for offer in offers] == [GAME.format_action(config, a) for a in log.view.legal]
            assert all(offer["words"] for offer in offers)


def test_every_piece_stands_where_its_seat_sees_it() -> None:
    hidden = 0
    for state, logs in follow("pursuit", CONFIGS["sight"], seed=4):
        for seat, log in logs.items():
            scene = as_json(scene_json(board_scene.scene(log.view)))  # type: ignore[arg-type]
            label = state.config.board.label
            places = {piece["id"]: piece["at"] for piece in scene["marks"]["pieces"]}
            pursuers = {f"pursuer-{i}": label(node) for i, node in enumerate(state.pursuers)}
            sees = log.view.quarry is not None  # type: ignore[attr-defined]
            assert places == pursuers | ({"quarry": label(state.quarry)} if sees else {})
            assert sees or seat is not Seat.EVADER
            hidden += not sees
            assert scene["turn"] == (log.view.to_act and log.view.to_act.value)
            assert scene["title"].startswith(f"Pursuit, round {state.round}: ")
    assert hidden


def test_a_quarry_that_is_lost_from_sight_was_last_seen_somewhere() -> None:
    found: list[dict[str, Any]] = []
    for state, logs in follow("pursuit", CONFIGS["sight"], seed=4):
        marks = scene_json(board_scene.scene(logs[Seat.PURSUERS].view))["marks"]  # type: ignore[arg-type]
        if marks["lastSeen"]:
            assert marks["lastSeen"]["at"] == state.config.board.label(state.sighting.node)
            found.append(marks["lastSeen"])
    assert found
    assert {seen["name"] for seen in found} == {"Mr X"}


def test_a_piece_is_picked_first_where_several_may_move() -> None:
    moments = follow("pursuit", CONFIGS["any order"], seed=3)
    next(moments)
    view: Any = next(moments).logs[Seat.PURSUERS].view
    label = view.config.board.label
    for offer, action in zip(offers_json(board_scene.scene(view)), view.legal, strict=True):
        assert offer["picks"] == [label(view.pursuers[action.piece]), label(action.to)]
        assert offer["words"] in (f"{offer['piece']} to {offer['to']}", f"{offer['piece']} stays on {offer['to']}")
        assert offer["stays"] is (offer["picks"][0] == offer["to"])


def test_a_piece_that_alone_may_move_needs_one_pick() -> None:
    moments = follow("pursuit", CONFIGS["in order"], seed=3)
    view: Any = next(moments).logs[Seat.EVADER].view
    offers = offers_json(board_scene.scene(view))
    assert all(offer["picks"] == [offer["to"]] and "piece" not in offer for offer in offers)


def test_another_game_on_a_board_is_shown_too() -> None:
    game = make_game("scotland_yard")
    config = game.make_config("standard", rounds=4, shown=(2,))
    for _, logs in follow("scotland_yard", config, seed=1):
        for log in logs.values():
            scene = board_scene.scene(log.view)  # type: ignore[arg-type]
            as_json(scene_json(scene))
            assert len(scene.offers) == len(log.view.legal)


@pytest.mark.parametrize("how", Termination)
@pytest.mark.parametrize("winner", Side)
def test_every_ending_has_words(how: Termination, winner: Side) -> None:
    words = ending_of(GAME, Outcome(winner, how))
    assert words.startswith("Mr X won: " if winner is Side.EVADER else "the detectives won: ")


def test_endings_call_the_sides_as_the_game_does() -> None:
    assert ending_of(GAME, Outcome(Side.PURSUERS, Termination.CAPTURE)) == "the detectives won: Mr X was caught"
    assert ending_of(GAME, Outcome(Side.EVADER, Termination.EXHAUSTED)) == "Mr X won: the detectives could not move"


@dataclass(frozen=True)
class Signal:
    """An action that is not a move."""

    light: str


def test_an_action_that_is_no_move_is_offered_in_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    view: Any = next(follow("pursuit", CONFIGS["in order"], seed=3)).logs[Seat.EVADER].view
    monkeypatch.setattr(type(GAME), "format_action", lambda self, config, action: f"light {action.light}")
    assert move_words(view, Signal("red")) == "light red"
    assert move_words(view, type(view.legal[0])(Node(3))) == f"to {view.config.board.label(3)}"
    (offer,) = board_scene.scene(replace(view, legal=(Signal("red"),))).offers
    assert (offer.action, offer.picks, offer.to) == ("light red", (), ())


@pytest.mark.usefixtures("plain_kit")
def test_its_picture_has_the_games_own_words() -> None:
    *_, last = states(2)
    view = GAME.view(last, Seat.SPECTATOR)
    assert scene_of(view).title.startswith(f"Pursuit, round {view.round}: ")
    assert "<svg" in draw_view(view)
    assert "Mr X at" in draw_view(view)


@pytest.mark.usefixtures("plain_kit")
def test_a_replay_page_needs_no_scene_of_its_own() -> None:
    from manhunt.play.replay_page import replay_page

    assert 'id="board"' in replay_page(random_record("pursuit", 3))


def test_a_game_without_a_board_needs_a_scene(monkeypatch) -> None:
    monkeypatch.delitem(kit_of("fugitive").parts, "scene")
    game = make_game("fugitive")
    with pytest.raises(ManhuntError, match="Fugitive cannot be shown: it is not played on a board"):
        scene_of(game.view(game.new(game.make_config("mini"), Random(1)), Seat.EVADER))
    from manhunt.play.replay_page import replay_page

    assert "<pre>" in replay_page(random_record("fugitive", 3, preset="mini"))
