"""The pages docs/reference/protocol/GAME.md: whole conversations with a real bot, each line explained, and tables of
all fields. What stands between the marks of a page is written here; the rest is written by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, get_type_hints

from bot_games import PLAIN
from bot_messages import Listener
from manhunt import __version__
from manhunt.agents.bot import BotAgent
from manhunt.agents.link import running_bots
from manhunt.core.agent import Limit
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of
from manhunt.play.clock import TimeControl
from manhunt.play.referee import Referee
from manhunt.protocol.schema import protocol_schema
from public_names import fields_of, public_names

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "protocol"
MOST_OFFERS = 8
HEAD = ("| field | type | meaning |", "|---|---|---|")
CONFIG_HEAD = ("| field | type | default | meaning |", "|---|---|---|---|")
CONFIG_TYPES = {
    "Board": "object",
    "Node": "string",
    "Tickets": "object of integer",
    "bool": "true or false",
    "float": "number",
    "int": "integer",
    "int | None": "integer or null",
    "str": "string",
    "tuple[int, ...]": "list of integer",
    "tuple[str, ...]": "list of string",
    "tuple[tuple[int, int], ...]": "list of list of integer",
}
"""How a field of a config class is written in JSON."""
WRITTEN_OTHERWISE = {
    "board": ("object", "`name` and `hash` of the board; the board itself is in `new.board`."),
    "scotland_yard.rounds": ("integer", "How many rounds the game has, which are the entries of the travel log."),
    "scotland_yard.shown": ("list of integer", "The rounds in which Mr X shows himself, counted from 1."),
}
"""Fields of `new.config` that the class of the config does not describe."""
MOST_DEFAULTS = 84
NO_DEFAULT = ("board", "preset", "source", "target")
SIMPLE = {"string": "string", "integer": "integer", "number": "number", "boolean": "true or false", "null": "null"}


@dataclass(frozen=True, slots=True)
class Sample:
    """The game that a page shows."""

    options: Mapping[str, Any]
    seed: int


def _ring() -> dict[str, Any]:
    small = kit_of("scotland_yard").part("miniatures")["small"]
    more = {"n_detectives": 2, "mrx_tickets": {"taxi": 2, "bus": 1, "secret": 1, "double": 1}}
    return {**small, **more}


def samples() -> dict[str, Sample]:
    hidden = {"visibility": "rounds", "reveal_rounds": (2,)}
    return {
        "pursuit": Sample({"board": "grid:2x3", "n_detectives": 1, "max_rounds": 2, **hidden}, 0),
        "scotland_yard": Sample(_ring(), 3),
        "fugitive": Sample({"preset": "mini"}, 205),
        "shortest_path": Sample({"board": "grid:2x3", "source": "1", "target": "6"}, 1),
    }


@dataclass(slots=True)
class Line:
    """One line of a conversation: `>` to the bot, `<` from it."""

    mark: str
    message: dict[str, Any]
    text: str
    offers: dict[str, str]
    """Of a `go`: what each move means."""


def conversation(name: str, seat: Seat) -> list[Line]:
    """A whole game of the plain Python bot in one seat; its opponent plays as it does."""
    kit, sample, heard = kit_of(name), samples()[name], list[tuple[str, str]]()
    config = kit.game.make_config(**sample.options)
    other = next(each for each in PLAYERS if each is not seat)
    offers: list[dict[str, str]] = []
    with running_bots(tap=lambda mark, line: heard.append((mark, line.decode()))):
        agents = {seat: BotAgent(PLAIN), other: Listener(kit.game, {})}
        clock = TimeControl(cap_seconds=60)
        match = Referee(kit.game, config, agents, seed=sample.seed, limit=Limit(), time_control=clock)
        while not match.over:
            if match.to_act is seat:
                offers.append(_words(kit, config, match.state))
            match.step()
        assert match.faults == []
    lines = []
    for mark, text in heard:
        message = json.loads(text)
        told = offers.pop(0) if message["t"] == "go" else {}
        lines.append(Line(mark, message, text.replace(f"manhunt {__version__}", "manhunt 0.1.0"), told))
    return lines


def _words(kit: Kit, config: Any, state: Any) -> dict[str, str]:
    game = kit.game
    return {game.format_action(config, each): game.describe_action(state, each) for each in game.legal_actions(state)}


def explained(name: str, seat: Seat) -> str:
    """The conversation in Markdown."""
    kit, written, before = kit_of(name), list[str](), None
    for number, line in enumerate(conversation(name, seat), 1):
        who = "manhunt says" if line.mark == ">" else "the bot says"
        written.append(f"**{number}. {who} `{line.message['t']}`**")
        written.append(f"```text\n{line.mark} {line.text}\n```")
        written.append("\n".join(_explain(kit, seat, line, before)))
        before = line.message.get("view") or before
    return "\n\n".join(written)


def _explain(kit: Kit, seat: Seat, line: Line, before: Any) -> Iterator[str]:
    message, kind = line.message, line.message["t"]
    if kind == "new":
        yield f"A game begins. You play {kit.title} as `{seat.value}`, which is {kit.game.called(seat)} in this game."
        board = message["board"]
        if board is not None:
            yield f"The board has {len(board['nodes'])} nodes and {len(board['edges'])} edges; every label is a string."
        else:
            yield "This game has no board. `config` says which cards there are."
        yield "There is nothing to answer."
    elif kind == "observe":
        yield from _explain_observe(kit, message, before)
    elif kind == "go":
        yield f"Your turn: question {message['n']}. Seed your generator with {message['seed']}. You have 60 seconds."
        yield f"{_n(message['n_legal'], 'move is', 'moves are')} legal:"
        yield ""
        for text in message["legal"][:MOST_OFFERS]:
            words = line.offers[text]
            yield f"- `{text}`" if words == text else f"- `{text}`: {words}"
        if message["n_legal"] > MOST_OFFERS:
            yield f"- and {message['n_legal'] - MOST_OFFERS} more"
    elif kind == "move":
        yield f"The answer to question {message['n']}: one of `legal`, written in exactly the same way."
    elif kind == "hello":
        yield {
            ">": "The first line of every conversation. Answer within 10 seconds.",
            "<": "The answer: this bot speaks version 1 of the protocol. It names neither games nor seats, so it plays "
            "all games and both seats.",
        }[line.mark]
    elif kind == "bye":
        yield "No more games: the bot ends. Had there been another game, `new` would have come instead."


def _explain_observe(kit: Kit, message: Mapping[str, Any], before: Any) -> Iterator[str]:
    events, view = message["events"], message["view"]
    yield f"What happened {'since the last time' if before else 'so far'}, {_n(len(events), 'event', 'events')}:"
    yield ""
    for event in events:
        yield f"- {event['v']}{_event_words(kit, event)}"
    yield ""
    if view is None:
        yield "`view` is null: the game is over. The event `end` says how."
    elif before is None:
        yield "`view` is what you know now. [The view, field by field](#the-view-field-by-field) explains it."
    else:
        changed = [f"`{key}`" for key in view if view[key] != before.get(key)]
        yield f"Of the view, {_listed(changed)} changed." if changed else "The view is the same as before."


def _event_words(kit: Kit, event: Mapping[str, Any]) -> str:
    if "t" not in event:
        return ": something that you do not see; the number alone."
    if event["t"] == "end":
        return f", `end`: the game is over: {event['outcome']}."
    told = kit.part("words").tell(event)
    if told:
        return f", `{event['t']}`: {told}."
    fields = [f"`{key}` is {json.dumps(value)}" for key, value in event.items() if key not in ("v", "t")]
    return f", `{event['t']}`: {_listed(fields)}."


def _definitions(kit: Kit) -> dict[str, Any]:
    found: dict[str, Any] = protocol_schema([kit])["$defs"]
    return {name: part for name, part in found.items() if name.startswith(f"{kit.name}.")}


def _n(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def view_table(kit: Kit) -> str:
    found = _definitions(kit)
    views = {seat: found[f"{kit.name}.{seat.value}.view"]["properties"] for seat in PLAYERS}
    rows = [*HEAD]
    for name, first in views[Seat.EVADER].items():
        types = {seat: _type(view[name]) for seat, view in views.items()}
        same = len(set(types.values())) == 1 or name in ("seat", "to_act")
        both = "; ".join(f"{what} for the {seat.value}" for seat, what in types.items())
        text = "`evader` or `pursuers`" if name in ("seat", "to_act") else types[Seat.EVADER] if same else both
        rows.append(f"| `{name}` | {text} | {first['description']} |")
    nested = [key for key in found if key.count(".") == 1 and "properties" in found[key] and not _is_seat(key)]
    tables = [_fields_table(kit, key, found[key]) for key in nested]
    return "\n\n".join(["\n".join(rows), *tables])


def _is_seat(name: str) -> bool:
    return name.rpartition(".")[2] in [seat.value for seat in PLAYERS]


def _fields_table(kit: Kit, name: str, part: Mapping[str, Any]) -> str:
    rows = [f"**`{name.removeprefix(kit.name + '.')}`** {part['description']}", "", *HEAD]
    rows += [f"| `{key}` | {_type(each)} | {each['description']} |" for key, each in part["properties"].items()]
    return "\n".join(rows)


def config_table(kit: Kit) -> str:
    """The fields of `new.config` with what they are in the first preset, and how the other presets differ."""
    presets = {preset: _written(kit, kit.game.make_config(preset)) for preset in kit.game.presets}
    first, *others = presets
    described = _described_config(kit)
    rows = [*CONFIG_HEAD]
    for key, value in presets[first].items():
        what, said = described[key]
        default = "" if key in NO_DEFAULT else _short(value) or f"[rules](../rules/{kit.name}.md)"
        rows.append(f"| `{key}` | {what} | {default} | {said} |")
    lines = [f"The defaults are those of the preset `{first}`."]
    for other in others:
        changed = {key: value for key, value in presets[other].items() if value != presets[first][key]}
        values = {key: _short(value) for key, value in changed.items() if key not in NO_DEFAULT}
        texts = [f"`{key}` to {value}" if value else f"`{key}`" for key, value in values.items()]
        lines.append(f"The preset `{other}` changes {_listed(texts)}.")
    return "\n".join(rows) + "\n\n" + " ".join(lines)


def _short(value: Any) -> str:
    """A value as JSON, nothing if it is long."""
    text = f"`{json.dumps(value)}`"
    return text if len(text) < MOST_DEFAULTS else ""


def _written(kit: Kit, config: Any) -> dict[str, Any]:
    """All fields of a config as they are written in JSON, also those that are left out because they are as usual."""
    found = dict(kit.game.config_to_json(config))
    for key in _described_config(kit):
        if key not in found:
            value = getattr(config, key)
            found[key] = value.value if isinstance(value, Enum) else list(value) if isinstance(value, tuple) else value
    return found


def _described_config(kit: Kit) -> dict[str, tuple[str, str]]:
    """By field of `new.config`: its type, and what it means."""
    name = next(each for each in public_names(f"manhunt.games.{kit.name}") if each.name.endswith("Config"))
    kind = type(kit.game.make_config())
    hints, found = get_type_hints(kind), dict[str, tuple[str, str]]()
    in_json = kit.game.config_to_json(kit.game.make_config())
    for key, said in fields_of(name):
        hint = hints[key]
        if isinstance(hint, type) and issubclass(hint, Enum):
            what = " or ".join(f"`{each.value}`" for each in hint)
        else:
            text = str(hint) if "[" in str(hint) or "|" in str(hint) else hint.__name__
            what = CONFIG_TYPES.get(text, "")
        found[key] = what, _sentence(said)
    for key in [*found, *in_json]:
        other = WRITTEN_OTHERWISE.get(f"{kit.name}.{key}") or WRITTEN_OTHERWISE.get(key)
        if other is not None:
            found[key] = other
    return found


def _sentence(said: str | None) -> str:
    """A docstring as a sentence about JSON, without its number in the rules."""
    text = re.sub(r"^Paragraph \d+: ", "", " ".join((said or "").split())).replace("None", "null")
    return text[:1].upper() + text[1:]


def event_tables(kit: Kit) -> str:
    found, written = _definitions(kit), list[str]()
    for kind, each in kit.part("messages").EVENTS.items():
        for number in range(len(each.forms)):
            part = found[f"{kit.name}.event.{kind.replace(' ', '-')}{f'.{number + 1}' if number else ''}"]
            alone = "" if len(each.readers) > 1 else f" Only the {each.readers[0]} can read it."
            rows = [f"**`{kind}`** {part['description']}{alone}"]
            fields = {key: inner for key, inner in part["properties"].items() if key not in ("v", "t")}
            if fields:
                rows += ["", *HEAD]
                rows += [f"| `{key}` | {_type(inner)} | {inner['description']} |" for key, inner in fields.items()]
            written.append("\n".join(rows))
    return "\n\n".join(written)


def _type(part: Mapping[str, Any]) -> str:
    if "anyOf" in part:
        return " or ".join(_type(each) for each in part["anyOf"])
    if "$ref" in part:
        return f"`{part['$ref'].rpartition('.')[2]}`"
    if "pattern" in part:
        return "outcome"
    if "enum" in part:
        words = [f"`{word}`" for word in part["enum"] if word is not None]
        return " or ".join([*words, *(["null"] if None in part["enum"] else [])])
    if part["type"] == "array":
        return f"list of {_type(part['items'])}"
    if part["type"] == "object":
        return f"object of {_type(part['additionalProperties'])}"
    return SIMPLE[part["type"]]


def page(name: str) -> str:
    """The page with everything between its marks written anew."""
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    kit = kit_of(name)
    parts = {seat.value: explained(name, seat) for seat in PLAYERS}
    tables = {"config": config_table(kit), "view": view_table(kit), "events": event_tables(kit)}
    for mark, body in {**parts, **tables}.items():
        pattern = rf"(<!-- written: {mark} -->\n).*?(<!-- end -->)"
        found = re.search(pattern, text, re.S)
        assert found, f"{name}.md: {mark}"
        text = f"{text[: found.start()]}{found[1]}\n{body}\n\n{found[2]}{text[found.end() :]}"
    return text


def write_pages() -> None:
    for name in samples():
        (PAGES / f"{name}.md").write_text(page(name), encoding="utf-8")
