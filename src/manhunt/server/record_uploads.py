"""Records that visitors bring: checked by a worker, kept with the finished games, shown to whoever has the link."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.draw.markup import printable
from manhunt.draw.scenes import scene_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record, game_of, parse_record
from manhunt.server.board_images import board_of, check_size
from manhunt.server.guard import NUL
from manhunt.server.limits import LONGEST_TEXT, PERSON, check_config
from manhunt.server.settings import Limits
from manhunt.store.connect import BadStore, Store
from manhunt.store.games import UPLOADED, FinishedGame, load_record, save_game
from manhunt.workers.pool import TaskTooLong, WorkerPool

CHECK = f"{__name__}:check_record"
MOST_PLIES = 5_000
SOURCE = "the record"


async def check_in_time(pool: WorkerPool, text: str, limits: Limits, owner: str) -> FinishedGame:
    """The game of a record's text, played again by a worker; BadText says why it cannot be shown."""
    seconds = limits.record_seconds
    try:
        game: FinishedGame = await pool.run(CHECK, text, limits, limit_seconds=seconds, owner=owner)
    except TaskTooLong:
        raise BadText(f"{SOURCE}: replaying this game takes longer than {seconds:g} s") from None
    return game


def check_record(text: str, limits: Limits) -> FinishedGame:
    """Task of a worker: refuse what breaks the rules, is not over, or is larger than what is played here."""
    if NUL in text:
        raise BadText(f"{SOURCE} is not a text file")
    try:
        record = _checked(parse_record(text, SOURCE), limits)
        past = Hindsight(record, SOURCE)
        scene_of(past.view(past.last, None))
    except ManhuntError:
        raise
    except Exception as error:  # whatever odd values do to a game
        raise BadText(f"{SOURCE} cannot be replayed: {' '.join(str(error).split())[:200]}") from None
    whole = record.format()
    evader, pursuers = (printable(record.seats.get(seat.value, "?")) for seat in PLAYERS)
    seed = record.seed_number if abs(record.seed_number) < 1 << 63 else 0
    size = (past.round(past.last), past.last)
    return FinishedGame(_uid_of(whole), record.game, evader, pursuers, seed, str(record.outcome), *size, whole)


def _checked(record: Record, limits: Limits) -> Record:
    """Without bounds on best play, which are worked out again here; who wants them believed could write anything."""
    game = game_of(record, SOURCE)
    known = {seat.value for seat in PLAYERS}
    if strange := sorted(set(record.seats) - known):
        raise BadText(f"{SOURCE}: unknown seat {strange[0][:40]!r}; known: {', '.join(known)}")
    if any(len(name) > LONGEST_TEXT for name in record.seats.values()):
        raise BadText(f"{SOURCE}: the name of a player is too long (max {LONGEST_TEXT} characters)")
    if len(record.actions) > MOST_PLIES:
        raise BadText(f"{SOURCE} has {len(record.actions):,} plies (max {MOST_PLIES:,})")
    config = game.config_from_json(record.config)
    if (board := board_of(game, config)) is not None:
        check_size(board, limits)
    check_config(game, config, {Seat.EVADER: PERSON}, limits)
    return replace(record, bounds=None)


def _uid_of(whole: str) -> str:
    """The same record has the same link."""
    return UPLOADED + hashlib.sha256(whole.encode()).hexdigest()[:24]


def keep_record(store: Store, game: FinishedGame) -> str:
    """The uid by which it is found from now on; doing so twice does no harm."""
    try:
        load_record(store, game.uid)
    except BadStore:
        save_game(store, game)
    return game.uid
