"""What a scene tells besides its picture, as lines: pieces, the strip under the board, hands and piles, captions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from manhunt.core.scene import CardTable, Scene, SceneOffer, StripField
from manhunt.draw.look import DARK, look_of

if TYPE_CHECKING:
    from rich.text import Text

GAP = 3


def piece_lines(scene: Scene) -> list[Text]:
    """Each piece with its letter, its node, and the nodes beside it."""
    from rich.text import Text

    from manhunt.cli.terminal.chart import piece_style

    lines, looks = [], [look_of(piece, DARK) for piece in scene.pieces]
    width = max((len(look.name) for look in looks), default=0)
    for piece, look in zip(scene.pieces, looks, strict=True):
        line = Text().append(f" {look.letter} ", piece_style(piece))
        line.append(f" {look.name:<{width}} on {scene.board.label(piece.node):<4}")
        near = f"next to {scene.board.text(scene.board.neighbours(piece.node)) or 'nothing'}"
        lines.append(line.append(f"last seen, {piece.text}" if piece.kind == "hidden" else near, "quiet"))
    return lines


def told_lines(scene: Scene, columns: int) -> list[str]:
    """The strip, the hands and piles, and the captions, no line wider than this."""
    table = [] if scene.table is None else list(_table_lines(scene.table))
    log = " ".join(map(_field, _begun(scene.strip)))
    lines = [*([f"Log, strong rims in brackets: {log}"] if log else []), *table, *scene.caption]
    return [part for line in lines for part in wrap(line, columns)]


def _begun(strip: Sequence[StripField]) -> Sequence[StripField]:
    """The fields up to the last one with something in it."""
    n = max((i for i, field in enumerate(strip, 1) if field.text), default=0)
    return strip[:n]


def _field(field: StripField) -> str:
    """`4:T`, and `[3:T 78]` for one with a strong rim."""
    text = f"{field.above}:{field.text or '?'}{f' {field.below}' if field.below else ''}"
    return f"[{text}]" if field.marked else text


def _table_lines(table: CardTable) -> Iterator[str]:
    yield from (f"{name}: {text}" for name, text in table.lines)
    yield from (", ".join(pile.lines) for pile in table.piles if pile.lines)
    if table.notes:
        yield f"{table.notes_title}: {'; '.join(table.notes)}"


def offer_columns(offers: Sequence[SceneOffer], columns: int) -> list[str]:
    """Notation and words side by side; words that say nothing more are left out."""
    entries = [(offer.action, "" if _same(offer) else offer.words) for offer in offers]
    width = max((len(action) for action, _ in entries), default=0)
    texts = [f"{action:<{width}}  {words}".rstrip() for action, words in entries]
    wide = GAP + max(map(len, texts), default=0)
    n = max(1, (columns - 2 + GAP) // wide)
    rows = [texts[i : i + n] for i in range(0, len(texts), n)]
    return ["  " + "".join(f"{text:<{wide}}" for text in row).rstrip() for row in rows]


def _same(offer: SceneOffer) -> bool:
    return offer.action.replace(":", " ") == offer.words
