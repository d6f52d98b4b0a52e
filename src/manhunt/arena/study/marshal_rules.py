"""Trials of a Marshal who is bound to a rule, against both Fugitives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from manhunt.arena.study.section import Library
from manhunt.arena.study.setting import Pair, Setting, bound_marshal
from manhunt.arena.study.variants import Trial
from manhunt.ids import Side


def marshal_pairs(setting: Setting, rule: str, values: Iterable[str]) -> list[Pair]:
    specs = [bound_marshal(setting.marshal, rule, value) for value in ("own", *values)]
    return [Pair(fugitive, spec) for fugitive in setting.fugitives for spec in specs]


def marshal_trials(setting: Setting, games: Library, rule: str, labels: Mapping[str, str]) -> list[Trial]:
    """Her own choice first, then by the value of the rule."""
    trials = []
    for fugitive in setting.fugitives:
        own = games[Pair(fugitive, setting.marshal)]
        trials.append(Trial("own choice", fugitive, own, own, Side.PURSUERS))
        for value, label in labels.items():
            bound = games[Pair(fugitive, bound_marshal(setting.marshal, rule, value))]
            trials.append(Trial(label, fugitive, bound, own, Side.PURSUERS))
    return trials
