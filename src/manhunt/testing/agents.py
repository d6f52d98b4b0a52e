"""The leak certificate: an agent must not act on what its seat cannot know, and must behave.

An agent plays whole games before a referee. Then it plays them again before other referees, who hold other secrets
that look the same to its seat (`worlds.py`): every view and event it gets is equal, built anew from the other world.
With the same seed it must say the same. Whatever it can reach behind the referee's back (its memory, its frames, its
seed, what an earlier game left in a global) differs, so that an agent that uses it is found out. Nothing but start,
observe, act and stop is asked of it, so that it may as well sit behind a protocol.
"""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import Any

from manhunt.agents.random import RandomAgent
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.crash import crash_text
from manhunt.core.errors import BadConfig, one_of
from manhunt.core.game import AnyGame, Setup, View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.core.seeds import seeded
from manhunt.play.referee import Referee
from manhunt.testing.games import ContractBroken
from manhunt.testing.worlds import OtherWorlds, Past, Setups

MakeAgent = Callable[[], Agent]
SLACK_SECONDS = 0.25
FICKLE = "moves that differ with the same seed; take all chance from the rng of act (in a Strategy: self.rng)"
"""Looked for first: an agent that throws dice of its own seems to tell worlds apart, too."""
NOTHING_COMPARED = "something was hidden from the seat, but no other world was found to compare; try more games"


@dataclass(frozen=True, slots=True)
class Report:
    """What was tried, and the first thing that is wrong, in words; without a `fault` it is the certificate."""

    agent: str
    game: str
    seat: Seat
    n_games: int = 0
    n_positions: int = 0
    n_worlds: int = 0
    n_replays: int = 0
    fault: str | None = None

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return self.fault is None

    def __str__(self) -> str:
        done = f"{self.n_games} games, {self.n_positions} positions, {self.n_worlds} other worlds"
        head = f"{self.agent} as {self.seat.value} of {self.game}: {done}, {self.n_replays} replays"
        return f"{head}: {self.fault or 'no difference'}"


