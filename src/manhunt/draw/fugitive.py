"""Fugitive as a picture: the row of hideouts, piles and hands, the notepad of all numbers, and the guesses."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from manhunt.draw.look import FONT, Theme, theme_of
from manhunt.draw.markup import at, group, num, tag, words
from manhunt.draw.strip import on_colour
from manhunt.games.fugitive.public import Card, Phase, Spot
from manhunt.games.fugitive.views import View
from manhunt.games.fugitive.views import view as view_of
from manhunt.games.outcome import Outcome, Termination
from manhunt.ids import Seat, Side

if TYPE_CHECKING:
    from manhunt.games.fugitive.state import State

WIDTH = 1000
SIDE = 24.0
CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 54.0, 74.0, 14.0
SPRINT_WIDTH, SPRINT_HEIGHT = 25.0, 20.0
CELL_HEIGHT, CELL_GAP = 36.0, 6.0
COLUMNS = 14
MOST_GUESSES = 4

Probabilities = Mapping[Card, float]
"""By number, how likely it is that a face-down hideout has it."""


class Mark(Enum):
    """What is certain about a number, for whoever looks."""

    OPEN = "open"
    FUGITIVE = "in the Fugitive's hand"
    MARSHAL = "in the Marshal's hand"
    SHOWN = "hideout, face up"
    OWN_HIDEOUT = "hideout, face down"
    SPENT = "sprint card"
    MISSED = "missed since the last hideout"


GONE = (Mark.SPENT, Mark.MISSED)


def notepad(view: View) -> dict[Card, Mark]:
    """Every number from 1 to the last card with what a seat knows for certain without thinking."""
    marks = dict.fromkeys(range(1, view.config.last + 1), Mark.OPEN)
    n_placed = sum(spot.card != view.config.last for spot in view.row)
    for guess in view.public.guesses:
        if len(guess.numbers) == 1 and not guess.hit and guess.n_placed == n_placed:
            marks[guess.numbers[0]] = Mark.MISSED
    marks |= dict.fromkeys(view.fugitive or (), Mark.FUGITIVE) | dict.fromkeys(view.marshal or (), Mark.MARSHAL)
    for own, seen in zip(view.row, view.public.row, strict=True):
        if own.card is not None:
            is_shown = seen.card is not None and (view.outcome is None or was_found(view, own.card))
            marks[own.card] = Mark.SHOWN if is_shown else Mark.OWN_HIDEOUT
        for card in own.sprints or ():
            marks[card] = Mark.SPENT
    return marks


def was_found(view: View, card: Card) -> bool:
    """Whether a hideout was turned up in play; after the end all cards are shown."""
    return card == view.config.last or any(guess.hit and card in guess.numbers for guess in view.public.guesses)


def draw_state(state: State, *, theme: str = "light", width: int = WIDTH) -> str:
    """The table as the Fugitive sees it, who sees most."""
    return draw_view(view_of(state, Seat.EVADER), theme=theme, width=width)


def draw_view(
    view: View, *, theme: str = "light", width: int = WIDTH, probabilities: Probabilities | None = None
) -> str:
    """The table as SVG; with `probabilities` the open numbers of the notepad are shaded by them."""
    return _Drawing(view, theme_of(theme), max(width, 480), probabilities or {}).document()


def title_of(view: View) -> str:
    """`Fugitive, round 3: the Marshal to guess`."""
    return f"Fugitive, round {view.round}: {turn_of(view)}"


def turn_of(view: View) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending(view.outcome)
    if view.bonus:
        return "the Fugitive may draw the bonus card"
    return {
        Phase.FUGITIVE_DRAW: "the Fugitive to draw",
        Phase.FUGITIVE_PLAY: "the Fugitive to hide or pass",
        Phase.MARSHAL_DRAW: "the Marshal to draw",
        Phase.MARSHAL_GUESS: "the Marshal to guess",
        Phase.MANHUNT: "manhunt, the Marshal names a number",
    }[view.phase]


def ending(outcome: Outcome) -> str:
    who = "the Fugitive wins" if outcome.winner is Side.EVADER else "the Marshal wins"
    how = {
        Termination.CAPTURE: "every hideout is face up",
        Termination.ARRIVAL: "he has escaped",
        Termination.SURVIVAL: "the rounds are over and he has not escaped",
        Termination.STRANDED: "he has given up",
        Termination.FORFEIT: "the other side gave up or failed",
    }
    return f"{who} ({how.get(outcome.termination, outcome.termination.value)})"


def guess_lines(view: View, most: int = MOST_GUESSES) -> list[str]:
    """The newest guesses first: `round 3: 12 and 15, missed`."""
    lines = []
    for guess in reversed(view.public.guesses[-most:]):
        lines.append(
            f"round {guess.round}: {' '.join(map(str, guess.numbers))}{', found' if guess.hit else ', missed'}"
        )
    n_more = len(view.public.guesses) - most
    return [*lines, f"and {n_more} before"] if n_more > 0 else lines


def hand_text(cards: Sequence[Card] | None, size: int) -> str:
    n = f"{size} card{'' if size == 1 else 's'}"
    return n if cards is None or not cards else f"{n}: {' '.join(map(str, cards))}"


class _Drawing:
    """One drawing under way; every part is drawn at `self.top`, which then moves down."""

    def __init__(self, view: View, theme: Theme, width: float, probabilities: Probabilities) -> None:
        self.view, self.theme, self.width, self.probabilities = view, theme, width, probabilities
        self.top = 62.0
        self.parts: list[str] = []

    def document(self) -> str:
        self._row()
        self._piles()
        self._notepad()
        self._guesses()
        theme, title = self.theme, title_of(self.view)
        parts = [
            tag("title", words(title)),
            tag("rect", class_="paper", width=self.width, height=self.top, rx=10, fill=theme.paper),
            tag("text", words(title), class_="title", x=SIDE, y=34, font_size=18, font_weight=600, fill=theme.ink),
            *self.parts,
        ]
        return (
            tag(
                "svg",
                "\n" + "\n".join(parts) + "\n",
                xmlns="http://www.w3.org/2000/svg",
                class_=f"manhunt-fugitive {theme.name}",
                role="img",
                viewBox=f"0 0 {num(self.width)} {num(self.top)}",
                width=self.width,
                height=self.top,
                style="max-width:100%;height:auto;font-variant-numeric:tabular-nums",
                font_family=FONT,
            )
            + "\n"
        )

    def _text(self, x: float, y: float, text: str, size: float = 13, **more: str | float) -> str:
        given = {"fill": self.theme.quiet, **more}
        return tag("text", words(text), x=x, y=y, font_size=size, **given)

    def _row(self) -> None:
        fits = max(1, int((self.width - 2 * SIDE + CARD_GAP) // (CARD_WIDTH + CARD_GAP)))
        view, cards = self.view, [self._card(0, None, is_up=True)]
        most = [0]
        for own, seen in zip(view.row, view.public.row, strict=True):
            is_up = seen.card is not None and (view.outcome is None or was_found(view, seen.card))
            cards.append(self._card(own.card, own, is_up=is_up))
            most.append(own.n_sprints)
        for first in range(0, len(cards), fits):
            rows = []
            for i, card in enumerate(cards[first : first + fits]):
                place = at((SIDE + i * (CARD_WIDTH + CARD_GAP), self.top))
                rows.append(tag("g", card, class_="hideout", data_position=str(first + i), transform=place))
            self.parts.append(group(rows, class_="row", text_anchor="middle"))
            n_lines = -(-max(most[first : first + fits]) // 2)
            self.top += CARD_HEIGHT + 12 + n_lines * (SPRINT_HEIGHT + 3) + 10

    def _card(self, card: Card | None, spot: Spot | None, *, is_up: bool) -> str:
        """A card of the row with its sprint cards below it; a face-down one is dark, with its number if it is known."""
        theme = self.theme
        is_escape = card == self.view.config.last
        fill = theme.surface if is_up else theme.secret
        ink = theme.ink if is_up else on_colour(theme.secret)
        rim = theme.offer if is_escape else theme.quiet if is_up else theme.piece_rim
        shape = {"width": CARD_WIDTH, "height": CARD_HEIGHT, "rx": 7.0, "stroke_width": 3.0 if is_escape else 1.5}
        parts = [
            tag("rect", **shape, fill=fill, stroke=rim),
            tag(
                "text",
                "?" if card is None else str(card),
                x=CARD_WIDTH / 2,
                y=CARD_HEIGHT / 2 + 9,
                font_size=26,
                font_weight=700,
                fill=ink,
                opacity=None if is_up or card is None else "0.8",
            ),
        ]
        if spot is None:
            return "".join(parts)
        parts.append(self._text(CARD_WIDTH / 2, CARD_HEIGHT - 7, f"round {spot.round}", 10, fill=ink, opacity="0.75"))
        for i in range(spot.n_sprints):
            parts.append(self._sprint(i, None if spot.sprints is None else spot.sprints[i], is_up=is_up))
        return "".join(parts)

    def _sprint(self, i: int, card: Card | None, *, is_up: bool) -> str:
        line, column = divmod(i, 2)
        x, y = column * (SPRINT_WIDTH + 4), CARD_HEIGHT + 6 + line * (SPRINT_HEIGHT + 3)
        bright = is_up and card is not None
        fill = self.theme.surface if bright else self.theme.secret
        ink = self.theme.ink if bright else on_colour(self.theme.secret)
        box = tag(
            "rect", width=SPRINT_WIDTH, height=SPRINT_HEIGHT, rx=4, fill=fill, stroke=self.theme.quiet, stroke_width=1
        )
        text = tag("text", "?" if card is None else str(card), x=SPRINT_WIDTH / 2, y=15, font_size=13, fill=ink)
        return tag("g", box + text, class_="sprint", transform=at((x, y)))

    def _piles(self) -> None:
        view, config = self.view, self.view.config
        x = SIDE
        for name, (low, high), size, n_fugitive in zip(
            config.pile_names, config.piles, view.pile_sizes, self._drawn(), strict=True
        ):
            depth = min(size, 4)
            cards = [
                tag(
                    "rect",
                    x=3 * k,
                    y=-3 * k,
                    width=40,
                    height=52,
                    rx=5,
                    fill=self.theme.secret,
                    stroke=self.theme.paper,
                    stroke_width=1.2,
                )
                for k in range(depth)
            ]
            if not size:
                cards.append(
                    tag("rect", width=40, height=52, rx=5, fill="none", stroke=self.theme.quiet, stroke_dasharray="4 3")
                )
            cards.append(self._text(60, 14, f"{name} {low}-{high}", 15, fill=self.theme.ink, font_weight=600))
            cards.append(self._text(60, 33, f"{size} left"))
            cards.append(self._text(60, 50, f"Fugitive drew {n_fugitive}"))
            self.parts.append(group(cards, class_="pile", data_pile=name, transform=at((x, self.top + 16))))
            x += 190
        if config.piles:
            self.top += 92
        rows = [
            ("Fugitive", hand_text(view.fugitive, view.hand_sizes[0])),
            ("Marshal", hand_text(view.marshal, view.hand_sizes[1])),
        ]
        signs = max(20, int((self.width - 2 * SIDE - 90) / 7.8))
        for name, text in rows:
            for i, line in enumerate(textwrap.wrap(text, signs)):
                if i == 0:
                    self.parts.append(self._text(SIDE, self.top + 6, name, 15, fill=self.theme.ink, font_weight=600))
                self.parts.append(self._text(SIDE + 90, self.top + 6, line, 15, fill=self.theme.ink))
                self.top += 24
        self.top += 4

    def _drawn(self) -> list[int]:
        counts = [0] * len(self.view.config.piles)
        for draw in self.view.public.draws:
            counts[draw.pile] += draw.side is Side.EVADER
        return counts

    def _notepad(self) -> None:
        marks = notepad(self.view)
        cell = (self.width - 2 * SIDE + CELL_GAP) / COLUMNS - CELL_GAP
        rows = []
        for i, (number, mark) in enumerate(marks.items()):
            line, column = divmod(i, COLUMNS)
            place = at((SIDE + column * (cell + CELL_GAP), self.top + line * (CELL_HEIGHT + CELL_GAP)))
            rows.append(
                tag("g", self._cell(number, mark, cell), class_="cell", data_number=str(number), transform=place)
            )
        self.parts.append(group(rows, class_="notepad", text_anchor="middle"))
        self.top += -(-len(marks) // COLUMNS) * (CELL_HEIGHT + CELL_GAP) + 8
        self._legend(set(marks.values()), cell)

    def _cell(self, number: Card, mark: Mark, width: float) -> str:
        theme, chance = self.theme, self.probabilities.get(number)
        title = f"{number}: {mark.value}" if chance is None else f"{number}: {chance:.0%}"
        fill, ink = self._colours(mark)
        parts = [
            tag("title", words(title)),
            tag("rect", width=width, height=CELL_HEIGHT, rx=5, fill=fill, stroke=theme.line, stroke_width=1.2),
        ]
        if chance is not None and mark in (Mark.OPEN, Mark.MISSED):
            shade = f"{0.08 + 0.82 * min(max(chance, 0.0), 1.0):.2f}" if chance > 0 else "0"
            parts.append(tag("rect", width=width, height=CELL_HEIGHT, rx=5, fill=theme.belief, fill_opacity=shade))
            ink = "#FFFFFF" if chance > 0.5 else theme.ink
            parts.append(self._text(width / 2, 32, f"{chance:.0%}", 10, fill=ink))
        small = chance is not None and mark in (Mark.OPEN, Mark.MISSED)
        y = 19 if small else 24
        strike = "line-through" if mark in GONE else None
        parts.append(
            tag("text", str(number), x=width / 2, y=y, font_size=15, font_weight=600, fill=ink, text_decoration=strike)
        )
        return "".join(parts)

    def _colours(self, mark: Mark) -> tuple[str, str]:
        theme = self.theme
        if mark is Mark.SHOWN:
            return theme.offer, on_colour(theme.offer)
        if mark is Mark.OWN_HIDEOUT:
            return theme.secret, on_colour(theme.secret)
        if mark is Mark.FUGITIVE:
            return theme.taxi, on_colour(theme.taxi)
        if mark is Mark.MARSHAL:
            return theme.ferry, on_colour(theme.ferry)
        return (theme.surface, theme.ink) if mark is Mark.OPEN else (theme.paper, theme.quiet)

    def _legend(self, used: set[Mark], cell: float) -> None:
        x, rows = SIDE, list[str]()
        for mark in Mark:
            if mark is Mark.OPEN or mark not in used:
                continue
            fill, _ = self._colours(mark)
            rows.append(
                tag("rect", x=x, y=self.top, width=14, height=14, rx=3, fill=fill, stroke=self.theme.line)
                + (self._strike(x) if mark in GONE else "")
                + self._text(x + 20, self.top + 12, mark.value)
            )
            x += 34 + 7.0 * len(mark.value)
        if rows:
            self.parts.append(group(rows, class_="legend"))
            self.top += 28

    def _strike(self, x: float) -> str:
        return tag("path", d=f"M{num(x + 3)} {num(self.top + 7)}h8", stroke=self.theme.quiet, stroke_width=1.5)

    def _guesses(self) -> None:
        lines = guess_lines(self.view)
        self.parts.append(self._text(SIDE, self.top + 12, "Guesses", 15, fill=self.theme.ink, font_weight=600))
        for line in lines or ["none yet"]:
            self.parts.append(self._text(SIDE + 90, self.top + 12, line, 15, fill=self.theme.ink))
            self.top += 22
        self.top += 14
