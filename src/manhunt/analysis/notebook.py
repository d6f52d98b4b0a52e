"""A notebook for a real table: lines become events, and the events what a seat there can know.

Each game's module has `open_notebook(options, board)`, which gives a `Notebook` without lines. Nothing is kept between
two requests: the page sends all lines each time.

What can be entered next is told as a tree of buttons: `{"text", "words", "colour"?, "pick"?, "then"?}`. A line is the
texts of the way through the tree with what was picked, joined by spaces; `pick` is `{"from": [...], "n": 1 or how many
or null for any number, "words", "then"?}`, where `then` has the buttons that follow each of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from manhunt.analysis.seat_log import SeatLog
from manhunt.boards.board import Board
from manhunt.core.errors import BadConfig, BadText, ManhuntError, unknown
from manhunt.core.registry import kit_of, kits_with

Button = dict[str, Any]

MOST_LINES = 400
LONGEST_LINE = 80


class Contradiction(ManhuntError):
    """No hidden truth fits the lines up to this one; `line` counts from 0."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class Notebook(ABC):
    """The lines noted during one game on a real table, and what follows from them."""

    @abstractmethod
    def enter(self, text: str) -> str:
        """Add a line and return it in words; if it is wrong, a ManhuntError says why and nothing changes."""

    @abstractmethod
    def log(self) -> SeatLog:
        """What the seat knows after the lines so far."""

    @abstractmethod
    def next(self) -> list[Button]:
        """What can be entered now."""

    @abstractmethod
    def page(self) -> dict[str, Any]:
        """The page: the scene and what can be known; Contradiction if nothing fits the lines."""


def notebook_games() -> tuple[str, ...]:
    return tuple(kit.name for kit in kits_with("notebook"))


def read_notebook(
    game: str,
    options: Mapping[str, Any],
    lines: Sequence[str],
    ask: Mapping[str, str] | None = None,
    board: Board | None = None,
) -> dict[str, Any]:
    """The page for these lines. A wrong line is marked, and the lines after it are kept but not read.

    `ask` is a question for the game's insights: `{"what": "why", "node": "46"}`.
    """
    if len(lines) > MOST_LINES:
        raise BadText(f"{len(lines)} lines; a notebook takes {MOST_LINES} at most")
    notebook, entries = _follow(game, options, lines, board)
    try:
        shown = notebook.page()
    except Contradiction as error:
        notebook, kept = _follow(game, options, lines[: error.line], board)
        wrong = {"text": lines[error.line], "error": f"line {error.line + 1}: {error}"}
        entries = [*kept, wrong, *({"text": text, "unread": True} for text in lines[error.line + 1 :])]
        shown = notebook.page()
    out = {**shown, "entries": entries, "next": notebook.next(), "answer": None}
    if ask is not None:
        from manhunt.analysis.insights import insight_of

        params = {key: str(value) for key, value in ask.items()}
        out["answer"] = insight_of(params.pop("what", ""), notebook.log(), params)
    return out


def _follow(
    game: str, options: Mapping[str, Any], lines: Sequence[str], board: Board | None
) -> tuple[Notebook, list[dict[str, Any]]]:
    """The notebook after the lines up to the first wrong one, and all lines with words, error or neither."""
    if game not in notebook_games():
        raise BadConfig(unknown("notebook", game, notebook_games()))
    notebook = _opened(game, options, board)
    entries: list[dict[str, Any]] = []
    for number, text in enumerate(lines, 1):
        try:
            if len(text) > LONGEST_LINE:
                raise BadText(f"a line has {LONGEST_LINE} characters at most")
            entries.append({"text": text, "words": notebook.enter(text)})
        except ManhuntError as error:
            entries.append({"text": text, "error": f"line {number}: {error}"})
            entries += [{"text": later, "unread": True} for later in lines[number:]]
            break
    return notebook, entries


def _opened(game: str, options: Mapping[str, Any], board: Board | None) -> Notebook:
    try:
        opened: Notebook = kit_of(game).part("notebook").open_notebook(options, board)
        return opened
    except ManhuntError:
        raise
    except Exception as error:  # whatever odd values do to a config
        raise BadConfig(f"invalid notebook options: {' '.join(str(error).split())[:200]}") from None
