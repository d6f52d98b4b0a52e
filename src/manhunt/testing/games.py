"""Checks that any game of the contract must pass; they run for outsiders as for us."""

from random import Random
from typing import Any

from manhunt.core.game import AnyGame
from manhunt.core.ids import EVERYBODY, Seat
from manhunt.core.registry import game_names, kit_of, make_game
from manhunt.play.record import Record, parse_record, replay


class ContractBroken(AssertionError):
    """A game or an agent breaks its contract; the text says where."""


def _demand(holds: bool, what: str) -> None:
    if not holds:
        raise ContractBroken(what)


def small_config(game: AnyGame) -> Any:
    """The config of short games that the game's kit names for checks; the usual one if it has no kit."""
    return game.make_config(**kit_of(game.name).small) if game.name in game_names() else game.make_config()


def check_game(game: AnyGame | str, config: Any = None, *, seed: int = 0, max_plies: int = 10_000) -> Record:
    """Play one random game and check every step of it against the contract; returns its record.

    `game` is a registered name, or the game itself; without a config the kit's small one is played.

    >>> check_game("pursuit", seed=1)
    <Record pursuit: 12 plies, evader survival>
    """
    rules = make_game(game) if isinstance(game, str) else game
    return _check_game(rules, small_config(rules) if config is None else config, seed, max_plies)


def _check_game(game: AnyGame, config: Any, seed: int, max_plies: int) -> Record:
    rng = Random(seed)
    same = game.config_from_json(game.config_to_json(config))
    _demand(same == config, "config_from_json(config_to_json(config)) differs from the config")
    setup = game.deal(config, rng)
    state = game.start(config, setup)
    _demand(game.start(config, setup) == state, "start gives two states for one setup")
    _check_audiences(game.opening_events(state))
    actions: list[Any] = []
    while game.outcome(state) is None:
        _demand(len(actions) < max_plies, f"no end after {max_plies} plies")
        state = _check_step(game, config, state, rng, actions)
    _check_end(game, state)
    record = Record.of(game, config, setup, actions, seed=seed, outcome=game.outcome(state))
    _demand(parse_record(record.format()) == record, "parsing a formatted record gives another record")
    _demand(replay(record).states[-1] == state, "replaying the record ends in another state")
    return record


def _check_step(game: AnyGame, config: Any, state: Any, rng: Random, actions: list[Any]) -> Any:
    where = f"ply {len(actions)}, {game.format_state(state)}"
    seat = game.to_act(state)
    legal = game.legal_actions(state)
    _demand(seat is not None, f"nobody is to act but the game is not over ({where})")
    _demand(len(legal) > 0, f"no legal action but the game is not over ({where})")
    _demand(len(set(legal)) == len(legal), f"a legal action is listed twice ({where})")
    for action in legal:
        text = game.format_action(config, action)
        _demand(not any(c.isspace() for c in text), f"notation {text!r} has white space ({where})")
        _demand(game.parse_action(config, text) == action, f"{text!r} parses to another action ({where})")
    _check_views(game, state, seat, legal, where)
    action = game.sample_chance(state, rng) if seat is Seat.CHANCE else rng.choice(legal)
    kept = game.format_state(state)
    after = game.apply_action(state, action)
    _demand(game.apply_action(state, action) == after, f"one action leads to two states ({where})")
    _demand(game.format_state(state) == kept, f"an old state changed ({where})")
    _check_audiences(game.events(state, action, after))
    actions.append(action)
    return after


def _check_views(game: AnyGame, state: Any, seat: Seat | None, legal: tuple[Any, ...], where: str) -> None:
    for watcher in EVERYBODY:
        view = game.view(state, watcher)
        _demand(view.game == game.name, f"the view names the game {view.game!r} ({where})")
        _demand(view.seat is watcher, f"the view of {watcher.value} is for {view.seat} ({where})")
        _demand(view.to_act is seat, f"the view of {watcher.value} lets {view.to_act} act ({where})")
        _demand(
            view.legal == (legal if watcher is seat else ()), f"wrong legal in the view of {watcher.value} ({where})"
        )
        _demand(bool(game.format_view(view)), f"the view of {watcher.value} has no text ({where})")


def _check_audiences(events: tuple[Any, ...]) -> None:
    for event in events:
        _demand(event.audience <= EVERYBODY, f"event {event.kind} is for {event.audience}")
        _demand(bool(event.audience), f"event {event.kind} is for nobody")


def _check_end(game: AnyGame, state: Any) -> None:
    where = game.format_state(state)
    _demand(game.legal_actions(state) == (), f"legal actions after the end ({where})")
    _demand(game.to_act(state) is None, f"somebody is to act after the end ({where})")
