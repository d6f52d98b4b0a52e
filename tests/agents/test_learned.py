"""The agent that plays a policy file; it needs no PyTorch."""

from random import Random

import numpy as np
import pytest

from manhunt.agents.registry import make_agent
from manhunt.core.errors import BadAgent, BadText
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.search.policy_net import PolicyNet, load_policy, save_policy
from manhunt.server.limits import check_agent_spec
from manhunt.testing import check_agent

GAMES = {
    "pursuit": {"board": "ring:6", "n_detectives": 1, "max_rounds": 8, "visibility": "rounds", "reveal_rounds": [3]},
    "scotland_yard": {"n_detectives": 2, "rounds": 4, "shown": (2,)},
    "fugitive": {"preset": "mini"},
}


def policy_file(folder, game="pursuit", *, belief=True, seats=PLAYERS):
    """A net that nobody trained."""
    kit = kit_of(game)
    config = kit.game.make_config(**GAMES[game])
    encoder, rng, width = kit.encoder(config), np.random.default_rng(0), 12
    n_inputs, n_actions = encoder.observation_size + (encoder.belief_size if belief else 0), encoder.n_actions
    shapes: list = [(n_inputs, width), width, (width, width), width, (n_actions, 2 * width), n_actions, 2 * width, 1]
    net = PolicyNet(*(rng.normal(size=shape, scale=0.5).astype(np.float32) for shape in shapes))
    card = {"game": game, "seats": [seat.value for seat in seats], "belief": belief}
    save_policy(net, folder / "policy.npz", card)
    return folder / "policy.npz", config, net, card


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", PLAYERS)
def test_it_plays_fair(tmp_path, game, seat):
    file, config, _, _ = policy_file(tmp_path, game)
    for sample in ("true", "false"):
        check_agent(f"learned:file={file},sample={sample}", game, config, seat)


def test_a_file_round_trip(tmp_path):
    file, _, net, card = policy_file(tmp_path)
    found, known = load_policy(file)
    assert known == card
    for one, two in zip(net, found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_it_plays_the_game_and_the_seats_of_its_card(tmp_path):
    file, _, _, _ = policy_file(tmp_path, seats=(Seat.EVADER,))
    agent = make_agent(f"learned:file={file}", "pursuit", Seat.EVADER)
    assert agent.games == ("pursuit",)
    with pytest.raises(BadAgent, match="does not play the seat pursuers"):
        make_agent(f"learned:file={file}", "pursuit", Seat.PURSUERS)
    with pytest.raises(BadAgent, match="does not play fugitive"):
        make_agent(f"learned:file={file}", "fugitive", Seat.EVADER)


def test_another_setting_of_the_game_is_refused(tmp_path):
    file, _, _, _ = policy_file(tmp_path)
    rules = kit_of("pursuit").game
    config = rules.make_config(board="ring:7", n_detectives=1)
    view = rules.view(rules.new(config, Random(0)), Seat.EVADER)
    with pytest.raises(BadAgent, match="trained for another setting of pursuit"):
        make_agent(f"learned:file={file}").start(view)


@pytest.mark.parametrize("content", [b"", b"no policy", b"PK\x03\x04 cut off"])
def test_what_is_no_policy_is_one_line(tmp_path, content):
    (tmp_path / "policy.npz").write_bytes(content)
    with pytest.raises(BadText, match="holds no policy"):
        make_agent(f"learned:file={tmp_path / 'policy.npz'}")


def test_a_policy_with_arrays_that_do_not_fit_is_refused(tmp_path):
    file, _, net, card = policy_file(tmp_path)
    save_policy(net._replace(b1=net.b1[:-1]), file, card)
    with pytest.raises(BadText, match="do not fit together"):
        load_policy(file)
    save_policy(net._replace(b1=net.b1 * np.nan), file, card)
    with pytest.raises(BadText, match="not a finite number"):
        load_policy(file)


def test_a_missing_file_and_a_missing_option_are_one_line(tmp_path):
    with pytest.raises(BadText, match="policy"):
        make_agent(f"learned:file={tmp_path / 'none.npz'}")
    with pytest.raises(BadAgent, match="needs the option file"):
        make_agent("learned")


def test_the_web_may_not_name_files():
    with pytest.raises(BadAgent, match="only the command line"):
        check_agent_spec("learned:file=policy.npz", "pursuit", Seat.EVADER)
