"""Playing a tournament from its first game, or on from where it was stopped. The store knows what is done."""

import contextlib
import hashlib
import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from manhunt import __version__
from manhunt.arena.competition import pairing
from manhunt.arena.competition.deals import match_seed
from manhunt.arena.competition.model import SWISS, Competition, MatchUp, competition_from_text
from manhunt.arena.competition.play import check_sandbox, leave_bots, play_matches, warm_up_all
from manhunt.arena.competition.scores import points_by_bot, scores_of
from manhunt.arena.players import Players, Warn, make_players, no_warning
from manhunt.arena.program import program_hash
from manhunt.arena.result import Played
from manhunt.core.errors import BadConfig
from manhunt.core.seeds import new_secret, parse_secret
from manhunt.store.connect import Store
from manhunt.store.games import FinishedGame
from manhunt.store.leases import Lease
from manhunt.store.tournaments import (
    KeptResult,
    KeptTournament,
    append_results,
    change_tournament,
    create_tournament,
    find_tournament,
    finish_tournament,
    load_results,
)


@dataclass(slots=True)
class Progress:
    """How far a tournament is. `results` are by number; all of them are in the store."""

    competition: Competition
    results: dict[int, KeptResult] = field(default_factory=dict)
    rounds: list[list[pairing.Pair]] = field(default_factory=list)
    """The pairs of the rounds begun so far; a round off has an empty name for its opponent."""
    n_planned: int = 0

    @property
    def n_played(self) -> int:
        return len(self.results)

    @property
    def games_text(self) -> str:
        return f"{self.n_played:,} of {self.n_expected:,} games"

    @property
    def is_finished(self) -> bool:
        return len(self.rounds) == pairing.n_rounds(self.competition) and self.n_played == self.n_planned

    @property
    def origin(self) -> dict[str, int | str]:
        """What the games come from, as far as it may be published: a secret when all games are played."""
        competition = self.competition
        if competition.seed is not None:
            return {"seed": competition.seed}
        if competition.secret is None:
            return {}
        secret = {"secret": competition.secret.hex} if self.is_finished else {}
        return {"fingerprint": competition.secret.fingerprint, **secret}

    @property
    def n_expected(self) -> int:
        is_swiss = self.competition.format == SWISS
        return max(self.n_planned, pairing.expected_matches(self.competition)) if is_swiss else self.n_planned


Watch = Callable[[Progress], object]
GROUP_SECONDS = 0.1
"""Quick games that end within this time are written together; a slow disk would hold them up one by one."""


def begin_competition(store: Store, competition: Competition, source: str) -> tuple[KeptTournament, Competition]:
    """A new tournament in the store; one without a seed gets a secret, which the store keeps."""
    if competition.seed is None and competition.secret is None:
        competition = replace(competition, secret=new_secret())
    secret = None if competition.secret is None else competition.secret.hex
    facts = (competition.name, competition.spec(), competition.run_id, source, made_with(competition))
    return create_tournament(store, *facts, secret), competition


def competition_of(kept: KeptTournament, source: str = "the store") -> Competition:
    """The tournament as it was begun, with its secret."""
    competition = competition_from_text(kept.spec, source)
    return competition if kept.secret is None else replace(competition, secret=parse_secret(kept.secret))


def made_with(competition: Competition) -> dict[str, object]:
    """What else decides games, noted to warn when a run goes on with something else."""
    return {"manhunt": __version__, "sources": program_hash(), "files": file_hashes(competition)}


def file_hashes(competition: Competition) -> dict[str, dict[str, str]]:
    """Hashes of all files that bots' commands and agents name, by the bot's name and the file's."""
    return {bot.name: found for bot in competition.bots if (found := _hashes_of(bot.spec, competition.folder))}


def _hashes_of(spec: str, folder: str) -> dict[str, str]:
    """A file may be a word of a command, or stand behind `=` in one: --model=weights.bin."""
    with contextlib.suppress(ValueError):
        words = shlex.split(spec.removeprefix("cmd:")) if spec.startswith("cmd:") else re.split("[:,]", spec)
        named = [name for word in words for name in dict.fromkeys((word, word.partition("=")[2])) if name]
        files = {name: Path(folder, name) for name in named}
        return {name: _hash_of(file) for name, file in files.items() if file.is_file()}
    return {}


