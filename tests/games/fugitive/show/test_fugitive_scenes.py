"""Scenes and offers of Fugitive: complete, plain JSON, silent about what a seat may not know."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from followed import SEATS, as_json, follow
from manhunt.core.errors import IllegalAction
from manhunt.core.ids import Seat
from manhunt.games.fugitive.beliefs.seats import sample_states
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Done, Hide, Sprint
from manhunt.games.fugitive.rules.config import PRESETS, make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.notation import format_action
from manhunt.games.fugitive.rules.state import State
from scene_pages import page_offers, page_scene

GAME = FugitiveGame()


@pytest.mark.parametrize("preset", PRESETS)
def test_every_legal_step_has_one_offer_and_all_is_json(preset: str) -> None:
    config = make_config(preset)
    for moment in follow("fugitive", config, seed=4):
        for seat, log in moment.logs.items():
            view = log.view
            made = as_json(page_offers(view))
            assert [offer["action"] for offer in made] == [format_action(config, action) for action in view.legal]
            assert bool(made) == (view.to_act is seat)
            picks = [(offer["kind"], *offer["picks"]) for offer in made]
            assert len(set(picks)) == len(picks)
            scene = as_json(page_scene(view))
            assert scene["turn"] == (view.to_act.value if view.to_act else None)
            assert [cell["number"] for cell in scene["pad"]] == list(range(1, config.last + 1))


@pytest.mark.parametrize("seed", range(4))
def test_face_down_cards_and_hands_are_nobody_elses(seed: int) -> None:
    for moment in follow("fugitive", make_config(), seed):
        state, over = moment.state, moment.state.end is not None
        for seat in SEATS:
            scene = page_scene(moment.logs[seat].view)
            knows = seat is Seat.EVADER or over
            for spot, hideout in zip(scene["row"], state.row, strict=True):
                assert spot["card"] == (hideout.card if knows or hideout.face_up else None)
                shown = knows or (hideout.face_up and hideout.card != state.config.last)
                assert spot["sprints"] == (list(hideout.sprints) if shown else None)
            cards = [scene["hands"][name]["cards"] for name in ("fugitive", "marshal")]
            assert cards[0] == (list(state.fugitive) if knows else None)
            assert cards[1] == (list(state.marshal) if seat is Seat.PURSUERS or over else None)
            assert scene["pending"] == ([] if state.end or rules.to_act(state) is not seat else list(state.pending))


def test_worlds_that_the_marshal_cannot_tell_apart_look_alike() -> None:
    n_compared = 0
    for moment in follow("fugitive", make_config(), seed=11, most=70):
        view = moment.logs[Seat.PURSUERS].view
        if view.to_act is not Seat.PURSUERS or not view.row or all(spot.card is not None for spot in view.row):
            continue
        for other in sample_states(view, Random(1), 3):
            for seat in (Seat.PURSUERS, Seat.SPECTATOR):
                shown, true = GAME.view(other, seat), moment.logs[seat].view
                assert page_scene(shown) == page_scene(true)
                assert page_offers(shown) == page_offers(true)
            n_compared += page_scene(GAME.view(other, Seat.EVADER)) != page_scene(moment.logs[Seat.EVADER].view)
    assert n_compared > 10


@pytest.mark.parametrize("preset", ["standard", "exactly-two", "mini"])
def test_a_placement_put_together_from_an_offer_is_legal_exactly_when_the_offer_says_so(preset: str) -> None:
    n_good = n_bad = 0
    for seed in range(3):
        for moment in follow("fugitive", make_config(preset), seed, most=60):
            for offer in page_offers(moment.logs[Seat.EVADER].view):
                if offer["kind"] != "hide":
                    continue
                worth = {each["card"]: each["worth"] for each in offer["sprints"]}
                for n in range(min(3, len(worth)) + 1):
                    for chosen in combinations(sorted(worth), n):
                        says = _enough(offer, chosen, worth)
                        assert says == _is_legal(moment.state, int(offer["picks"][0]), chosen)
                        n_good, n_bad = n_good + says, n_bad + (not says)
    assert min(n_good, n_bad) > 5


def _enough(offer: dict, chosen: tuple[int, ...], worth: dict[int, int]) -> bool:
    """As a page decides it, from the numbers of the offer alone."""
    paid = sum(worth[card] for card in chosen)
    if paid < offer["need"]:
        return False
    keep = offer["keep"]
    return keep is None or any(each["card"] not in chosen and paid <= each["most"] for each in keep)


def _is_legal(state: State, hideout: int, sprints: tuple[int, ...]) -> bool:
    try:
        for action in (Hide(hideout), *map(Sprint, sprints), Done()):
            state = rules.apply_action(state, action)
    except IllegalAction:
        return False
    return True


def test_words_of_offers_name_what_they_do() -> None:
    moments = follow("fugitive", make_config(), seed=0)
    first = next(moments)
    words = [offer["words"] for offer in page_offers(first.logs[Seat.EVADER].view)]
    hand = first.logs[Seat.EVADER].view.hand
    assert "hide at 1" in words
    assert any(f"hide at {card}, {card} after 0: sprint cards worth {card - 3}" in words for card in hand if card > 3)
    scene = page_scene(first.logs[Seat.SPECTATOR].view)
    assert scene["title"] == "Fugitive, round 1: the Fugitive to hide"
    assert scene["piles"][0] == {
        "name": "low", "low": 4, "high": 14, "size": 8, "dealt": 3, "fugitive": 0, "marshal": 0,
    }  # fmt: skip
