"""What is proved: small decks solved, with the exploitability of the solution."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manhunt.arena.words import percent
from manhunt.core.errors import BadText
from manhunt.core.files import write_atomically
from manhunt.core.reading import load_json
from manhunt.games.fugitive.rules.config import config_to_json
from manhunt.games.fugitive.solvers.decks import DECKS
from manhunt.games.fugitive.solvers.mini import MiniSolution, solve_mini
from manhunt.games.fugitive.study.section import Advance, Library, MarkdownTable, Section, StudyPart
from manhunt.games.fugitive.study.setup import Pair, StudySetup

ITERATIONS = 2000
TARGET = 1e-4
"""Exploitability at which a deck counts as solved before all iterations are done."""
MOST_SECONDS = 180.0
"""Time for one deck; the exploitability that is reached then is printed with it."""
DIGITS = 6


class MiniPart(StudyPart):
    name = "mini"

    def pairs(self, setup: StudySetup) -> list[Pair]:
        return []

    def is_ready(self, setup: StudySetup) -> bool:
        return all(_file(setup, deck).exists() for deck in DECKS)

    def prepare(self, setup: StudySetup, tell: Advance) -> None:
        """Solve one deck after the other and keep each."""
        for deck, config in DECKS.items():
            file = _file(setup, deck)
            if not file.exists():
                tell(f"solving the deck {deck}")
                file.parent.mkdir(parents=True, exist_ok=True)
                solved = _to_json(solve_mini(config, ITERATIONS, target=TARGET, seconds=MOST_SECONDS))
                write_atomically(file, json.dumps(solved, indent=1) + "\n")

    def section(self, setup: StudySetup, games: Library) -> Section:
        solved = {deck: _load(_file(setup, deck)) for deck in DECKS}
        return Section(
            "What is proved of small decks?",
            _answer(solved),
            [
                "Both sides' best play of a small deck, by CFR+ over the whole game. His winning chance is between "
                "the bounds: his policy gets at least the lower one against its best response, hers allows at most the "
                "upper one. Their distance is the exploitability. The rules are those of the full game, with fewer "
                "cards, a shorter reach and few rounds, after which the Marshal has won; the manhunt limit is at the "
                "same share of the deck.",
                MarkdownTable(
                    ("deck", "cards", "piles", "rounds", "his chance", "bounds", "exploitability", "information sets"),
                    [_value_row(deck, row) for deck, row in solved.items()],
                ),
                "What the solutions do, as shares. `2 of 3` is a guess of two numbers with three hideouts face down; "
                "`own` is a guess that names one of her own cards and fails:",
                MarkdownTable(
                    (
                        "deck",
                        "placements with a bluff",
                        "turns passed",
                        "Marshal draws",
                        "Fugitive draws",
                        "her guesses",
                    ),
                    [_habit_row(deck, row) for deck, row in solved.items()],
                ),
                "The values are proved for these decks only; they say nothing about the full deck. Other solutions "
                "with the same value may have other shares. In `five`, `six` and `six-long` the Fugitive nearly always "
                "escapes in the first turn, so passes, draws and guesses hardly ever happen there.",
            ],
            dict(solved),
        )


def _hash(deck: str) -> str:
    text = json.dumps([config_to_json(DECKS[deck]), ITERATIONS, TARGET], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _file(setup: StudySetup, deck: str) -> Path:
    return setup.folder / "mini" / f"{deck}-{_hash(deck)}.json"


def _load(file: Path) -> Mapping[str, Any]:
    try:
        found: Mapping[str, Any] = load_json(file)
        return found
    except BadText:
        raise BadText(f"{file} holds no solved deck; remove it and run the part mini again") from None


def _to_json(solved: MiniSolution) -> dict[str, Any]:
    config = solved.config
    return {
        "cards": config.last + 1,
        "piles": [list(pile) for pile in config.piles],
        "rounds": config.max_rounds,
        "low": solved.low,
        "high": solved.high,
        "value": solved.value,
        "exploitability": solved.exploitability,
        "iterations": solved.equilibrium.iterations,
        "infosets": solved.n_infosets,
        "bluff_share": round(solved.bluff_share, DIGITS),
        "pass_share": round(solved.pass_share, DIGITS),
        "marshal_draws": solved.draws("Marshal"),
        "fugitive_draws": solved.draws("Fugitive"),
        "guesses": solved.guesses,
        "openings": solved.openings,
    }


def _answer(solved: Mapping[str, Mapping[str, Any]]) -> str:
    deck, row = max(solved.items(), key=lambda item: item[1]["infosets"])
    bluffs = [name for name, each in solved.items() if each["bluff_share"] > 0.005]
    bluffing = f"bluffs are part of the solution in {', '.join(bluffs)}" if bluffs else "no solution bluffs"
    return (
        f"In the largest deck that was solved (`{deck}`, {row['cards']} cards) best play wins {percent(row['value'])} "
        f"for the Fugitive, exploitability {row['exploitability']:.1e}; {bluffing}."
    )


def _value_row(deck: str, row: Mapping[str, Any]) -> tuple[object, ...]:
    piles = ", ".join(f"{low}-{high}" for low, high in row["piles"])
    bounds = f"{row['low']:.5f} to {row['high']:.5f}"
    size = f"{row['infosets']:,}"
    chance = f"**{percent(row['value'])}**"
    return f"`{deck}`", row["cards"], piles, row["rounds"], chance, bounds, f"{row['exploitability']:.1e}", size


def _habit_row(deck: str, row: Mapping[str, Any]) -> tuple[object, ...]:
    shares = [_shares(row[key]) for key in ("marshal_draws", "fugitive_draws", "guesses")]
    return f"`{deck}`", percent(row["bluff_share"]), percent(row["pass_share"]), *shares


def _shares(found: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {percent(share)}" for name, share in found.items() if share > 0.0005) or "none"
