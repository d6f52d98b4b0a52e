"""One game of a tournament before the referee. Whatever a bot does costs that bot the game, never the worker."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from manhunt.agents.bot import BotAgent
from manhunt.agents.link import Patience, running_bots
from manhunt.agents.registry import agent_names, make_agent
from manhunt.agents.wires.process import BotLimits
from manhunt.agents.wires.sandbox import BotSurroundings, sandbox_trouble
from manhunt.arena.anchors import spec_of
from manhunt.arena.competition.deals import match_seed, setup_of
from manhunt.arena.competition.model import Competition, MatchUp, competition_from_text
from manhunt.arena.match import HUNG, TimedAgent, hung_label, played_of, times_of
from manhunt.arena.result import Played, Result, Times
from manhunt.core.agent import Agent, Limit
from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.game import AnyGame, View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from manhunt.core.turns import TurnEnd, TurnFailed
from manhunt.play.fault import Fault, FaultPolicy, parse_policies
from manhunt.play.record import Record
from manhunt.play.referee import Referee
from manhunt.workers.deadlines import is_worker, remaining_seconds

STDERR_SIGNS = 2_000
HUNG_EXIT = 86
NOT_STARTED = "does not start"
LOOK_SECONDS = 0.25
SPARE_SECONDS = 3.0
"""An agent that hangs is given up so long before its worker would be ended: the game's record is kept that way."""
_hung = threading.Event()


_competition = lru_cache(maxsize=4)(competition_from_text)


@lru_cache(maxsize=64)
def _config(text: str, entry: int) -> Any:
    found = _competition(text).entries[entry]
    return make_game(found.game).config_from_json(found.config)


class _CurrentBots:
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

    def leave(self) -> None:
        self._stack.close()
        self._text = ""


_current_bots = _CurrentBots()


def leave_bots() -> None:
    """Bots that this process kept for their next game leave; other games of this process have their own conditions."""
    _current_bots.leave()


def bot_conditions(competition: Competition) -> dict[str, Any]:
    """Limits, patience and surroundings as the file says."""
    patience = Patience() if competition.hello_seconds is None else Patience(hello_seconds=competition.hello_seconds)
    around = BotSurroundings(competition.environment, competition.sandbox, competition.hidden)
    return {"limits": BotLimits(**competition.bot_limits), "patience": patience, "surroundings": around}


def check_sandbox(competition: Competition, where: str) -> None:
    """A tournament that asks for the sandbox is not played without it."""
    why = sandbox_trouble() if competition.sandbox and any(bot.is_command for bot in competition.bots) else None
    if why is not None:
        raise BadConfig(f"{where}: {why}, or leave out sandbox = true")


def play_matches(text: str, matches: Sequence[MatchUp], folder: str | None = None) -> list[Played]:
    """Play one task; the competition's own folder is where the names of bots' files begin."""
    if _hung.is_set() and _is_replaced():
        os._exit(HUNG_EXIT)  # an agent of an earlier game still runs in this process; a fresh worker takes over
    competition = _competition(text)
    _current_bots.enter(text)
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
            spec = spec_of(competition.by_name[name].spec, game.name, seat)
            try:
                agents[seat] = Contender(make_agent(spec, game.name, seat), hung_label(match.number, seat))
            except ManhuntError as error:
                fault = Fault(seat, TurnEnd.CRASH.value, _unstarted(str(error)), 0, FaultPolicy.FORFEIT)
                return _forfeited(match, _unplayed(competition, game, config, match), fault)  # before the first move
        return _RunningMatch(competition, match, config, agents).play()
    finally:
        for agent in agents.values():
            with contextlib.suppress(Exception):
                agent.stop()


class Contender(TimedAgent):
    """An agent that refuses a game at its start forfeits it."""

    def start(self, view: View) -> None:
        try:
            super().start(view)
        except ManhuntError as error:
            raise TurnFailed(TurnEnd.CRASH, _unstarted(str(error))) from None
        except TurnFailed as failure:
            raise TurnFailed(failure.end, _unstarted(failure.detail)) from None


