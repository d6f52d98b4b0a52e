"""A table as a value: whatever people do, a place has one holder and nobody plays both sides of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.errors import BadConfig
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import BUILT_IN, kit_of, make_game
from manhunt.server.tables import changes, chat
from manhunt.server.tables.changes import clean_name, clean_text, swapped
from manhunt.server.tables.state import (
    HOST,
    NotAllowed,
    Phase,
    Place,
    Table,
    Terms,
    places_of,
    same_level,
    table_of,
    usual_agents,
)

GAME = "scotland_yard"
PLACES = (
    Place("evader", Seat.EVADER, "Mr X", "X", 0),
    *(Place(f"pursuers/{i}", Seat.PURSUERS, f"piece {i}", str(i), i) for i in range(3)),
)
NAMES = [*(place.id for place in PLACES), "evader", "pursuers", "nonsense"]


def a_table(n_people: int = 3, *, shared: bool = False) -> Table:
    table = Table("t", GAME, PLACES, agents=usual_agents(GAME), shared=shared)
    for i in range(n_people):
        table = changes.join(table, f"Person {i}", f"hash {i}")
    return table


def seated(*holders: tuple[str, int], **more: object) -> Table:
    table = replace(a_table(4), **more)  # type: ignore[arg-type]
    for place, person in holders:
        table = changes.sit(table, person, place)
    return table


people = st.integers(1, 4)
places = st.sampled_from(NAMES)
Step = Callable[[Table], Table]


@st.composite
def steps(draw: st.DrawFn) -> Step:
    who, place, to, swap = draw(people), draw(places), draw(people | st.just("agent")), draw(st.booleans())
    here = draw(st.frozensets(people))
    kind = draw(st.sampled_from(["sit", "sit", "stand", "hand", "remove", "join", "begin", "begin", "end", "rematch"]))

    def step(table: Table) -> Table:
        match kind:
            case "sit":
                return changes.sit(table, who, place)
            case "stand":
                return changes.stand(table, who, place)
            case "hand":
                return changes.hand(table, who, place, to)
            case "remove":
                return changes.remove(table, who, place, here)
            case "join":
                return changes.join(table, "New", f"hash {table.n_joined}", here)
            case "begin":
                changes.check_start(table, HOST)
                return changes.begun(table, f"game {len(table.series)}")
            case "end":
                return changes.ended(table, table.play or "", Seat.EVADER, "words", "reason")
        asked = changes.ask_rematch(table, who, swap)
        if not changes.is_agreed(asked, here | {who}):
            return asked
        return changes.begun(swapped(asked) if swap else asked, f"game {len(asked.series)}")

    return step


def sides_of(table: Table, person: int) -> set[Seat]:
    return {seat for seat in PLAYERS if person in table.members(seat)}


@given(st.lists(steps(), max_size=40))
def test_a_place_has_one_holder_and_nobody_plays_both_sides_of_a_game(done: list[Step]) -> None:
    table, had = a_table(), dict[int, set[Seat]]()
    for step in done:
        play = table.play
        try:
            table = step(table)
        except NotAllowed:
            continue
        numbers = [person.id for person in table.people]
        assert len(set(numbers)) == len(numbers)
        assert set(table.holders) <= {place.id for place in PLACES}
        assert set(table.holders.values()) <= set(numbers)
        if table.play != play:
            had = {}
        for person in numbers:
            assert len(sides_of(table, person)) <= 1
            if table.phase is Phase.PLAYING:
                had.setdefault(person, set()).update(sides_of(table, person))
                assert len(had[person]) <= 1, "somebody has seen both sides of this game"
        assert table_of(table.to_text()) == table


@given(st.lists(steps(), max_size=40), st.integers(1, 4))
def test_a_team_chat_reaches_its_members_alone(done: list[Step], speaker: int) -> None:
    table = a_table()
    said = []
    for step in done:
        try:
            table = step(table)
        except NotAllowed:
            continue
        try:
            said.append(chat.make_message(table, speaker, "team", "psst", len(said), 0.0))
        except NotAllowed:
            assert table.play is None or len(sides_in(table, speaker)) != 1
        for message in said:
            for person in [None, *(each.id for each in table.people)]:
                if chat.may_read(table, person, message):
                    assert message.play == table.play
                    assert person is not None
                    assert sides_in(table, person) == {Seat(message.seat)}


def sides_in(table: Table, person: int) -> set[Seat]:
    """Of the present game, by its holders alone."""
    assert table.play is not None
    holders = table.holders_in(table.play)
    return {place.seat for place in PLACES if holders.get(place.id) == person}


@given(st.lists(steps(), max_size=30))
def test_only_somebody_who_shares_a_screen_has_both_sides(done: list[Step]) -> None:
    table = changes.sit(changes.sit(a_table(1, shared=True), HOST, "evader"), HOST, "pursuers")
    assert sides_of(table, HOST) == set(PLAYERS)
    assert chat.team_of(changes.begun(table, "g"), HOST) is None
    for step in done:
        try:
            table = step(table)
        except NotAllowed:
            continue
        assert table_of(table.to_text()) == table


def test_before_a_game_one_may_change_sides_and_in_a_game_nobody_can() -> None:
    table = seated(("evader", 1), ("pursuers", 2))
    table = changes.stand(table, 1, "evader")
    table = changes.sit(table, 2, "evader")
    assert table.holders == {"evader": 2}
    table = changes.begun(changes.sit(table, 1, "pursuers/0"), "g")
    with pytest.raises(NotAllowed, match="other side"):
        changes.sit(table, 2, "pursuers/1")
    with pytest.raises(NotAllowed, match="other side"):
        changes.hand(table, 2, "evader", 1)
    gone = changes.hand(table, 2, "evader", "agent")
    with pytest.raises(NotAllowed, match="has played the other side"):
        changes.sit(gone, 2, "pursuers/1")
    with pytest.raises(NotAllowed, match="has played the other side"):
        changes.sit(changes.hand(gone, 1, "pursuers/0", 3), 1, "evader")
    assert changes.sit(gone, 3, "evader").holders["evader"] == 3


def test_two_people_swap_and_the_evader_goes_round_among_more() -> None:
    two = swapped(seated(("evader", 1), ("pursuers/0", 2), ("pursuers/2", 2)))
    assert two.holders == {"evader": 2, "pursuers/0": 1, "pursuers/2": 1}
    table = seated(("evader", 2), ("pursuers/0", 1), ("pursuers/1", 3), ("pursuers/2", 4))
    evaders = []
    for _ in range(4):
        evaders.append(table.holders["evader"])
        table = swapped(table)
    assert evaders == [2, 3, 4, 1]
    assert sorted(table.holders) == [place.id for place in PLACES]


def test_one_person_against_agents_changes_sides_and_keeps_the_level() -> None:
    there = same_level(GAME, Seat.EVADER, usual_agents(GAME)["evader"])
    alone = seated(("evader", 1))
    turned = swapped(alone)
    assert turned.holders == {f"pursuers/{i}": 1 for i in range(3)}
    assert same_level(GAME, Seat.PURSUERS, alone.agents["pursuers"]) == turned.agents["evader"]
    assert swapped(turned).holders == alone.holders
    assert there is not None


def test_wins_are_counted_for_everybody_on_the_side_that_won() -> None:
    table = changes.begun(seated(("evader", 1), ("pursuers/0", 2), ("pursuers/1", 3)), "g")
    table = changes.ended(table, "g", Seat.PURSUERS, "the others win (caught)", "caught")
    assert [person.wins for person in table.people] == [0, 1, 1, 0]
    assert table.series[-1].names["pursuers"] == ("Person 1", "Person 2")
    assert changes.ended(table, "g", Seat.PURSUERS, "", "") == table


def test_a_rematch_waits_for_everybody_who_is_here() -> None:
    table = changes.begun(seated(("evader", 1), ("pursuers/0", 2), ("pursuers/1", 3)), "g")
    with pytest.raises(NotAllowed, match="over"):
        changes.ask_rematch(table, 1, False)
    table = changes.ask_rematch(changes.ended(table, "g", Seat.EVADER, "", ""), 1, True)
    assert not changes.is_agreed(table, {1, 2})
    assert changes.is_agreed(changes.ask_rematch(table, 2, True), {1, 2})
    assert changes.ask_rematch(table, 2, False).rematch == replace(table.rematch, swap=False, agreed=frozenset({2}))  # type: ignore[type-var]
    with pytest.raises(NotAllowed, match="with a place"):
        changes.ask_rematch(table, 4, True)


def test_only_the_host_decides_and_never_during_a_game() -> None:
    table, terms = seated(("evader", 2)), Terms(public=True)
    for act in (
        lambda t, who: changes.set_terms(t, who, terms),
        lambda t, who: changes.set_agents(t, who, Seat.EVADER, "random"),
        lambda t, who: changes.check_start(t, who),
    ):
        with pytest.raises(NotAllowed, match="only the host"):
            act(table, 2)
        with pytest.raises(NotAllowed, match="until the game is over"):
            act(changes.begun(table, "g"), 1)
        act(table, 1)
    with pytest.raises(NotAllowed, match="is here"):
        changes.remove(table, 1, "evader", {2})
    assert changes.remove(table, 1, "evader", set()).holders == {}


@given(st.text(max_size=60))
def test_names_and_texts_have_no_signs_that_nobody_sees(text: str) -> None:
    cleaned = clean_text(text)
    assert clean_text(cleaned) == cleaned
    assert cleaned.isprintable() or "\u200d" in cleaned
    try:
        name = clean_name(text)
    except NotAllowed:
        return
    assert 1 <= len(name) <= changes.LONGEST_NAME
    assert "," not in name
    assert "\n" not in name


@pytest.mark.parametrize("unseen", ["\u200d", "\ufe0f", "\u034f", "\u3164", "\u2800", "\u115f", "\U000e0101"])
def test_no_name_looks_like_another_one_or_like_nothing(unseen: str) -> None:
    assert [clean_name(text) for text in (f"An{unseen}na", f"{unseen}Anna", f"Anna{unseen}")] == ["Anna"] * 3
    with pytest.raises(NotAllowed, match="a name has 1 to"):
        clean_name(unseen)


def test_pictures_stay_whole() -> None:
    for picture in (
        "\U0001f469\u200d\U0001f680",
        "\u2764\ufe0f",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
    ):
        assert clean_text(f"so {picture}!") == f"so {picture}!"


def test_two_people_of_one_name_are_told_apart_and_a_full_table_lets_idlers_go() -> None:
    table = changes.join(changes.join(a_table(0), "Anna", "a"), "Anna", "b")
    assert [person.name for person in table.people] == ["Anna", "Anna 2"]
    for i in range(changes.MOST_PEOPLE * 2):
        table = changes.join(table, f"P{i}", f"h{i}", here={1, 2})
    assert len(table.people) == changes.MOST_PEOPLE
    assert {1, 2} < {person.id for person in table.people}
    assert table.n_joined == table.people[-1].id
    with pytest.raises(NotAllowed, match="full"):
        changes.join(table, "late", "x", here={person.id for person in table.people})


@pytest.mark.parametrize(
    "values",
    [{"help": "much"}, {"turn_seconds": -1.0}, {"game_seconds": 1e12}, {"spectators": "all"}, {"on_timeout": "cry"}],
)
def test_odd_terms_are_refused(values: dict[str, object]) -> None:
    with pytest.raises((NotAllowed, BadConfig)):
        changes.terms_with(Terms(), values)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_game_has_places_and_agents_for_them(name: str) -> None:
    game = make_game(name)
    found = places_of(game, game.make_config(None))
    assert [place.seat for place in found].count(Seat.EVADER) == 1
    assert len({place.id for place in found}) == len(found) >= 2
    agents = usual_agents(name)
    assert all(any(level.spec == agents[s.value] and level.seat is s for level in kit_of(name).levels) for s in PLAYERS)
