"""The referee: who hears what, when, and what happens to those who misbehave."""

from typing import Any

import pytest

from manhunt.agents.registry import make_agent
from manhunt.agents.strategy import Strategy, TeamStrategy
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent, BadConfig, IllegalAction, ManhuntError
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from manhunt.core.seeds import seeded
from manhunt.games.pursuit.rules.actions import PursuitMove
from manhunt.games.scotland_yard.rules.actions import Piece
from manhunt.play.clock import TimeControl
from manhunt.play.record import parse_record
from manhunt.play.referee import Referee, play_game

GAME = make_game("pursuit")
SMALL = {"mrx": "1", "detectives": ["5", "10"]}


def referee(evader: Agent | str = "random", pursuers: Agent | str = "random", **options) -> Referee:
    seats = {Seat.EVADER: evader, Seat.PURSUERS: pursuers}
    agents = {seat: make_agent(a) if isinstance(a, str) else a for seat, a in seats.items()}
    config = options.pop("config", None) or GAME.make_config(max_rounds=4)
    return Referee(GAME, config, agents, setup=SMALL, **options)


def hidden_config():
    return GAME.make_config(max_rounds=4, visibility="rounds", reveal_rounds=(3,))


def test_every_observer_hears_of_each_move_exactly_once() -> None:
    match = referee(seed=1)
    notices = []
    match.register(notices.append)
    match.run()
    assert [notice.ply for notice in notices] == list(range(1, len(match.actions) + 1))
    assert [notice.over for notice in notices] == [False] * (len(notices) - 1) + [True]
    versions = [event["v"] for notice in notices for event in notice.events]
    assert versions == list(range(3, 3 + len(versions)))  # the opening had two events


def test_nothing_is_told_after_the_end() -> None:
    match = referee()
    notices = []
    match.register(notices.append)
    match.run()
    n_heard = len(notices)
    with pytest.raises(IllegalAction, match="the game is over"):
        match.step()
    with pytest.raises(IllegalAction, match="the game is over"):
        match.submit(PursuitMove(0))
    assert len(notices) == n_heard


@pytest.mark.parametrize("observer", [None, "print", []])
def test_an_observer_that_cannot_be_called_is_refused(observer: Any) -> None:
    match = referee(seed=1)
    with pytest.raises(ManhuntError, match=r"^the observer .* cannot be called; give a function that takes a Notice$"):
        match.register(observer)
    match.run()


def test_an_agent_that_raises_tells_its_author_the_file_and_the_line(tmp_path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("""from statistics import mean
from manhunt.agents.strategy import Strategy

class Mine(Strategy):
    def choose_move(self, *seen):
        return self.best(*seen)

    def best(self, *seen):
        return mean([])
""")
    match = referee(make_agent(f"{file}:Mine", "pursuit", Seat.EVADER))
    match.run()
    assert match.fault == "StatisticsError: mean requires at least one data point (mine.py line 9, in best)"
    assert str(tmp_path) not in match.record().format()


def test_the_words_of_a_crash_stay_on_one_line_of_the_record() -> None:
    class Talker(Agent):
        def act(self, view: Any, limit: Limit, rng: Any) -> Advice:
            raise ValueError("one\ntwo: three\n" + 1000 * "x")

    match = referee(Talker())
    match.run()
    assert match.fault is not None
    assert match.fault.startswith("ValueError: one two: three xxx")
    assert match.fault.endswith(", in act)")
    assert parse_record(match.record().format()).fault == match.fault


def test_an_observer_sees_what_its_seat_may_see() -> None:
    match = referee(config=hidden_config(), seed=2)
    heard: dict[Seat, list] = {seat: [] for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR)}
    for seat, notices in heard.items():
        match.register(notices.append, seat)
    match.step()
    assert "to" in heard[Seat.EVADER][0].events[0]
    for seat in (Seat.PURSUERS, Seat.SPECTATOR):
        assert heard[seat][0].events[0] == {"v": 3}
        assert heard[seat][0].view.quarry is None


def test_observers_can_be_listed_and_the_list_is_a_copy() -> None:
    match, heard = referee(), list[object]()
    assert dict(match.observers) == {}
    match.register(heard.append)
    match.register(print, Seat.EVADER)
    assert dict(match.observers) == {heard.append: Seat.SPECTATOR, print: Seat.EVADER}
    before = match.observers
    match.unregister(print)
    assert print in before
    assert print not in match.observers


def test_registering_twice_and_unregistering_a_stranger_are_errors() -> None:
    match = referee()
    notices = []
    match.register(notices.append)
    with pytest.raises(ManhuntError, match="registered already"):
        match.register(notices.append)
    match.unregister(notices.append)
    with pytest.raises(ManhuntError, match="not registered"):
        match.unregister(notices.append)
    match.step()
    assert notices == []


