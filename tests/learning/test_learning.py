"""Training by masked PPO: it learns, resumes to the bit, and never leaves the mask."""

import json

import numpy as np
import pytest

from manhunt.core.errors import BadConfig, BadText
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.encoding.batch import ScotlandYardBatch
from manhunt.games.scotland_yard.rules.actions import DETECTIVES
from manhunt.learning.settings import SNAPSHOTS, Settings
from scotland_yard_packed import unpack

torch = pytest.importorskip("torch", reason="needs the extra 'learn'")

from manhunt.learning.network import make_network  # noqa: E402
from manhunt.learning.rollout import Step, estimate_advantages, make_matches, roll_out  # noqa: E402
from manhunt.learning.training import Training  # noqa: E402
from manhunt.search.policy_net import judge, legal_in, load_policy  # noqa: E402

RING = {"board": "ring:6", "n_detectives": 1, "max_rounds": 8}
TINY = {"n_games": 8, "n_steps": 16, "width": 16, "block": 2, "minibatch": 64}


def settings_of(game="pursuit", options=RING, seats=(Seat.EVADER,), **changes):
    rules = kit_of(game).game
    return Settings(game, rules.config_to_json(rules.make_config(**options)), seats, **{**TINY, **changes})


def weights(training):
    return [array.tobytes() for array in training.network.to_numpy()]


def test_on_a_ring_the_quarry_learns_never_to_be_caught_by_one_greedy_detective(tmp_path):
    """Six nodes in a ring, one detective: who keeps running is never caught, however well the detective plays."""
    changes = {"n_games": 16, "n_steps": 32, "width": 32, "minibatch": 128, "learning_rate": 5e-3, "discount": 0.9}
    training = Training(settings_of(opponents=("greedy",), block=5, **changes), tmp_path)
    training.run(updates=20)
    first, last = (training.points[i].rate("evader against greedy") for i in (0, -1))
    assert first.value < 0.8
    assert last.value > 0.95


def test_a_stopped_run_ends_like_one_that_was_not(tmp_path):
    whole = Training(settings_of(), tmp_path / "whole")
    whole.run(updates=6)
    Training(settings_of(), tmp_path / "parts").run(updates=2)
    parts = Training(settings_of(), tmp_path / "parts")
    assert parts.n_updates == 2
    parts.run(updates=6)
    assert weights(parts) == weights(whole)
    assert [p.wins for p in parts.points] == [p.wins for p in whole.points]


def test_self_play_meets_snapshots_and_resumes_too(tmp_path):
    settings = settings_of(seats=PLAYERS, opponents=("random", SNAPSHOTS))
    whole = Training(settings, tmp_path / "whole")
    whole.run(updates=6)
    for updates in (2, 4, 6):
        parts = Training(settings, tmp_path / "parts")
        parts.run(updates=updates)
    assert weights(parts) == weights(whole)
    played = {name: n for name, (_, n) in whole.points[-1].wins.items()}
    assert set(played) == {f"{seat.value} against {name}" for seat in PLAYERS for name in ("random", SNAPSHOTS)}
    assert all(played.values())


def test_another_seed_gives_another_net(tmp_path):
    runs = [Training(settings_of(seed=seed), tmp_path / str(seed)) for seed in (1, 2)]
    for run in runs:
        run.run(updates=2)
    assert weights(runs[0]) != weights(runs[1])


def test_an_interrupted_block_is_played_again(tmp_path):
    class Stop(Exception):
        pass

    def stop(training):
        raise Stop

    run = Training(settings_of(), tmp_path / "parts")
    with pytest.raises(Stop):
        run.run(updates=4, tell=stop)
    (tmp_path / "parts" / "policy.npz").unlink()  # whatever was written before the checkpoint is written again
    again = Training(settings_of(), tmp_path / "parts")
    again.run(updates=4)
    whole = Training(settings_of(), tmp_path / "whole")
    whole.run(updates=4)
    assert weights(again) == weights(whole)
    assert load_policy(tmp_path / "parts" / "policy.npz")[1]["updates"] == 4


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("pursuit", RING, PLAYERS),
        ("scotland_yard", {"n_detectives": 2, "rounds": 3, "shown": (2,)}, PLAYERS),
        ("fugitive", {"preset": "mini"}, PLAYERS),
        ("shortest_path", {}, (Seat.PURSUERS,)),
    ],
)
def test_every_game_learns_and_chooses_only_what_its_mask_allows(tmp_path, game, options, seats):
    settings = settings_of(game, options, seats)
    training = Training(settings, tmp_path)
    net, rng = training.network.to_numpy(), np.random.default_rng(1)
    for match in make_matches(settings, training.config):
        match.batch.reset(np.arange(settings.n_games, dtype=np.uint64))
        for _ in range(10):
            allowed = match.batch.masks.copy()
            step = match.act(net, rng)
            begins = np.cumsum(step.counts) - step.counts
            chosen = step.numbers[begins + step.chosen]
            assert allowed[step.mine][np.arange(len(chosen)), chosen].all()
    training.run(updates=2)
    assert training.points[-1].decisions > 0


