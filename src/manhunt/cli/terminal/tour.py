"""The acts of `manhunt demo`, which the games bring: prepared at once, then shown one after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from manhunt.cli.terminal.contract import AnyScreen, make_screen
from manhunt.cli.terminal.plain import event_lines, event_rounds, in_round
from manhunt.core.ids import Seat

if TYPE_CHECKING:
    from rich.text import Text

    from manhunt.core.game import AnyGame, View
    from manhunt.play.onlooker import Onlooker
    from manhunt.play.referee import Referee


class Act(ABC):
    """One part of the tour. Everything slow is done when it is made, so that nothing waits in the middle."""

    title: str
    about: str
    key: str | None = None
    """Its name in the JSON document; acts without one are listed as games."""

    @abstractmethod
    def picture(self, width: int, height: int) -> Text:
        """Its last picture, for a terminal of this size."""

    @abstractmethod
    def ending(self) -> str:
        """What came out, with Rich's markup."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]: ...

    def heading(self) -> str:
        return self.about

    def remark(self) -> str | None:
        """One more sentence at the end."""
        return None

    def lines(self) -> Sequence[str]:
        """What stands for the picture where there is no terminal."""
        return ()


class GameAct(Act):
    """A game between two agents, shown again ply by ply from the events of one seat."""

    game: str
    agents: Mapping[Seat, str]
    seat: Seat = Seat.SPECTATOR
    seconds: float
    """How long it may take on the screen."""

    def __init__(self, seed: int) -> None:
        from manhunt.agents.registry import make_agent
        from manhunt.core.registry import make_game
        from manhunt.play.onlooker import Onlooker
        from manhunt.play.referee import Referee

        game = make_game(self.game)
        agents = {seat: make_agent(spec, self.game, seat) for seat, spec in self.agents.items()}
        referee = Referee(game, self.config(game, seed), agents, seed=seed, names=self.agents)
        self.played: Onlooker = Onlooker(referee, self.seat)
        self.prepare(referee)
        self.played.finish()
        self.said: list[tuple[object, str]] = []
        """Round and words of everything the seat learned."""
        for screen, i in self.screens():
            self.note(screen, i)

    def config(self, game: AnyGame, seed: int) -> Any:
        return game.make_config()

    def prepare(self, referee: Referee) -> None:
        """Work that is done before the first move."""

    def screen(self) -> AnyScreen:
        """A new screen for this game."""
        return make_screen(self.game)

    def note(self, screen: AnyScreen, i: int) -> None:
        """Keep what was learned with ply `i`."""
        events, view = self.played.events[i], self.views[i]
        numbers = event_rounds(events, getattr(view, "round", "")) if i else iter([0] * len(events))
        for event, number in zip(events, numbers, strict=True):
            self.said += [(number, line) for line in event_lines(screen, (event,))]

    def round_note(self, number: object) -> str | None:
        """What is added to the line of a round."""
        return None

    def facts(self) -> dict[str, Any]:
        """More about the game, as JSON."""
        return {}

    @property
    def views(self) -> Sequence[View]:
        return self.played.views

    def screens(self) -> Iterator[tuple[AnyScreen, int]]:
        """The screen as it stands at the opening and after each ply, with the ply's number."""
        screen = self.screen()
        screen.open(self.views[0])
        yield screen, 0
        for i, events in enumerate(self.played.events[1:], 1):
            screen.hear(events)
            yield screen, i

    def recent(self, i: int) -> list[str]:
        """What was told up to ply `i`, for the screen."""
        screen = make_screen(self.game)
        return [line for events in self.played.events[: i + 1] for line in event_lines(screen, events)]

    def heading(self) -> str:
        return f"{self.about} Agents: {' against '.join(self.agents.values())}."

    def picture(self, width: int, height: int) -> Text:
        screen, i = list(self.screens())[-1]
        return screen.picture(self.views[i], width, min(16, max(height - 6, 6)))

    def ending(self) -> str:
        return f"[bold]{sentence(make_screen(self.game).ending(self.played.view))}[/bold]"

    def lines(self) -> list[str]:
        """One line a round."""
        words: dict[object, list[str]] = {}
        for number, line in self.said:
            words.setdefault(number, []).append(line)
        out = []
        for number, lines in words.items():
            note = self.round_note(number)
            more = "" if note is None else f" | {note}"
            out.append(in_round(number, f"{'; '.join(lines)}{more}") if number else "; ".join(lines))
        return out

    def to_json(self) -> dict[str, Any]:
        referee, outcome = self.played.referee, self.played.outcome
        assert outcome is not None
        facts = {
            "game": self.game,
            "seats": {seat.value: spec for seat, spec in self.agents.items()},
            "winner": outcome.winner.value,
            "termination": outcome.termination.value,
            "rounds": getattr(self.played.view, "round", None),
            "plies": len(referee.actions),
        }
        if outcome.cost is not None:
            facts["cost"] = outcome.cost
        return facts | self.facts()


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