def test_events_can_be_resumed_from_a_number() -> None:
    match = referee(seed=4)
    match.run()
    everything = match.events_for(Seat.SPECTATOR)
    assert [event["v"] for event in everything] == list(range(1, len(everything) + 1))
    assert match.events_for(Seat.SPECTATOR, since=5) == everything[5:]
    assert everything[-1] == {"v": len(everything), "t": "end", "outcome": str(match.outcome)}


class Crasher(Agent):
    def act(self, view, limit, rng):
        raise RuntimeError("out of ideas")


class Dreamer(Agent):
    def act(self, view, limit, rng):
        return Advice(PursuitMove(19))


class Deaf(Agent):
    def observe(self, events):
        raise ValueError("what?")

    def act(self, view, limit, rng):
        return Advice(view.legal[0])


@pytest.mark.parametrize(
    ("agent", "why", "detail"),
    [
        (Crasher(), "crash", "RuntimeError: out of ideas"),
        (Dreamer(), "illegal action", "the quarry cannot play X:20"),
        (Deaf(), "crash", "ValueError: what?"),
    ],
)
def test_misbehaving_is_a_forfeit_with_its_reason(agent, why, detail) -> None:
    match = referee(evader=agent)
    notices = []
    match.register(notices.append)
    assert match.run() == Outcome(Side.PURSUERS, Termination.FORFEIT)
    assert detail in match.fault
    assert len(notices) == 1
    assert notices[0].over
    assert {"t": "forfeit", "seat": "evader", "why": why}.items() <= notices[0].events[1].items()
    assert notices[0].view.outcome == match.outcome
    assert notices[0].view.legal == ()


@pytest.mark.parametrize("name", ["scotland_yard", "fugitive"])
def test_nothing_is_secret_after_a_forfeit(name) -> None:
    game = make_game(name)
    match = Referee(game, game.make_config(), seed=1)
    match.submit(game.legal_actions(match.state)[0])
    before: Any = match.view(Seat.PURSUERS)
    match.forfeit(Seat.PURSUERS, "resign", "gave up")
    his: Any
    hers: Any
    publics: Any
    his, hers, publics = (match.view(seat) for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR))
    assert [view.seat for view in (his, hers, publics)] == [Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR]
    if name == "scotland_yard":
        assert before.quarry is None
        assert his.quarry == hers.quarry == publics.quarry == match.state.quarry
    else:
        assert before.fugitive is None
        assert his.fugitive == hers.fugitive == publics.fugitive == match.state.fugitive
        assert his.marshal == publics.marshal == match.state.marshal
    assert (hers.outcome, hers.to_act, hers.legal) == (match.outcome, None, ())


def test_the_details_of_a_fault_are_for_the_seat_alone() -> None:
    match = referee(evader=Dreamer())
    mine, theirs = [], []
    match.register(mine.append, Seat.EVADER)
    match.register(theirs.append, Seat.PURSUERS)
    match.run()
    assert "X:20" in mine[0].events[0]["detail"]
    assert "X:20" not in str(theirs[0].events)


def test_exceeding_the_clock_is_a_forfeit() -> None:
    match = referee(time_control=TimeControl(bank_seconds=5))
    ticks = iter([0.0, 4.0, 4.0, 4.5, 4.5, 5.0, 10.0, 12.0])
    match.clock.timer = lambda: next(ticks)
    assert match.run() == Outcome(Side.PURSUERS, Termination.FORFEIT)
    assert match.fault == "used more than its 1 s"
    assert len(match.actions) == 3


def test_the_limit_given_to_an_agent_is_the_smaller_of_clock_and_limit() -> None:
    seen = []

    class Watchful(Agent):
        def act(self, view, limit, rng):
            seen.append(limit.seconds)
            return Advice(view.legal[0])

    referee(evader=Watchful(), limit=Limit(seconds=2), time_control=TimeControl(cap_seconds=0.5)).step()
    referee(evader=Watchful(), limit=Limit(seconds=0.25), time_control=TimeControl(bank_seconds=60)).step()
    assert seen == [0.5, 0.25]


def test_a_seat_without_an_agent_is_moved_from_outside() -> None:
    match = Referee(GAME, GAME.make_config(), {}, setup=SMALL)
    with pytest.raises(BadAgent, match="the seat evader has no agent"):
        match.step()
    with pytest.raises(IllegalAction, match="legal: X:8, X:9"):
        match.submit(PursuitMove(5))
    assert match.actions == []
    match.submit(GAME.parse_action(match.config, "X:8"))
    assert match.to_act is Seat.PURSUERS


