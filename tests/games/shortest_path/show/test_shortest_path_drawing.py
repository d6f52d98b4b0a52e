"""Adversarial Shortest Path as a picture."""

import xml.etree.ElementTree as ET
from dataclasses import replace

from hypothesis import given

from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.draw.scenes import scene_of
from manhunt.games.shortest_path.rules import rules, views
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.games.shortest_path.show.scene import ending, excerpt
from shortest_path_games import shortest_path_histories


def test_the_picture_has_both_ends_the_cheapest_way_and_what_was_raised() -> None:
    config = make_config(board="path:4", source=1, target=4)
    n = config.board.node
    state = rules.apply_action(rules.start(config), OnEdge(n("1"), n("2")))
    state = rules.apply_action(state, OnEdge(n("3"), n("4")))
    text = state._repr_svg_()
    drawn = ET.fromstring(text)
    arrows = [element.get("data-arrow") for element in drawn.iter() if element.get("data-arrow")]
    assert arrows == ["2 3", "3 4"]
    pieces = {e.get("data-piece"): e.get("data-node") for e in drawn.iter() if e.get("data-piece")}
    assert pieces == {"quarry-0": "2", "target-0": "4"}
    assert "paid 1; cheapest now for 3: 2 3 4" in text
    assert "raised: 3-4 2" in text


@given(shortest_path_histories())
def test_every_action_has_its_own_picks(history) -> None:
    state = history[0][-1]
    seat = rules.to_act(state)
    if seat is None:
        assert scene_of(views.view(state, Seat.SPECTATOR)).choices == ()
        return
    view = views.view(state, seat)
    offers = scene_of(view).offers
    picks = [offer.picks for offer in offers if offer.picks]
    assert len(set(picks)) == len(picks)
    assert set(scene_of(view).choices) == (
        set(state.config.board.neighbours(state.quarry)) if seat is Seat.EVADER else set()
    )


def test_endings_in_words() -> None:
    config = make_config(board="path:4", source=1, target=4)
    n = config.board.node
    state = rules.start(config)
    view, lost = views.view(state, Seat.SPECTATOR), Outcome(Side.PURSUERS, Termination.FORFEIT)
    assert ending(view, Outcome(Side.EVADER, Termination.ARRIVAL, 6.5)) == "the traveller arrives and pays 6.5"
    assert ending(view, Outcome(Side.EVADER, Termination.FORFEIT)) == "the adversary failed"
    assert ending(view, lost) == "the traveller failed", "with moves left"
    there, back, far = OnEdge(n("1"), n("2")), OnEdge(n("2"), n("1")), OnEdge(n("3"), n("4"))
    for action in (there, far, back, far) * (config.move_limit // 2):
        state = rules.apply_action(state, action)
    view = views.view(state, Seat.SPECTATOR)
    assert view.outcome == lost
    assert scene_of(view).ending == "the traveller paid 8 without reaching the target"
    assert ending(view, replace(lost, why="resign")) == "the traveller resigned"


def test_of_a_crowded_graph_the_terminal_shows_what_matters() -> None:
    config = make_config(board="contest:300:1410:separation=8:cut=4:seed=1")
    edge = config.board.edges[77]
    state = rules.start(config)
    state = rules.apply_action(state, rules.legal_actions(state)[0])
    state = rules.apply_action(state, OnEdge(edge.a, edge.b))
    part, whole = excerpt(views.view(state, Seat.EVADER)), scene_of(views.view(state, Seat.EVADER))

    def labels(scene, nodes) -> list[str]:
        return [scene.board.label(node) for node in nodes]

    assert len(part.board.edges) < 100
    assert {config.board.label(edge.a), config.board.label(edge.b)} <= set(part.board.labels)
    assert labels(part, part.choices) == labels(whole, whole.choices)
    for scene in (part, whole):
        scene.check()
    assert [labels(part, arrow) for arrow in part.arrows] == [labels(whole, a) for a in whole.arrows]


def test_a_graph_that_can_be_read_is_shown_whole() -> None:
    view = views.view(rules.start(make_config()), Seat.EVADER)
    assert excerpt(view) == scene_of(view)
