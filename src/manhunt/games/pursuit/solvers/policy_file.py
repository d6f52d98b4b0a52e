"""Policy files: what the quarry does in every reachable state of one solved start, as JSON.

Format `scotlandyard-policy-v2`; two extra blocks, which other readers may ignore: `rules` where the config is not the
preset `seed`, and `survival_depths` (rounds survived from a state on) where asked for.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.catalog import catalogue, load_board
from manhunt.core.errors import BadConfig, BadText, ManhuntError, one_of
from manhunt.core.files import atomic_path
from manhunt.core.ids import Node
from manhunt.core.reading import MEGABYTE, load_json
from manhunt.games.pursuit.rules.config import PursuitConfig, config_to_json, make_config
from manhunt.games.pursuit.rules.game import PursuitGame, make_setup
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.exhaustive import OneStart
from manhunt.solvers.layers import PolicyEntry

FORMAT = "scotlandyard-policy-v2"
MOST_POLICY_BYTES = 256 * MEGABYTE
MOST_ENTRIES = 5_000_000
"""So that a file that is written can be read."""
MOST_SURVIVAL_ROUNDS = 1000
"""The work grows with their square."""
_KEY = re.compile(r"r=(0|[1-9][0-9]*)\|p=mrx\|x=([^|]+)\|d=([^|]+)")
_NOT_RULES = frozenset({"board", "max_rounds", "n_detectives"})


@dataclass(frozen=True, slots=True)
class QuarryPolicy:
    """A policy from a file: the config and start that it was solved for, and the quarry's moves."""

    config: PursuitConfig
    start: PursuitState
    forced_escape: bool
    states_evaluated: int
    moves: Mapping[tuple[int, Node, tuple[Node, ...]], Node]

    def move(self, state: PursuitState) -> Node | None:
        """What to do on the quarry's turn; None if the state is not in the file."""
        assert state.quarry is not None
        return self.moves.get((state.round, state.quarry, state.pursuers))


def save_policy(path: Path, answer: OneStart, with_survival: bool = False, board_name: str | None = None) -> None:
    """Write a policy; an interrupted run leaves no incomplete file. `board_name` is another name for the same board."""
    rounds = answer.config.max_rounds or 0
    if answer.policy_size > MOST_ENTRIES:
        size = f"a policy of {answer.policy_size:,} entries is too large for a file (max {MOST_ENTRIES:,})"
        raise ManhuntError(f"cannot write {path}: {size}, so take fewer rounds")
    if with_survival and rounds > MOST_SURVIVAL_ROUNDS:
        raise ManhuntError(f"cannot write the rounds survived in {rounds:,} rounds (max {MOST_SURVIVAL_ROUNDS:,})")
    board = answer.config.board
    check_board_name(board, board_name)
    head: dict[str, Any] = {
        "format": FORMAT,
        "board": board_name or board.name,
        "config": {
            "mrx_start": json_label(board, answer.quarry),
            "detective_starts": [json_label(board, node) for node in answer.pursuers],
            "max_rounds": answer.config.max_rounds,
        },
        "solver": {
            "forced_escape": answer.forced_escape,
            "states_evaluated": answer.states_evaluated,
            "policy_size": answer.policy_size,
        },
    }
    rules = {key: value for key, value in config_to_json(answer.config).items() if key not in _NOT_RULES}
    if rules != {"preset": "seed"}:
        head["rules"] = rules
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as out:
        out.write(json.dumps(head, indent=2, ensure_ascii=False)[:-2])
        out.write(',\n  "policy": {')
        _write_entries(out.write, board, answer.policy(), lambda entry: json_label(board, entry.to))
        if with_survival:
            out.write(',\n  "survival_depths": {')
            _write_entries(out.write, board, answer.policy(with_survival=True), lambda entry: entry.survives)
        out.write("\n}\n")


def _write_entries(write: Any, board: Board, entries: Iterable[PolicyEntry], value: Any) -> None:
    comma = ""
    for entry in entries:
        key = format_key(board, entry.round, entry.quarry, entry.pursuers)
        write(f"{comma}\n    {json.dumps(key, ensure_ascii=False)}: {json.dumps(value(entry), ensure_ascii=False)}")
        comma = ","
    write("\n  }")


def format_key(board: Board, round_: int, quarry: Node, pursuers: tuple[Node, ...]) -> str:
    """`r=0|p=mrx|x=1|d=5,10`."""
    return f"r={round_}|p=mrx|x={board.label(quarry)}|d={','.join(board.label(node) for node in pursuers)}"


