"""Results, records and tables as pandas data frames, one row a game, cell, agent, ply or bot.

Columns and their types never depend on the data: texts are `string`, agents and fixed words `category`, numbers that
can be missing `Int64` and `Float64`. docs/reference/dataframes.md explains every column, and a test compares.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any

from manhunt.arena.competition.standings import Standing, TournamentTable
from manhunt.arena.folder import load_ledger
from manhunt.arena.ledger import Cell, Ledger
from manhunt.arena.ratings import rate
from manhunt.arena.result import Result
from manhunt.arena.stats import Interval
from manhunt.core.errors import missing_extra
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.outcome import Termination
from manhunt.play.event_words import event_words
from manhunt.play.record import Record, replay

Frame = Any
"""A `pandas.DataFrame`."""
AGENTS = "category"
ROLES = tuple(seat.value for seat in PLAYERS)
SEATS = tuple(seat.value for seat in Seat)
WINNERS = tuple(side.value for side in Side)
ENDINGS = tuple(termination.value for termination in Termination)
Type = str | tuple[str, ...]
"""A dtype, or the words of a category."""

GAMES: Mapping[str, Type] = {
    "number": "int64", "cell": "int64", "deal": "int64", "evader": AGENTS, "pursuers": AGENTS, "winner": WINNERS,
    "termination": ENDINGS, "cost": "Float64", "rounds": "Int64", "plies": "Int64",
    "evader_decisions": "Int64", "evader_seconds": "Float64", "evader_longest_seconds": "Float64",
    "pursuers_decisions": "Int64", "pursuers_seconds": "Float64", "pursuers_longest_seconds": "Float64",
    "fault_seat": ROLES, "fault": "string", "fault_detail": "string",
}  # fmt: skip
MATRIX: Mapping[str, Type] = {
    "evader": AGENTS, "pursuers": AGENTS, "games": "int64", "evader_wins": "int64", "pursuers_wins": "int64",
    "evader_rate": "Float64", "evader_rate_low": "Float64", "evader_rate_high": "Float64", "mean_rounds": "Float64",
    "mean_cost": "Float64", "mean_cost_low": "Float64", "mean_cost_high": "Float64",
    "evader_forfeits": "int64", "pursuers_forfeits": "int64", "unplayed": "int64",
}  # fmt: skip
RATINGS: Mapping[str, Type] = {
    "seat": ROLES, "agent": "string", "elo": "float64", "elo_low": "float64", "elo_high": "float64",
    "is_reference": "bool", "is_open": "bool",
}  # fmt: skip
PLIES: Mapping[str, Type] = {
    "ply": "int64", "round": "int64", "seat": SEATS, "action": "string", "words": "string",
}  # fmt: skip
STANDINGS: Mapping[str, Type] = {
    "rank": "int64", "bot": "string", "points": "float64", "games": "int64",
    "share": "Float64", "share_low": "Float64", "share_high": "Float64", "buchholz": "Float64",
    **{f"{role}_{what}": "int64" for role in ROLES for what in ("won", "drawn", "lost")},
    **{f"{role}_{what}": "Float64" for role in ROLES for what in ("elo", "elo_low", "elo_high")},
    "forfeits": "int64", "faults": "int64", "decisions": "int64", "seconds": "float64",
}  # fmt: skip


def games_frame(ledger: Ledger | Path | str) -> Frame:
    """One row for each finished game of an arena run or its folder, in the order of the schedule."""
    read = _ledger(ledger)
    plan = read.plan
    agents = {"evader": plan.evaders, "pursuers": plan.pursuers}
    return _frame((_game_row(read, result) for result in read.results()), GAMES, agents)


def _game_row(ledger: Ledger, result: Result) -> dict[str, Any]:
    match, outcome, fault = ledger.plan.match(result.number), result.outcome, result.fault
    row: dict[str, Any] = {"number": result.number, "cell": match.cell, "deal": match.game}
    row |= {"evader": match.evader, "pursuers": match.pursuers}
    if outcome is not None:
        row |= {"winner": outcome.winner, "termination": outcome.termination, "cost": outcome.cost}
        row |= {"rounds": result.rounds, "plies": result.plies}
    if (times := ledger.times(result.number)) is not None:
        for seat, role in zip(PLAYERS, ROLES, strict=True):
            spent = times.of(seat)
            row |= {f"{role}_decisions": spent.decisions, f"{role}_seconds": spent.seconds}
            row |= {f"{role}_longest_seconds": spent.longest}
    if fault is not None:
        row |= {"fault_seat": fault.seat, "fault": fault.why, "fault_detail": fault.detail}
    return row


def matrix_frame(ledger: Ledger | Path | str) -> Frame:
    """One row for each evader and pursuers' agent: how often the evader wins, with its 95 % interval."""
    read = _ledger(ledger)
    return _frame(map(_cell_row, read.cells), MATRIX, {"evader": read.plan.evaders, "pursuers": read.plan.pursuers})