class _Fault(Exception):
    """Found something; the text says what."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """One decision of the agent, and all it was told before it."""

    ply: int
    view: View
    events: tuple[Mapping[str, Any], ...]
    advice: Advice


class _Witness(Agent):
    """Stands between the referee and the agent: hands on, writes down, checks. Its chance does not depend on the
    referee's seed, so that a referee may have another."""

    def __init__(self, agent: Agent, seed: int) -> None:
        self.agent = agent
        self.games, self.seats = agent.games, agent.seats  # type: ignore[misc]
        self.turns: list[_Turn] = []
        self._rng = seeded(seed, "certificate")
        self._events: list[Mapping[str, Any]] = []
        self.fault: str | None = None
        self.n_plies: Callable[[], int] = int

    def start(self, view: View) -> None:
        self._guarded("start", lambda: self.agent.start(view))

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self._events += events
        self._guarded("observe", lambda: self.agent.observe(events))

    def stop(self) -> None:
        self._guarded("stop", self.agent.stop)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        began = time.perf_counter()
        advice: Advice = self._guarded("act", lambda: self.agent.act(view, limit, self._rng))
        used = time.perf_counter() - began
        self.fault = self.fault or conduct_fault(view, limit, advice, used)
        if self.fault is not None:
            raise _Fault(self.fault)
        self.turns.append(_Turn(self.n_plies(), view, tuple(self._events), advice))
        self._events = []
        return advice

    def _guarded(self, name: str, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:
            self.fault = self.fault or f"{name} raised {crash_text(error)}"
            raise


def conduct_fault(view: View, limit: Limit, advice: Any, used_seconds: float) -> str | None:
    """What is wrong with an answer, whatever the position."""
    if not isinstance(advice, Advice):
        return f"act returned {type(advice).__name__}, not an Advice"
    if advice.action not in view.legal:
        return f"act chose {advice.action!r}, which is not legal"
    for name, low in (("value", -1.0), ("confidence", 0.0)):
        number = getattr(advice, name)
        if number is not None and not low <= number <= 1:
            return f"{name} is {number}, not between {low:g} and 1"
    n_iterations = advice.counters.get("iterations", 0)
    if limit.iterations is not None and n_iterations > limit.iterations:
        return f"act counted {n_iterations:g} iterations; the limit was {limit.iterations}"
    if limit.seconds is not None and used_seconds > limit.seconds + SLACK_SECONDS:
        return f"act took {used_seconds:.2f} s; the limit was {limit.seconds:g} s"
    return None


class _Scripted(Agent):
    """Plays what it is told; behind the end of the script, at random."""

    def __init__(self, actions: Sequence[Any]) -> None:
        self._actions = list(actions)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        return Advice(self._actions.pop(0) if self._actions else rng.choice(view.legal))


@dataclass(frozen=True, slots=True)
class _Played:
    actions: tuple[Any, ...]
    turns: list[_Turn]


class _Examination:
    def __init__(self, make: MakeAgent, game: AnyGame, config: Any, seat: Seat, limit: Limit, seed: int) -> None:
        self.make, self.game, self.config, self.seat = make, game, config, seat
        self.limit, self.seed = limit, seed

    def play(self, setup: Setup, number: int, *, opponent: Agent, referee_seed: int, n_plies: int) -> _Played:
        """One game, or its first plies, with a new agent."""
        witness = _Witness(self.make(), self.seed * 1000 + number)
        other = next(s for s in PLAYERS if s is not self.seat)
        agents = {self.seat: witness, other: opponent}
        referee = Referee(self.game, self.config, agents, seed=referee_seed, setup=setup, limit=self.limit)
        witness.n_plies = lambda: len(referee.actions)
        while not referee.over and len(referee.actions) < n_plies and witness.fault is None:
            referee.step()
        witness.n_plies = int  # lets go of the referee, who must not outlive the game
        if not referee.over and witness.fault is None:
            witness.stop()
        if witness.fault is not None:
            where = self.game.format_view(self.game.view(referee.state, self.seat))
            raise _Fault(f"{witness.fault} (game {number}, ply {len(referee.actions)}: {where})")
        return _Played(tuple(referee.actions), witness.turns)

    def replay(self, past: Past, number: int, n_plies: int, referee_seed: int) -> _Played:
        """The same game before a referee who holds the world of `past`."""
        theirs = [a for a, s in zip(past.actions, past.states, strict=False) if self.game.to_act(s) is not self.seat]
        return self.play(past.setup, number, opponent=_Scripted(theirs), referee_seed=referee_seed, n_plies=n_plies)

    def compare(self, first: list[_Turn], again: list[_Turn], why: str) -> None:
        for one, two in zip(first, again, strict=False):
            where = f"ply {one.ply}, {self.game.format_view(one.view)}"
            if one.view != two.view or one.events != two.events:
                raise _Fault(f"the game itself tells the seat of the difference ({where})")
            if one.advice.action != two.advice.action:
                a, b = (self.game.format_action(self.config, turn.advice.action) for turn in (one, two))
                raise _Fault(f"{why}: {a} in one, {b} in the other ({where})")
            if one.advice.value != two.advice.value:
                values = f"value {one.advice.value} in one, {two.advice.value} in the other"
                raise _Fault(f"{why}: {values} ({where})")


def examine_agent(
    agent: str | MakeAgent,
    game: AnyGame | str | None = None,
    config: Any = None,
    seat: Seat = Seat.PURSUERS,
    *,
    games: int = 3,
    positions: int = 4,
    worlds: int = 3,
    limit: Limit | None = None,
    seed: int = 0,
    max_plies: int = 200,
    setups: Setups | None = None,
    most_worlds: int = 48,
) -> Report:
    """Try an agent (a spec, or a function that makes a new one) and report; see `check_agent`."""
    rules = _rules_of(agent, game)
    table = rules.make_config() if config is None else config
    make = (lambda: make_agent(agent, rules.name, seat)) if isinstance(agent, str) else agent
    name = agent if isinstance(agent, str) else getattr(agent, "__name__", type(agent).__name__)
    exam = _Examination(make, rules, table, seat, limit or Limit(iterations=100), seed)
    report = Report(name, rules.name, seat)
    rng = seeded(seed, "worlds")
    hides = False
    gc.collect()  # no referee of an earlier game shall be lying about
    try:
        for number in range(games):
            setup = rules.deal(table, seeded(seed * 1000 + number, "deal"))
            true = exam.play(setup, number, opponent=RandomAgent(), referee_seed=number, n_plies=max_plies)
            report = replace(report, n_games=report.n_games + 1)
            same = _past_of(rules, table, setup, true.actions)
            again = exam.replay(same, number, max_plies, referee_seed=rng.getrandbits(32))
            exam.compare(true.turns, again.turns, FICKLE)
            report = replace(report, n_replays=report.n_replays + 1)
            hides = hides or any("t" not in event for turn in true.turns for event in turn.events)
            others = OtherWorlds(rules, table, setup, seat, rng=rng, setups=setups, most=most_worlds)
            tried = {turn.ply for turn in rng.sample(true.turns, min(positions, len(true.turns)))}
            pasts: list[tuple[int, Past]] = []
            for ply in range(max(tried, default=-1) + 1):
                if ply in tried:
                    pasts += [(ply, past) for past in others.pasts(worlds)]
                others.advance(true.actions[ply])
            report = replace(report, n_positions=report.n_positions + len(tried))
            for ply, past in pasts:
                again = exam.replay(past, number, ply + 1, referee_seed=rng.getrandbits(32))
                exam.compare(true.turns, again.turns, "it tells apart two worlds that look the same to its seat")
                report = replace(report, n_worlds=report.n_worlds + 1)
    except _Fault as fault:
        return replace(report, fault=str(fault))
    return replace(report, fault=NOTHING_COMPARED) if hides and not report.n_worlds else report


def _rules_of(agent: str | MakeAgent, game: AnyGame | str | None) -> AnyGame:
    if game is not None:
        return make_game(game) if isinstance(game, str) else game
    games = make_agent(agent).games if isinstance(agent, str) else getattr(agent, "games", ())
    if len(games) != 1:
        raise BadConfig(f"name the game to check {agent} in; it plays {one_of(games) or 'all of them'}")
    return make_game(games[0])


def _past_of(game: AnyGame, config: Any, setup: Setup, actions: Sequence[Any]) -> Past:
    states = accumulate(actions, game.apply_action, initial=game.start(config, setup))
    return Past(setup, tuple(actions), tuple(states))


def check_agent(
    agent: str | MakeAgent,
    game: AnyGame | str | None = None,
    config: Any = None,
    seat: Seat = Seat.PURSUERS,
    **options: Any,
) -> Report:
    """Check that an agent plays fair and keeps the rules; ContractBroken says where it does not.

    Fair means that it does the same if what its seat cannot know is replaced by something else. Its actions must also
    be legal, it must keep its limit and not crash, and the same seed must give the same game. `agent` is a spec such as
    `random`, or a function that makes a new agent; without a game it is checked in the only one that it plays. The
    options are those of `examine_agent`: numbers of games, positions per game and worlds per position, the limit, the
    seed.

    Examples:
        >>> from manhunt import Seat
        >>> check_agent("random", "pursuit", seat=Seat.PURSUERS, games=1, positions=1).ok
        True
    """
    report = examine_agent(agent, game, config, seat, **options)
    if not report.ok:
        raise ContractBroken(str(report))
    return report
