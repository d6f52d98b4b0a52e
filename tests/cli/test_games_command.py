"""`manhunt games`: what each game is about, its presets in words and where they come from."""

import json

from manhunt.cli.main import run
from manhunt.core.registry import game_names, kit_of


def test_lines_have_summaries_presets_and_sources(capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["games"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    for name in game_names():
        kit = kit_of(name)
        assert kit.summary in words
        for preset in kit.game.presets:
            assert f"{preset} {kit.presets[preset]} {kit.game.sources[preset]}" in words


def test_json_has_them_too(capsys) -> None:
    assert run(["games", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in entries] == list(game_names())
    for entry in entries:
        kit = kit_of(entry["name"])
        assert entry["summary"] == kit.summary
        described = {preset["name"]: preset["description"] for preset in entry["presets"]}
        assert described == dict(kit.presets)
        assert all(preset["source"] for preset in entry["presets"])
