"""The layered graph: kept up event by event it equals the one made at once, and equals all chains listed one by one."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

from fugitive_positions import random_states, small_config
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.beliefs.notes import MarshalNotes
from manhunt.games.fugitive.rules.config import Config, make_config, sprint_value
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import public_of


def follow(notes: MarshalNotes, before: State | None, after: State) -> None:
    """Tell the notes what happened between two positions."""
    old_row = before.row if before else ()
    for guess in after.guesses[len(before.guesses) if before else 0 :]:
        if not guess.hit and len(guess.numbers) == 1:
            notes.eliminate_vals(guess.numbers)
    for position, (old, new) in enumerate(zip(old_row, after.row, strict=False), 1):
        if new.face_up and not old.face_up:
            notes.reveal(position, new.card, new.sprints)
    for new in after.row[len(old_row) :]:
        if new.card == after.config.last:
            notes.escape(len(new.sprints))
        else:
            notes.add_new_hideout(len(new.sprints))
    notes.eliminate(set(after.marshal) - set(before.marshal if before else ()))


def chains(config: Config, state: State) -> set[tuple[int, ...]]:
    """All rows that fit by steps and by what is known of single cards."""
    gone = {*state.marshal, *(c for h in state.row if h.face_up and h.card != config.last for c in h.sprints)}
    gone |= {h.card for h in state.row if h.face_up}
    found = [(0,)]
    for position, hideout in enumerate(state.row):
        known = hideout.face_up and hideout.card != config.last
        values = sum(map(sprint_value, hideout.sprints)) if known else 2 * len(hideout.sprints)
        missed, up = set(), set()
        for guess in state.guesses:
            if guess.hit:
                up |= set(guess.numbers)
            elif len(guess.numbers) == 1 and guess.n_placed > position and not up & set(guess.numbers):
                missed |= set(guess.numbers)
        fits = {hideout.card} if hideout.face_up else set(range(1, config.last)) - gone - missed
        steps = range(1, config.reach + values + 1)
        found = [(*row, row[-1] + step) for row in found for step in steps if row[-1] + step in fits]  # type: ignore[misc]
    return set(found)


@pytest.mark.parametrize("seed", range(40))
def test_notes_equal_all_chains(seed: int) -> None:
    rng = Random(seed)
    config = small_config(rng)
    notes, before = MarshalNotes(config), None
    for state in random_states(config, rng):
        follow(notes, before, state)
        before = state
        rows, made = chains(config, state), MarshalNotes.of(public_of(state), state.marshal)
        for position in range(len(state.row) + 1):
            expected = {row[position] for row in rows}
            assert notes.candidates(position) == made.candidates(position) == expected
        assert set(made.edges()) == {
            ((i, a), (i + 1, b)) for row in rows for i, (a, b) in enumerate(zip(row, row[1:], strict=False))
        }
        assert notes.count_chains() == len(rows)


def test_graph_candidates_and_picture_agree() -> None:
    state = [s for s in random_states(make_config(), Random(12)) if len(s.row) > 3][-1]
    notes = MarshalNotes.of(public_of(state), state.marshal)
    graph = notes.to_networkx()
    assert {(i, card) for i in range(notes.n_positions + 1) for card in notes.candidates(i)} == set(graph.nodes)
    assert all(graph.out_degree(node) for node in graph if node[0] < notes.n_positions)
    assert all(graph.in_degree(node) for node in graph if node[0])
    picture = ElementTree.fromstring(notes._repr_svg_())
    shown = {(int(g.get("data-position")), int(g.get("data-card"))) for g in picture.iter() if g.get("data-card")}
    assert shown == set(graph.nodes)
    assert sum(element.tag.endswith("path") for element in picture.iter()) == graph.number_of_edges()


def test_contradictions_and_missing_positions_are_refused() -> None:
    notes = MarshalNotes(make_config())
    notes.add_new_hideout(0)
    with pytest.raises(ManhuntError, match="no position 2 to turn up"):
        notes.reveal(2, 5, ())
    with pytest.raises(ManhuntError, match="there is no position 3"):
        notes.candidates(3)
    with pytest.raises(ManhuntError, match="contradict"):
        notes.eliminate([1, 2, 3])


# -- by the names of the document ----------------------------------------------------------------------

Allowed = list[tuple[int, set[int]]]


def rows_of(allowed: Allowed) -> list[tuple[int, ...]]:
    """Every row, one by one: at each depth the longest step to it and the cards that it may be."""
    rows: list[tuple[int, ...]] = [(0,)]
    for longest, cards in allowed:
        rows = [(*row, card) for row in rows for card in cards if row[-1] < card <= row[-1] + longest]
    return rows


def check_document_notes(notes: MarshalNotes, allowed: Allowed) -> None:
    rows = rows_of(allowed)
    table = np.zeros((notes.config.last + 1, notes.config.last + 1), np.int8)
    for row in rows:
        table[range(len(row)), row] = 1
    assert notes.hideouts_range.dtype == np.int8
    assert (notes.hideouts_range == table).all()
    assert notes.n_hideouts == len(allowed) + 1
    steps = {((i, a), (i + 1, b)) for row in rows for i, (a, b) in enumerate(zip(row, row[1:], strict=False))}
    assert set(notes.graph.edges) == steps


@pytest.mark.parametrize("seed", range(60))
def test_the_document_s_notes_equal_every_row_listed_one_by_one(seed: int) -> None:
    rng = Random(seed)
    config = make_config(last=13, piles=((3, 7), (8, 12)), dealt=(1, 0), manhunt_below=9)
    notes, allowed = MarshalNotes(config), Allowed()
    shown: dict[int, int] = {}
    for _ in range(12):
        kind = rng.choice(("add", "add", "eliminate", "reveal"))
        told = [(longest, set(cards)) for longest, cards in allowed]
        vals = rng.sample(range(1, 13), rng.randrange(3))
        if kind == "add":
            n_sprint = rng.choice((0, 0, 1, 2))
            told.append((config.reach + 2 * n_sprint, set(range(1, 13)) - set(vals)))
        elif kind == "eliminate":
            told = [(n, cards if i in shown else cards - set(vals)) for i, (n, cards) in enumerate(told, 1)]
        elif allowed:
            depth = rng.randint(1, len(allowed))
            card = rng.choice(sorted({row[depth] for row in rows_of(allowed)}))
            told[depth - 1] = (told[depth - 1][0], {card})
        if not rows_of(told):
            continue  # it cannot be so
        if kind == "add":
            notes.add_new_hideout(n_sprint, vals)
        elif kind == "eliminate":
            notes.eliminate_vals(vals)
        elif allowed:
            notes.hideout_revealed(depth, card)
            shown[depth] = card
        # A card that was turned up is at no other depth, and at none to come.
        gone = set(shown.values())
        allowed = [(n, cards if i in shown else cards - gone) for i, (n, cards) in enumerate(told, 1)]
        check_document_notes(notes, allowed)


def test_the_document_starts_at_0_and_two_hideouts_without_sprints_are_not_above_6() -> None:
    notes = MarshalNotes()
    assert (notes.n_hideouts, notes.hideouts_range.shape) == (1, (43, 43))
    assert np.argwhere(notes.hideouts_range).tolist() == [[0, 0]]
    notes.add_new_hideout(0, [])
    notes.add_new_hideout(0, [])
    assert notes.n_hideouts == 3
    assert [np.flatnonzero(line).tolist() for line in notes.hideouts_range[:3]] == [[0], [1, 2, 3], [2, 3, 4, 5, 6]]
    assert not notes.hideouts_range[:, 7:].any()


def test_the_document_a_sprint_card_is_worth_2_at_most_and_filtered_values_are_left_out() -> None:
    notes = MarshalNotes()
    notes.add_new_hideout(2, [5, 6])
    assert notes.candidates(1) == {1, 2, 3, 4, 7}


def test_the_document_a_hideout_that_is_found_narrows_what_comes_before_and_after() -> None:
    notes = MarshalNotes()
    for _ in range(3):
        notes.add_new_hideout(0, [])
    notes.hideout_revealed(2, 6)
    assert [sorted(notes.candidates(depth)) for depth in range(4)] == [[0], [3], [6], [7, 8, 9]]
    assert sorted(notes.graph.edges) == [((0, 0), (1, 3)), ((1, 3), (2, 6))] + [((2, 6), (3, n)) for n in (7, 8, 9)]


def test_the_document_a_wrong_guess_may_be_a_later_hideout() -> None:
    notes = MarshalNotes()
    notes.add_new_hideout(0, [])
    notes.eliminate_vals([3])
    assert notes.candidates(1) == {1, 2}
    notes.add_new_hideout(0, [])
    assert 3 in notes.candidates(2)
    notes.add_new_hideout(0, [4])
    assert notes.candidates(3) == {3, 5, 6, 7, 8}


def test_the_document_the_escape_is_a_hideout_that_is_revealed_at_once() -> None:
    notes = MarshalNotes()
    notes.add_new_hideout(18, [])
    notes.hideout_revealed(1, 39)
    notes.add_new_hideout(0, [])
    assert notes.candidates(2) == {40, 41}  # face down it is not 42
    notes.hideout_revealed(2, 42)
    assert notes.candidates(2) == {42}
    assert notes.hideouts_range[2].tolist() == [0] * 42 + [1]


def test_what_is_revealed_without_sprints_is_looser_than_with_them() -> None:
    def found(sprints: tuple[int, ...] | None) -> MarshalNotes:
        notes = MarshalNotes()
        notes.add_new_hideout(0, [])
        notes.add_new_hideout(1, [])
        notes.reveal(2, 7, sprints)
        return notes

    assert found(None).candidates(1) == {2, 3}
    assert found((5,)).candidates(1) == {3}
    assert found((8,)).candidates(1) == {2, 3}


def test_a_value_that_lies_face_up_is_not_eliminated_and_a_struck_one_cannot_be_found() -> None:
    notes = MarshalNotes()
    notes.add_new_hideout(0, [])
    notes.hideout_revealed(1, 2)
    notes.eliminate_vals([2])
    assert notes.candidates(1) == {2}
    notes.add_new_hideout(0, [4])
    with pytest.raises(ManhuntError, match="contradict"):
        notes.hideout_revealed(2, 4)
