"""An analysis as one HTML page: plots, marked moves on the board, a row a turn, skill and luck; opens from a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from manhunt.analysis.findings import SYMBOLS
from manhunt.analysis.plots import skill_plot, surprise_plot, value_plot
from manhunt.analysis.report_words import amount_text, player_lines, skill_line, value_text
from manhunt.core.ids import PLAYERS, Seat
from manhunt.draw.card_table import draw_table
from manhunt.draw.lines import build_frame
from manhunt.draw.look import LIGHT
from manhunt.draw.page_style import NOT_AFFILIATED, PAGE, base_style, head
from manhunt.draw.scenes import scene_of
from manhunt.draw.svg import scene_document
from manhunt.draw.templates import render
from manhunt.play.replay import Replay

if TYPE_CHECKING:
    from manhunt.play.hindsight import Hindsight

MOST_BOARDS = 4
"""Boards are large; the worst moves get one."""
BOARD_WIDTH = 860


def report_page(past: Hindsight, found: dict[str, Any]) -> str:
    game, record = past.game, past.record
    names = [f"{game.seat_names[seat]}: {record.seats.get(seat.value, '?')}" for seat in PLAYERS]
    marked = [move for move in found["moves"] if move["mark"]]
    title = f"{game.title}: analysis"
    return render(
        "analysis/templates",
        "report.html",
        head=head(escape(title), base_style() + render("analysis/templates", "report.css")),
        title=title,
        subtitle=" · ".join([*names, Replay(past).ending]),
        found=found,
        value=value_plot(found),
        surprise=surprise_plot(found) if found["surprise"] else "",
        skill=skill_plot(found) if found["skill"] else "",
        skill_line=skill_line(past, found) if found["skill"] else "",
        players=player_lines(past, found),
        names={seat.value: game.seat_names[seat] for seat in PLAYERS},
        marked=[{**move, "sign": SYMBOLS[move["mark"]], "round": past.round(move["ply"] + 1)} for move in marked],
        boards=boards_of(past, marked),
        turns=[_turn(past, found["axis"], turn) for turn in found["turns"]],
        unit_name=found["axis"]["name"],
        foot=NOT_AFFILIATED,
    )


def _turn(past: Hindsight, axis: dict[str, Any], turn: dict[str, Any]) -> dict[str, str]:
    seat = turn["seat"]
    return {
        "round": str(turn["round"]),
        "who": past.game.seat_names[Seat(seat)] if seat in ("evader", "pursuers") else "chance",
        "words": turn["words"],
        "mark": turn["mark"] or "",
        "sign": SYMBOLS[turn["mark"]] if turn["mark"] else "",
        "value": value_text(axis, turn["value"]),
        "choice": amount_text(axis["unit"], turn["choice"]),
        "luck": amount_text(axis["unit"], turn["luck"]),
    }


def boards_of(past: Hindsight, marked: list[dict[str, Any]]) -> list[dict[str, str]]:
    """The position before each of the worst moves; on a board what was played in red, what was better in green."""
    has_cards = not past.game.capabilities.board
    shown = [move for move in marked if has_cards or move["arrows"]["played"] or move["arrows"]["best"]]
    worst = sorted(sorted(shown, key=lambda move: -move["lost"])[:MOST_BOARDS], key=lambda move: move["ply"])
    return [
        {"drawing": _board(past, move), "words": move["words"], "sign": SYMBOLS[move["mark"]], "key": _key(move)}
        for move in worst
    ]


def _key(move: dict[str, Any]) -> str:
    """What the colours of its arrows mean, or what is shown without any."""
    if not any(move["arrows"].values()):
        return "Above: the cards before this choice, nothing hidden."
    if move["mark"] == "find":
        return "Green: played."
    said = {"played": "Red: played.", "best": "Green: better."}
    return " ".join(words for key, words in said.items() if move["arrows"][key])


def _board(past: Hindsight, move: dict[str, Any]) -> str:
    scene = scene_of(past.view(move["ply"], None))
    if scene.table is not None:
        return draw_table(scene.table, scene.title, LIGHT, BOARD_WIDTH)  # letters on cards need colours that are known
    node = scene.board.node
    worse, better = (tuple((node(a), node(b)) for a, b in move["arrows"][key]) for key in ("played", "best"))
    if move["mark"] == "find":
        worse, better = (), worse
    marked = replace(scene, arrows=(), worse=worse, better=better, offers=(), strip=(), caption=())
    return scene_document(marked, PAGE, build_frame(scene.board, BOARD_WIDTH))