def test_the_net_in_numpy_is_the_net_in_torch():
    rules = kit_of("scotland_yard")
    config = rules.game.make_config(n_detectives=2, rounds=3, shown=(2,))
    encoder, rng = rules.encoder(config), np.random.default_rng(0)
    torch.manual_seed(0)
    network = make_network(rules, config, encoder.observation_size + encoder.belief_size, 24)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    rows = (rng.random((9, encoder.observation_size + encoder.belief_size)) < 0.05).astype(np.float32)
    masks = rng.random((9, encoder.n_actions)) < 0.01
    masks[:, 3] = True
    legal = legal_in(masks)
    log_chances, values = network(*map(torch.from_numpy, (rows, legal.rows, legal.numbers)))
    found = judge(network.to_numpy(), rows, legal)
    np.testing.assert_allclose(found.log_chances, log_chances.detach().numpy(), atol=1e-5)
    np.testing.assert_allclose(found.values, values.detach().numpy(), atol=1e-5)
    single = legal_in(masks[:1])
    alone = judge(network.to_numpy(), rows[:1], single)
    np.testing.assert_allclose(alone.log_chances, found.log_chances[: len(single.rows)], atol=1e-5)


def test_advantages_reach_back_over_the_plies_of_others():
    """Two decisions with a ply of the opponent between, who ends the game with reward 1; then one that is open."""

    def step(mine, value, over=False, reward=0.0):
        none = np.zeros(0)
        values = np.array([value] if mine else [], np.float32)
        made = Step(np.array([mine]), none, none, none, none, none, values)
        made.over, made.rewards = np.array([over]), np.array([reward], np.float32)
        return made

    steps = [
        step(True, 0.5),
        step(False, 0),
        step(True, 0.25),
        step(False, 0, True, 1.0),
        step(False, 0),
        step(True, 0.1),
    ]
    advantages, known = estimate_advantages(steps, np.array([np.nan]), 0.9, 0.5)
    later = 1 - 0.25
    assert advantages[2] == pytest.approx(later)
    assert advantages[0] == pytest.approx(0.9 * 0.25 - 0.5 + 0.9 * 0.5 * later)
    assert [list(each) for each in known] == [[True], [], [True], [], [], [False]]


def test_a_roll_out_has_one_advantage_for_each_decision(tmp_path):
    settings = settings_of()
    training = Training(settings, tmp_path)
    (match,) = make_matches(settings, training.config)
    match.batch.reset(np.arange(settings.n_games, dtype=np.uint64))
    decisions = roll_out(match, training.network.to_numpy(), settings, np.random.default_rng(0))
    assert len(decisions.rows) == len(decisions.counts) == len(decisions.advantages) == len(decisions.chosen)
    assert decisions.counts.sum() == len(decisions.numbers)
    assert (decisions.chosen < decisions.counts).all()
    assert np.isfinite(decisions.advantages).all()


def test_the_agent_sees_what_the_compiled_batch_shows():
    """Its own belief, fed with the events of its seat, gives the planes that the net learned from."""
    kit = kit_of("scotland_yard")
    config = kit.game.make_config(n_detectives=2, rounds=6, shown=(3,))
    batch = ScotlandYardBatch(config, 1, belief=True)
    batch.reset(np.array([5], np.uint64))
    state = unpack(config, DETECTIVES[:2], batch.states[0], free=not config.mrx_starts)
    belief, rules, size, n = Support(), kit.game, batch.encoder.observation_size, 0
    belief.start(rules.view(state, Seat.PURSUERS))
    belief.observe(event.seen_by(Seat.PURSUERS) for event in rules.opening_events(state))
    while batch.to_act[0] >= 0:
        view = rules.view(state, PLAYERS[batch.to_act[0]])
        np.testing.assert_array_equal(batch.observations[0, :size], batch.encoder.observe(view))
        if batch.to_act[0] == PLAYERS.index(Seat.PURSUERS):
            n += 1
            np.testing.assert_array_equal(batch.observations[0, size:], batch.encoder.belief_planes(belief))
        number = int(batch.masks[0].argmax())
        before, action = state, batch.encoder.action_of(number, view)
        state = rules.apply_action(before, action)
        belief.observe(event.seen_by(Seat.PURSUERS) for event in rules.events(before, action, state))
        batch.step(np.array([number]))
    assert n > 4


def test_a_folder_of_another_run_is_refused(tmp_path):
    Training(settings_of(), tmp_path)
    with pytest.raises(BadConfig, match="holds a run with another seed"):
        Training(settings_of(seed=2), tmp_path)


def test_a_later_run_may_meet_other_opponents(tmp_path):
    Training(settings_of(), tmp_path).run(updates=2)
    run = Training(settings_of(opponents=("greedy",)), tmp_path)
    run.run(updates=4)
    assert [list(point.wins) for point in run.points] == [["evader against random"], ["evader against greedy"]]


def test_a_broken_checkpoint_is_one_line(tmp_path):
    Training(settings_of(), tmp_path)
    (tmp_path / "checkpoint.pt").write_bytes(b"no checkpoint")
    with pytest.raises(BadText, match="is not a checkpoint of this run"):
        Training(settings_of(), tmp_path)


def test_snapshots_need_both_seats():
    with pytest.raises(BadConfig, match="let both seats learn"):
        settings_of(opponents=(SNAPSHOTS,))


def test_curves_are_lines_of_json_and_a_drawing(tmp_path):
    Training(settings_of(), tmp_path).run(updates=4)
    rows = [json.loads(line) for line in (tmp_path / "curves.jsonl").read_text().splitlines()]
    assert [row["update"] for row in rows] == [2, 4]
    assert {"entropy", "value_loss", "wins"} <= set(rows[0])
    drawing = (tmp_path / "curves.svg").read_text()
    assert drawing.startswith("<svg")
    assert "evader against random" in drawing
