"""The leak certificate passes our agents and finds planted cheats."""

import gc
import random
import sys
from random import Random
from typing import Any

import pytest

from manhunt.agents.random import RandomAgent
from manhunt.agents.strategy import Strategy
from manhunt.boards.catalog import load_board
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import kit_of, make_game
from manhunt.games.pursuit.rules.config import PlacementRule, PursuitConfig, PursuitOrder, Visibility
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.play.referee import Referee
from manhunt.testing import ContractBroken, check_agent, examine_agent
from manhunt.testing.worlds import OtherWorlds
from scotland_yard_games import board_of

TOWN = board_of(
    "1-2:TB 2-3:T 3-4:TB 4-5:T 5-6:TB 6-7:T 7-8:TU 8-9:T 9-10:T 10-11:TB 11-12:T 12-1:T 2-7:U 3-9:T 4-11:T 5-10:B 1-6:F"
)
SMALL = make_config("custom", TOWN, rounds=10, shown=[4, 8], n_detectives=2)
SIGHT = PursuitConfig(load_board("grid:4x4"), max_rounds=8, visibility=Visibility.SIGHT)
ROUNDS = PursuitConfig(load_board("grid:4x4"), max_rounds=8, visibility=Visibility.ROUNDS, reveal_rounds=(3, 6))
CHOSEN = PursuitConfig(
    load_board("petersen"),
    max_rounds=5,
    first=Side.PURSUERS,
    order=PursuitOrder.AT_ONCE,
    placement=PlacementRule.CHOSEN,
    visibility=Visibility.ROUNDS,
    reveal_rounds=(3,),
)
TABLES = {"scotland_yard": (SMALL,), "pursuit": (SIGHT, ROUNDS, CHOSEN)}


def towards(view, node):
    """A legal move that ends nearest to a node by its number: enough to show a preference."""
    ends = [getattr(a, "to", None) if hasattr(a, "to") else a.to_all[0] for a in view.legal]
    return Advice(view.legal[min(range(len(ends)), key=lambda i: (abs(ends[i] - node), i))])


@pytest.mark.parametrize("spec", ["random", "greedy", "greedy:model=uniform,temperature=0.5"])
@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS])
@pytest.mark.parametrize("game", TABLES)
def test_our_agents_pass(spec, seat, game) -> None:
    for config in TABLES[game]:
        report = check_agent(spec, game, config, seat, games=2, positions=3, worlds=2, most_worlds=16)
        assert report.ok
        assert report.n_games == report.n_replays == 2
        assert report.n_positions > 3
        assert (report.n_worlds > 0) is (seat is Seat.PURSUERS)


def test_our_agents_pass_on_london() -> None:
    config = make_config(rounds=6, shown=[3])
    report = check_agent("greedy", "scotland_yard", config, games=1, positions=3, worlds=2, most_worlds=12)
    assert report.n_worlds >= 3


class LooksUpTheStack(Agent):
    def act(self, view, limit: Limit, rng: Random) -> Advice:
        frame: Any = sys._getframe()
        while frame is not None:
            if isinstance(frame.f_locals.get("self"), Referee):
                return towards(view, frame.f_locals["self"].state.quarry)
            frame = frame.f_back
        return Advice(view.legal[0])


class SearchesMemory(Agent):
    def act(self, view, limit: Limit, rng: Random) -> Advice:
        every = [thing for thing in gc.get_objects() if isinstance(thing, Referee)]
        found = [referee for referee in every if referee.view(view.seat) == view]  # other tests may have left theirs
        return towards(view, found[-1].state.quarry) if found else Advice(view.legal[0])


class KeepsTheReferee(Agent):
    """Takes hold of the referee when the game begins."""

    def start(self, view) -> None:
        frame: Any = sys._getframe()
        while not isinstance(frame.f_locals.get("self"), Referee):
            frame = frame.f_back
        self.referee = frame.f_locals["self"]

    def act(self, view, limit: Limit, rng: Random) -> Advice:
        return towards(view, self.referee.state.quarry)


class CheatsInTheValue(KeepsTheReferee):
    """Plays fair but betrays what it knows in what it says."""

    def act(self, view, limit: Limit, rng: Random) -> Advice:
        return Advice(view.legal[0], value=self.referee.state.quarry / 1000)


class Remembers(Agent):
    """Where was Mr X at the end of the last game?"""

    last = 0

    def observe(self, events) -> None:
        for event in events:
            if event.get("quarry"):
                type(self).last = int(event["quarry"])

    def act(self, view, limit: Limit, rng: Random) -> Advice:
        return towards(view, type(self).last)


class CountsCalls(Agent):
    n_calls = 0

    def act(self, view, limit: Limit, rng: Random) -> Advice:
        type(self).n_calls += 1
        return Advice(view.legal[self.n_calls % len(view.legal)])


PEEKING = (LooksUpTheStack, SearchesMemory, KeepsTheReferee, CheatsInTheValue)


@pytest.mark.parametrize("cheat", PEEKING)
@pytest.mark.parametrize(("game", "config"), [("scotland_yard", SMALL), ("pursuit", ROUNDS)])
def test_peeking_is_found(cheat, game, config) -> None:
    with pytest.raises(ContractBroken, match="tells apart two worlds that look the same to its seat"):
        check_agent(cheat, game, config, games=6)


@pytest.mark.parametrize("cheat", [Remembers, CountsCalls])
def test_memory_over_games_is_found(cheat) -> None:
    report = examine_agent(cheat, "scotland_yard", SMALL, games=6)
    assert not report.ok
    assert "differ with the same seed" in report.fault or "tells apart" in report.fault


