"""Lessons: short guided games with tasks, as each game keeps them in its folder `lessons`.

A lesson is a JSON file: a position, the seat of the learner, and steps with a text. A step with a task names checks of
its game: predicates over what the learner did, which give None or say why it is not what the task asks for. Any move
that passes them will do. `lesson_run` follows somebody through a lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from manhunt.boards.board import Board
from manhunt.boards.build import build_board, part_of
from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadConfig, BadText, unknown
from manhunt.core.ids import Seat
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of, kits_with
from manhunt.play.position import Position

FOLDER = "lessons"


class _Data(Struct, frozen=True, forbid_unknown_fields=True):
    """Whatever stands in a lesson's file; a key that nobody reads is refused."""


class LessonBoard(_Data, frozen=True):
    """A board of the catalogue, some nodes of one, or a board of these edges."""

    name: str
    of: str = ""
    nodes: tuple[str, ...] = ()
    edges: tuple[tuple[str, ...], ...] = ()
    """Two labels each, and a kind of edge where there are several."""
    positions: dict[str, tuple[float, float]] = {}

    def load(self) -> Board:
        if not self.edges:
            whole = load_board(self.of or self.name)
            return part_of(whole, self.nodes, self.name) if self.nodes else whole
        edges = [(edge[0], edge[1], edge[2] if len(edge) > 2 else None) for edge in self.edges]
        return build_board(self.name, edges, (), self.positions)


class LessonTable(_Data, frozen=True):
    """Where a lesson, or one of its steps, begins: a config, a setup, and what was played before."""

    setup: dict[str, Any] = {}
    played: tuple[str, ...] = ()
    preset: str | None = None
    board: LessonBoard | None = None
    options: dict[str, Any] = {}


class LessonStep(_Data, frozen=True):
    """A text, and with a task what the learner has to do before it goes on."""

    text: str
    task: str = ""
    check: dict[str, Any] = {}
    """Names of the game's checks with what they ask for; all must pass, and the first that does not is told."""
    moves: int = 1
    """After so many moves of the learner the task is judged."""
    answer: tuple[str, ...] = ()
    """One way to do it, for hints, where it would take long to search for one."""
    done: str = ""
    """What is said when it is done."""
    why_not: str = ""
    """What is said of a move that is not it, where the sentence of its check says too little."""
    reply: tuple[str | tuple[str, ...], ...] | Literal["agent"] = ()
    """What the other side does then: actions one after the other, of alternatives the first that is legal."""
    show: str = ""
    """The part of the page that is meant."""
    table: LessonTable | None = None
    """The step has a position of its own."""


class _File(_Data, frozen=True):
    title: str
    summary: str
    seat: Literal["evader", "pursuers"]
    table: LessonTable
    steps: tuple[LessonStep, ...]
    opponent: str = ""
    """The agent that answers where a step says so."""
    help: Literal["none", "candidates", "all"] = "none"
    """What the learner may ask for besides."""


@dataclass(frozen=True)
class Trial:
    """What a check gets: the position before the learner's moves and after them."""

    before: Position
    after: Position
    seat: Seat

    @property
    def actions(self) -> tuple[Any, ...]:
        """The learner's moves."""
        return self.after.actions[len(self.before.actions) :]

    @property
    def last(self) -> Any:
        """The last action before the position `after`."""
        return self.after.actions[-1]

    def candidates(self, position: Position | None = None) -> frozenset[Any]:
        """What the pursuers can work out about what is hidden from them."""
        seen = position or self.after
        belief = kit_of(seen.game.name).belief
        assert belief is not None, "only games with a belief have such checks"
        followed = belief()
        followed.start(seen.at(0).view(Seat.PURSUERS))
        followed.observe(seen.events(Seat.PURSUERS))
        return followed.candidates


Check = Callable[[Trial, Any], str | None]
"""A check of a task: None if the task is done, otherwise one sentence that says why not."""


@dataclass(frozen=True)
class Lesson:
    """One lesson of a game; `number` counts from 1."""

    kit: Kit
    number: int
    file: _File

    @property
    def title(self) -> str:
        """The name of the lesson."""
        return self.file.title

    @property
    def summary(self) -> str:
        """One sentence about it."""
        return self.file.summary

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """Texts and tasks, in order."""
        return self.file.steps

    @property
    def seat(self) -> Seat:
        """Which seat the learner plays."""
        return Seat(self.file.seat)

    @cached_property
    def start(self) -> Position:
        """The position before the first step."""
        return self.position_of(self.file.table)

    def position_of(self, table: LessonTable) -> Position:
        """Where a step begins; what its table leaves out is taken from the lesson."""
        whole, game = self.file.table, self.kit.game
        board = table.board or whole.board
        options = {**whole.options, **table.options}
        config = game.make_config(table.preset or whole.preset, **options, **({"board": board.load()} if board else {}))
        return Position.begin(game, config, table.setup or whole.setup, table.played)

    def failed(self, step: LessonStep, trial: Trial) -> str | None:
        """Why a try does not complete the step; None if it does."""
        checks = checks_of(self.kit)
        sentences = (checks[name](trial, wanted) for name, wanted in step.check.items())
        found = next((sentence for sentence in sentences if sentence), None)
        return found and (step.why_not or found)

    def is_whole(self, position: Position) -> bool:
        """Whether the last action completes a move; in some games a move consists of several steps."""
        whole = getattr(self.kit.part("lessons"), "is_whole", None)
        return whole is None or bool(whole(position))


def checks_of(kit: Kit) -> Mapping[str, Check]:
    found: Mapping[str, Check] = kit.part("lessons").CHECKS
    return found


def games_with_lessons() -> tuple[Kit, ...]:
    return tuple(sorted(kits_with("lessons"), key=lambda kit: kit.lobby.order))


@lru_cache(maxsize=64)
def lessons_of(game: str) -> Sequence[Lesson]:
    """The lessons of a game in order, if it has any. BadText names a file that is not a lesson."""
    kit = kit_of(game)
    if not kit.has("lessons"):
        return ()
    files = sorted((f for f in (kit.files / FOLDER).iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    return tuple(
        Lesson(kit, n, _read(kit, file.name, file.read_text(encoding="utf-8"))) for n, file in enumerate(files, 1)
    )


def lesson_of(game: str, number: int) -> Lesson:
    """BadConfig where there is no such lesson."""
    found = lessons_of(game)
    if not found:
        raise BadConfig(unknown("game with lessons", game, [kit.name for kit in games_with_lessons()]))
    if not 1 <= number <= len(found):
        raise BadConfig(f"there is no lesson {number} of {game}; its lessons are 1 to {len(found)}")
    return found[number - 1]


def _read(kit: Kit, name: str, text: str) -> _File:
    where = f"lesson {name} of {kit.name}"
    try:
        lesson = msgspec.json.decode(text, type=_File)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise BadText(f"{where}: {error}") from None
    for number, step in enumerate(lesson.steps, 1):
        for check in step.check:
            if check not in checks_of(kit):
                raise BadText(f"{where}, step {number}: {unknown('check', check, checks_of(kit))}")
        if bool(step.task) != bool(step.check):
            raise BadText(f"{where}, step {number}: a task needs a check, and a check a task")
        if step.reply == "agent" and not lesson.opponent:
            raise BadText(f"{where}, step {number}: an agent replies, but no opponent is named")
    return lesson