class _RunningMatch:
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
            why = _waited_for(thread, limit)
            if why is not None:
                return self._hung(why)
        if self.failure is not None:
            self._blame(self.failure)
        referee = self.referee
        assert referee is not None
        return played_of(referee, self.match.number, self.agents, map(self._kept, referee.faults))

    def _blame(self, failure: BaseException) -> None:
        """What the rules could not make sense of is the fault of the seat whose turn it was; anything else is ours."""
        referee = self.referee
        if referee is None or referee.to_act not in PLAYERS or not isinstance(failure, Exception):
            raise failure
        seat, detail = referee.to_act, f"{type(failure).__name__}: {failure}"
        assert seat is not None
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
                seed=match_seed(competition, self.match),
                setup=setup_of(competition, self.match, self.game, self.config),
                limit=competition.limit,
                time_control=competition.clock,
                names=self.match.bots,
                policies=parse_policies(competition.policies),
            )
            self.referee.run()
        except BaseException as error:
            self.failure = error

    def _kept(self, fault: Fault) -> Fault:
        """As tables count it, by the name of its kind, with what the bot wrote."""
        assert fault.end is not None
        assert fault.seat is not None
        return replace(fault, why=fault.end.value, stderr=stderr_of(self.agents[fault.seat].agent))

    def _hung(self, why: str) -> Played:
        """The bot we wait for holds up the game. It cannot be stopped, so this process ends before its next game."""
        _hung.set()
        seat = next((seat for seat, agent in self.agents.items() if agent.is_busy), Seat.EVADER)
        fault = Fault(seat, TurnEnd.TIMEOUT.why, why, policy=FaultPolicy.FORFEIT)
        referee, unplayed = self.referee, (self.competition, self.game, self.config, self.match)
        record = _unplayed(*unplayed) if referee is None else referee.record()
        return _forfeited(self.match, record, self._kept(fault), times_of(self.match.number, self.agents))


def _waited_for(thread: threading.Thread, limit_seconds: float) -> str | None:
    """Why a game is not waited for any longer; None when it is over.

    An agent that is stuck in a call from which Python does not come back stops this thread as well; the pool that
    waits for this process ends it then.
    """
    until = time.monotonic() + limit_seconds
    while True:
        thread.join(min(LOOK_SECONDS, max(0.0, until - time.monotonic())))
        if not thread.is_alive():
            return None
        if time.monotonic() >= until:
            return f"the game took more than {limit_seconds:g} s"
        if remaining_seconds() < SPARE_SECONDS:
            return HUNG


def _is_replaced() -> bool:
    """Whether another process takes over when this one ends."""
    return is_worker() or "ray" in sys.modules


def _unplayed(competition: Competition, game: AnyGame, config: Any, match: MatchUp) -> Record:
    """The record of a game before its first move."""
    setup, seed = setup_of(competition, match, game, config), match_seed(competition, match)
    return Record.of(game, config, setup, (), seed=seed, names=match.bots)


def _forfeited(match: MatchUp, record: Record, fault: Fault, times: Times | None = None) -> Played:
    """A game that ends where it is, because of a seat that cannot go on."""
    assert fault.seat is not None
    assert fault.seat.side is not None
    outcome = Outcome(fault.seat.side.other, Termination.FORFEIT)
    record = replace(record, outcome=outcome, fault=" ".join(fault.detail.split()))
    result = Result(match.number, outcome, len(record.rounds), len(record.actions), fault)
    return Played(result, times, record.format(), (fault,))


def warm_up_all(competition: Competition) -> None:
    """Compile here what all workers need, so that they find it in the cache instead of each doing it."""
    with contextlib.chdir(competition.folder):
        configs = {entry.name: make_game(entry.game).config_from_json(entry.config) for entry in competition.entries}
        for bot in competition.bots:
            for entry, seat in competition.roles_of(bot):
                warm_up(bot.spec, entry.game, configs[entry.name], seat)


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
            agent = make_agent(spec_of(spec, game_name, seat), game_name, seat)
            agent.start(game.view(state, seat))
            agent.act(game.view(state, seat), Limit(0.05, 1), rng)
            agent.stop()


def stderr_of(agent: Agent) -> str:
    """The end of what a bot's process wrote to its standard error in this game, where it is one."""
    if not isinstance(agent, BotAgent):
        return ""
    return "".join([agent.start_stderr, *(turn.stderr for turn in agent.turns)])[-STDERR_SIGNS:]


def _unstarted(detail: str) -> str:
    return detail if detail.startswith(NOT_STARTED) else f"{NOT_STARTED}: {detail}"
