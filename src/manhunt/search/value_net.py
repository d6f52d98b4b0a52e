"""A small value net: one hidden layer, evaluated and fitted with NumPy, kept in a file with a card.

chance = sigmoid(w2 . relu(x w1 + b1) + b2), the chance of one side to win. What x holds is the game's business.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s
from manhunt.core.errors import BadText
from manhunt.core.files import write_atomically
from manhunt.core.reading import parse_json, read_bytes, read_text


class ValueNet(NamedTuple):
    """The rows of w1 are features, so that a hidden layer can be summed feature by feature."""

    w1: Float32s
    b1: Float32s
    w2: Float32s
    b2: Float32s


def new_net(n_features: int, n_hidden: int, rng: np.random.Generator) -> ValueNet:
    w1 = (rng.standard_normal((n_features, n_hidden)) / np.sqrt(n_features)).astype(np.float32)
    w2 = (rng.standard_normal(n_hidden) / np.sqrt(n_hidden)).astype(np.float32)
    return ValueNet(w1, np.zeros(n_hidden, np.float32), w2, np.zeros(1, np.float32))


def win_chances(net: ValueNet, rows: Float32s) -> Float32s:
    """By row of features."""
    return _forward(net, rows)[2]


def _forward(net: ValueNet, rows: Float32s) -> tuple[Float32s, Float32s, Float32s]:
    sums = rows @ net.w1 + net.b1
    hidden = np.maximum(sums, np.float32(0))
    return sums, hidden, (1 / (1 + np.exp(-(hidden @ net.w2 + net.b2[0])))).astype(np.float32)


class Adam:
    """Adam of Kingma and Ba, with its moments; changes the net in place."""

    def __init__(self, net: ValueNet, rate: float = 1e-3) -> None:
        self.rate, self.n_steps = rate, 0
        self.first = ValueNet(*map(np.zeros_like, net))
        self.second = ValueNet(*map(np.zeros_like, net))

    def step(self, net: ValueNet, gradient: ValueNet) -> None:
        self.n_steps += 1
        rate = np.float32(self.rate * np.sqrt(1 - 0.999**self.n_steps) / (1 - 0.9**self.n_steps))
        for weights, slope, first, second in zip(net, gradient, self.first, self.second, strict=True):
            first += np.float32(0.1) * (slope - first)
            second += np.float32(0.001) * (slope * slope - second)
            weights -= rate * first / (np.sqrt(second) + np.float32(1e-8))


def fit_batch(
    net: ValueNet, adam: Adam, rows: Float32s, targets: Float32s, decays: tuple[float, float] = (1e-4, 1e-4)
) -> float:
    """One step of gradient descent on the log-loss; returns the loss before it. `decays` are of w1 and w2."""
    sums, hidden, chances = _forward(net, rows)
    miss = (chances - targets) / np.float32(len(rows))
    back = np.outer(miss, net.w2) * (sums > 0)
    slope = ValueNet(
        rows.T @ back + np.float32(decays[0]) * net.w1,
        back.sum(0),
        hidden.T @ miss + np.float32(decays[1]) * net.w2,
        miss.sum(keepdims=True),
    )
    adam.step(net, slope)
    sure = np.clip(chances, 1e-7, 1 - 1e-7)
    return float(-(targets * np.log(sure) + (1 - targets) * np.log(1 - sure)).mean())


def hash_of(net: ValueNet) -> str:
    """A short hash of all weights."""
    digest = hashlib.sha256()
    for array in net:
        digest.update(array.astype("<f4").tobytes())
    return digest.hexdigest()[:16]


def save_net(net: ValueNet, path: Path, features: Sequence[str], card: Mapping[str, Any]) -> None:
    """The net as `path` (.npz), and beside it a card (.json) that says what it was made of."""
    buffer = BytesIO()
    np.savez_compressed(buffer, **net._asdict())
    write_atomically(path, buffer.getvalue())
    known = {"hash": hash_of(net), "features": list(features), **card}
    write_atomically(path.with_suffix(".json"), json.dumps(known, indent=1) + "\n")


def load_net(path: Path, features: Sequence[str]) -> tuple[ValueNet, dict[str, Any]]:
    """A net and its card; refused if they do not belong together or to these features."""
    source, data = str(path), read_bytes(path, "the net")
    text = read_text(path.with_suffix(".json"), "the card of the net")
    try:
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            net = ValueNet(*(np.ascontiguousarray(arrays[name], np.float32) for name in ValueNet._fields))
    except (OSError, ValueError, TypeError, KeyError, EOFError, AttributeError) as error:
        raise BadText(f"{source} holds no net: {error}") from None
    n_hidden = net.w1.shape[-1]
    if [array.shape for array in net] != [(len(features), n_hidden), (n_hidden,), (n_hidden,), (1,)]:
        raise BadText(f"{source}: the net does not fit the {len(features)} features of this version")
    if not all(np.isfinite(array).all() for array in net):
        raise BadText(f"{source}: a weight is not a finite number")
    card = parse_json(text, f"the card of {source} does not parse")
    if not isinstance(card, dict) or card.get("hash") != hash_of(net) or card.get("features") != list(features):
        raise BadText(f"{source} and its card do not belong together or are of another version")
    return net, card
