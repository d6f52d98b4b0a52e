"""Tournaments and their results. A result and its game are one transaction: both are kept, or neither."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError

from manhunt.store.connect import BadStore, Store
from manhunt.store.games import FinishedGame, insert_games
from manhunt.store.leases import Lease
from manhunt.store.schema import results, tournaments


@dataclass(frozen=True, slots=True)
class KeptTournament:
    """A tournament's row. `spec` decides its games, `source` is the file as it was written."""

    id: int
    name: str
    spec: str
    spec_hash: str
    source: str
    made_with: Mapping[str, Any]
    begun_at: float
    finished_at: float | None
    secret: str | None = None
    """What its games come from, in hexadecimal digits; None where a seed in `spec` decides."""


@dataclass(frozen=True, slots=True)
class KeptResult:
    """One match. Without outcome it could not be played; without `game_uid` there is no record."""

    number: int
    round: int
    entry: int
    deal: int
    evader: str
    pursuers: str
    outcome: str | None
    rounds: int
    plies: int
    faults: Sequence[Mapping[str, Any]] = ()
    times: Mapping[str, Any] = field(default_factory=dict)
    game_uid: str | None = None


def create_tournament(
    store: Store,
    name: str,
    spec: str,
    spec_hash: str,
    source: str,
    made_with: Mapping[str, Any],
    secret: str | None = None,
) -> KeptTournament:
    """A new tournament; BadStore if the name is taken."""
    try:
        with store.writing() as connection:
            row: dict[str, Any] = {"name": name, "spec": spec, "spec_hash": spec_hash, "source": source}
            row |= {"made_with": json.dumps(dict(made_with)), "begun_at": store.now(connection), "secret": secret}
            connection.execute(insert(tournaments).values(**row))
    except IntegrityError:
        raise BadStore(f"{store.name} holds a tournament {name!r} already") from None
    found = find_tournament(store, name)
    assert found is not None
    return found


def find_tournament(store: Store, name: str) -> KeptTournament | None:
    with store.reading() as connection:
        row = connection.execute(select(tournaments).where(tournaments.c.name == name)).mappings().first()
    return None if row is None else KeptTournament(**{**row, "made_with": json.loads(row["made_with"])})


def tournament_names(store: Store) -> list[str]:
    query = select(tournaments.c.name).order_by(tournaments.c.id)
    with store.reading() as connection:
        return [str(name) for name in connection.execute(query).scalars()]


def append_results(
    store: Store,
    lease: Lease,
    tournament: KeptTournament,
    played: Sequence[KeptResult],
    finished: Sequence[FinishedGame],
) -> None:
    """Keep results with their games. They are on the disk when this returns."""
    try:
        with store.writing() as connection:
            lease.show(connection)
            insert_games(connection, finished, store.now(connection))
            if played:
                connection.execute(insert(results), [_row(tournament.id, result) for result in played])
    except IntegrityError:
        numbers = ", ".join(str(result.number) for result in played)
        raise BadStore(f"a result of the tournament {tournament.name!r} is in the store already: {numbers}") from None


def load_results(store: Store, tournament: KeptTournament) -> list[KeptResult]:
    """All results in schedule order."""
    columns = [column for column in results.c if column.name != "tournament_id"]
    query = select(*columns).where(results.c.tournament_id == tournament.id).order_by(results.c.number)
    with store.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return [_result(dict(row)) for row in rows]


def count_results(store: Store, tournament: KeptTournament) -> int:
    query = select(func.count()).select_from(results).where(results.c.tournament_id == tournament.id)
    with store.reading() as connection:
        return int(connection.execute(query).scalar_one())


def is_in_running_tournament(store: Store, uid: str) -> bool:
    """Whether a finished game belongs to a tournament that is not over: its deal may be played again there."""
    joined = results.join(tournaments, results.c.tournament_id == tournaments.c.id)
    mine = (results.c.game_uid == uid) & tournaments.c.finished_at.is_(None)
    with store.reading() as connection:
        return connection.execute(select(results.c.number).select_from(joined).where(mine)).first() is not None


def finish_tournament(store: Store, lease: Lease, tournament: KeptTournament) -> None:
    """All its games are played."""
    with store.writing() as connection:
        lease.show(connection)
        mine = (tournaments.c.id == tournament.id) & tournaments.c.finished_at.is_(None)
        connection.execute(update(tournaments).where(mine).values(finished_at=store.now(connection)))


def change_tournament(
    store: Store,
    lease: Lease,
    tournament: KeptTournament,
    spec: str,
    spec_hash: str,
    source: str,
    made_with: Mapping[str, Any],
) -> None:
    """It goes on as something else: bots have joined, so that it is not finished."""
    with store.writing() as connection:
        lease.show(connection)
        row: dict[str, Any] = {"spec": spec, "spec_hash": spec_hash, "source": source, "finished_at": None}
        row["made_with"] = json.dumps(dict(made_with))
        connection.execute(update(tournaments).where(tournaments.c.id == tournament.id).values(**row))


def _row(tournament_id: int, result: KeptResult) -> dict[str, Any]:
    texts = {"faults": json.dumps(list(result.faults)), "times": json.dumps(dict(result.times))}
    return {"tournament_id": tournament_id, **asdict(result), **texts}


def _result(row: dict[str, Any]) -> KeptResult:
    return KeptResult(**row | {"faults": tuple(json.loads(row["faults"])), "times": json.loads(row["times"])})
