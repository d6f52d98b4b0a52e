"""The design tokens: colours, sizes and letters that every drawing of ours shares."""

from __future__ import annotations

from dataclasses import dataclass, replace

from manhunt.core.errors import ManhuntError, unknown
from manhunt.core.ids import Transport
from manhunt.core.scene import ScenePiece

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
TEXT_SIZES = (13, 15, 18, 24, 32)
CORNER = 10
DARK_INK, LIGHT_INK = "#14171D", "#FFFFFF"
"""Text on a colour, whatever the theme."""


@dataclass(frozen=True)
class Theme:
    """Colours by purpose."""

    name: str
    paper: str
    surface: str
    ink: str
    quiet: str
    line: str
    taxi: str
    bus: str
    underground: str
    ferry: str
    secret: str
    belief: str
    offer: str
    danger: str
    plain: str
    piece_rim: str
    quarry: str
    """The quarry's piece, told apart from every pursuer's."""
    on_quarry: str

    def transport(self, transport: Transport) -> str:
        return str(getattr(self, transport.name.lower()))


LIGHT = Theme(
    name="light",
    paper="#F6F3EA",
    surface="#FFFEFA",
    ink="#1E2430",
    quiet="#6B7280",
    line="#DDD7C7",
    taxi="#D9A514",
    bus="#128A7E",
    underground="#C8365C",
    ferry="#3B5BA5",
    secret="#2B2B33",
    belief="#7A2E8E",
    offer="#2FBF71",
    danger="#D1495B",
    plain="#A39C8A",
    piece_rim="#1E2430",
    quarry="#1E2430",
    on_quarry="#F6F3EA",
)
DARK = Theme(
    name="dark",
    paper="#14171D",
    surface="#1C2129",
    ink="#E8E6DF",
    quiet="#9AA3AF",
    line="#2C333D",
    taxi="#E3B63A",
    bus="#2BB3A4",
    underground="#E0577B",
    ferry="#7D9AE0",
    secret="#55555F",
    belief="#B06AC4",
    offer="#43D98A",
    danger="#F0697B",
    plain="#5E6775",
    piece_rim="#0B0D11",
    quarry="#FF8A2B",
    on_quarry="#14171D",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def theme_of(name: str) -> Theme:
    try:
        return THEMES[name]
    except KeyError:
        raise ManhuntError(unknown("theme", name, THEMES)) from None


@dataclass(frozen=True)
class PieceLook:
    """A piece's colour, the letter that stands for it, and the letter's colour on it."""

    name: str
    colour: str
    letter: str
    on_colour: str


PURSUERS = (
    PieceLook("red", "#D1495B", "R", "#FFFFFF"),
    PieceLook("green", "#2E7D32", "G", "#FFFFFF"),
    PieceLook("blue", "#1565C0", "B", "#FFFFFF"),
    PieceLook("white", "#F4F4F4", "W", "#1E2430"),
    PieceLook("yellow", "#F2C230", "Y", "#1E2430"),
)
QUARRY_LETTER = "X"


def pursuer_look(index: int) -> PieceLook:
    """The look of pursuer 0, 1, 2 ...; after the fifth the colours repeat with numbers for letters."""
    look = PURSUERS[index % len(PURSUERS)]
    if index < len(PURSUERS):
        return look
    return PieceLook(f"{look.name} {index + 1}", look.colour, str(index + 1), look.on_colour)


def look_of(piece: ScenePiece, theme: Theme) -> PieceLook:
    """The look of a piece in a theme, with its own name and letter where it has them."""
    looks = {
        "quarry": PieceLook("quarry", theme.quarry, QUARRY_LETTER, theme.on_quarry),
        "hidden": PieceLook("quarry", theme.surface, "?", theme.ink),
        "target": PieceLook("target", theme.offer, "T", DARK_INK),
    }
    look = looks.get(piece.kind) or pursuer_look(piece.index)
    return replace(look, name=piece.name or look.name, letter=piece.letter or look.letter)


def quarry_letter(name: str) -> str:
    """The first letter of the quarry's name; X where that is the letter of a pursuer."""
    letter = name[0].upper()
    return QUARRY_LETTER if letter in {look.letter for look in PURSUERS} else letter
