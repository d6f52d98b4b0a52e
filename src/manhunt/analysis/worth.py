"""What was a piece of knowledge worth? The evader's chance with and without it, by pairs of games from that moment.

The game's kit part `worth` names what can be asked about: something that was shown, hidden or used up in a turn, and
what the same turn would have been without it. Both games of a pair have the same random numbers. The document is
described in docs/reference/analysis.md, the method in docs/explanation/worth.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from random import Random
from typing import Any

from manhunt.analysis.findings import ValueEstimate, difference, share
from manhunt.analysis.progress import report
from manhunt.core.errors import BadText
from manhunt.core.html import html_table
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record, parse_record

VERSION = 1
"""What another version found is looked for anew."""
USUAL_PAIRS, QUICK_PAIRS = 240, 40
BATCH = 20
"""Pairs between two looks at the progress."""
SEED_BITS = 63

Play = Callable[[Sequence[int]], Sequence[float]]
"""Games with these seeds: 1 each for the evader's win, 0 for a loss, or a chance where a game was not played out."""


@dataclass(frozen=True)
class WithAndWithout:
    """Something that happened in the turn that begins at `ply`, and that turn without it."""

    ply: int
    kind: str
    """One word for what is alike in this game."""
    what: str
    """As the subject of a sentence: `the ... in round 8`."""
    without: str
    """What happens instead."""
    play_with: Play
    """The same for all that happened in one turn."""
    play_without: Play


@dataclass(frozen=True, slots=True)
class Worth:
    """The evader's chance with it and without it; `gain` is the difference, a loss if it is negative."""

    ply: int
    round: int
    seat: str | None
    """Whose turn it was."""
    kind: str
    what: str
    without: str
    chance_with: ValueEstimate
    chance_without: ValueEstimate
    gain: ValueEstimate
    words: str


@dataclass(frozen=True)
class GameWorth:
    """What each thing in a finished game was worth, in the order of the game: `record.worth()`."""

    past: Hindsight = field(repr=False)
    rows: tuple[Worth, ...]
    pairs: int
    """Pairs of games for each row."""
    how: tuple[str, ...] = field(repr=False)
    """Sentences: what with and without mean, and who plays the games."""

    def __repr__(self) -> str:
        return f"<GameWorth {self.past.record.about}; {len(self.rows)} rows of {self.pairs} pairs of games>"

    def to_json(self) -> dict[str, Any]:
        """The document that `manhunt analyse --worth --json` prints."""
        head = {"version": VERSION, "game": self.past.game.name, "plies": self.past.last, "pairs": self.pairs}
        return {**head, "how": list(self.how), "rows": [asdict(row) for row in self.rows]}

    def _repr_html_(self) -> str:
        cells = [(row.round, row.words, row.without, *chances_text(row)) for row in self.rows]
        return html_table(("round", "what", "without it", "with", "without"), cells, self.past.record.about)


def worth(record: str) -> dict[str, Any]:
    """Task of a worker: the document of a record's text; BadText where the game is not over."""
    return game_worth(parse_record(record), pairs=USUAL_PAIRS).to_json()


def game_worth(record: Record, *, pairs: int = USUAL_PAIRS, seed: int = 0) -> GameWorth:
    """BadText where the game is not over, or has nothing whose worth can be asked."""
    past = Hindsight(record)
    part = kit_of(past.game.name).part("worth")
    if part is None:
        raise BadText(f"worth is not available for {past.game.title}")
    asked: Sequence[WithAndWithout] = part.with_and_without(past)
    if not asked:
        raise BadText(f"there is nothing to value in this game: {part.NONE}")
    n, ahead, behind = len(asked), dict[int, list[float]](), list[list[float]]()
    for i, each in enumerate(asked):
        with_it = ahead.setdefault(each.ply, [])  # several things may have happened in one turn
        behind.append([])
        report(i * pairs, n * pairs, each.what)
        for seeds in _batches(pairs, Random(f"{seed}/{each.ply}")):
            if len(with_it) < pairs:
                with_it += each.play_with(seeds)
            behind[i] += each.play_without(seeds)
            report(i * pairs + len(behind[i]), n * pairs, each.what)
    rows = (_row(past, each, ahead[each.ply], without) for each, without in zip(asked, behind, strict=True))
    return GameWorth(past, tuple(rows), pairs, tuple(part.HOW))


def _batches(n: int, rng: Random) -> Iterator[list[int]]:
    """So many seeds, some at a time."""
    for done in range(0, n, BATCH):
        yield [rng.getrandbits(SEED_BITS) for _ in range(min(BATCH, n - done))]


def _row(past: Hindsight, each: WithAndWithout, ahead: Sequence[float], behind: Sequence[float]) -> Worth:
    gain = difference([a - b for a, b in zip(ahead, behind, strict=True)])
    acting, evader = past.acting(each.ply), past.game.called(Seat.EVADER)
    return Worth(
        each.ply,
        past.round_to_play(each.ply),
        acting and acting.value,
        each.kind,
        each.what,
        each.without,
        share(ahead),
        share(behind),
        gain,
        worth_words(each.what, evader, gain),
    )


def worth_words(what: str, evader: str, gain: ValueEstimate) -> str:
    """What it did to the evader, in points with half the interval: a sentence without its full stop."""
    begin = what[0].upper() + what[1:]
    points, half = round(100 * abs(gain.mean)), _half(gain)
    amount = f"{points} point{'' if points == 1 else 's'}"
    if gain.low <= 0 <= gain.high:
        sign = "" if points == 0 else "+" if gain.mean > 0 else "-"
        return f"{begin} made no clear difference to {evader} ({sign}{amount}, ±{half})"
    return f"{begin} {'brought' if gain.mean > 0 else 'cost'} {evader} {amount}, ±{half}"


def _half(gain: ValueEstimate) -> int:
    """Of the interval in points, to the farther end; never less than it is."""
    return ceil(round(100 * max(gain.high - gain.mean, gain.mean - gain.low), 6))


def chances_text(row: Worth) -> tuple[str, str]:
    """With and without, as `34 %`."""
    return f"{100 * row.chance_with.mean:.0f} %", f"{100 * row.chance_without.mean:.0f} %"
