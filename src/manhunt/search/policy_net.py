"""A small policy net, evaluated with NumPy: which legal action is how likely, and who wins.

x            what a seat sees, as the game's encoder writes it
first        x w1 + b1
body         first beside relu(relu(first) w2 + b2)
score of a   body . actions[a] + biases[a], for legal actions only; softmax makes chances of them
value        body . w_value + b_value, the expected payoff of the seat that looks
"""

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s, Int64s
from manhunt.core.errors import BadText
from manhunt.core.files import write_atomically
from manhunt.core.reading import parse_json, read_bytes

CARD = "card"


class PolicyNet(NamedTuple):
    """The rows of `actions` belong to the numbers of actions; both halves of the body have the same width."""

    w1: Float32s
    b1: Float32s
    w2: Float32s
    b2: Float32s
    actions: Float32s
    biases: Float32s
    w_value: Float32s
    b_value: Float32s


class Legal(NamedTuple):
    """Legal actions of many positions, one position after the other: `numbers[k]` is legal in `rows[k]`."""

    rows: Int64s
    numbers: Int64s

    @property
    def starts(self) -> Int64s:
        """Where each position begins; every position has at least one action."""
        return np.flatnonzero(np.diff(self.rows, prepend=-1))


def legal_in(masks: Any) -> Legal:
    rows, numbers = np.nonzero(masks)
    return Legal(rows, numbers)


Multiply = Callable[[Float32s, Float32s], Float32s]


class Judgement(NamedTuple):
    """By legal action: the logarithm of its chance; by position: the value."""

    log_chances: Float32s
    values: Float32s


def judge(net: PolicyNet, rows: Float32s, legal: Legal, multiply: Multiply = np.matmul) -> Judgement:
    """`multiply` is the product of two matrices; of a single row, only what is not zero is multiplied."""
    if len(rows) == 1:
        some = np.flatnonzero(rows[0])
        first = rows[:, some] @ net.w1[some] + net.b1
    else:
        first = multiply(rows, net.w1) + net.b1
    second = np.maximum(multiply(np.maximum(first, 0), net.w2) + net.b2, 0)
    body = np.concatenate((first, second), axis=1)
    scores = np.einsum("ij,ij->i", body[legal.rows], net.actions[legal.numbers]) + net.biases[legal.numbers]
    starts = legal.starts
    scores -= np.maximum.reduceat(scores, starts)[legal.rows]
    scores -= np.log(np.add.reduceat(np.exp(scores), starts))[legal.rows]
    return Judgement(scores, (body * net.w_value).sum(1) + net.b_value[0])


def pick(judgement: Judgement, legal: Legal, noise: Any = None) -> Int64s:
    """For each position the place in `legal` of one action: the likeliest, or with Gumbel noise one by its chance."""
    scores = judgement.log_chances if noise is None else judgement.log_chances + noise
    order = np.lexsort((-scores, legal.rows))
    return np.asarray(order[legal.starts], np.int64)


def save_policy(net: PolicyNet, path: Path, card: Mapping[str, Any]) -> None:
    """One .npz file; the card says what the net plays."""
    buffer = BytesIO()
    text = np.frombuffer(json.dumps(card).encode(), np.uint8)
    arrays: dict[str, Any] = {**net._asdict(), CARD: text}
    np.savez(buffer, **arrays)
    write_atomically(path, buffer.getvalue())


def load_policy(path: Path) -> tuple[PolicyNet, dict[str, Any]]:
    """A net and its card; BadText if the file holds none."""
    data = read_bytes(path, "the policy")
    try:
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            net = PolicyNet(*(np.ascontiguousarray(arrays[name], np.float32) for name in PolicyNet._fields))
            text = bytes(arrays[CARD]).decode()
    except Exception as error:  # whatever a broken zip file does
        raise BadText(f"{path} holds no policy: {error}") from None
    card = parse_json(text, f"the card of {path} does not parse")
    n_inputs, width = net.w1.shape if net.w1.ndim == 2 else (0, 0)
    n_actions = len(net.actions)
    shapes = [(n_inputs, width), (width,), (width, width), (width,), (n_actions, 2 * width), (n_actions,)]
    if [array.shape for array in net] != [*shapes, (2 * width,), (1,)] or not isinstance(card, dict):
        raise BadText(f"{path} holds no policy: its arrays do not fit together")
    if not all(np.isfinite(array).all() for array in net):
        raise BadText(f"{path}: a weight is not a finite number")
    return net, card
