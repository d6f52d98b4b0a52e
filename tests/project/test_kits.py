"""Every built-in kit is whole: its parts, agents and commands load, and what it says of its game is true."""

import pytest

from manhunt.agents.registry import make_agent
from manhunt.core.agent import Agent
from manhunt.core.errors import BadConfig
from manhunt.core.game import Game
from manhunt.core.ids import PLAYERS
from manhunt.core.kit import PARTS, Kit
from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.testing import check_game

KITS = [kit_of(name) for name in BUILT_IN]
every_kit = pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
NEEDED = {
    "words": ("tell",),
    "messages": ("VIEW", "EVENTS"),
    "scene": ("scene",),
    "tour": ("act", "NEXT"),
    "board_verbs": ("add_verbs",),
    "insights": ("MAKERS",),
    "analysis": ("analyse",),
    "lessons": ("CHECKS",),
    "notebook": ("open_notebook", "EXAMPLE"),
    "puzzles": ("KINDS", "pose", "judge", "check", "find"),
    "worlds": ("setups",),
    "compiled": ("can_play", "play"),
    "bounds": ("find_bounds", "bounds_text"),
    "worth": ("with_and_without", "HOW", "NONE"),
}
"""What the module of a part must have, as `PARTS` tells."""


@every_kit
def test_every_part_loads_and_has_what_is_asked_of_it(kit: Kit) -> None:
    for name in kit.parts:
        part = kit.part(name)
        assert part is not None
        assert [wanted for wanted in NEEDED.get(name, ()) if not hasattr(part, wanted)] == []
    assert isinstance(kit.game, Game)
    assert kit.game.name == kit.name
    assert set(NEEDED) <= set(PARTS)


@every_kit
def test_every_agent_loads_and_plays_this_game(kit: Kit) -> None:
    for name, part in kit.agents.items():
        made = kit.load(part)
        assert issubclass(made, Agent)
        assert not made.games or kit.name in made.games, name
        assert set(made.seats) <= set(PLAYERS)


@every_kit
def test_every_command_loads(kit: Kit) -> None:
    for command in kit.commands.values():
        module = kit.load(command.part)
        assert hasattr(module, "run") or (hasattr(module, "build_parser") and hasattr(module, "main"))
        assert command.summary


@every_kit
def test_presets_are_described_and_make_configs(kit: Kit) -> None:
    assert set(kit.presets) == set(kit.game.presets)
    assert all(kit.presets.values())
    for preset in kit.presets:
        assert kit.game.describe_config(kit.game.make_config(preset))


@every_kit
def test_the_small_config_is_played_quickly(kit: Kit) -> None:
    assert kit.small
    records = [check_game(kit.name, seed=seed, max_plies=200) for seed in range(3)]
    assert all(record.outcome is not None for record in records)


@every_kit
def test_levels_and_anchors_name_agents_that_play(kit: Kit) -> None:
    levels, anchors = kit.levels, kit.anchors
    for spec, seat in [*((row.spec, row.seat) for row in levels), *((row.spec, row.seat) for row in anchors)]:
        make_agent(spec, kit.name, seat).stop()


def test_an_unknown_part_is_refused() -> None:
    parts = {"game": ".rules.game:Game", "scenes": ".show.scene"}
    with pytest.raises(BadConfig, match=r"kit of chess: unknown part 'scenes'; did you mean scene or screen\?"):
        Kit(home=__name__, name="chess", summary="", parts=parts)


def test_a_kit_without_a_game_is_refused() -> None:
    with pytest.raises(BadConfig, match="kit of chess: the part 'game' is missing"):
        Kit(home=__name__, name="chess", summary="", parts={"words": ".rules.words"})
