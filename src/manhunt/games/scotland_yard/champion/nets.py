"""Small value nets, how they are evaluated in kernels, fitted, and kept in files.

A net has one hidden layer: chance = sigmoid(w2 . relu(x w1 + b1) + b2), the chance that Mr X wins. `after_mrx` is asked
when he has just moved, `after_detectives` when they have. `choice` is asked when he has just moved, too, and is what he
chooses by: it was trained on against detectives who know it, and lasting long counts there, not only winning.
"""

import hashlib
import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s
from manhunt.core.errors import BadText, unknown
from manhunt.core.files import write_atomically
from manhunt.core.jit import kernel
from manhunt.core.reading import parse_json, read_bytes, read_text
from manhunt.games.scotland_yard.champion.features import FEATURES, N_FEATURES
from manhunt.search.value_net import ValueNet, new_net

FORMAT = "manhunt champion nets 1"
N_HIDDEN = 48
SHIPPED = Path(__file__).with_name("data")


class ChampionNets(NamedTuple):
    after_mrx: ValueNet
    after_detectives: ValueNet
    choice: ValueNet


@kernel
def win_chance(net: ValueNet, row: Float32s, hidden: Float32s) -> float:
    """What the net says of a row of features; `hidden` is scratch of the caller."""
    hidden[:] = net.b1
    add_features(net, row, 0, len(row), 0, hidden)
    return chance_of(net, hidden)


@kernel
def add_features(net: ValueNet, row: Float32s, begin: int, end: int, offset: int, hidden: Float32s) -> None:
    """Add to the hidden layer what `row[begin:end]` makes of it; `row[i]` is the feature `offset + i`."""
    for i in range(begin, end):
        x = row[i]
        if x != 0.0:
            weights = net.w1[offset + i]
            for j in range(len(hidden)):
                hidden[j] += x * weights[j]


@kernel
def chance_of(net: ValueNet, hidden: Float32s) -> float:
    total = float(net.b2[0])
    for j in range(len(hidden)):
        if hidden[j] > 0.0:
            total += net.w2[j] * hidden[j]
    return float(1.0 / (1.0 + np.exp(-total)))


def new_nets(seed: int) -> ChampionNets:
    rng = np.random.default_rng(seed)
    after_mrx, after_detectives = (new_net(N_FEATURES, N_HIDDEN, rng) for _ in range(2))
    return ChampionNets(after_mrx, after_detectives, net_copy(after_mrx))


def copy_of(nets: ChampionNets) -> ChampionNets:
    return ChampionNets(*map(net_copy, nets))


def net_copy(net: ValueNet) -> ValueNet:
    return ValueNet(*(array.copy() for array in net))


def nets_to_arrays(nets: ChampionNets) -> dict[str, Float32s]:
    """`choice` is left out if it is the same as `after_mrx`."""
    same = all(np.array_equal(one, other) for one, other in zip(nets.choice, nets.after_mrx, strict=True))
    return {
        f"{place}.{name}": array
        for place, net in zip(ChampionNets._fields, nets, strict=True)
        for name, array in zip(ValueNet._fields, net, strict=True)
        if place != "choice" or not same
    }


def nets_from_arrays(arrays: Mapping[str, Any], source: str) -> ChampionNets:
    places = ("after_mrx", "after_detectives", "choice" if "choice.w1" in arrays else "after_mrx")
    try:
        made = (
            ValueNet(*(np.array(arrays[f"{place}.{name}"], np.float32, order="C") for name in ValueNet._fields))
            for place in places
        )
        nets = ChampionNets(*made)
    except (KeyError, ValueError, TypeError) as error:
        raise BadText(f"{source} holds no champion nets: {error}") from None
    for net in nets:
        n_hidden = net.w1.shape[-1]
        if [array.shape for array in net] != [(N_FEATURES, n_hidden), (n_hidden,), (n_hidden,), (1,)]:
            raise BadText(f"{source}: the nets do not fit the {N_FEATURES} features of this version")
        if not all(np.isfinite(array).all() for array in net):
            raise BadText(f"{source}: a weight is not a finite number")
    return nets


def hash_of(nets: ChampionNets) -> str:
    """A short hash of all weights."""
    digest = hashlib.sha256()
    for name, array in nets_to_arrays(nets).items():
        digest.update(name.encode() + array.astype("<f4").tobytes())
    return digest.hexdigest()[:16]


def save_nets(nets: ChampionNets, path: Path, card: Mapping[str, Any]) -> None:
    """The nets as `path` (.npz), and beside it a card (.json) that says what they were made of."""
    buffer = BytesIO()
    np.savez_compressed(buffer, **nets_to_arrays(nets))  # type: ignore[arg-type]
    write_atomically(path, buffer.getvalue())
    known = {"format": FORMAT, "hash": hash_of(nets), "features": list(FEATURES), **card}
    write_atomically(path.with_suffix(".json"), json.dumps(known, indent=1) + "\n")


def load_nets(path: Path) -> tuple[ChampionNets, dict[str, Any]]:
    """Nets and their card; refused if they do not belong together or to this version."""
    source, data = str(path), read_bytes(path, "the nets")
    text = read_text(path.with_suffix(".json"), "the card of the nets")
    try:
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            nets = nets_from_arrays(arrays, source)
    except (OSError, ValueError, EOFError, AttributeError) as error:
        raise BadText(f"{source} holds no champion nets: {error}") from None
    card = parse_json(text, f"the card of {source} does not parse")
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise BadText(f"the card of {source} is not of the format {FORMAT!r}")
    if card.get("hash") != hash_of(nets) or card.get("features") != list(FEATURES):
        raise BadText(f"{source} and its card do not belong together or are of another version")
    return nets, card


def find_nets(name: str) -> tuple[ChampionNets, dict[str, Any]]:
    """Shipped nets by name, or those of a .npz file, with their card."""
    return load_nets(Path(name)) if name.endswith(".npz") else shipped_nets(name)


def shipped_nets(name: str = "standard") -> tuple[ChampionNets, dict[str, Any]]:
    known = sorted(file.stem for file in SHIPPED.glob("*.npz"))
    if name not in known:
        raise BadText(unknown("nets", name[:40], known))
    return load_nets(SHIPPED / f"{name}.npz")
