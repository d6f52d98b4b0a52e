"""What a match makes of turns that did not end with a legal action."""

import pytest

from manhunt.agents.random import RandomAgent
from manhunt.core.agent import Advice, Agent
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from manhunt.core.turns import FAILED, TurnEnd, TurnFailed
from manhunt.games.pursuit.rules.actions import PursuitMove
from manhunt.play.clock import GameClock, TimeControl
from manhunt.play.fault import Fault, FaultPolicy, fault_from_json, parse_policies
from manhunt.play.record import replay
from manhunt.play.referee import Referee


class Failing(Agent):
    """Ends every turn in one way."""

    def __init__(self, end: TurnEnd) -> None:
        self.end = end

    def act(self, view, limit, rng):
        raise TurnFailed(self.end, f"this is {self.end.value}")


class Dreamer(Agent):
    def act(self, view, limit, rng):
        return Advice(PursuitMove(Node(19)))


class Broken(Agent):
    def start(self, view):
        raise TurnFailed(TurnEnd.TIMEOUT, "never ready")

    def act(self, view, limit, rng):
        raise AssertionError("is not asked")


def referee(agent: Agent, name: str = "pursuit", **options) -> Referee:
    game = make_game(name)
    config = options.pop("config", None) or game.make_config()
    return Referee(game, config, {Seat.EVADER: agent, Seat.PURSUERS: RandomAgent()}, **options)


def stand_ins(match: Referee) -> list[dict]:
    return [event for event in match.events_for(Seat.SPECTATOR) if event.get("t") == "stand-in"]


@pytest.mark.parametrize("end", FAILED)
def test_a_forfeit_is_the_default_and_has_its_kind(end: TurnEnd) -> None:
    match = referee(Failing(end))
    assert match.run() == Outcome(Side.PURSUERS, Termination.FORFEIT)
    (fault,) = match.faults
    assert (fault.ply, fault.seat, fault.end, fault.policy) == (0, Seat.EVADER, end, FaultPolicy.FORFEIT)
    assert match.fault == fault.detail == f"this is {end.value}"
    forfeit = match.events_for(Seat.SPECTATOR)[-2]
    assert forfeit["why"] == {"illegal": "illegal action", "timeout": "time"}.get(end.value, end.value)


@pytest.mark.parametrize("name", ["pursuit", "scotland_yard", "shortest_path", "fugitive"])
@pytest.mark.parametrize("policy", [FaultPolicy.RANDOM, FaultPolicy.PASS])
def test_a_stand_in_plays_the_game_to_its_end(name: str, policy: FaultPolicy) -> None:
    matches = [referee(Failing(TurnEnd.CRASH), name, seed=s, policies={TurnEnd.CRASH: policy}) for s in (1, 1, 2)]
    for match in matches:
        assert match.run() == match.game.outcome(match.state)
        n_turns = sum(fault.seat is Seat.EVADER for fault in match.faults)
        assert n_turns == len(match.faults) == len(stand_ins(match)) > 0
        assert match.record().fault is None
        assert replay(match.record()).states[-1] == match.state
    assert matches[0].actions == matches[1].actions != matches[2].actions


def test_only_the_kinds_that_are_named_are_played_on() -> None:
    match = referee(Failing(TurnEnd.TIMEOUT), policies={TurnEnd.CRASH: FaultPolicy.RANDOM})
    assert match.run().termination is Termination.FORFEIT


def test_an_illegal_action_is_a_pass_where_the_rule_book_says_so_unless_the_match_does_not() -> None:
    by_rule = referee(Failing(TurnEnd.ILLEGAL), "shortest_path")
    by_rule.step()
    assert [e["t"] for e in by_rule.events_for(Seat.SPECTATOR) if "t" in e][1:] == ["pass by rule", "passed"]
    assert by_rule.faults[0].policy is FaultPolicy.PASS
    strict = referee(Failing(TurnEnd.ILLEGAL), "shortest_path", policies={TurnEnd.ILLEGAL: FaultPolicy.FORFEIT})
    assert strict.run() == Outcome(Side.PURSUERS, Termination.FORFEIT)
    others = referee(Failing(TurnEnd.TIMEOUT), "shortest_path")
    assert others.run() == Outcome(Side.PURSUERS, Termination.FORFEIT)


