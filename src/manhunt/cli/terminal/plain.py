"""A game as plain lines or as JSON lines, for pipes, logs and machines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from manhunt.analysis.insights import percent
from manhunt.cli.screen import print_json, say
from manhunt.cli.terminal.contract import AnyScreen, capital
from manhunt.cli.terminal.options import Begun, turns_text
from manhunt.core.game import View
from manhunt.core.registry import kit_of, make_game
from manhunt.core.seeds import seed_to_json
from manhunt.draw.scenes import has_scene, scene_of
from manhunt.play.event_words import referee_words


def opening_line(begun: Begun) -> str:
    """`TITLE, seed 7: evader random, pursuers greedy`."""
    referee = begun.game.referee
    players = ", ".join(f"{word} {referee.names.get(seat, '-')}" for word, seat in begun.screen.words.items())
    return f"{referee.game.title}, {begun.seed_text}: {players}"


def event_lines(screen: AnyScreen, events: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """The events that say something to a person."""
    for event in events:
        if event.get("t") not in (None, "commitment", "end", "fault"):
            line = referee_words(make_game(screen.game), event) or screen.tell(event)
            if line is not None:
                yield line


def hint_lines(hint: Mapping[str, Any] | None) -> list[str]:
    """An adviser's plan, then the next best."""
    if hint is None:
        return []
    words = capital(hint["words"])
    words = words if words.endswith((".", "!", "?", "...")) else f"{words}."
    if (agent := hint.get("agent")) is not None:
        chance = hint.get("winning")
        words += f" Agent {agent}{'' if chance is None else f': {percent(chance)} to win'}."
    return [f"Hint: {words}", *(f"   or: {other['words']}" for other in hint.get("alternatives", ()))]


def result_lines(begun: Begun) -> list[str]:
    """How the game ended, with the reason of a forfeit."""
    game = begun.game
    lines = [f"You took back {turns_text(begun.n_taken_back)}."] if begun.n_taken_back else []
    if not game.over:
        return [*lines, "The game is unfinished."]
    lines += [f"The seed was {seed_to_json(begun.seed)}."] if begun.seed_is_secret else []
    lines.append(f"Result: {begun.screen.ending(game.view)}.")
    if (verdict := begun.screen.verdict(game.view)) is not None:
        lines.append(f"{verdict[0].upper()}{verdict[1:]}.")
    if game.fault is not None:
        forfeited = any(event.get("t") == "forfeit" for event in game.events[-1])
        lines.append(f"{'Reason' if forfeited else 'A bad move became a pass'}: {game.fault}")
    return lines


class PlainTeller:
    """Prints what happened since it was last asked."""

    def __init__(self, begun: Begun) -> None:
        self.begun = begun
        self.n_told = 0

    def go_back(self) -> None:
        """Something was taken back: what happens from here on is news again."""
        self.n_told = min(self.n_told, len(self.begun.game.events))

    def catch_up(self) -> None:
        game, screen = self.begun.game, self.begun.screen
        for i in range(self.n_told, len(game.events)):
            if i == 0:
                promise = screen.promise()
                certain = [] if promise is None else [promise]
                say("\n".join([opening_line(self.begun), *event_lines(screen, game.events[i]), *certain]))
                continue
            events = game.events[i]
            is_forfeit = any(event.get("t") == "forfeit" for event in events)
            now = _round_of(game.views[i - 1]) if is_forfeit else getattr(game.views[i], "round", "")
            for event, number in zip(events, event_rounds(events, now), strict=True):
                for line in event_lines(screen, (event,)):
                    say(in_round(number, line))
        self.n_told = len(game.events)


def _round_of(view: View) -> object:
    """The round that is being played, as pictures count it."""
    return scene_of(view).round if has_scene(kit_of(view.game)) else getattr(view, "round", "")


def in_round(number: object, line: str) -> str:
    """The line behind its round, which is not said twice if the line names it, too."""
    return f"round {number}".rstrip() + f": {without_round(number, line)}"


def without_round(number: object, line: str) -> str:
    """The line without the words for a round that is named elsewhere."""
    return re.sub(rf" in {f'round {number}'.rstrip()}(?![0-9])", "", line)


def event_rounds(events: tuple[Mapping[str, Any], ...], now: object) -> Iterator[object]:
    """The round of each event: its own, or that of its neighbours. A double move is told at once but fills two."""
    own = [event["round"] for event in events if "round" in event]
    number = own[0] if own else now
    for event in events:
        number = event.get("round", number)
        yield number


class JsonTeller:
    """One JSON line per event that the seat may read; hidden ones are numbers alone."""

    def __init__(self, begun: Begun) -> None:
        self.begun = begun
        self.n_told = 0

    def go_back(self) -> None:
        """Something was taken back: events after number `v` never happened."""
        game = self.begun.game
        self.n_told = min(self.n_told, len(game.events))
        n_events = sum(map(len, game.told))
        print_json({"t": "taken back", "turns": self.begun.n_taken_back, "v": n_events})

    def catch_up(self) -> None:
        bounds = self.begun.screen.bounds()
        if self.n_told == 0 and bounds is not None:
            print_json({"t": "bounds", **bounds})
        for events in self.begun.game.events[self.n_told :]:
            for event in events:
                print_json(event)
        self.n_told = len(self.begun.game.events)

    def outcome(self) -> None:
        referee, outcome = self.begun.game.referee, self.begun.game.outcome
        bounds = self.begun.screen.bounds()
        certain = {} if bounds is None else {"bounds": [bounds["lower"]["value"], bounds["upper"]["value"]]}
        print_json(
            {
                "t": "outcome",
                "winner": outcome and outcome.winner.value,
                "termination": outcome.termination.value if outcome else "unfinished",
                "value": outcome and outcome.value,
                "cost": outcome and outcome.cost,
                "fault": referee.fault if outcome else None,
                "plies": len(referee.actions),
                "seed": seed_to_json(self.begun.seed) if outcome else None,
                "seats": {seat.value: name for seat, name in referee.names.items()},
                **({"taken_back": self.begun.n_taken_back} if self.begun.n_taken_back else {}),
                **certain,
            }
        )
