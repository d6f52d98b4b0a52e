"""The schema of views and events: it takes every real message of every preset, and nothing that is not quite one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from bot_messages import Message, heard_in_a_game, mutants
from manhunt.core.game import Game
from manhunt.core.ids import Seat
from manhunt.core.kit import Kit
from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.core.seeds import Secret
from manhunt.core.turns import FAILED
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import PursuitView
from manhunt.play.fault import FaultPolicy
from manhunt.protocol.events import COMMON_EVENTS
from manhunt.protocol.schema import protocol_schema

SCHEMA = protocol_schema()
MORE: dict[str, list[dict[str, Any]]] = {
    "pursuit": [
        {"visibility": "rounds", "reveal_rounds": [2, 5]},
        {"visibility": "sight", "board": "grid:4x5"},
        {"preset": "cops-and-robbers", "board": "grid:3x4", "max_rounds": 8},
        {"preset": "cops-and-robbers", "board": "petersen", "max_rounds": 8, "visibility": "rounds"},
    ],
    "fugitive": [{"preset": "mini"}],
    "shortest_path": [{"board": "grid:4x4", "source": "1", "target": "16", "rule": "double"}],
}
SEATS = ("evader", "pursuers")
every_game = pytest.mark.parametrize("name", BUILT_IN)


def closed(schema: Any) -> Any:
    """The same, but fields that nobody described are refused."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    return {"additionalProperties": False, **inner} if "required" in inner else inner


def validator(name: str, *, is_closed: bool = False, schema: Any = SCHEMA) -> Any:
    definitions = closed(schema["$defs"]) if is_closed else schema["$defs"]
    return jsonschema_rs.validator_for({"$schema": schema["$schema"], "$ref": f"#/$defs/{name}", "$defs": definitions})


def configs(name: str) -> Iterator[Any]:
    game = kit_of(name).game
    for preset in game.presets:
        yield game.make_config(preset, **({"max_rounds": 12} if "cops" in preset else {}))
    for options in (kit_of(name).small, *MORE.get(name, ())):
        yield game.make_config(**options)


def failing(name: str) -> Iterator[dict[str, list[Message]]]:
    """Games in which turns fail, one for each way and each policy; one of them was dealt in secret."""
    kit = kit_of(name)
    config = kit.game.make_config(**kit.small)
    for end in FAILED:
        for policy in (None, *FaultPolicy):
            policies = None if policy is None else {end: policy}
            yield heard_in_a_game(kit.game, config, 5, {1: end}, policies)
    yield heard_in_a_game(kit.game, config, Secret(bytes(32)))


@every_game
def test_every_message_of_whole_games_fits_and_nothing_in_it_is_left_undescribed(name: str) -> None:
    game, n_messages = kit_of(name).game, 0
    told: set[tuple[str, str]] = set()
    checks = {seat: (validator(f"{name}.{seat}"), validator(f"{name}.{seat}", is_closed=True)) for seat in SEATS}
    games = [heard_in_a_game(game, config, seed) for config in configs(name) for seed in range(3)]
    for heard in (*games, *failing(name)):
        for seat, messages in heard.items():
            for message in messages:
                for check in checks[seat]:
                    check.validate(message)
                told |= {(seat, event["t"]) for event in message.get("events", ()) if "t" in event}
            n_messages += len(messages)
    kinds = {**kit_of(name).part("messages").EVENTS, **COMMON_EVENTS}
    never = {(seat, "pass by rule") for seat in SEATS if name != "shortest_path"}  # one rule book knows it
    assert told >= {(seat, kind) for kind, each in kinds.items() for seat in each.readers} - never
    assert n_messages > 500


@every_game
@pytest.mark.parametrize("seat", SEATS)
def test_no_field_may_be_missing_or_of_another_type(name: str, seat: str) -> None:
    game = kit_of(name).game
    check = validator(f"{name}.{seat}.observe")
    rng, n_tried = Random(7), 0
    for config in configs(name):
        heard = [m for m in heard_in_a_game(game, config, 11)[seat] if m["t"] == "observe"]
        for message in [heard[0], heard[-1], *rng.sample(heard, min(2, len(heard)))]:
            check.validate(message)
            tried = list(mutants(message))
            for what, mutant in rng.sample(tried, min(60, len(tried))):
                if is_no_mistake(what, message, mutant):
                    continue
                assert not check.is_valid(mutant), what
                n_tried += 1
    assert n_tried > 100


def is_no_mistake(what: str, message: Message, mutant: Message) -> bool:
    """An event without fields of its own is a hidden one without its kind; and a table may have other piles."""
    pairs = zip(message["events"], mutant.get("events", ()), strict=False)
    is_hidden_now = any(set(new) == {"v"} != set(old) for old, new in pairs if isinstance(new, dict))
    return is_hidden_now or (what.startswith("without") and "'piles', '" in what)


