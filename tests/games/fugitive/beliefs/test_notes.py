"""The layered graph: kept up event by event it equals the one made at once, and equals all chains listed one by one."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

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
            notes.miss(guess.numbers[0])
    for position, (old, new) in enumerate(zip(old_row, after.row, strict=False), 1):
        if new.face_up and not old.face_up:
            notes.reveal(position, new.card, new.sprints)
    for new in after.row[len(old_row) :]:
        if new.card == after.config.last:
            notes.escape(len(new.sprints))
        else:
            notes.new_hideout(len(new.sprints))
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
    notes.new_hideout(0)
    with pytest.raises(ManhuntError, match="no position 2 to turn up"):
        notes.reveal(2, 5, ())
    with pytest.raises(ManhuntError, match="there is no position 3"):
        notes.candidates(3)
    with pytest.raises(ManhuntError, match="contradict"):
        notes.eliminate([1, 2, 3])
