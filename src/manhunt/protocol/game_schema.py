"""The part of the protocol's JSON Schema that depends on the game: views and events, seat by seat.

Types and words come from the game's part `messages` (`core.messages`). A game without it is described by the
annotations of its View class, as far as its `view_to_json` is the general one, and its events are any objects.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from manhunt.core.game import Game
from manhunt.core.ids import PLAYERS
from manhunt.core.kit import Kit
from manhunt.core.messages import EventKind, OutcomeText
from manhunt.core.outcome import Outcome
from manhunt.core.plain import SENT_APART
from manhunt.protocol.events import COMMON_EVENTS

Schema = dict[str, Any]
HIDDEN: Schema = {
    "title": "hidden",
    "description": "Something happened that your seat does not see: the number alone.",
    "type": "object",
    "properties": {"v": {"type": "integer", "minimum": 1, "description": "The number of the event."}},
    "required": ["v"],
    "maxProperties": 1,
}


def common_definitions() -> Schema:
    """The events that every game can have."""
    return {"event.hidden": HIDDEN, **_event_definitions("", COMMON_EVENTS)}


def game_definitions(kit: Kit) -> Schema:
    """`NAME.SEAT`, the messages of the manager to that seat, and all that they are made of."""
    part = kit.part("messages")
    kinds: Mapping[str, EventKind] = part.EVENTS if part else {}
    definitions = _event_definitions(f"{kit.name}.", kinds)
    for seat in (player.value for player in PLAYERS):
        definitions |= _view_definitions(kit, part, seat)
        definitions[f"{kit.name}.{seat}.events"] = _events_for(kit.name, seat, kinds)
        definitions[f"{kit.name}.{seat}.observe"] = _observe(kit.name, seat)
        definitions[f"{kit.name}.{seat}.new"] = _new(kit.name, seat)
        definitions[f"{kit.name}.{seat}"] = _messages(kit, seat)
    return definitions


def _messages(kit: Kit, seat: str) -> Schema:
    own = [f"{kit.name}.{seat}.observe", f"{kit.name}.{seat}.new"]
    others = ["manager.Greeting", "manager.Go", "manager.ManagerError", "manager.ManagerBye"]
    name = kit.game.seat_names.get(PLAYERS[seat != PLAYERS[0].value], seat)
    said = f"What manhunt says to a bot that plays {kit.title} as {seat} ({name})."
    return {"description": said, "anyOf": [_ref(each) for each in (*own, *others)]}


def _new(game: str, seat: str) -> Schema:
    narrower = {"game": {"const": game}, "seat": {"const": seat}}
    return {"allOf": [_ref("manager.New")], "properties": narrower}


def _observe(game: str, seat: str) -> Schema:
    view = {"anyOf": [_ref(f"{game}.{seat}.view"), {"type": "null"}]}
    narrower = {"events": {"type": "array", "items": _ref(f"{game}.{seat}.events")}, "view": view}
    return {"allOf": [_ref("manager.Observe")], "properties": narrower}


def _events_for(game: str, seat: str, kinds: Mapping[str, EventKind]) -> Schema:
    known = [*_forms_for(f"{game}.", kinds, seat), *_forms_for("", COMMON_EVENTS, seat)]
    if not kinds:  # of a game that does not say: any kind but those that every game has
        strange = {"not": {"enum": list(COMMON_EVENTS)}, "type": "string"}
        known.append({"type": "object", "properties": {"v": {"type": "integer"}, "t": strange}, "required": ["v", "t"]})
    return {"anyOf": [_ref("event.hidden"), *(_ref(each) if isinstance(each, str) else each for each in known)]}


def _forms_for(prefix: str, kinds: Mapping[str, EventKind], seat: str) -> Iterator[Any]:
    for kind, each in kinds.items():
        if seat in each.readers:
            yield from (_event_name(prefix, kind, number) for number in range(len(each.forms)))


def _event_name(prefix: str, kind: str, number: int) -> str:
    return f"{prefix}event.{kind.replace(' ', '-')}{f'.{number + 1}' if number else ''}"


def _event_definitions(prefix: str, kinds: Mapping[str, EventKind]) -> Schema:
    found: Schema = {}
    for kind, each in kinds.items():
        for number, form in enumerate(each.forms):
            head = {"v": int, "t": Literal[kind]}
            made = TypedDict(form.__name__, {**head, **_hints(form)})  # type: ignore[misc]
            schema = _schema_of(made, form, prefix, found)
            schema["properties"]["v"] |= {"minimum": 1, "description": "The number of the event."}
            schema["properties"]["t"]["description"] = "The kind of the event."
            found[_event_name(prefix, kind, number)] = schema | {"title": kind}
    return found


def _view_definitions(kit: Kit, part: Any, seat: str) -> Schema:
    name = f"{kit.name}.{seat}.view"
    form = part.VIEW if part else _declared_view(kit.game)
    if form is None:
        return {name: {"type": "object", "description": "What the seat knows; the game does not say more."}}
    hints = _hints(form)
    fixed = {"seat": Literal[seat], "to_act": Literal[seat], "outcome": None}
    narrower = {key: value for key, value in fixed.items() if key in hints}
    narrower |= getattr(part, "SEATS", {}).get(seat, {})
    found: Schema = {}
    made = TypedDict(form.__name__, {**hints, **narrower})  # type: ignore[misc]
    schema = _schema_of(made, form, f"{kit.name}.", found)
    return {**found, name: schema | {"title": f"{kit.title}, {seat}: view"}}


def _schema_of(made: Any, form: Any, prefix: str, found: Schema) -> Schema:
    """The schema of a TypedDict, with the words of the class that it was made from; its parts go to `found`."""
    (_,), parts = msgspec.json.schema_components([made], ref_template=f"#/$defs/{prefix}{{name}}")
    classes = {each.__name__: each for each in _classes_in(form)}
    own: Schema = parts.pop(made.__name__)
    describe(own, form, list(_hints(made)))
    for name, schema in parts.items():
        describe(schema, classes[name], list(_hints(classes[name])))
        found[f"{prefix}{name}"] = schema
    return own


def describe(schema: Schema, form: Any, names: Sequence[str] = ()) -> None:
    """Put the words of a class into its schema, and the fields into the order of these names."""
    schema["description"] = " ".join((form.__doc__ or "").split())
    if names:
        schema["properties"] = {name: schema["properties"][name] for name in names}
        schema["required"] = [name for name in names if name in schema["required"]]
    for name, text in field_docs(form).items():
        if name in schema.get("properties", ()):
            schema["properties"][name]["description"] = text


def field_docs(form: Any) -> dict[str, str]:
    """The text below each field of a class, on one line."""
    try:
        (body,) = ast.parse(textwrap.dedent(inspect.getsource(form))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    found: dict[str, str] = {}
    name = None
    for line in getattr(body, "body", ()):
        is_text = (
            isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)
        )
        if name and is_text:
            found[name] = " ".join(line.value.value.split())
        name = line.target.id if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) else None
    return found


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _hints(form: Any) -> dict[str, Any]:
    return get_type_hints(form, include_extras=True)


def _classes_in(form: Any) -> Iterator[Any]:
    """A TypedDict and all that its fields are made of."""
    yield form
    waiting = list(_hints(form).values())
    while waiting:
        each = waiting.pop()
        if is_typeddict(each):
            yield from _classes_in(each)
        waiting += get_args(each)


def _declared_view(game: Any) -> Any:
    """What the View class of a game becomes as JSON; None if the game writes its JSON itself."""
    if type(game).view_to_json is not Game.view_to_json:
        return None
    try:
        made = get_type_hints(type(game).view).get("return")
        form = _as_typed_dict(made) if is_dataclass(made) else None
        msgspec.json.schema_components([form])
    except (NameError, TypeError):  # annotations that cannot be read, or that no JSON Schema can say
        return None
    return form


def _as_typed_dict(made: Any) -> Any:
    hints, words = _hints(made), field_docs(made)
    names = [field.name for field in fields(made)] if is_dataclass(made) else list(made._fields)
    kept = {name: _plain(hints[name]) for name in names if name not in SENT_APART}
    form = TypedDict(  # type: ignore[misc]
        made.__name__,
        {name: _with_words(hint, words[name]) if name in words else hint for name, hint in kept.items()},
    )
    if not (made.__doc__ or "").startswith(f"{made.__name__}("):  # what dataclasses write by themselves
        form.__doc__ = made.__doc__
    return form


def _plain(hint: Any) -> Any:
    """What `core.plain` makes of values of this type."""
    origin, inner = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        return _plain(hint.__supertype__)
    if origin is Annotated:
        return Annotated[(_plain(inner[0]), *hint.__metadata__)]
    if origin in (Union, UnionType):
        return Union[tuple(_plain(each) for each in inner)]  # noqa: UP007
    if origin in (tuple, list, set, frozenset, Sequence):
        is_one_kind = len(inner) == 1 or inner[1:] == (...,)
        return list[_plain(inner[0])] if is_one_kind else list[Any]  # type: ignore[misc]
    if origin in (dict, Mapping):
        return dict[str, _plain(inner[1])]  # type: ignore[misc]
    if hint is Outcome:
        return OutcomeText
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Literal[tuple(member.value for member in hint)]
    if is_dataclass(hint) or (isinstance(hint, type) and hasattr(hint, "_fields")):
        return _as_typed_dict(hint)
    return hint if hint in (bool, int, float, str, NoneType) else Any


def _with_words(hint: Any, text: str) -> Any:
    return Annotated[hint, msgspec.Meta(description=text)]
