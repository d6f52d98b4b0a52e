"""Draws the pictures of the games on the home page, from positions of real games, in the colours of the page.

Writes `web/picture.svg` of each game: `python packaging/draw_pictures.py [folder]`, where the folder is the package.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import manhunt
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.ids import Node, Seat, Transport
from manhunt.core.registry import make_game
from manhunt.core.scene import CardTable, Scene
from manhunt.draw.lines import LINE_WIDTH, MapFrame, build_frame, build_lines
from manhunt.draw.look import look_of
from manhunt.draw.markup import SVG_NAMES, at, num, tag, words
from manhunt.draw.page_style import PAGE
from manhunt.draw.scenes import scene_of
from manhunt.draw.svg import LINE_OPACITY, LINE_ORDER
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.show.insights import MODEL
from manhunt.games.scotland_yard.show.known_places import public_events, public_opening
from manhunt.play.hindsight import Hindsight
from manhunt.play.referee import play_game

WIDTH, HEIGHT, MARGIN = 800.0, 520.0, 30.0


def moment(game: str, evader: str, pursuers: str, seed: int, round_: int, **config: object) -> tuple[Hindsight, int]:
    """A game between two agents, and the last ply before the pursuers' turn of a round."""
    rules = make_game(game)
    agents = {seat: make_agent(spec, game, seat) for seat, spec in ((Seat.EVADER, evader), (Seat.PURSUERS, pursuers))}
    played = Hindsight(play_game(rules, rules.make_config(None, **config), agents, seed=seed, limit=Limit(seconds=1)))
    plies = [ply for ply in range(played.last) if played.round(ply) == round_ and played.acting(ply) is Seat.PURSUERS]
    return played, plies[0]


# -- boards --------------------------------------------------------------------------------------------


def fitted(scene: Scene) -> MapFrame:
    """The board's frame, scaled into the picture; a wide board is stretched a little to fill it."""
    frame = build_frame(scene.board, 1200)
    xs, ys = zip(*frame.points, strict=True)
    across, down = max(xs) - min(xs), max(ys) - min(ys)
    sx, sy = (WIDTH - 2 * MARGIN) / across, (HEIGHT - 2 * MARGIN) / down
    sx, sy = min(sx, 1.25 * sy), min(sy, 1.25 * sx)
    left, top = (WIDTH - across * sx) / 2, (HEIGHT - down * sy) / 2
    points = tuple(((x - min(xs)) * sx + left, (y - min(ys)) * sy + top) for x, y in frame.points)
    return replace(frame, width=WIDTH, height=HEIGHT, points=points, radius=frame.radius * min(sx, sy))


def spot(point: tuple[float, float]) -> str:
    return f"{point[0]:.0f} {point[1]:.0f}"


def board_picture(scene: Scene, widths: Mapping[frozenset[Node], float] | None = None) -> str:
    """Lines by transport, nodes, belief and pieces: one path for each kind, so that it stays small."""
    frame = fitted(scene)
    r = max(frame.radius, 5.0)
    by_kind: dict[tuple[Transport, float], list[str]] = defaultdict(list)
    for line in build_lines(scene.board, frame):
        middle = f"Q{spot(line.control)} " if line.control else "L"
        drawn = f"M{spot(frame.points[line.a])}{middle}{spot(frame.points[line.b])}"
        by_kind[line.transport, (widths or {}).get(frozenset((line.a, line.b)), 1.0)].append(drawn)
    rows = [
        tag(
            "path",
            d="".join(drawn),
            fill="none",
            stroke=PAGE.danger if width > 1 else PAGE.transport(kind),
            stroke_width=max(LINE_WIDTH[kind] * r / 9, 2.2) * width,
            stroke_linecap="round",
            stroke_dasharray=f"0.1 {num(0.9 * r)}" if kind is Transport.FERRY else None,
            opacity=LINE_OPACITY.get(kind),
        )
        for (kind, width), drawn in sorted(by_kind.items(), key=lambda each: LINE_ORDER.index(each[0][0]))
    ]
    rows += way(scene, frame, r)
    rows += glow(scene.belief, frame, r)
    discs = "".join(f"M{spot(point)}h0" for point in frame.points)
    rows.append(tag("path", d=discs, stroke=PAGE.quiet, stroke_width=2 * r, stroke_linecap="round"))
    rows.append(tag("path", d=discs, stroke=PAGE.surface, stroke_width=1.36 * r, stroke_linecap="round"))
    rows += pieces(scene, frame, r)
    return picture(rows)


def way(scene: Scene, frame: MapFrame, r: float) -> list[str]:
    if not scene.arrows:
        return []
    path = "".join(f"M{spot(frame.points[a])}L{spot(frame.points[b])}" for a, b in scene.arrows)
    return [tag("path", d=path, stroke=PAGE.bus, stroke_width=0.7 * r, stroke_linecap="round")]


def glow(belief: Mapping[Node, float], frame: MapFrame, r: float) -> list[str]:
    most = max(belief.values(), default=1.0)
    shades = {node: round(4 * math.sqrt(weight / most)) for node, weight in belief.items()}
    rows = []
    for shade in range(1, 5):
        spots = "".join(f"M{spot(frame.points[node])}h0" for node, found in sorted(shades.items()) if found == shade)
        if spots:
            opacity = f"{0.18 * shade:.2g}"
            rows.append(
                tag("path", d=spots, stroke=PAGE.belief, stroke_width=5 * r, stroke_linecap="round", opacity=opacity)
            )
    return rows