def test_a_pass_is_the_games_own_where_it_has_one() -> None:
    config = make_game("pursuit").make_config("cops-and-robbers", board="path:6", n_detectives=1, max_rounds=3)
    game = make_game("pursuit")
    pieces = {"mrx": "5", "detectives": ["1"]}
    match = Referee(
        game,
        config,
        {Seat.EVADER: RandomAgent(), Seat.PURSUERS: Failing(TurnEnd.RESIGN)},
        setup=pieces,
        policies={TurnEnd.RESIGN: FaultPolicy.PASS},
    )
    match.run()
    assert [config.board.label(node) for node in match.state.pursuers] == ["1"]
    assert game.pass_action(game.start(game.make_config(), {"mrx": "1", "detectives": ["5", "10"]})) is None


def test_an_illegal_move_and_a_slow_one_are_found_by_the_referee() -> None:
    policies = dict.fromkeys(FAILED, FaultPolicy.RANDOM)
    match = referee(Dreamer(), setup={"mrx": "1", "detectives": ["5", "10"]}, policies=policies)
    match.step()
    assert match.faults[0].end is TurnEnd.ILLEGAL
    slow = referee(RandomAgent(), time_control=TimeControl(cap_seconds=1e-9), policies=policies)
    slow.run()
    assert {fault.end for fault in slow.faults} == {TurnEnd.TIMEOUT}
    assert slow.outcome == slow.game.outcome(slow.state)


def test_a_failed_start_is_told_at_every_turn() -> None:
    match = referee(Broken(), policies={TurnEnd.TIMEOUT: FaultPolicy.RANDOM})
    match.run()
    assert {fault.detail for fault in match.faults} == {"never ready"}
    assert len(match.faults) > 1


def test_details_of_a_fault_are_for_the_seat_alone() -> None:
    match = referee(Failing(TurnEnd.CRASH), policies={TurnEnd.CRASH: FaultPolicy.RANDOM})
    match.step()
    assert "this is crash" in str(match.events_for(Seat.EVADER))
    assert "this is crash" not in str(match.events_for(Seat.PURSUERS))


def test_an_overrun_within_the_grace_is_paid_but_no_fault() -> None:
    clock = GameClock(TimeControl(bank_seconds=10, increment_seconds=1, cap_seconds=2, grace_seconds=0.5))
    assert clock.charge(Seat.EVADER, 2.4)
    assert clock.left[Seat.EVADER] == pytest.approx(8.6)
    assert not clock.charge(Seat.EVADER, 2.6)
    assert clock.face(Seat.PURSUERS).bank_seconds == 10
    assert clock.face(Seat.PURSUERS).cap_seconds == 2
    with pytest.raises(BadConfig, match="grace_seconds must be 0 or more"):
        TimeControl(grace_seconds=-1)


def test_policies_are_read_from_words() -> None:
    assert parse_policies({"timeout": "random", "crash": "forfeit"}) == {
        TurnEnd.TIMEOUT: FaultPolicy.RANDOM,
        TurnEnd.CRASH: FaultPolicy.FORFEIT,
    }
    with pytest.raises(BadConfig, match="unknown end of a turn 'timeot'; did you mean timeout"):
        parse_policies({"timeot": "random"})
    with pytest.raises(BadConfig, match="crash: unknown policy 'ignore'; known: forfeit, pass, random"):
        parse_policies({"crash": "ignore"})
    with pytest.raises(BadConfig, match="'ok'"):
        parse_policies({"ok": "random"})


@pytest.mark.parametrize("seat", [None, Seat.EVADER, Seat.PURSUERS])
@pytest.mark.parametrize("policy", [None, *FaultPolicy])
def test_a_fault_comes_back_from_its_json(seat: Seat | None, policy: FaultPolicy | None) -> None:
    fault = Fault(seat, "time", "too late", 7, policy, "last words")
    assert fault_from_json(fault.to_json()) == fault
    bare = Fault(seat, "crash", "gone")
    assert fault_from_json(bare.to_json()) == bare
    assert set(bare.to_json()) == {"seat", "why", "detail"}


@pytest.mark.parametrize(
    ("policies", "kind"), [({}, "pass by rule"), ({TurnEnd.ILLEGAL: FaultPolicy.PASS}, "stand-in")]
)
def test_the_rule_book_speaks_where_the_match_says_nothing(policies, kind: str) -> None:
    """In Adversarial Shortest Path an illegal move is a pass by the rules; a match that says so itself is told so."""
    game = make_game("shortest_path")
    match = Referee(game, game.make_config(board="grid:3x3", source="1", target="9"), {}, policies=policies)
    match.commit(match.prepare_failed(Seat.EVADER, TurnEnd.ILLEGAL, "nonsense"))
    kinds = {event.get("t") for event in match.events_for(Seat.SPECTATOR)}
    assert kind in kinds
    assert not ({"pass by rule", "stand-in"} - {kind}) & kinds