def _hash_of(file: Path) -> str:
    try:
        with file.open("rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest()[:16]
    except OSError:
        return "cannot be read"


def changes(kept: KeptTournament, competition: Competition) -> list[str]:
    """What is no longer as it was when the tournament was begun."""
    now, then = made_with(competition), kept.made_with
    out = []
    if (now["manhunt"], now["sources"]) != (then.get("manhunt"), then.get("sources")):
        out.append("the program has changed since the tournament was begun; its older games may not be comparable")
    found = file_hashes(competition)
    for bot, files in then.get("files", {}).items():
        here = found.get(bot, {})
        if isinstance(files, str):  # earlier versions kept one hash a bot
            changed = [] if files in here.values() else ["file"]
        else:
            changed = [f"file {name}" for name in {**files, **here} if files.get(name) != here.get(name)]
        out += [f"the {what} of bot {bot} has changed since it joined; its older games stay" for what in changed]
    return out


def join_late(
    store: Store, kept: KeptTournament, joined: Competition, source: str
) -> tuple[KeptTournament, Competition]:
    """Bots that were added to a tournament that has begun; they play from its next round."""
    known = {bot.name for bot in competition_from_text(kept.spec, store.name).bots}
    if kept.finished_at is not None and joined.seed is None:
        raise BadConfig(f"nobody can join any more: {kept.name!r} is finished, and everybody may know its deals by now")
    with Lease(store, kept.id, kept.name) as lease:
        since = _next_since(joined, known, load_results(store, kept))
        bots = tuple(bot if bot.name in known else replace(bot, since=since) for bot in joined.bots)
        competition = replace(joined, bots=bots)
        files = kept.made_with.get("files", {}) | {
            name: found for name, found in file_hashes(competition).items() if name not in known
        }
        change_tournament(
            store, lease, kept, competition.spec(), competition.run_id, source, {**kept.made_with, "files": files}
        )
    found = find_tournament(store, kept.name)
    assert found is not None
    return found, competition


def _next_since(competition: Competition, known: Collection[str], results: Sequence[KeptResult]) -> int:
    if competition.format != SWISS:
        return 1 + max(bot.since for bot in competition.bots if bot.name in known)
    begun = 1 + max((result.round for result in results), default=-1)
    if begun >= competition.rounds:
        raise BadConfig(f"nobody can join any more: the last of {competition.rounds} rounds has begun")
    return begun


def progress_of(store: Store, kept: KeptTournament, competition: Competition) -> Progress:
    """What the store knows, without playing: all rounds that have begun or could begin now."""
    progress = Progress(competition, {result.number: result for result in load_results(store, kept)})
    for _ in range(pairing.n_rounds(competition)):
        matches = _next_round(progress)
        if any(match.number not in progress.results for match in matches):
            break
    return progress


def run_competition(
    store: Store,
    kept: KeptTournament,
    competition: Competition,
    *,
    workers: int | None = None,
    ray: str | None = None,
    watch: Watch | None = None,
    warn: Warn = no_warning,
) -> Progress:
    """Play what is missing. A game counts when it is in the store, and not before."""
    with contextlib.ExitStack() as stack:
        lease = stack.enter_context(Lease(store, kept.id, kept.name))
        check_sandbox(competition, kept.name)
        stack.callback(leave_bots)
        progress = Progress(competition, {result.number: result for result in load_results(store, kept)})
        for text in changes(kept, competition) if progress.results else ():
            warn(text)
        players: Players | None = None
        for _ in range(pairing.n_rounds(competition)):
            missing = [match for match in _next_round(progress) if match.number not in progress.results]
            if missing and players is None:
                warm_up_all(competition)
                played = replace(competition, hidden=(store.name,) if store.is_sqlite else ())
                players = make_players(played, workers, ray, warn, play_matches)
                stack.callback(players.close)
            if missing and players is not None:
                _play_round(_Book(store, lease, kept, progress), progress, players, missing, watch)
        finish_tournament(store, lease, kept)
    return progress


def _next_round(progress: Progress) -> list[MatchUp]:
    """Pair the next round by the results so far, and check that what is kept fits."""
    competition, number = progress.competition, len(progress.rounds)
    is_swiss = competition.format == SWISS
    pairs = _paired(progress) if is_swiss else pairing.fixed_pairs(competition, number)
    matches = list(pairing.matches_of_round(competition, number if is_swiss else 0, pairs, progress.n_planned))
    progress.rounds.append(pairs)
    progress.n_planned += len(matches)
    for match in matches:
        kept = progress.results.get(match.number)
        if kept is not None and (kept.round, kept.entry, kept.deal, kept.evader, kept.pursuers) != match.key:
            detail = f"is kept as {kept.evader} against {kept.pursuers}, but the schedule has {match}"
            raise BadConfig(f"game {match.number} {detail}; begin a new tournament")
    return matches


def _paired(progress: Progress) -> list[pairing.Pair]:
    competition = progress.competition
    earlier = [result for result in progress.results.values() if result.round < len(progress.rounds)]
    points = points_by_bot(scores_of(competition, sorted(earlier, key=lambda result: result.number)))
    off = Counter(name for pairs in progress.rounds for name, opponent in pairs if opponent == pairing.BYE)
    off.update({bot.name: min(bot.since, len(progress.rounds)) for bot in competition.bots})
    for name, n_rounds in off.items():
        points[name] = points.get(name, 0) + n_rounds * pairing.bye_points(competition)
    return pairing.swiss_pairs(competition, points, progress.rounds)


class _Book:
    """Writes results into the store, those of a moment together; they count when they are there, and not before."""

    def __init__(self, store: Store, lease: Lease, kept: KeptTournament, progress: Progress) -> None:
        self._store, self._lease, self._kept, self._progress = store, lease, kept, progress
        self._waiting: list[tuple[KeptResult, FinishedGame | None]] = []
        self._written = 0.0

    def add(self, rows: Sequence[tuple[KeptResult, FinishedGame | None]]) -> None:
        self._waiting += rows
        if monotonic() - self._written >= GROUP_SECONDS:
            self.write()

    def write(self) -> None:
        if self._waiting:
            rows, self._waiting = self._waiting, []
            games = [game for _, game in rows if game is not None]
            append_results(self._store, self._lease, self._kept, [row for row, _ in rows], games)
            self._progress.results |= {row.number: row for row, _ in rows}
        self._written = monotonic()


def _play_round(
    book: _Book, progress: Progress, players: Players, missing: Sequence[MatchUp], watch: Watch | None
) -> None:
    by_number = {match.number: match for match in missing}
    try:
        for batch in players.play((match,) for match in missing):
            book.add([_kept(progress.competition, by_number[played.result.number], played) for played in batch])
            if watch is not None:
                watch(progress)
    finally:
        book.write()


def _kept(competition: Competition, match: MatchUp, played: Played) -> tuple[KeptResult, FinishedGame | None]:
    result, outcome = played.result, played.result.outcome
    uid = f"{competition.run_id}-{match.number:06d}"
    game = None
    if played.record is not None and outcome is not None:
        names = (competition.entries[match.entry].game, match.evader, match.pursuers)
        own = match_seed(competition, match)
        seed = own if isinstance(own, int) else 0
        game = FinishedGame(uid, *names, seed, str(outcome), result.rounds, result.plies, played.record)
    faults = played.faults or ((result.fault,) if result.fault else ())
    row = KeptResult(
        *(match.number, *match.key),
        outcome=None if outcome is None else str(outcome),
        rounds=result.rounds,
        plies=result.plies,
        faults=tuple(replace(fault, why=fault.end.value if fault.end else fault.why).to_json() for fault in faults),
        times={} if played.times is None else played.times.to_json(),
        game_uid=None if game is None else uid,
    )
    return row, game