def pieces(scene: Scene, frame: MapFrame, r: float) -> list[str]:
    """Pieces as on small maps: a disc with a letter, larger than a node."""
    size = max(1.6 * r, 17)
    rows = []
    for piece in scene.pieces:
        look = look_of(piece, PAGE)
        hidden = piece.kind == "hidden"
        rim = PAGE.ink if hidden else PAGE.piece_rim
        dashes = "6 4" if hidden else None
        disc = tag("circle", r=size, fill=look.colour, stroke=rim, stroke_width=3, stroke_dasharray=dashes)
        letter = tag("text", words(look.letter), y=0.36 * 1.25 * size, font_size=1.25 * size, fill=look.on_colour)
        rows.append(tag("g", disc + letter, transform=at(frame.points[piece.node])))
    return [tag("g", "".join(rows), text_anchor="middle", font_weight="700")]


# -- cards ---------------------------------------------------------------------------------------------


def card_picture(table: CardTable) -> str:
    """The row of cards, and the numbers that are struck out or still open."""
    n = min(len(table.row), 8)
    wide, gap = 84.0, 12.0
    left = (WIDTH - n * wide - (n - 1) * gap) / 2
    rows = []
    for i, card in enumerate(table.row[:n]):
        fill, ink = (PAGE.surface, PAGE.ink) if card.is_up else (PAGE.secret, "#fff")
        rim = {"stroke": PAGE.quiet, "stroke_width": 2}
        under = "".join(
            tag("rect", x=6 + 6 * k, y=124 + 14 * k, width=wide - 12, height=20, rx=4, fill=PAGE.line, **rim)
            for k in reversed(range(min(2, len(card.under))))
        )
        face = tag("rect", width=wide, height=128, rx=12, fill=fill, stroke=PAGE.quiet, stroke_width=3)
        text = tag("text", words(card.text if card.is_up else "?"), x=wide / 2, y=80, font_size=44, fill=ink)
        rows.append(tag("g", under + face + text, transform=at((left + i * (wide + gap), 74))))
    rows.append(pad(table))
    return picture([tag("g", "".join(rows), text_anchor="middle", font_weight="700")])


def pad(table: CardTable) -> str:
    """Fourteen numbers in a row, as on the notepad of the game."""
    cells, across, size = table.pad[:42], 14, 48.0
    left, top = (WIDTH - across * size) / 2, 296.0
    rows = []
    for i, cell in enumerate(cells):
        x, y = left + i % across * size, top + i // across * (size + 8)
        open_ = not cell.is_crossed
        fill = PAGE.belief if open_ else "none"
        opacity = f"{0.12 + 0.75 * (cell.chance or 0.0):.2g}" if open_ and not cell.kind else "0.9"
        if cell.kind:
            fill = getattr(PAGE, cell.kind, PAGE.line)
        rows.append(tag("rect", x=x + 2, y=y, width=size - 4, height=size, rx=8, fill=fill, opacity=opacity))
        ink = PAGE.quiet if cell.is_crossed else "#fff" if cell.kind == "ferry" else PAGE.ink
        rows.append(tag("text", words(cell.text), x=x + size / 2, y=y + 32, font_size=22, fill=ink))
    return "".join(rows)


def picture(rows: list[str]) -> str:
    size = f"0 0 {num(WIDTH)} {num(HEIGHT)}"
    return tag("svg", "\n" + "\n".join(rows) + "\n", xmlns=SVG_NAMES, viewBox=size) + "\n"


# -- the games -----------------------------------------------------------------------------------------


def scotland_yard() -> str:
    played, ply = moment("scotland_yard", "scotfish", "greedy", 31, 7)
    belief = WeightedBelief(MODEL)
    belief.start(public_opening(played.view(0, Seat.PURSUERS)))
    belief.observe(public_events(played.events_for(Seat.PURSUERS, ply)))
    scene = scene_of(played.view(ply, Seat.PURSUERS))
    return board_picture(replace(scene, belief=dict(belief.probabilities)))


def pursuit() -> str:
    played, ply = moment("pursuit", "greedy", "greedy", 3, 3, board=manhunt.load_board("town-50"))
    return board_picture(replace(scene_of(played.view(ply, None)), belief={}))


def shortest_path() -> str:
    played, ply = moment("shortest_path", "navigator", "blocker", 5, 2)
    scene = scene_of(played.view(ply, None))
    node, raised = scene.board.node, scene.page["marks"]["edges"]
    return board_picture(scene, {frozenset(map(node, edge.split())): 2.5 for edge in raised})


def fugitive() -> str:
    played, ply = moment("fugitive", "hr-1", "hr-1c", 4, 6)
    table = scene_of(played.view(ply, Seat.PURSUERS)).table
    assert table is not None
    return card_picture(table)


PICTURES: Mapping[str, Callable[[], str]] = {
    "scotland_yard": scotland_yard,
    "pursuit": pursuit,
    "fugitive": fugitive,
    "shortest_path": shortest_path,
}


def main() -> None:
    package = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(manhunt.__file__).parent
    for game, draw in PICTURES.items():
        path = package / "games" / game / "web" / "picture.svg"
        path.write_text(draw(), encoding="utf-8")
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
