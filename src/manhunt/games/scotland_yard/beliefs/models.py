"""How Mr X is thought to move: three models, each as weights of his legal moves and as factors for the kernel.

A model sees what is public and the node he is supposed to stand on; the probability of a move is its weight over the
sum of the weights of all moves that are legal from there.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from manhunt.boards.board import Board
from manhunt.boards.distance import hops_or_far
from manhunt.core.arrays import Bytes, Floats, Int32s
from manhunt.core.errors import BadText, ManhuntError, unknown
from manhunt.core.reading import parse_json, read_text
from manhunt.games.scotland_yard.beliefs import weighted_kernels as kernels
from manhunt.games.scotland_yard.beliefs.features import FEATURES, N_FEATURES, feature_table, two_nearest
from manhunt.games.scotland_yard.beliefs.weighted_kernels import Factors, ModelGraph
from manhunt.games.scotland_yard.rules.actions import ScotlandYardAction
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

CATEGORY_WEIGHTS = (0.196, 0.671, 0.540, 0.384, 0.196)
"""For 1, 2, 3, 4, 5 or more hops to the nearest detective: the location categories of Nijssen and Winands."""
SOFT_FORMAT = "manhunt soft model 1"


class Model(ABC):
    """A model of how Mr X chooses among his moves."""

    name: ClassVar[str]
    """Its name in options and files."""

    @abstractmethod
    def weights(self, state: ScotlandYardState, actions: Sequence[ScotlandYardAction]) -> Floats:
        """One positive weight for each legal action of Mr X in this state."""

    @abstractmethod
    def fill(self, graph: ModelGraph, shown: Bytes, places: Int32s, n_logged: int, factors: Factors) -> None:
        """Write the weights as factors for the kernel; `factors` still holds what the last call wrote."""

    def probabilities(self, state: ScotlandYardState, actions: Sequence[ScotlandYardAction]) -> Floats:
        """The weights as probabilities."""
        weights = self.weights(state, actions)
        return np.asarray(weights / weights.sum())


class UniformModel(Model):
    """All legal moves alike."""

    name = "uniform"

    def weights(self, state: ScotlandYardState, actions: Sequence[ScotlandYardAction]) -> Floats:
        return np.ones(len(actions))

    def fill(self, graph: ModelGraph, shown: Bytes, places: Int32s, n_logged: int, factors: Factors) -> None:
        """New factors are all one already."""


class CategoryModel(Model):
    """By the distance of the nearest detective to where the move ends."""

    name = "category"

    def __init__(self, weights: Sequence[float] = CATEGORY_WEIGHTS) -> None:
        self._weights = np.array(weights, np.float64)

    def weights(self, state: ScotlandYardState, actions: Sequence[ScotlandYardAction]) -> Floats:
        nearest, _ = two_nearest(hops_or_far(state.config.board), state.pursuers)
        category = np.clip(nearest[[action.to for action in actions]], 1, len(self._weights))
        return np.asarray(self._weights[category - 1])

    def fill(self, graph: ModelGraph, shown: Bytes, places: Int32s, n_logged: int, factors: Factors) -> None:
        kernels.category_factors(graph, places, self._weights, factors.end)


class SoftModel(Model):
    """The exponential of a weighted sum of the move's features, with weights fitted to recorded games."""

    name = "soft"

    def __init__(self, theta: Sequence[float], provenance: Mapping[str, Any] | None = None) -> None:
        if len(theta) != N_FEATURES or not np.isfinite(np.array(theta, np.float64)).all():
            raise BadText(f"a soft model needs {N_FEATURES} numbers, one for each of {', '.join(FEATURES)}")
        self.theta = np.array(theta, np.float64)
        self.provenance = dict(provenance or {})

    def weights(self, state: ScotlandYardState, actions: Sequence[ScotlandYardAction]) -> Floats:
        return np.asarray(np.exp(feature_table(state, actions) @ self.theta))

    def fill(self, graph: ModelGraph, shown: Bytes, places: Int32s, n_logged: int, factors: Factors) -> None:
        kernels.soft_factors(graph, shown, places, n_logged, self.theta, factors)

    def format(self) -> str:
        weights = {name: round(float(value), 6) for name, value in zip(FEATURES, self.theta, strict=True)}
        return json.dumps({"format": SOFT_FORMAT, "weights": weights, "provenance": self.provenance}, indent=1) + "\n"


def parse_soft(text: str, source: str = "soft model") -> SoftModel:
    """The inverse of `SoftModel.format`."""
    try:
        data = parse_json(text, f"{source} does not parse as a fitted model")
        if not isinstance(data, dict) or data.get("format") != SOFT_FORMAT:
            raise BadText(f"{source} is not a fitted model; its format should be {SOFT_FORMAT!r}")
        weights = data["weights"]
        if set(weights) != set(FEATURES):
            strange = sorted(set(weights) ^ set(FEATURES))
            raise BadText(f"{source}: the weight {strange[0]!r} is missing or unknown; expected {', '.join(FEATURES)}")
        return SoftModel([float(weights[name]) for name in FEATURES], data.get("provenance"))
    except (ValueError, KeyError, TypeError) as error:
        raise BadText(f"{source} does not parse as a fitted model: {error}") from None


def load_soft(path: Path) -> SoftModel:
    return parse_soft(read_text(path, "the model"), str(path))


@lru_cache(maxsize=1)
def shipped_soft() -> SoftModel:
    file = resources.files("manhunt.games.scotland_yard.beliefs") / "data" / "soft.json"
    return parse_soft(file.read_text(encoding="utf-8"), "the shipped soft model")


MODELS = ("uniform", "category", "soft")


def make_model(name: str) -> Model:
    """A model by name, or a fitted one from its file (`my-model.json`)."""
    if name.endswith(".json"):
        return load_soft(Path(name))
    if name == "uniform":
        return UniformModel()
    if name == "category":
        return CategoryModel()
    if name == "soft":
        return shipped_soft()
    raise ManhuntError(unknown("model", name, MODELS) + "; or the .json file of a fitted one")


@lru_cache(maxsize=64)
def pack_model_graph(board: Board) -> ModelGraph:
    logs = np.log1p(np.arange(np.diff(board.simple_csr.indptr).max(initial=0) + 1.0))
    logs.setflags(write=False)
    return ModelGraph(hops_or_far(board), *board.simple_csr, logs)


def new_factors(board: Board) -> Factors:
    """All ones: the uniform model."""
    n = board.n_nodes
    return Factors(np.ones(4), np.ones(4), np.ones(4), np.ones((2, n)), np.ones(n))
