"""The table of a tournament: points, ratings per role with intervals, the matrix, and the faults of each bot."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from manhunt.arena.competition.model import SWISS, Competition
from manhunt.arena.competition.run import Progress
from manhunt.arena.competition.scores import DRAW, LOSS, WIN, Score, points_by_bot, scores_of
from manhunt.arena.ratings import elo_to_json, fit_cells
from manhunt.arena.result import Thinking
from manhunt.arena.stats import Interval, wilson
from manhunt.core.ids import PLAYERS, Seat
from manhunt.store.tournaments import KeptResult

RIDGE = 0.01
"""A prior of 1,700 Elo about the reference: felt only where the games say nothing."""
PRIOR_GAMES = 0.5
"""A won and a lost half game for each bot and role, shared out among its opponents."""


@dataclass(slots=True)
class RoleScore:
    """What a bot did in one role. Rates count a draw as half a win."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    elo: Interval | None = None
    is_reference: bool = False

    @property
    def n_games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def is_open(self) -> bool:
        """Whether all games went one way, so that the rating has one end only."""
        return self.n_games in (self.won, self.lost)

    @property
    def elo_text(self) -> tuple[str, str]:
        """The rating and its interval; where all games went one way, that and a bound on one side."""
        if self.elo is None:
            return "-", ""
        if self.is_reference:
            return "0", "reference"
        value, low, high = (f"{elo:+.0f}" for elo in self.elo)
        if self.is_open and self.n_games:
            return ("won all", f"above {low}") if self.won else ("lost all", f"below {high}")
        return value, f"{low} to {high}"

    def book(self, points: int) -> None:
        self.won += points == WIN
        self.drawn += points == DRAW
        self.lost += points == LOSS