@every_game
def test_a_field_that_nobody_described_would_be_noticed(name: str) -> None:
    heard = heard_in_a_game(kit_of(name).game, kit_of(name).game.make_config(**kit_of(name).small), 3)
    for seat, messages in heard.items():
        message = next(m for m in messages if m["t"] == "observe")
        first = {**message["events"][0], "colour": "red"}
        for strange in (
            {**message, "view": {**message["view"], "colour": "red"}},
            {**message, "events": [first, *message["events"][1:]]},
        ):
            assert validator(f"{name}.{seat}").is_valid(strange)  # bots let unknown fields pass
            assert not validator(f"{name}.{seat}", is_closed=True).is_valid(strange)


@every_game
def test_a_seat_s_messages_are_not_the_other_seat_s(name: str) -> None:
    heard = heard_in_a_game(kit_of(name).game, kit_of(name).game.make_config(**kit_of(name).small), 3)
    for seat, other in (SEATS, SEATS[::-1]):
        check = validator(f"{name}.{other}")
        views = [m for m in heard[seat] if m["t"] == "observe" and m["view"] is not None]
        assert views
        assert not any(check.is_valid(message) for message in views)


def test_what_a_seat_must_not_read_does_not_fit() -> None:
    for name, seat, event in (
        ("scotland_yard", "pursuers", {"v": 3, "t": "quarry", "at": "104"}),
        ("fugitive", "pursuers", {"v": 2, "t": "hand", "cards": [1, 2, 3, 42]}),
    ):
        message = {"t": "observe", "events": [event], "view": None}
        assert not validator(f"{name}.{seat}.observe").is_valid(message)
        assert validator(f"{name}.evader.observe").is_valid(message)
        assert validator(f"{name}.{seat}.observe").is_valid({**message, "events": [{"v": event["v"]}]})


def test_every_field_and_every_kind_has_a_description() -> None:
    for name, part in SCHEMA["$defs"].items():
        if name.startswith(BUILT_IN) and "type" in part:
            assert part.get("description"), name
            for field, each in part["properties"].items():
                assert each.get("description"), f"{name}: {field}"


def test_labels_are_strings() -> None:
    heard = heard_in_a_game(kit_of("pursuit").game, kit_of("pursuit").game.make_config(), 1)["evader"]
    message = next(m for m in heard if m["t"] == "observe")
    check = validator("pursuit.evader.observe")
    check.validate(message)
    assert not check.is_valid({**message, "view": {**message["view"], "quarry": int(message["view"]["quarry"])}})


class OutsideGame(PursuitGame):
    """A game of another package that leaves the JSON of its views to the platform."""

    name = "outside"
    view_to_json = Game.view_to_json

    def view(self, state: PursuitState, seat: Seat) -> PursuitView:
        return super().view(state, seat)


def test_a_game_of_another_package_is_described_by_its_view() -> None:
    kit = Kit(home=__name__, name="outside", summary="", parts={"game": f"{__name__}:OutsideGame"})
    kit.__dict__["game"] = OutsideGame()
    schema = protocol_schema([kit])
    jsonschema_rs.meta.validate(schema)
    view = schema["$defs"]["outside.pursuers.view"]
    assert list(view["properties"])[:4] == ["seat", "quarry", "sighting", "pursuers"]
    assert "config" not in view["properties"]
    assert "`quarry` is None if the seat does not see it" in view["description"]
    pursuers = view["properties"]["pursuers"]
    assert pursuers.pop("description").startswith("Where the detectives are")
    assert pursuers == {"type": "array", "items": {"type": "integer"}}
    config = kit.game.make_config(visibility="rounds", reveal_rounds=(2,), max_rounds=4)
    for seat, messages in heard_in_a_game(kit.game, config, 1).items():
        check = validator(f"outside.{seat}", schema=schema)
        for message in messages:
            check.validate(message if message["t"] != "new" else {**message, "game": "outside"})
        last = [m for m in messages if m["t"] == "observe"][1]
        assert not check.is_valid({**last, "view": {**last["view"], "pursuers": "none"}})


def test_a_game_that_writes_its_own_json_and_does_not_describe_it_still_has_a_schema() -> None:
    kit = Kit(home=__name__, name="pursuit", summary="", parts={"game": "manhunt.games.pursuit.rules.game:PursuitGame"})
    schema = protocol_schema([kit])
    check = validator("pursuit.evader", schema=schema)
    for message in heard_in_a_game(kit.game, kit.game.make_config(max_rounds=3), 1)["evader"]:
        check.validate(message)
    bad_end: Message = {"t": "observe", "events": [{"v": 9, "t": "end"}], "view": None}
    assert not check.is_valid(bad_end)
