"""Proximal policy optimisation of Schulman et al. (2017), clipped, on actions that are legal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s, Int64s
from manhunt.learning.network import Network
from manhunt.learning.pytorch import torch
from manhunt.learning.rollout import Decisions
from manhunt.learning.settings import Settings


class Losses(NamedTuple):
    """Means over one update."""

    entropy: float
    value_loss: float
    kl: float
    clipped: float


def update(
    network: Network,
    optimiser: torch.optim.Optimizer,
    decisions: Decisions,
    settings: Settings,
    rng: np.random.Generator,
) -> Losses:
    """Some epochs of gradient steps on the same decisions; stops early where the policy has moved far."""
    spread = decisions.advantages.std() + 1e-8
    advantages = (decisions.advantages - decisions.advantages.mean()) / spread
    ready = decisions._replace(advantages=advantages)
    returns, seen = decisions.returns, list[tuple[float, ...]]()
    for _ in range(settings.epochs):
        first = len(seen)
        for part in _minibatches(len(returns), settings.minibatch, rng):
            loss, facts = _loss(network, ready, returns, part, settings)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), settings.max_gradient)
            optimiser.step()
            seen.append(facts)
        if np.mean([kl for _, _, kl, _ in seen[first:]]) > settings.max_kl:
            break
    return Losses(*(float(mean) for mean in np.mean(seen, axis=0)))


def _minibatches(n: int, size: int, rng: np.random.Generator) -> Iterator[Int64s]:
    order = rng.permutation(n)
    yield from np.array_split(order, max(round(n / size), 1))


def _loss(
    network: Network, decisions: Decisions, returns: Float32s, part: Int64s, settings: Settings
) -> tuple[torch.Tensor, tuple[float, ...]]:
    counts = decisions.counts[part]
    owners = np.repeat(np.arange(len(part)), counts)
    begins = np.cumsum(counts) - counts
    ends = np.cumsum(decisions.counts)
    places = np.arange(len(owners)) + np.repeat((ends - decisions.counts)[part] - begins, counts)
    rows, legal = torch.from_numpy(decisions.rows[part]), torch.from_numpy(decisions.numbers[places])
    log_chances, values = network(rows, torch.from_numpy(owners), legal)
    chosen = log_chances[torch.from_numpy(begins + decisions.chosen[part])]
    before = torch.from_numpy(decisions.log_chances[part])
    advantages = torch.from_numpy(decisions.advantages[part])
    ratio = (chosen - before).exp()
    bounded = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    gain = torch.minimum(ratio * advantages, bounded * advantages).mean()
    value_loss = (values - torch.from_numpy(returns[part])).square().mean()
    entropy = -(log_chances.exp() * log_chances).sum() / len(part)
    loss = -gain + settings.value_weight * value_loss - settings.entropy * entropy
    with torch.no_grad():
        kl = float((ratio - 1 - (chosen - before)).mean())
        clipped = float((ratio != bounded).float().mean())
    return loss, (entropy.item(), value_loss.item(), kl, clipped)
