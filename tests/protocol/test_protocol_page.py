"""The dialogue on the protocol's page is a real one, and fits the schema line by line."""

import json
import re
from pathlib import Path

import jsonschema

from bot_games import PLAIN, referee
from manhunt import __version__
from manhunt.agents.link import running_bots
from manhunt.core.registry import make_game
from manhunt.play.clock import TimeControl
from manhunt.protocol.messages import MOST_LEGAL, MOST_LINE_BYTES, MOST_TURN_BYTES
from manhunt.protocol.schema import protocol_schema
from manhunt.protocol.session import Slip

PAGE = (Path(__file__).parents[2] / "docs/reference/protocol.md").read_text(encoding="utf-8")


def dialogue() -> list[str]:
    """A little hidden game with the plain Python bot as the detective."""
    lines: list[str] = []
    config = make_game("pursuit").make_config(
        board="path:5", n_detectives=1, max_rounds=2, visibility="rounds", reveal_rounds=(2,)
    )
    with running_bots(tap=lambda mark, line: lines.append(f"{mark} {line.decode()}")):
        match = referee(
            "pursuit",
            "random",
            PLAIN,
            config=config,
            setup={"mrx": "4", "detectives": ["1"]},
            limit=None,
            time_control=TimeControl(cap_seconds=60),
        )
        match.run()
        assert match.faults == []
    return lines


def test_the_dialogue_is_real() -> None:
    (block,) = re.findall(r"^```text\n(> .*?)^```", PAGE, re.M | re.S)
    told = [line.replace(f"manhunt {__version__}", "manhunt 0.1.0") for line in dialogue()]
    assert block.splitlines() == told


def test_the_dialogue_fits_the_schema() -> None:
    schema = protocol_schema()
    sides = {
        mark: jsonschema.Draft202012Validator({"$ref": f"#/$defs/{side}", "$defs": schema["$defs"]})
        for mark, side in ((">", "manager"), ("<", "bot"))
    }
    lines = dialogue()
    for line in lines:
        sides[line[0]].validate(json.loads(line[2:]))
    assert {json.loads(line[2:])["t"] for line in lines} == {"hello", "new", "observe", "go", "move", "bye"}


def test_the_page_names_every_limit_message_and_slip() -> None:
    for number in (MOST_LEGAL, MOST_LINE_BYTES, MOST_TURN_BYTES):
        assert f"{number:,}" in PAGE
    for name, part in protocol_schema([])["$defs"].items():
        for kind in part.get("properties", {}).get("t", {}).get("enum", ()):
            assert f"`{kind}`" in PAGE, name
        for key in part.get("properties", {}):
            assert f"`{key}`" in PAGE or key == "t", f"{name}: {key}"
    for slip in Slip:
        assert slip.value in PAGE