def test_an_agent_on_the_wrong_seat_or_game_is_refused() -> None:
    class Hunter(Dreamer):
        seats = (Seat.PURSUERS,)

    class Gardener(Dreamer):
        games = ("gardening",)

    with pytest.raises(BadAgent, match="Hunter does not play the seat evader; it plays pursuers"):
        referee(evader=Hunter())
    with pytest.raises(BadAgent, match="Gardener does not play pursuit; it plays gardening"):
        referee(evader=Gardener())


def test_an_agent_that_refuses_the_game_stops_it_before_it_begins() -> None:
    class Picky(Dreamer):
        def start(self, view):
            raise BadAgent("this table is for another board")

    with pytest.raises(BadAgent, match="this table is for another board"):
        referee(evader=Picky())


def test_the_same_seed_gives_the_same_game() -> None:
    agents = {seat: make_agent("random") for seat in (Seat.EVADER, Seat.PURSUERS)}
    records = [play_game(GAME, GAME.make_config(), agents, seed=seed) for seed in (7, 7, 8)]
    assert records[0] == records[1]
    assert records[0].actions != records[2].actions


def test_purposes_of_one_seed_are_independent() -> None:
    assert seeded(1, "deal").random() != seeded(1, "chance").random()
    assert seeded(1, "deal").getrandbits(64) == seeded(1, "deal").getrandbits(64)


class GoesUp(Strategy):
    """Answers in each of the ways a beginner may."""

    def __init__(self, how: str) -> None:
        self.how = how

    def choose_move(self, board, view, seat, valid_moves):
        best = max(valid_moves, key=lambda move: move.to)
        label = board.label(best.to)
        return {"action": best, "label": label, "number": int(label), "notation": f"X:{label}"}[self.how]


@pytest.mark.parametrize("how", ["action", "label", "number", "notation"])
def test_a_beginners_strategy_plays(how: str) -> None:
    match = referee(evader=GoesUp(how))
    match.step()
    assert GAME.format_action(match.config, match.actions[0]) == "X:9"


def test_a_number_that_is_no_label_of_a_move_is_refused_with_the_way_out() -> None:
    class Indexed(Strategy):
        def choose_move(self, board, view, seat, valid_moves):
            return valid_moves[0].to

    match = referee(evader=Indexed())
    match.run()
    assert match.fault == (
        "7 is not legal now; legal: X:8, X:9 (a number is a label; instead of the index move.to return the move)"
    )
    assert match.record().fault == match.fault


@pytest.mark.parametrize("value", [None, 8.0, True, ["8"]])
def test_what_is_neither_move_nor_label_is_refused(value: object) -> None:
    class Odd(Strategy):
        def choose_move(self, board, view, seat, valid_moves):
            return value

    match = referee(evader=Odd())
    match.run()
    assert match.fault == (
        f"{value!r} ({type(value).__name__}) is not a move: return one of valid_moves, its notation, "
        "or its destination's label"
    )


