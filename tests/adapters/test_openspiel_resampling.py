"""Resampling: another state that a player cannot tell from the true one, as likely as random moves make it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import sqrt
from random import Random
from typing import Any

import pytest

from manhunt.adapters.openspiel import load
from manhunt.adapters.openspiel.positions import Deal, Position, Rules
from manhunt.adapters.openspiel.resampling import resample
from manhunt.core.game import Capabilities
from manhunt.core.ids import Seat
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of
from manhunt.games.pursuit.rules.game import PursuitGame

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install 'manhunt[openspiel]')")

CASES = [
    ("pursuit", "small"),
    ("pursuit", "seed"),
    ("scotland_yard", "small"),
    ("scotland_yard", "standard"),
    ("fugitive", "tiny"),
    ("fugitive", "mini"),
    ("fugitive", "second-edition"),
    ("shortest_path", "small"),
]


def sampler(seed: int) -> Callable[[], float]:
    return Random(seed).random


def play(state: Any, rng: Random, most: int = 10_000) -> Any:
    """Chance and players by lot, at most so many plies, never to the end unless most allows it."""
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            numbers, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(numbers, odds)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_a_resampled_state_looks_the_same_and_goes_on(name: str, preset: str) -> None:
    options = {"n_detectives": 2, "rounds": 6, "shown": (2,)} if preset == "standard" else {}
    game, rng = load(name, preset, **options), Random(8)
    for _ in range(2):
        state, n = game.new_initial_state(), 0
        while not state.is_terminal():
            play(state, rng, 1)
            n += 1
            if n % (25 if preset == "second-edition" else 3) and not state.is_terminal():
                continue
            for player in (0, 1):
                other = state.resample_from_infostate(player, sampler(n))
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.observation_tensor(player) == state.observation_tensor(player)
                assert other.current_player() == state.current_player()
                again = game.new_initial_state()
                for number in other.history():
                    again.apply_action(number)
                assert str(again) == str(other)
                assert play(other, Random(n)).is_terminal()


@pytest.mark.parametrize(("name", "preset"), [("pursuit", "small"), ("scotland_yard", "small"), ("fugitive", "small")])
def test_the_same_seed_gives_the_same_state_and_others_differ(name: str, preset: str) -> None:
    found = []
    for number in range(5):
        state = play(load(name, preset).new_initial_state(), Random(number), 3)
        drawn = [str(state.resample_from_infostate(1, sampler(seed))) for seed in range(20)]
        assert drawn == [str(state.resample_from_infostate(1, sampler(seed))) for seed in range(20)]
        found.append(len(set(drawn)))
    assert max(found) > 1


def reach_odds(state: Any, player: int, text: str, p: float = 1.0) -> Counter[str]:
    """By state: how likely chance and random opponents reach it, among those that look like this to the player."""
    found: Counter[str] = Counter()
    if state.information_state_string(player) == text:
        found[str(state)] += p  # type: ignore[assignment]
        return found
    if state.is_terminal():
        return found
    if state.is_chance_node():
        odds = state.chance_outcomes()
    else:
        legal = state.legal_actions()
        share = 1.0 if state.current_player() == player else 1 / len(legal)
        odds = [(number, share) for number in legal]
    for number, chance in odds:
        found.update(reach_odds(state.child(number), player, text, p * chance))
    return found


@pytest.mark.parametrize(
    ("name", "preset", "n"), [("pursuit", "tiny", 3), ("pursuit", "tiny", 4), ("scotland_yard", "tiny", 2)]
)
def test_states_come_as_often_as_random_play_leads_to_them(name: str, preset: str, n: int) -> None:
    game = load(name, preset)
    state = max((play(game.new_initial_state(), Random(seed), n) for seed in range(6)), key=lambda s: len(expected(s)))
    odds = expected(state)
    assert len(odds) > 1
    total, n_drawn = sum(odds.values()), 600
    drawn = Counter(str(state.resample_from_infostate(1, sampler(seed))) for seed in range(n_drawn))
    assert drawn.keys() <= odds.keys()
    for text, weight in odds.items():
        p = weight / total
        assert abs(drawn[text] / n_drawn - p) < 5 * sqrt(p * (1 - p) / n_drawn), text


def expected(state: Any) -> Counter[str]:
    return reach_odds(state.get_game().new_initial_state(), 1, state.information_state_string(1))


def test_the_pursuers_candidates_are_the_nodes_that_are_resampled() -> None:
    """The belief of the kit and the resampler work out the same places."""
    game, kit = load("pursuit", "small"), kit_of("pursuit")
    for seed in range(4):
        state = play(game.new_initial_state(), Random(seed), 4)
        assert kit.belief is not None
        belief = kit.belief()
        past = state.position.past()
        belief.start(past[0].view(Seat.PURSUERS))
        for position in past:
            belief.observe(position.looks(Seat.PURSUERS))
        nodes = {state.resample_from_infostate(1, sampler(s)).position.state.quarry for s in range(300)}
        assert nodes == belief.candidates


def test_before_the_deal_there_is_nothing_to_tell_apart() -> None:
    state = load("pursuit", "tiny").new_initial_state()
    assert state.resample_from_infostate(0, sampler(1)).history() == []


class ChanceHunts(PursuitGame):
    """Pursuit against a detective whom chance moves, to the first node three times as often as to others."""

    capabilities = Capabilities(hidden=True, chance=True)

    def to_act(self, state: Any) -> Seat | None:
        seat = super().to_act(state)
        return Seat.CHANCE if seat is Seat.PURSUERS else seat

    def chance_odds(self, state: Any) -> tuple[tuple[Any, float], ...]:
        first, *others = self.legal_actions(state)
        n = 3 + len(others)
        return ((first, 3 / n), *((action, 1 / n) for action in others))


def test_plies_of_chance_are_chance_nodes_with_the_games_odds() -> None:
    kit = kit_of("pursuit")
    parts = {"game": f"{__name__}:ChanceHunts", "encoder": ".rules.encoding:PursuitEncoder"}
    odd_kit = Kit(home=kit.home, name=kit.name, summary="", parts=parts)
    rules = Rules(odd_kit, odd_kit.game.make_config(board="grid:2x3", n_detectives=1, max_rounds=3, visibility="sight"))
    assert isinstance(rules.root, Deal)
    position = rules.root.after(0)
    assert isinstance(position, Position)
    position = position.after(next(iter(position.actions)))
    assert position.seat is Seat.CHANCE
    assert [number for number, _ in position.odds] == list(range(len(position.actions)))
    assert position.odds[0][1] == pytest.approx(3 / (2 + len(position.odds)))
    after = position.after(len(position.odds) - 1)
    for seed in range(10):
        assert resample(after, Seat.PURSUERS, Random(seed))[-1].told(Seat.PURSUERS) == after.told(Seat.PURSUERS)
