"""Counted move trees as text: reading them, and `python perft_files.py` to count them anew with the rules."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, make_config
from manhunt.games.scotland_yard.rules.notation import format_action
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from scotland_yard_games import board_of
from scotland_yard_positions import parse_position

FOLDER = Path(__file__).parents[1] / "games/scotland_yard/rules/perft"


@dataclass(frozen=True)
class Counted:
    """One position with its counts by depth, and the lines of its file."""

    path: Path
    state: ScotlandYardState
    counts: dict[int, int]


def read(path: Path) -> Counted:
    """`board`, `rounds`, `shown`, `order` and `position`, then a line `perft DEPTH COUNT` for each depth."""
    words: dict[str, str] = {}
    counts: dict[int, int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, rest = line.partition(" ")
        if key == "perft":
            depth, _, count = rest.partition(" ")
            counts[int(depth)] = int(count)
        elif not line.startswith("#"):
            words[key] = rest
    return Counted(path, parse_position(_config(words), words["position"]), counts)


def _config(words: dict[str, str]) -> ScotlandYardConfig:
    board: Board = load_board("london") if words["board"] == "london" else board_of(words["board"])
    return make_config(
        "standard",
        board,
        rounds=int(words["rounds"]),
        shown=[int(r) for r in words["shown"].split()],
        order=words["order"],
        n_detectives=words["position"].count("@") - 1,
    )


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def perft(state: ScotlandYardState, depth: int) -> int:
    """The number of action sequences of this length, by the rules."""
    legal = legal_actions(state)
    return len(legal) if depth == 1 else sum(perft(apply_action(state, action), depth - 1) for action in legal)


@cache
def divided(state: ScotlandYardState, depth: int) -> dict[str, int]:
    """The count under each first action."""
    below = depth - 1
    return {
        format_action(state.config, a): perft(apply_action(state, a), below) if below else 1
        for a in legal_actions(state)
    }


def main() -> None:
    for path in files():
        counted = read(path)
        kept = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("perft ")]
        lines = [f"perft {depth} {perft(counted.state, depth)}" for depth in counted.counts]
        path.write_text("\n".join([*kept, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