class Noting(Strategy):
    """Takes the highest label and writes down what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, int]] = []

    def choose_move(self, board, view, seat, valid_moves):
        self.asked.append((seat, len({move.piece for move in valid_moves})))
        return max(int(board.label(move.to)) for move in valid_moves)


def test_each_strategy_of_a_team_is_called_for_its_own_piece() -> None:
    team = [Noting(), Noting()]
    match = referee(pursuers=TeamStrategy(team))
    match.run()
    assert match.fault is None
    for number, member in enumerate(team):
        assert set(member.asked) == {(number, 1)}
    assert len(team[0].asked) >= len(team[1].asked) > 0


class FirstOf(Strategy):
    def __init__(self) -> None:
        self.asked: set[object] = set()

    def choose_move(self, board, view, seat, valid_moves):
        self.asked.add(seat)
        return valid_moves[0]


def test_a_team_plays_scotland_yard_piece_by_piece() -> None:
    game = make_game("scotland_yard")
    team = [FirstOf() for _ in range(3)]
    agents = {Seat.EVADER: make_agent("random"), Seat.PURSUERS: TeamStrategy(team)}
    record = play_game(game, game.make_config(n_detectives=3), agents, seed=4)
    assert record.fault is None
    assert [member.asked for member in team] == [{Piece.RED}, {Piece.GREEN}, {Piece.BLUE}]


def test_a_team_that_does_not_fit_is_refused() -> None:
    with pytest.raises(BadAgent, match="a team needs at least one strategy"):
        TeamStrategy([])
    with pytest.raises(BadAgent, match="in the team is not a strategy"):
        TeamStrategy([FirstOf])  # type: ignore[list-item]
    with pytest.raises(BadAgent, match="the team has 1 strategies for 2 pieces; it needs one for each"):
        referee(pursuers=TeamStrategy([FirstOf()]))
    at_once = GAME.make_config("cops-and-robbers", board="petersen", n_detectives=2)
    match = Referee(GAME, at_once, {Seat.EVADER: make_agent("random"), Seat.PURSUERS: TeamStrategy([FirstOf()] * 2)})
    match.run()
    assert "the pieces move all at once here" in str(match.fault)


def test_a_class_instead_of_an_agent_is_refused() -> None:
    with pytest.raises(BadAgent, match="give an object of an Agent class$"):
        referee(evader=GoesUp)


def test_names_in_place_of_objects_are_refused_with_what_to_write() -> None:
    config, agent = GAME.make_config(), make_agent("random")
    with pytest.raises(BadConfig, match=r"'pursuit' is not a game; .* make_game\(NAME\)"):
        play_game("pursuit", config, {Seat.EVADER: agent, Seat.PURSUERS: agent})  # type: ignore[arg-type]
    with pytest.raises(BadAgent, match="'mrx' is not a seat; write Seat.EVADER or Seat.PURSUERS"):
        play_game(GAME, config, {"mrx": agent})  # type: ignore[dict-item]
    with pytest.raises(BadAgent, match=r"such as make_agent\('greedy', 'pursuit'\)"):
        play_game(GAME, config, {Seat.EVADER: "greedy", Seat.PURSUERS: agent})  # type: ignore[dict-item]


def test_an_observer_cannot_move_the_game_on() -> None:
    match = referee()
    heard = []
    match.register(lambda notice: match.step())
    match.register(heard.append)
    with pytest.raises(ManhuntError, match="an observer cannot move the game on"):
        match.step()
    assert [notice.ply for notice in heard] == [1]


def test_an_observer_that_raises_does_not_silence_the_others() -> None:
    match = referee()
    heard = []

    def broken(notice):
        raise RuntimeError("deaf")

    match.register(broken)
    match.register(heard.append)
    with pytest.raises(RuntimeError, match="deaf"):
        match.step()
    assert len(heard) == 1
    match.unregister(broken)
    match.step()
    assert [notice.ply for notice in heard] == [1, 2]


def test_an_observer_unregistered_by_another_hears_no_more() -> None:
    match = referee()
    heard = []
    match.register(lambda notice: match.unregister(heard.append))
    match.register(heard.append)
    match.step()
    assert heard == []


def test_whoever_speaks_out_of_turn_learns_nothing() -> None:
    game = make_game("scotland_yard")
    match = Referee(game, game.make_config(), {}, seed=3)
    move = game.parse_action(match.config, "R:T1")
    with pytest.raises(IllegalAction, match="^it is not the turn of pursuers; evader acts now$"):
        match.submit(move, Seat.PURSUERS)
    with pytest.raises(IllegalAction) as caught:
        match.submit(move)
    offered = [game.format_action(match.config, a) for a in game.legal_actions(match.state)]
    assert not any(text in str(caught.value) for text in offered)


def test_a_strategy_that_answers_nonsense_forfeits_and_reads_why() -> None:
    class Lost(Strategy):
        def choose_move(self, board, view, seat, valid_moves):
            return "somewhere"

    match = referee(evader=Lost())
    match.run()
    assert match.fault == "'somewhere' is not legal now; legal: X:8, X:9"


def test_a_ply_that_was_prepared_for_another_moment_does_not_happen() -> None:
    match, other = (Referee(GAME, GAME.make_config(), {}, setup=SMALL) for _ in range(2))
    elsewhere = other.prepare_text("X:8", Seat.EVADER, 1)
    with pytest.raises(ManhuntError, match="the game has gone on since ply 1 was prepared"):
        match.commit(elsewhere)
    first, second = match.prepare_text("X:8", Seat.EVADER, 1), match.prepare_text("X:9", Seat.EVADER, 1)
    match.commit(first)
    with pytest.raises(ManhuntError, match="the game has gone on since ply 1 was prepared"):
        match.commit(second)
    assert len(match.actions) == 1


def test_a_ply_that_was_prepared_before_the_end_does_not_happen_after_it() -> None:
    match = Referee(GAME, GAME.make_config(), {}, setup=SMALL)
    move = match.prepare_text("X:8", Seat.EVADER, 1)
    match.commit(match.prepare_forfeit(Seat.EVADER, "resign", "gave up"))
    with pytest.raises(ManhuntError, match="no action is legal"):
        match.commit(move)
    assert match.actions == []
