"""Every registered game keeps the contract, in its presets and, where a strategy draws them, any config."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.errors import BadConfig, IllegalAction
from manhunt.core.registry import game_names, kit_of, make_game
from manhunt.games.pursuit.rules.actions import JointMove, PursuitMove
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.testing import ContractBroken, check_game
from pursuit_games import pursuit_configs


@pytest.mark.parametrize("name", game_names())
def test_presets_keep_the_contract(name: str) -> None:
    game = make_game(name)
    for preset in game.presets:
        options = {"max_rounds": 8} if name == "pursuit" else {}
        for seed in range(5):
            check_game(game, game.make_config(preset, **options), seed=seed)


@pytest.mark.parametrize("name", game_names())
def test_a_game_is_checked_by_name_in_its_small_config(name: str) -> None:
    record = check_game(name, seed=3)
    assert record.game == name
    assert record.config == make_game(name).config_to_json(make_game(name).make_config(**kit_of(name).small))


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("nonsense", [None, 5, "T1", Ellipsis, [1], ()], ids=repr)
def test_what_is_no_action_is_refused_in_one_line(name: str, nonsense: object) -> None:
    game = make_game(name)
    with pytest.raises(IllegalAction) as refused:
        game.check_action(game.new(game.make_config(), Random(1)), nonsense)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    "move",
    [PursuitMove(999), PursuitMove("8"), PursuitMove(-1), PursuitMove(3, "red"), JointMove(()), JointMove((999,))],
    ids=repr,
)
def test_a_pursuit_move_to_nowhere_is_refused_in_one_line(move) -> None:
    game = PursuitGame()
    with pytest.raises(IllegalAction, match="is not an action; give PursuitMove"):
        game.check_action(game.new(game.make_config(), Random(1)), move)


@given(pursuit_configs(), st.integers(0, 1000))
def test_any_pursuit_keeps_the_contract(config, seed) -> None:
    check_game(PursuitGame(), config, seed=seed)


def test_the_check_finds_a_broken_game() -> None:
    class Broken(PursuitGame):
        def legal_actions(self, state):
            return super().legal_actions(state)[:1] * 2

    with pytest.raises(ContractBroken, match="listed twice"):
        check_game(Broken(), Broken().make_config(), seed=1)


def test_the_check_finds_a_state_that_depends_on_hidden_chance() -> None:
    rng = Random(1)

    class Moody(PursuitGame):
        def apply_action(self, state, action):
            return super().apply_action(state, rng.choice(super().legal_actions(state)))

    with pytest.raises(ContractBroken, match="one action leads to two states"):
        check_game(Moody(), Moody().make_config(), seed=1)


def test_unknown_game_names_the_known_ones() -> None:
    with pytest.raises(BadConfig, match=r"unknown game 'pursiut'; did you mean pursuit\?"):
        make_game("pursiut")
