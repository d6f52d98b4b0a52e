"""Find the puzzles that are shipped: `make puzzles`, or one kind with `packaging/make_puzzles.py pursuit catch`.

Positions come from games between agents and from solved boards, each from its own number of the seed. What is found is
kept line by line below --work, so a stopped run goes on where it was. Then the levels of the game's agents try each
puzzle, and the files in the folders `puzzles` of the games are written.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

from manhunt.analysis.insights import ask_adviser
from manhunt.analysis.puzzles import LEVELS, PART, answer, level_of, position_of, puzzle_from_json, rating_of
from manhunt.analysis.seat_log import SeatLog
from manhunt.cli.screen import progress_bar
from manhunt.core.agent import Limit
from manhunt.core.errors import ManhuntError
from manhunt.core.files import write_atomically
from manhunt.core.kit import Kit
from manhunt.core.puzzle import Puzzle
from manhunt.core.registry import kit_of, kits_with
from manhunt.play.position import Position

SEED, TRIES = 24, 4
WANTED = {"where": 50, "guess": 60, "trap": 30, "raise": 30, "escape": 25}
"""How many of a kind are shipped, where it is not the usual number."""
USUAL = 40
MOST_STEPS = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("kind", nargs="?")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--wanted", type=int, help="how many (default: as many as are shipped)")
    parser.add_argument("--tries", type=int, default=TRIES, help="how often each level tries a puzzle")
    parser.add_argument("--work", type=Path, default=Path(".puzzles"), help="where a stopped run goes on")
    options = parser.parse_args()
    for kit in kits_with(PART) if options.game is None else (kit_of(options.game),):
        for kind in kit.part(PART).KINDS if options.kind is None else (options.kind,):
            make_kind(kit, kind, options)


def make_kind(kit: Kit, kind: str, options: argparse.Namespace) -> None:
    wanted = options.wanted or WANTED.get(kind, USUAL)
    work = options.work / f"{kit.name}-{kind}-{options.seed}.jsonl"
    work.parent.mkdir(parents=True, exist_ok=True)
    rows = search(kit, kind, work, options.seed, wanted)
    tried = work.with_suffix(".tries.jsonl")
    rated = try_all(kit, kind, rows, tried, options.tries)
    folder = Path(str(kit.files)) / "puzzles"
    lines = [json.dumps(row, ensure_ascii=False) for row in rated]
    head = json.dumps({"made by": "make puzzles", "seed": options.seed})[:-1]
    write_atomically(folder / f"{kind}.json", f'{head}, "puzzles": [\n' + ",\n".join(lines) + "\n]}\n")
    print(f"{kit.name} {kind}: {len(rated)} puzzles", flush=True)


def search(kit: Kit, kind: str, work: Path, seed: int, wanted: int) -> list[dict[str, Any]]:
    """Every line of the work file has the number of the seed and what was found with it, if anything."""
    known = [json.loads(line) for line in work.read_text().splitlines()] if work.exists() else []
    found = {key_of(row): {**row, "number": line["number"]} for line in known for row in line["found"]}
    number = len(known)
    with work.open("a") as file, progress_bar() as bar:
        task = bar.add_task(f"{kit.name} {kind}", total=wanted, note="")
        while len(found) < wanted:
            rows = kit.part(PART).find(kind, Random(f"{seed}/{kit.name}/{kind}/{number}"))
            file.write(json.dumps({"number": number, "found": rows}) + "\n")
            file.flush()
            found |= {key_of(row): {**row, "number": number} for row in rows}
            number += 1
            bar.update(task, completed=len(found), note=f"{number} games")
    return list(found.values())[:wanted]


def key_of(row: dict[str, Any]) -> str:
    """Two puzzles of one key are the same position."""
    return json.dumps([row["config"], row["setup"], row["actions"]])


def try_all(kit: Kit, kind: str, rows: list[dict[str, Any]], tried: Path, n_tries: int) -> list[dict[str, Any]]:
    known = [json.loads(line) for line in tried.read_text().splitlines()] if tried.exists() else []
    out = []
    with tried.open("a") as file, progress_bar() as bar:
        task = bar.add_task(f"{kit.name} {kind}, tried by the levels", total=len(rows), completed=0, note="")
        for i, row in enumerate(rows):
            row = {"id": f"{kit.name}-{kind}-{i + 1}", "kind": kind, **row}
            puzzle = puzzle_from_json(kit.name, row)
            if not kit.part(PART).check(puzzle, position_of(puzzle)):
                raise ManhuntError(f"{puzzle.id} is not what its values say")
            if i < len(known):
                solved = known[i]
            else:
                solved = {level: tries_of(puzzle, level, n_tries) for level in LEVELS}
                file.write(json.dumps(solved) + "\n")
                file.flush()
            rating = rating_of({level: (n, of) for level, (n, of) in solved.items()})
            out.append({**row, "solved": solved, "rating": rating, "level": level_of(rating)})
            bar.update(task, completed=i + 1, note=out[-1]["level"])
    return out


def tries_of(puzzle: Puzzle, level: str, n: int) -> tuple[int, int]:
    """How many of n tries of a level are right."""
    own = getattr(kit_of(puzzle.game).part(PART), "attempt", None)
    rngs = [Random(f"{puzzle.id}/{level}/{i}") for i in range(n)]
    if own is not None and (found := [own(puzzle, LEVELS.index(level), rng) for rng in rngs])[0] is not None:
        return sum(found), n
    spec = next(each.spec for each in kit_of(puzzle.game).levels if each.seat is puzzle.seat and each.title == level)
    return sum(solves(puzzle, spec, rng) for rng in rngs), n


def solves(puzzle: Puzzle, spec: str, rng: Random) -> bool:
    """Whether an agent in this seat begins right: its first answer that is judged."""
    texts: list[str] = []
    position = position_of(puzzle)
    for _ in range(MOST_STEPS):
        texts.append(_advised(puzzle, position, spec, rng))
        found = answer(puzzle, texts)
        if found.words:
            return found.solved is not False
        position = found.position
    return False


def _advised(puzzle: Puzzle, position: Position, spec: str, rng: Random) -> str:
    seat = puzzle.seat
    log = SeatLog(puzzle.game, seat, position.view(seat, 0), position.events_for(seat), position.view(seat))
    return position.game.format_action(position.config, ask_adviser(spec, log, Limit(), rng).action)


if __name__ == "__main__":
    main()