@dataclass(slots=True)
class Standing:
    """One line of the table. `points` are whole; two of them are a won game."""

    name: str
    rank: int = 0
    roles: dict[Seat, RoleScore] = field(default_factory=lambda: {seat: RoleScore() for seat in PLAYERS})
    faults: Counter[str] = field(default_factory=Counter)
    forfeits: int = 0
    thinking: Thinking = field(default_factory=Thinking)
    buchholz: float | None = None
    """In Swiss rounds: the mean share of points of the opponents it met, one a round."""
    direct: float = 0.0
    """Its share of the points in games against those with the same share and the same Buchholz."""

    @property
    def n_games(self) -> int:
        return sum(role.n_games for role in self.roles.values())

    @property
    def points(self) -> int:
        return sum(WIN * role.won + DRAW * role.drawn for role in self.roles.values())

    @property
    def share(self) -> float:
        return self.points / (WIN * self.n_games) if self.n_games else 0.0

    @property
    def n_faults(self) -> int:
        return sum(self.faults.values())

    @property
    def buchholz_text(self) -> str:
        return "-" if self.buchholz is None else f"{100 * self.buchholz:.1f} %"

    @property
    def share_text(self) -> str:
        return f"{100 * self.share:.0f} %" if self.n_games else "-"

    @property
    def interval(self) -> Interval | None:
        """Of the share of points; a draw counts as half a won game."""
        if not self.n_games:
            return None
        low, high = (wilson(points, self.n_games) for points in (self.points // 2, (self.points + 1) // 2))
        return Interval(self.share, low.low, high.high)


@dataclass(slots=True)
class MatrixCell:
    """One evader against one pursuers' bot, over all games of the programme."""

    points: int = 0
    n_games: int = 0
    n_forfeits: int = 0

    @property
    def share(self) -> float:
        """The evader's, of the points."""
        return self.points / (WIN * self.n_games)


@dataclass(frozen=True, slots=True)
class BotFault:
    """One fault, with the game it happened in."""

    number: int
    bot: str
    opponent: str
    entry: str
    seat: Seat
    kind: str
    detail: str
    policy: str
    ply: int | None
    stderr: str


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """Everything a report shows. `balance` is the evader's Elo advantage in each game between the references."""

    competition: Competition
    standings: tuple[Standing, ...]
    matrix: dict[tuple[str, str], MatrixCell]
    balance: dict[str, Interval]
    faults: tuple[BotFault, ...]
    n_played: int
    n_counted: int
    unplayed: tuple[int, ...]

    def of(self, name: str) -> Standing:
        return next(standing for standing in self.standings if standing.name == name)


def table_of(progress: Progress, entry: int | None = None) -> TournamentTable:
    """The table of what was played so far, over all games of the programme or over one."""
    competition = progress.competition
    results = [progress.results[number] for number in sorted(progress.results)]
    if entry is not None:
        results = [result for result in results if result.entry == entry]
    scores = scores_of(competition, results)
    by_name = {bot.name: Standing(bot.name) for bot in competition.bots}
    matrix: dict[tuple[str, str], MatrixCell] = {}
    for score in scores:
        _book(score, by_name, matrix)
    faults = tuple(faults_of(competition, results))
    for fault in faults:
        by_name[fault.bot].faults[fault.kind] += 1
        by_name[fault.bot].forfeits += fault.policy == "forfeit"
    for result in results:
        for seat, name in ((Seat.EVADER, result.evader), (Seat.PURSUERS, result.pursuers)):
            if seat.value in result.times:
                by_name[name].thinking.add(Thinking(*result.times[seat.value]))
    balance = _rate(competition, scores, by_name)
    if competition.format == SWISS:
        _break_ties(by_name, scores)
    return TournamentTable(
        competition,
        _ranked(by_name.values()),
        matrix,
        balance,
        faults,
        len(results),
        len(scores),
        tuple(result.number for result in results if result.outcome is None),
    )


def _book(score: Score, by_name: dict[str, Standing], matrix: dict[tuple[str, str], MatrixCell]) -> None:
    for seat, name in score.match.bots.items():
        by_name[name].roles[seat].book(score.points_of(seat))
    cell = matrix.setdefault((score.match.evader, score.match.pursuers), MatrixCell())
    cell.points += score.evader_points
    cell.n_games += 1
    cell.n_forfeits += score.outcome.termination.value == "forfeit"


def faults_of(competition: Competition, results: Iterable[KeptResult]) -> Iterable[BotFault]:
    for result in results:
        for fault in result.faults:
            if fault.get("seat") is None:
                continue
            seat = Seat(fault["seat"])
            names = (result.evader, result.pursuers)
            bot, opponent = names if seat is Seat.EVADER else names[::-1]
            where = (result.number, bot, opponent, competition.entries[result.entry].name, seat)
            fields = (fault["why"], fault.get("detail", ""), fault.get("policy", "forfeit"))
            yield BotFault(*where, *fields, fault.get("ply"), fault.get("stderr", ""))


def _break_ties(by_name: dict[str, Standing], scores: Sequence[Score]) -> None:
    """Of bots with the same share of points the one is before that met stronger opponents (Buchholz), then the one
    that did better in the games among them."""
    met: dict[str, list[float]] = {}
    pairs = {(s.match.round, min(s.match.key[3:]), max(s.match.key[3:])) for s in scores}
    for _, a, b in sorted(pairs):
        met.setdefault(a, []).append(by_name[b].share)
        met.setdefault(b, []).append(by_name[a].share)
    for name, shares in met.items():
        by_name[name].buchholz = round(sum(shares) / len(shares), 9)
    tied: dict[tuple[float, float | None], set[str]] = {}
    for standing in by_name.values():
        tied.setdefault((standing.share, standing.buchholz), set()).add(standing.name)
    for names in tied.values():
        among = [score for score in scores if names >= set(score.match.bots.values())]
        points = points_by_bot(among)
        n_games = Counter(name for score in among for name in score.match.bots.values())
        for name in names & set(n_games):
            by_name[name].direct = points[name] / (WIN * n_games[name])


def _ranked(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """The best share of points first, ties broken where that was done; those who are still equal share a rank."""

    def merit(standing: Standing) -> tuple[float, ...]:
        return standing.share, float(standing.n_games > 0), standing.buchholz or 0.0, standing.direct

    ordered = sorted(standings, key=lambda s: (*(-value for value in merit(s)), -s.n_games, s.name))
    for i, standing in enumerate(ordered):
        before = ordered[i - 1] if i else None
        standing.rank = before.rank if before is not None and merit(before) == merit(standing) else i + 1
    return tuple(ordered)


def _rate(competition: Competition, scores: Sequence[Score], by_name: dict[str, Standing]) -> dict[str, Interval]:
    """Bradley-Terry over all games, with a balance for each game of the programme."""
    if not scores:
        return {}
    names = {seat: [name for name in by_name if by_name[name].roles[seat].n_games] for seat in PLAYERS}
    kinds = sorted({score.match.entry for score in scores})
    index = {seat: {name: i for i, name in enumerate(names[seat])} for seat in PLAYERS}
    counted: dict[tuple[int, int, int], list[float]] = {}
    for score in scores:
        match = score.match
        key = (kinds.index(match.entry), index[Seat.EVADER][match.evader], index[Seat.PURSUERS][match.pursuers])
        cell = counted.setdefault(key, [0.0, 0.0])
        cell[0] += score.points_of(Seat.EVADER) / WIN
        cell[1] += score.points_of(Seat.PURSUERS) / WIN
    met = Counter(key[1] for key in counted), Counter(key[2] for key in counted)
    for (_, row, column), cell in counted.items():
        prior = PRIOR_GAMES * (1 / met[0][row] + 1 / met[1][column]) / 2
        cell[:] = [cell[0] + prior, cell[1] + prior]
    zero = {seat: _reference(competition, names[seat]) for seat in PLAYERS}
    shape = (len(kinds), len(names[Seat.EVADER]), len(names[Seat.PURSUERS]))
    *rated, balances = fit_cells(counted, shape, zero[Seat.EVADER], zero[Seat.PURSUERS], RIDGE)
    for seat, elos in zip(PLAYERS, rated, strict=True):
        for i, name in enumerate(names[seat]):
            role = by_name[name].roles[seat]
            role.elo, role.is_reference = elos[i], i == zero[seat]
    return {competition.entries[kind].name: elo for kind, elo in zip(kinds, balances, strict=True)}


def _reference(competition: Competition, names: Sequence[str]) -> int:
    """The random agent where it takes part, else the first bot of the file."""
    specs = [competition.by_name[name].spec for name in names]
    return next((i for i, spec in enumerate(specs) if spec in ("random", "random@1")), 0)


def table_to_json(table: TournamentTable) -> dict[str, Any]:
    """The same for the same results, in whatever order and however often interrupted they were played."""
    return {
        "name": table.competition.name,
        "run": table.competition.run_id,
        "played": table.n_played,
        "counted": table.n_counted,
        "unplayed": list(table.unplayed),
        "balance": {name: elo_to_json(elo) for name, elo in table.balance.items()},
        "standings": [_standing_to_json(standing) for standing in table.standings],
    }


def _standing_to_json(standing: Standing) -> dict[str, Any]:
    out: dict[str, Any] = {
        "rank": standing.rank,
        "bot": standing.name,
        "points": standing.points / 2,
        "games": standing.n_games,
        "share": round(standing.share, 4),
        "forfeits": standing.forfeits,
        "faults": dict(sorted(standing.faults.items())),
    }
    if standing.buchholz is not None:
        out |= {"buchholz": round(standing.buchholz, 4), "direct": round(standing.direct, 4)}
    for seat, role in standing.roles.items():
        rated = (
            {} if role.elo is None else {**elo_to_json(role.elo), "reference": role.is_reference, "open": role.is_open}
        )
        out[seat.value] = {"won": role.won, "drawn": role.drawn, "lost": role.lost, **rated}
    return out
