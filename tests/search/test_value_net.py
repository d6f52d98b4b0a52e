"""A value net: fitting lowers the loss, and a file belongs to its card."""

import json
from pathlib import Path

import numpy as np
import pytest

from manhunt.core.errors import BadText
from manhunt.search.value_net import Adam, ValueNet, fit_batch, hash_of, load_net, new_net, save_net, win_chances

FEATURES = ("a", "b", "c")


def some_net(seed: int = 1) -> ValueNet:
    return new_net(len(FEATURES), 8, np.random.default_rng(seed))


def test_the_chance_is_the_formula() -> None:
    net = some_net()
    row = np.array([0.3, -1.0, 2.0], np.float32)
    hidden = [max(0.0, sum(row[i] * net.w1[i, j] for i in range(3)) + net.b1[j]) for j in range(8)]
    total = sum(net.w2[j] * hidden[j] for j in range(8)) + net.b2[0]
    assert win_chances(net, row[None])[0] == pytest.approx(1 / (1 + np.exp(-total)), rel=1e-5)


def test_fitting_lowers_the_loss() -> None:
    net, rng = some_net(2), np.random.default_rng(1)
    data = rng.random((256, 3)).astype(np.float32)
    targets = (data[:, 0] > 0.5).astype(np.float32)
    adam = Adam(net, 1e-2)
    losses = [fit_batch(net, adam, data, targets) for _ in range(300)]
    assert losses[-1] < 0.3 < losses[0]


def test_a_net_and_its_card_belong_together(tmp_path: Path) -> None:
    net, file = some_net(), tmp_path / "mine.npz"
    save_net(net, file, FEATURES, {"games": 0})
    loaded, card = load_net(file, FEATURES)
    assert hash_of(loaded) == hash_of(net) == card["hash"]
    with pytest.raises(BadText, match="does not fit the 2 features"):
        load_net(file, FEATURES[:2])
    with pytest.raises(BadText, match="do not belong together"):
        load_net(file, ("a", "b", "z"))
    file.with_suffix(".json").write_text(json.dumps({**card, "hash": "0" * 16}))
    with pytest.raises(BadText, match="do not belong together"):
        load_net(file, FEATURES)
    file.write_bytes(b"no zip")
    with pytest.raises(BadText, match="holds no net"):
        load_net(file, FEATURES)
    with pytest.raises(BadText, match="cannot read"):
        load_net(tmp_path / "none.npz", FEATURES)


def test_a_weight_that_is_no_number_is_refused(tmp_path: Path) -> None:
    net = some_net()
    net.b1[0] = np.nan
    save_net(net, tmp_path / "mine.npz", FEATURES, {})
    with pytest.raises(BadText, match="not a finite number"):
        load_net(tmp_path / "mine.npz", FEATURES)