def json_label(board: Board, node: Node) -> str | int:
    """The label as a JSON integer where it is one."""
    label = board.label(node)
    return int(label) if label.isascii() and label.isdigit() and str(int(label)) == label else label


def load_policy(path: Path, board: Board | None = None) -> QuarryPolicy:
    """Read and check a policy; pass the `board` if it is neither in the catalogue nor generated."""
    data = load_json(path, "policy", most_bytes=MOST_POLICY_BYTES)
    try:
        return _read(path, data, board)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadText(f"{path} is not a policy file: a block is missing or of the wrong kind ({error!r})") from None


def _read(path: Path, data: Mapping[str, Any], board: Board | None) -> QuarryPolicy:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, dict) else None
        raise BadText(f"{path} has format {found!r}; policy files have {FORMAT!r}")
    place = _board(path, data["board"], board)
    rules = dict(data.get("rules", {}))
    block = data["config"]
    starts = list(block["detective_starts"])
    preset = rules.pop("preset", "seed")
    config = make_config(preset, place, n_detectives=len(starts), max_rounds=block["max_rounds"], **rules)
    start = PursuitGame().start(config, make_setup(config, block["mrx_start"], starts))
    moves = {}
    for key, label in data["policy"].items():
        try:
            entry, to = _entry(config, key, label)
        except ManhuntError as error:
            raise BadText(f"{path}: entry {key!r}: {error}") from None
        moves[entry] = to
    solver = data["solver"]
    if solver["policy_size"] != len(moves):
        raise BadText(
            f"{path} has {len(moves)} entries, but policy_size is {solver['policy_size']}; it was cut or edited"
        )
    return QuarryPolicy(config, start, bool(solver["forced_escape"]), int(solver["states_evaluated"]), moves)


def _names_of(board: Board) -> tuple[str, ...]:
    aliases = next((entry.aliases for entry in catalogue() if entry.name == board.name), ())
    return (board.name, *aliases)


def check_board_name(board: Board, name: str | None) -> None:
    """Refuse a name by which nobody would find the board again."""
    if name is not None and name not in _names_of(board):
        raise BadConfig(f"{board.name} has no other name {name!r}; it is known as {one_of(_names_of(board))}")


def _board(path: Path, name: str, given: Board | None) -> Board:
    if not isinstance(name, str):
        raise BadText(f"{path}: board is {name!r}; it must be a name")
    if given is None:
        return load_board(name)
    if name not in _names_of(given):
        raise BadText(f"{path} is a policy for board {name}, not for {given.name}")
    return given


def _entry(config: PursuitConfig, key: str, label: object) -> tuple[tuple[int, Node, tuple[Node, ...]], Node]:
    """One entry, its move checked against the rules."""
    board = config.board
    match = _KEY.fullmatch(key)
    if match is None:
        raise BadText("the key must look like r=0|p=mrx|x=1|d=5,10")
    if not isinstance(label, (str, int)) or isinstance(label, bool):
        raise BadText(f"the move is {label!r}; it must be the label of a node")
    round_, quarry = int(match[1]), board.node(match[2])
    pursuers = tuple(board.node(part) for part in match[3].split(","))
    if len(pursuers) != config.n_detectives:
        raise BadText(f"{len(pursuers)} detectives; the config has {config.n_detectives}")
    if config.max_rounds is not None and round_ >= config.max_rounds:
        raise BadText(f"round {round_}, but the game ends after {config.max_rounds}")
    to = board.node(label)
    steps = board.neighbours(quarry) + ((quarry,) if config.quarry_may_stay else ())
    if to not in steps or (to in pursuers and not config.may_step_onto):
        why = "a detective stands there" if to in steps else "it is no step"
        raise BadText(f"illegal move {board.label(quarry)} -> {label}: {why}")
    return (round_, quarry, pursuers), to


def check_agreement(
    policy: QuarryPolicy, path: Path, *, mrx: str | None, detectives: list[str] | None, max_rounds: int | None
) -> None:
    """Options given beside a policy file must say the same."""
    label, start = policy.config.board.label, policy.start
    assert start.quarry is not None
    pairs = (
        ("--mrx", mrx, label(start.quarry)),
        (
            "--detectives",
            None if detectives is None else " ".join(detectives),
            policy.config.board.text(start.pursuers),
        ),
        ("--max-rounds", None if max_rounds is None else str(max_rounds), str(policy.config.max_rounds)),
    )
    for option, given, meant in pairs:
        if given is not None and given != meant:
            raise ManhuntError(f"{option} {given} contradicts {path}, which was solved for {meant}")
