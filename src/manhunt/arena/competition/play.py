"""One game of a tournament before the referee. Whatever a bot does costs that bot the game, never the worker."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.agents.bot import BotAgent
from manhunt.agents.link import Patience, running_bots
from manhunt.agents.registry import agent_names, make_agent
from manhunt.agents.turns import TurnEnd, TurnFailed
from manhunt.agents.wires.process import BotLimits
from manhunt.arena.anchors import spec_of
from manhunt.arena.competition.model import Competition, MatchUp, competition_from_text
from manhunt.arena.match import Stopwatch
from manhunt.arena.result import Fault, Played, Result, Times
from manhunt.errors import ManhuntError
from manhunt.games.base import View
from manhunt.games.outcome import Outcome, Termination
from manhunt.games.registry import make_game
from manhunt.ids import PLAYERS, Seat
from manhunt.play.policy import Policy, parse_policies
from manhunt.play.record import Record
from manhunt.play.referee import Fault as RefereeFault
from manhunt.play.referee import Referee, seeded

STDERR_SIGNS = 2_000
HUNG_EXIT = 86
NOT_STARTED = "does not start"
_hung = threading.Event()


@lru_cache(maxsize=4)
def _competition(text: str) -> Competition:
    return competition_from_text(text)


@lru_cache(maxsize=64)
def _config(text: str, entry: int) -> Any:
    found = _competition(text).entries[entry]
    return make_game(found.game).config_from_json(found.config)


class _Households:
    """The conditions under which this process runs bots: those of the competition that it plays now."""

    def __init__(self) -> None:
        self._text = ""
        self._stack = contextlib.ExitStack()

    def enter(self, text: str) -> None:
        if text == self._text:
            return
        self._stack.close()
        self._text = text
        self._stack.enter_context(running_bots(**bot_conditions(_competition(text)), keep=_competition(text).keep_bots))


_households = _Households()


def bot_conditions(competition: Competition) -> dict[str, Any]:
    """Limits and patience as the file says."""
    patience = Patience() if competition.hello_seconds is None else Patience(hello_seconds=competition.hello_seconds)
    return {"limits": BotLimits(**competition.bot_limits), "patience": patience}


def play_matches(text: str, matches: Sequence[MatchUp], folder: str | None = None) -> list[Played]:
    """Play one task; the competition's own folder is where the names of bots' files begin."""
    if _hung.is_set():
        os._exit(HUNG_EXIT)  # an agent of an earlier game still runs in this process; a fresh worker takes over
    competition = _competition(text)
    _households.enter(text)
    home = competition.folder if os.path.isdir(competition.folder) else folder
    with contextlib.ExitStack() as stack:
        if home is not None and os.path.isdir(home):
            stack.enter_context(contextlib.chdir(home))
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))  # an agent that prints must not write into answers
        return [play_match(competition, match, _config(text, match.entry)) for match in matches]


def play_match(competition: Competition, match: MatchUp, config: Any) -> Played:
    game = make_game(competition.entries[match.entry].game)
    agents: dict[Seat, Contender] = {}
    try:
        for seat, name in match.bots.items():
            spec = spec_of(competition.by_name[name].spec, seat)
            try:
                agents[seat] = Contender(make_agent(spec, game.name, seat))
            except ManhuntError as error:
                return _not_started(competition, match, config, seat, str(error))
        return _Table(competition, match, config, agents).play()
    finally:
        for agent in agents.values():
            with contextlib.suppress(Exception):
                agent.stop()


class Contender(Stopwatch):
    """A timed agent that knows whether it is being waited for; one that refuses a game at its start forfeits it."""

    is_busy = False

    def start(self, view: View) -> None:
        with self._busy():
            try:
                self.agent.start(view)
            except ManhuntError as error:
                raise TurnFailed(TurnEnd.CRASH, _unstarted(str(error))) from None
            except TurnFailed as failure:
                raise TurnFailed(failure.end, _unstarted(failure.detail)) from None

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        with self._busy():
            super().observe(events)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        with self._busy():
            return super().act(view, limit, rng)

    def stop(self) -> None:
        with self._busy():
            super().stop()

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        self.is_busy = True
        try:
            yield
        finally:
            self.is_busy = False


class _Table:
    """One game with its agents; it is played in a thread of its own where its time is bounded."""

    def __init__(self, competition: Competition, match: MatchUp, config: Any, agents: Mapping[Seat, Contender]) -> None:
        self.competition, self.match, self.config, self.agents = competition, match, config, agents
        self.game = make_game(competition.entries[match.entry].game)
        self.referee: Referee | None = None
        self.failure: BaseException | None = None
        self.is_warm = threading.Event()

    def play(self) -> Played:
        limit = self.competition.game_seconds
        if limit is None:
            self._run()
        else:
            thread = threading.Thread(target=self._run, daemon=True, name="manhunt-game")
            thread.start()
            self.is_warm.wait()
            thread.join(limit)
            if thread.is_alive():
                return self._hung(limit)
        if self.failure is not None:
            self._blame(self.failure)
        return self._played()

    def _blame(self, failure: BaseException) -> None:
        """What the rules could not make sense of is the fault of the seat whose turn it was; anything else is ours."""
        referee = self.referee
        if referee is None or referee.to_act not in PLAYERS or not isinstance(failure, Exception):
            raise failure
        seat, detail = referee.to_act, f"{type(failure).__name__}: {failure}"
        assert seat is not None
        referee.faults.append(RefereeFault(len(referee.actions), seat, TurnEnd.ILLEGAL, detail, Policy.FORFEIT))
        referee.forfeit(seat, TurnEnd.ILLEGAL.why, detail)

    def _run(self) -> None:
        competition = self.competition
        try:
            for seat, name in self.match.bots.items():
                warm_up(competition.by_name[name].spec, self.game.name, self.config, seat)
        finally:
            self.is_warm.set()
        try:
            self.referee = Referee(
                self.game,
                self.config,
                self.agents,
                seed=self.match.seed,
                limit=competition.limit,
                time_control=competition.clock,
                names=self.match.bots,
                policies=parse_policies(competition.policies),
            )
            self.referee.run()
        except BaseException as error:
            self.failure = error

    def _played(self) -> Played:
        referee = self.referee
        assert referee is not None
        faults = tuple(
            Fault(f.seat, f.end.value, f.detail, f.ply, f.policy.value, stderr_of(self.agents[f.seat].agent))
            for f in referee.faults
        )
        result = Result(
            self.match.number,
            referee.outcome,
            self.game.round_of(referee.state),
            len(referee.actions),
            faults[-1] if faults else None,
        )
        return Played(result, self._times(), referee.record().format(), faults)

    def _hung(self, limit: float) -> Played:
        """The bot we wait for holds up the game. It cannot be stopped, so this process ends before its next game."""
        _hung.set()
        referee = self.referee
        seat = next((seat for seat, agent in self.agents.items() if agent.is_busy), Seat.EVADER)
        assert seat.side is not None
        detail = f"the game took more than {limit:g} s"
        fault = Fault(
            seat, TurnEnd.TIMEOUT.value, detail, None, Policy.FORFEIT.value, stderr_of(self.agents[seat].agent)
        )
        actions = list(referee.actions) if referee is not None else []
        setup = referee.setup if referee is not None else self.game.deal(self.config, seeded(self.match.seed, "deal"))
        outcome = Outcome(seat.side.other, Termination.FORFEIT)
        record = Record.of(
            self.game,
            self.config,
            setup,
            actions,
            seed=self.match.seed,
            names=self.match.bots,
            outcome=outcome,
            fault=detail,
        )
        result = Result(self.match.number, outcome, len(record.rounds), len(actions), fault)
        return Played(result, self._times(), record.format(), (fault,))

    def _times(self) -> Times:
        return Times(self.match.number, *(self.agents[seat].thinking for seat in PLAYERS))


def warm_up_all(competition: Competition) -> None:
    """Compile here what all workers need, so that they find it in the cache instead of each doing it."""
    with contextlib.chdir(competition.folder):
        for entry in competition.entries:
            config = make_game(entry.game).config_from_json(entry.config)
            for bot in competition.bots:
                for seat in PLAYERS:
                    if bot.plays(entry, seat):
                        warm_up(bot.spec, entry.game, config, seat)


_warm: set[tuple[str, str, Any, Seat]] = set()


def warm_up(spec: str, game_name: str, config: Any, seat: Seat) -> None:
    """One decision of a built-in agent that does not count: no clock pays for imports and compilation in a worker."""
    key = (spec, game_name, config, seat)
    if key in _warm:
        return
    _warm.add(key)
    if spec.partition(":")[0].partition("@")[0] not in agent_names():
        return  # a stranger's may hang; the game's own time is there to end that
    game, rng = make_game(game_name), Random(0)
    with contextlib.suppress(Exception):  # what goes wrong here goes wrong again in the game, where it is told
        state = game.new(config, rng)
        while game.to_act(state) not in (seat, None):
            state = game.apply_action(state, rng.choice(game.legal_actions(state)))
        if game.to_act(state) is seat:
            agent = make_agent(spec_of(spec, seat), game_name, seat)
            agent.start(game.view(state, seat))
            agent.act(game.view(state, seat), Limit(0.05, 1), rng)
            agent.stop()


def stderr_of(agent: Agent) -> str:
    """The end of what a bot's process wrote to its standard error in this game, where it is one."""
    if not isinstance(agent, BotAgent):
        return ""
    return "".join([agent.start_stderr, *(turn.stderr for turn in agent.turns)])[-STDERR_SIGNS:]


def _not_started(competition: Competition, match: MatchUp, config: Any, seat: Seat, detail: str) -> Played:
    """A bot that cannot even be started has forfeited before the first move."""
    game = make_game(competition.entries[match.entry].game)
    assert seat.side is not None
    outcome = Outcome(seat.side.other, Termination.FORFEIT)
    setup = game.deal(config, seeded(match.seed, "deal"))
    told = _unstarted(detail)
    record = Record.of(game, config, setup, (), seed=match.seed, names=match.bots, outcome=outcome, fault=told)
    fault = Fault(seat, TurnEnd.CRASH.value, told, 0, Policy.FORFEIT.value)
    return Played(Result(match.number, outcome, 0, 0, fault), None, record.format(), (fault,))


def _unstarted(detail: str) -> str:
    return detail if detail.startswith(NOT_STARTED) else f"{NOT_STARTED}: {detail}"