class PeeksAtTheFuture(Agent):
    """Mr X sees everything but what comes; the referee's generators would tell him."""

    def act(self, view, limit: Limit, rng: Random) -> Advice:
        frame: Any = sys._getframe()
        while not isinstance(frame.f_locals.get("self"), Referee):
            frame = frame.f_back
        copy = Random()
        copy.setstate(frame.f_locals["self"]._rngs[Seat.PURSUERS].getstate())
        return Advice(copy.choice(view.legal))


def test_peeking_at_the_future_is_found() -> None:
    report = examine_agent(PeeksAtTheFuture, "scotland_yard", SMALL, Seat.EVADER)
    assert "differ with the same seed" in report.fault


class ThrowsItsOwnDice(Strategy):
    def choose_move(self, board, view, seat, valid_moves):
        return random.choice(valid_moves)


class ThrowsTheGamesDice(Strategy):
    def choose_move(self, board, view, seat, valid_moves):
        return self.rng.choice(valid_moves)


def test_own_dice_are_not_called_a_leak() -> None:
    report = examine_agent(ThrowsItsOwnDice, "scotland_yard", SMALL)
    assert "moves that differ with the same seed" in report.fault
    assert "self.rng" in report.fault
    assert check_agent(ThrowsTheGamesDice, "scotland_yard", SMALL).n_worlds > 0


def agent_that(answer):
    class Planted(Agent):
        def act(self, view, limit, rng):
            return answer(view, limit)

    return Planted


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda view, limit: Advice("B7"), "act chose 'B7', which is not legal"),
        (lambda view, limit: view.legal[0], "not an Advice"),
        (lambda view, limit: Advice(view.legal[0], value=2.0), "value is 2.0"),
        (lambda view, limit: Advice(view.legal[0], confidence=-0.1), "confidence is -0.1"),
        (lambda view, limit: Advice(view.legal[0], counters={"iterations": 101}), "101 iterations; the limit was 100"),
        (lambda view, limit: 1 / 0, "act raised ZeroDivisionError"),
    ],
)
def test_bad_conduct_is_told(answer, words) -> None:
    report = examine_agent(agent_that(answer), "scotland_yard", SMALL)
    assert words in report.fault
    assert "ply" in report.fault
    assert report.agent == "Planted"


def test_a_crash_while_listening_is_told() -> None:
    class Deaf(RandomAgent):
        def observe(self, events) -> None:
            raise RuntimeError("no")

    assert "observe raised RuntimeError: no" in examine_agent(Deaf, "scotland_yard", SMALL).fault


@pytest.mark.parametrize(("game", "config"), [("scotland_yard", SMALL), ("pursuit", SIGHT), ("pursuit", ROUNDS)])
def test_other_worlds_look_the_same(game, config) -> None:
    """Not only where it ends: every view and event on the way."""
    rules, n_others = make_game(game), 0
    for seed in range(4):
        rng, actions = Random(seed), []
        setup = rules.deal(config, rng)
        state = rules.start(config, setup)
        worlds = OtherWorlds(rules, config, setup, Seat.PURSUERS, rng=rng, most=40)
        while rules.outcome(state) is None and len(actions) < 8:
            actions.append(rng.choice(rules.legal_actions(state)))
            state = rules.apply_action(state, actions[-1])
            worlds.advance(actions[-1])
            for past in worlds.pasts(3):
                assert seen(rules, config, past.setup, past.actions) == seen(rules, config, setup, actions)
                assert past.states[-1] != state
                n_others += 1
    assert n_others > 20


def seen(rules, config, setup, actions):
    state = rules.start(config, setup)
    story = [rules.view(state, Seat.PURSUERS), *(e.seen_by(Seat.PURSUERS) for e in rules.opening_events(state))]
    for action in actions:
        after = rules.apply_action(state, action)
        story += [e.seen_by(Seat.PURSUERS) for e in rules.events(state, action, after)]
        story.append(rules.view(after, Seat.PURSUERS))
        state = after
    return story


def test_a_game_that_brings_no_worlds_is_compared_with_other_deals(monkeypatch) -> None:
    monkeypatch.delitem(kit_of("pursuit").parts, "worlds")
    config = make_game("pursuit").make_config(
        board="path:6", n_detectives=1, max_rounds=4, visibility="rounds", reveal_rounds=()
    )
    assert check_agent("random", "pursuit", config, games=3).n_worlds > 0
    with pytest.raises(ContractBroken, match="tells apart two worlds that look the same to its seat"):
        check_agent(LooksUpTheStack, "pursuit", config, games=6)


def test_the_game_of_an_agent_that_plays_one_need_not_be_named() -> None:
    assert examine_agent("l1", seat=Seat.EVADER, games=1, positions=1, worlds=1).game == "fugitive"
    with pytest.raises(BadConfig, match="name the game to check random in; it plays all of them"):
        check_agent("random")


def test_a_certificate_that_compared_nothing_is_none() -> None:
    """Two nodes: wherever the events let him be, Mr X is there, so there is no world to compare."""
    game = make_game("pursuit")
    config = game.make_config(board="path:3", n_detectives=1, max_rounds=2, visibility="rounds", reveal_rounds=())
    report = examine_agent("random", game, config, Seat.PURSUERS, games=3, setups=lambda config, setup, seat: iter(()))
    assert report.n_worlds == 0
    assert not report.ok
    assert "no other world was found" in str(report)