def _cell_row(cell: Cell) -> dict[str, Any]:
    return {
        "evader": cell.evader,
        "pursuers": cell.pursuers,
        "games": cell.n_games,
        "evader_wins": cell.evader_wins,
        "pursuers_wins": cell.pursuers_wins,
        **_ends("evader_rate", cell.evader_rate),
        "mean_rounds": cell.mean_rounds,
        **_ends("mean_cost", cell.mean_cost),
        **{f"{seat.value}_forfeits": cell.faults[seat] for seat in PLAYERS},
        "unplayed": cell.lost,
    }


def ratings_frame(ledger: Ledger | Path | str) -> Frame:
    """One row for each role and agent of an arena run: its Elo, the best of each role first."""
    ratings = rate(_ledger(ledger))
    rows = [
        {"seat": seat, "agent": row.agent, "is_reference": row.is_reference, "is_open": row.is_open}
        | _ends("elo", row.elo)
        for seat in PLAYERS
        for row in ratings.of(seat)
    ]
    return _frame(rows, RATINGS)


def plies_frame(record: Record, seat: Seat | None = None) -> Frame:
    """One row for each ply of a record: the whole truth, or with `seat` what that seat could read during the game."""
    return _frame(_ply_rows(record, seat), PLIES)


def _ply_rows(record: Record, seat: Seat | None) -> Iterator[dict[str, Any]]:
    past = replay(record)
    game, config = past.game, past.config
    for i, (action, (before, after)) in enumerate(zip(past.actions, pairwise(past.states), strict=True), 1):
        events = game.events(before, action, after)
        text: str | None
        if seat is None:
            text, read = game.format_action(config, action), [{"t": event.kind, **event.body} for event in events]
        else:
            text = game.visible_notation(config, action, events, seat)
            read = [event.seen_by(seat) for event in events]
        words = "; ".join(filter(None, (event_words(game.name, event) for event in read)))
        row = {"ply": i, "round": game.round_of(after), "seat": game.to_act(before)}
        yield row | {"action": text, "words": words or None}


def standings_frame(table: TournamentTable) -> Frame:
    """One row for each bot of a tournament, the best first."""
    return _frame(map(_standing_row, table.standings), STANDINGS)


def _standing_row(standing: Standing) -> dict[str, Any]:
    row: dict[str, Any] = {"rank": standing.rank, "bot": standing.name, "points": standing.points / 2}
    row |= {"games": standing.n_games, "buchholz": standing.buchholz, **_ends("share", standing.interval)}
    for seat, role in standing.roles.items():
        row |= {f"{seat.value}_{what}": getattr(role, what) for what in ("won", "drawn", "lost")}
        row |= _ends(f"{seat.value}_elo", role.elo)
    spent = standing.thinking
    row |= {"forfeits": standing.forfeits, "faults": standing.n_faults}
    return row | {"decisions": spent.decisions, "seconds": spent.seconds}


def _ledger(given: Ledger | Path | str) -> Ledger:
    return given if isinstance(given, Ledger) else load_ledger(Path(given))


def _ends(name: str, interval: Interval | None) -> dict[str, float | None]:
    values = (None, None, None) if interval is None else tuple(interval)
    return dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))


def _frame(
    rows: Iterable[Mapping[str, Any]], types: Mapping[str, Type], categories: Mapping[str, Sequence[str]] | None = None
) -> Frame:
    """Columns of these types in this order, also without rows."""
    pandas = _import_pandas()
    known = list(rows)
    columns = {}
    for name, kind in types.items():
        values = [value.value if isinstance(value := row.get(name), Enum) else value for row in known]
        words = kind if isinstance(kind, tuple) else (categories or {}).get(name)
        dtype = kind if words is None else pandas.CategoricalDtype(list(words))
        columns[name] = pandas.Series(values, dtype=dtype)
    return pandas.DataFrame(columns)


def _import_pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise missing_extra("data frames need the extra 'dataframes'", "dataframes") from None
    return pandas
