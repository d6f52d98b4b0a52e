"""The JSON Schema of the bot protocol, made from the definitions of the messages."""

import json
from typing import Any

import msgspec

from manhunt.protocol.messages import PROTOCOL, BotMessage, ManagerMessage

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def protocol_schema() -> dict[str, Any]:
    """`$defs/manager` and `$defs/bot` are the messages of each side; a message of either kind fits the whole."""
    sides: dict[str, Any] = {"manager": ManagerMessage, "bot": BotMessage}
    definitions: dict[str, Any] = {}
    for side, union in sides.items():
        (schema,), parts = msgspec.json.schema_components([union], ref_template=f"#/$defs/{side}.{{name}}")
        definitions[side] = schema
        definitions |= {f"{side}.{name}": part for name, part in parts.items()}
    return {
        "$schema": _DIALECT,
        "title": f"manhunt bot protocol {PROTOCOL}",
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides],
        "$defs": definitions,
    }


def main() -> None:
    """Print the schema, as it is kept in docs/reference."""
    print(json.dumps(protocol_schema(), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
