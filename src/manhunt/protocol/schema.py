"""The JSON Schema of the bot protocol, made from the definitions of the messages and from what games say of theirs."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from manhunt.core.kit import Kit
from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.protocol import messages
from manhunt.protocol.game_schema import common_definitions, describe, game_definitions
from manhunt.protocol.messages import PROTOCOL, BotMessage, ManagerMessage

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HINT = (
    "`manager` and `bot` are the messages of each side for any game. `GAME.SEAT`, for example `{example}`, is what "
    "manhunt says to a bot in that seat, with views and events in full."
)


def protocol_schema(kits: Sequence[Kit] | None = None) -> dict[str, Any]:
    """A message of either side fits the whole; `$defs/GAME.SEAT` has what the manager says in one game to one seat.

    Without kits, the games of this package are in it.
    """
    sides: dict[str, Any] = {"manager": ManagerMessage, "bot": BotMessage}
    games = tuple(kit_of(name) for name in BUILT_IN) if kits is None else tuple(kits)
    definitions: dict[str, Any] = {}
    for side, union in sides.items():
        (schema,), parts = msgspec.json.schema_components([union], ref_template=f"#/$defs/{side}.{{name}}")
        definitions[side] = schema
        for name, part in parts.items():
            describe(part, getattr(messages, name))
            definitions[f"{side}.{name}"] = part
    definitions |= common_definitions()
    for kit in games:
        definitions |= game_definitions(kit)
    return {
        "$schema": _DIALECT,
        "title": f"manhunt bot protocol {PROTOCOL}",
        "description": _HINT.format(example=f"{games[0].name}.evader" if games else "GAME.evader"),
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides],
        "$defs": definitions,
    }


def main() -> None:
    """Print the schema, as it is kept in docs/reference."""
    print(json.dumps(protocol_schema(), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
