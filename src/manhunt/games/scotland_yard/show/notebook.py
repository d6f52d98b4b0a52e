"""The notebook of Scotland Yard: `T`, `T 46`, `2 T B` for Mr X, `red B 58` for a detective, `caught`, `stranded`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from manhunt.analysis.notebook import Button, Notebook
from manhunt.analysis.seat_log import SeatLog
from manhunt.boards.board import Board
from manhunt.core.errors import BadBoard, BadConfig, BadText, IllegalAction
from manhunt.core.ids import Node, Seat
from manhunt.core.outcome import Outcome
from manhunt.core.registry import make_game
from manhunt.core.scene import ScenePiece
from manhunt.draw.scene_json import offers_json, piece_json, scene_json
from manhunt.games.scotland_yard.beliefs.public import PublicState
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Piece, ScotlandYardAction, Single, Ticket
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, make_config
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import Detective, ScotlandYardView, view
from manhunt.games.scotland_yard.rules.words import tell
from manhunt.games.scotland_yard.show.scene import ending, scene

MOST_ROUNDS = 100
OPTIONS = ("preset", "n_detectives", "rounds", "shown", "order", "starts", "free")
EXAMPLE = "T · T 46 · 2 T B · red B 58 · caught"
HOW = "write T for a taxi of Mr X, T 46 where he shows himself, 2 T B for a double move, red B 58 for a detective"
_TICKETS = {t.letter: t for t in Ticket if t is not Ticket.DOUBLE} | {str(t).upper(): t for t in Ticket}
_TICKETS |= {"BLACK": Ticket.SECRET, "TUBE": Ticket.UNDERGROUND}
_LETTERS = {piece.letter: piece for piece in DETECTIVES}
_NAMES = {piece.name: piece for piece in DETECTIVES}
Step = tuple[Ticket, Node | None]


def open_notebook(options: Mapping[str, Any], board: Board | None = None) -> YardNotebook:
    """A table with these options; `starts` are the detectives' stations, `free` lets Mr X begin anywhere.

    Without `starts` the detectives stand on the first of the preset's.
    """
    for name in options:
        if name not in OPTIONS:
            raise BadConfig(f"no option {name!r} in a notebook of Scotland Yard; it has {', '.join(OPTIONS)}")
    if isinstance(rounds := options.get("rounds"), int) and rounds > MOST_ROUNDS:
        raise BadConfig(f"{rounds} rounds; a notebook takes {MOST_ROUNDS} at most")
    given = {k: v for k, v in options.items() if k not in ("preset", "starts", "free") and v is not None}
    place: dict[str, Any] = {} if board is None else {"board": board}
    config = make_config(options.get("preset"), **place, **given)
    starts = options.get("starts")
    if starts is None:
        starts = (config.detective_starts or config.board.labels)[: config.n_detectives]
    return YardNotebook(_opening(config, starts, options.get("free", False)))


def _opening(config: ScotlandYardConfig, starts: object, free: object) -> ScotlandYardView:
    """What the detectives see first. Where Mr X really is does not change it, as long as the game can begin."""
    if not isinstance(starts, Sequence) or isinstance(starts, str):
        raise BadConfig("starts is a list of the detectives' stations, such as ['117', '34']")
    if len(starts) != config.n_detectives:
        raise BadConfig(f"{len(starts)} start stations for {config.n_detectives} detectives; give one for each")
    if not isinstance(free, bool):
        raise BadConfig(f"free is true (Mr X began anywhere) or false (on one of his start places), not {free!r}")
    game, labels = make_game("scotland_yard"), [str(label) for label in starts]
    anywhere = free or not config.mrx_starts
    for place in config.board.labels if anywhere else config.mrx_starts:
        state: ScotlandYardState = game.start(config, make_setup(place, labels, free=anywhere))
        if rules.outcome(state) is None:
            return replace(view(state, Seat.PURSUERS), legal=())
    raise BadConfig("Mr X has no place to begin on; the detectives occupy them all")


class YardNotebook(Notebook):
    def __init__(self, opening: ScotlandYardView) -> None:
        self.opening = opening
        self.config, self.board = opening.config, opening.config.board
        self.public = PublicState(opening)
        self.support = Support()
        self.support.start(opening)
        self.events: list[dict[str, Any]] = []
        self.outcome: Outcome | None = None
        self.quarry: Node | None = None
        self._catch: Node | None = None
        """Where the detective who moved last would have caught Mr X."""
        self._stuck: frozenset[Node] = frozenset()
        """Where Mr X could not move now, so that the game would be over."""

    # -- lines -------------------------------------------------------------------------------------

    def enter(self, text: str) -> str:
        words = _words_of(self.board, text)
        if words == ["CAUGHT"]:
            return self._caught()
        self._check_goes_on()
        if words == ["STRANDED"]:
            return self._stranded()
        if words[0] in ("X", "MRX"):
            words = words[1:]
        if words and (words[0] in _NAMES or (words[0] in _LETTERS and len(words) > 2)):
            return self._detective(_NAMES.get(words[0]) or _LETTERS[words[0]], words[1:], text)
        is_double = bool(words) and words[0] in ("2", "2X", "DOUBLE")
        return self._mrx(self._steps(words[1:] if is_double else words, text), is_double)

    def _check_goes_on(self) -> None:
        if self.outcome is not None:
            raise IllegalAction(f"the game is over ({self.outcome}); nothing can follow")

    def _steps(self, words: Sequence[str], text: str) -> list[Step]:
        """Tickets, each with the station that follows it, if any."""
        steps: list[Step] = []
        for word in words:
            if word in _TICKETS and _TICKETS[word] is not Ticket.DOUBLE:
                steps.append((_TICKETS[word], None))
            elif steps and steps[-1][1] is None:
                steps[-1] = (steps[-1][0], self._node(word, text))
            else:
                raise BadText(f"{text!r} is not an entry; {HOW}")
        if not steps:
            raise BadText(f"{text!r} is not an entry; {HOW}")
        return steps

    def _node(self, label: str, text: str) -> Node:
        try:
            return self.board.node(label)
        except BadBoard as error:
            raise BadText(f"{text!r}: {error}") from None

    def _mrx(self, steps: list[Step], is_double: bool) -> str:
        self._check_mrx(steps, is_double)
        nodes = self.support.candidates
        for i, (ticket, at) in enumerate(steps):
            nodes = self._after_step(nodes, ticket, at, self.public_round + i + 1)
        entered = [{"t": "double"}] if is_double else []
        for i, (ticket, at) in enumerate(steps):
            seen = None if at is None else self.board.label(at)
            entered.append({"t": "logged", "round": self.public_round + i + 1, "ticket": str(ticket), "at": seen})  # type: ignore[dict-item]
        self._hear(entered)
        self._catch = None
        self._next_turn()
        return "; ".join(words for event in entered if (words := tell(event)) is not None)

    @property
    def public_round(self) -> int:
        return len(self.public.log)

    def _check_mrx(self, steps: list[Step], is_double: bool) -> None:
        waiting = self._movers()
        if self.public.waiting:
            raise IllegalAction(f"it is the turn of {_listed(waiting)}; write {waiting[0]} and where he goes")
        if is_double is not (len(steps) == 2):
            raise BadText("a double move has two tickets: write 2 T B" if is_double else f"one entry a line; {HOW}")
        held, left = self.public.mrx_tickets, self.config.n_rounds - self.public_round
        if is_double and not held.double:
            raise IllegalAction("Mr X has no double ticket left")
        if is_double and left < 2:
            raise IllegalAction("a double move needs two rounds, and one is left")
        for i, (ticket, at) in enumerate(steps):
            if held[ticket] < 1:
                raise IllegalAction(f"Mr X has no {ticket} ticket left")
            held = held.plus(ticket, -1)
            number = self.public_round + i + 1
            if self.config.rounds[number - 1] and at is None:
                raise BadText(f"Mr X shows himself in round {number}: write the station, too, as {ticket.letter} 46")
            if not self.config.rounds[number - 1] and at is not None:
                raise BadText(f"Mr X is hidden in round {number}: write the ticket alone, {ticket.letter}")

    def _after_step(self, nodes: frozenset[Node], ticket: Ticket, at: Node | None, number: int) -> frozenset[Node]:
        """Where one step can lead; IllegalAction if it cannot be."""
        reached = self._reached(nodes, ticket)
        if not reached:
            where = _counted(len(nodes), self.board.text(sorted(nodes)[:6]))
            raise IllegalAction(f"Mr X cannot have paid {ticket} in round {number}: none of {where} has a free one")
        if at is None:
            return reached
        if at not in reached:
            where = self.board.text(sorted(reached)[:12]) + (" ..." if len(reached) > 12 else "")
            raise IllegalAction(f"Mr X cannot be on {self.board.label(at)} by {ticket}: it leads to {where}")
        return frozenset({at})

    def _reached(self, nodes: Iterable[Node], ticket: Ticket) -> frozenset[Node]:
        rows = rules.fares(self.board)
        return frozenset(to for n in nodes for paid, to in rows[n] if paid is ticket) - frozenset(self.public.pursuers)

    def _detective(self, piece: Piece, words: Sequence[str], text: str) -> str:
        if len(words) != 2 or words[0] not in _TICKETS:
            raise BadText(f"{text!r} is not a move of a detective; write {piece} B 58")
        action = Single(piece, _TICKETS[words[0]], self._node(words[1], text))
        reason = rules.reason_against(self._state(), action)
        if reason is not None:
            where = f"by {action.ticket} to {self.board.label(action.to)}"
            raise IllegalAction(f"{piece} cannot go {where}: {reason}")
        self._catch = action.to if action.to in self.support.candidates else None
        event = {"t": "moved", "piece": str(piece), "ticket": str(action.ticket), "to": self.board.label(action.to)}
        self._hear([event])
        self._next_turn()
        words_told = tell(event) or ""
        return words_told if self.outcome is None else f"{words_told}; {self._ending()}"

    def _caught(self) -> str:
        if self.outcome in (rules.CAPTURE, rules.STRANDED):
            raise IllegalAction(f"the game is over ({self.outcome}); nothing can follow")
        if self._catch is None:
            raise IllegalAction("Mr X cannot be caught here: no detective has just come to where he can be")
        self.events.pop()
        self._end(rules.CAPTURE, self._catch)
        return self._ending()

    def _stranded(self) -> str:
        if not self._stuck:
            raise IllegalAction("Mr X can move now, wherever he is")
        self.events.pop()
        self._end(rules.STRANDED, next(iter(self._stuck)) if len(self._stuck) == 1 else None)
        return self._ending()

    # -- the game ----------------------------------------------------------------------------------

    def _state(self) -> ScotlandYardState:
        """One of the states that fit; what is asked of it is the same in all."""
        return self.public.state(min(self.support.candidates))

    def _movers(self) -> tuple[Piece, ...]:
        return rules.movers(self._state())

    def _hear(self, events: Iterable[Mapping[str, Any]]) -> None:
        for event in events:
            self.events.append({"v": len(self.events) + 1, **event})
            self.public.update(event)
            self.support.update(event)

    def _next_turn(self) -> None:
        """The event that ends every ply; where nothing else fits, the game is over."""
        before = self.support.candidates
        free = before - frozenset(self.public.pursuers)
        if not free:
            self._end(rules.CAPTURE, self._catch)
            return
        state = self.public.state(min(free))
        self.public.waiting = state.waiting
        end = rules.outcome(state)
        if end in (rules.SURVIVAL, rules.EXHAUSTED):
            self._end(end, None)
            return
        movers = [piece.name.lower() for piece in state.waiting] or ["mrx"]
        self._hear([{"t": "turn", "movers": movers, "outcome": None, "quarry": None}])
        self._stuck = free - self.support.candidates
        if not self.support.candidates:
            self.events.pop()
            where = next(iter(before)) if len(before) == 1 else None
            self._end(rules.STRANDED if self._catch is None else rules.CAPTURE, where)

    def _end(self, outcome: Outcome, quarry: Node | None) -> None:
        self.outcome, self.quarry = outcome, quarry
        label = None if quarry is None else self.board.label(quarry)
        self._hear([{"t": "turn", "movers": [], "outcome": str(outcome), "quarry": label}])

    def _ending(self) -> str:
        assert self.outcome is not None
        return ending(self.outcome)

    # -- what is shown -----------------------------------------------------------------------------

    def view(self) -> ScotlandYardView:
        public = self.public
        held = zip(public.pieces, public.pursuers, public.tickets[1:], strict=True)
        acting = None if self.outcome is not None else Seat.PURSUERS if public.waiting else Seat.EVADER
        return replace(
            self.opening,
            quarry=self.quarry,
            detectives=tuple(Detective(*each) for each in held),
            mrx_tickets=public.mrx_tickets,
            log=tuple(public.log),
            waiting=public.waiting,
            to_act=acting,
            outcome=self.outcome,
        )

    def log(self) -> SeatLog:
        return SeatLog("scotland_yard", Seat.PURSUERS, self.opening, tuple(self.events), self.view())

    def page(self) -> dict[str, Any]:
        from manhunt.games.scotland_yard.show.insights import followed_belief

        nodes = sorted(self.support.candidates)
        chances = followed_belief(self.log()).probabilities if self.outcome is None else {}
        weights = {node: chances.get(node, 0.0) for node in nodes} if chances else dict.fromkeys(nodes, 1.0)
        total = sum(weights.values())
        label = self.board.label
        belief = {label(node): float(f"{weight / total:.4g}") for node, weight in weights.items()} if total else {}
        return {
            "game": "scotland_yard",
            "board": {"name": self.board.name, "digest": self.board.hash},
            "scene": scene_json(replace(scene(self.view()), candidates=tuple(nodes))),
            "belief": belief,
            "offers": offers_json(scene(replace(self.view(), legal=self._legal()))),
            "table": self._table(),
        }

    def _legal(self) -> tuple[ScotlandYardAction, ...]:
        """The detectives' moves, which do not depend on where Mr X is."""
        return rules.legal_actions(self._state()) if self.outcome is None and self.public.waiting else ()

    def _table(self) -> dict[str, Any]:
        """The options as they are now, for the form."""
        label = self.board.label
        return {
            "preset": self.config.preset,
            "presets": list(make_game("scotland_yard").presets),
            "rounds": self.config.n_rounds,
            "shown": list(self.config.shown_rounds),
            "order": self.config.order.value,
            "free": self.opening.free,
            "detectives": [_piece_json(d.piece, label(d.node)) for d in self.opening.detectives],
            "mostDetectives": len(DETECTIVES),
        }

    def next(self) -> list[Button]:
        if self.outcome in (rules.CAPTURE, rules.STRANDED):
            return []
        buttons: list[Button] = []
        if self.outcome is None and self.public.waiting:
            buttons = [self._detective_button(piece) for piece in self._movers()]
        elif self.outcome is None:
            buttons = self._mrx_buttons()
        if self._catch is not None:
            where = self.board.label(self._catch)
            buttons.append({"text": "caught", "words": f"caught on {where}", "colour": "danger"})
        if self._stuck and self.outcome is None:
            buttons.append({"text": "stranded", "words": "he cannot move", "colour": "danger"})
        return buttons

    def _mrx_buttons(self) -> list[Button]:
        nodes, held = self.support.candidates, self.public.mrx_tickets
        buttons = self._step_buttons(nodes, held, self.public_round)
        if not held.double or self.config.n_rounds - self.public_round < 2:
            return buttons
        firsts = [first for first in self._step_buttons(nodes, held, self.public_round) if self._add_second(first)]
        double = {"text": "2", "words": "double", "colour": "ink", "left": held.double, "then": firsts}
        return [*buttons, double] if firsts else buttons

    def _add_second(self, first: Button) -> bool:
        """Add to the first step of a double move what can follow it, by station where it is shown."""
        ticket, number = _TICKETS[first["text"]], self.public_round + 1
        held = self.public.mrx_tickets.plus(ticket, -1)
        if "pick" not in first:
            first["then"] = self._step_buttons(self._reached(self.support.candidates, ticket), held, number)
            return bool(first["then"])
        labels = first["pick"]["from"]
        then = {label: self._step_buttons([self.board.node(label)], held, number) for label in labels}
        first["pick"]["then"] = {label: buttons for label, buttons in then.items() if buttons}
        first["pick"]["from"] = list(first["pick"]["then"])
        return bool(first["pick"]["from"])

    def _step_buttons(self, nodes: Iterable[Node], held: Any, n_logged: int) -> list[Button]:
        shown, buttons = self.config.rounds[n_logged], []
        for ticket in (Ticket.TAXI, Ticket.BUS, Ticket.UNDERGROUND, Ticket.SECRET):
            reached = self._reached(nodes, ticket) if held[ticket] else frozenset()
            if reached:
                button: Button = {"text": ticket.letter, "words": str(ticket), "colour": str(ticket)}
                button["left"] = held[ticket]
                if shown:
                    labels = [self.board.label(node) for node in sorted(reached)]
                    button["pick"] = {"from": labels, "n": 1, "words": f"seen in round {n_logged + 1} on"}
                buttons.append(button)
        return buttons

    def _detective_button(self, piece: Piece) -> Button:
        ways: dict[Ticket, list[str]] = {}
        for move in self._legal():
            if isinstance(move, Single) and move.piece is piece:
                ways.setdefault(move.ticket, []).append(self.board.label(move.to))
        held = self.public.tickets[self.public.pieces.index(piece) + 1]
        then = [
            {
                "text": ticket.letter,
                "words": str(ticket),
                "colour": str(ticket),
                "left": held[ticket],
                "pick": {"from": labels, "n": 1, "words": f"{piece} by {ticket} to"},
            }
            for ticket, labels in sorted(ways.items())
        ]
        at = self.board.label(self.public.pursuers[self.public.pieces.index(piece)])
        look = _piece_json(piece, at)
        return {"text": str(piece), "words": str(piece), "piece": look, "then": then}


def _words_of(board: Board, text: str) -> list[str]:
    """The words of a line in capitals; `B58` and `R:B58` are taken apart."""
    words: list[str] = []
    for word in text.replace(":", " ").replace(",", " ").split():
        upper = word.upper()
        label = word[1:]
        if upper[0] in _TICKETS and word not in board.labels and label in board.labels:
            words += [upper[0], label]
        else:
            words.append(word if word in board.labels else upper)
    if not words:
        raise BadText(f"an empty line; {HOW}")
    return words


def _listed(names: Iterable[Piece]) -> str:
    return ", ".join(map(str, names))


def _counted(n: int, some: str) -> str:
    """`the stations where he can be (12 13 22)`, or their number where there are many."""
    return f"the {n} stations where he can be" if n > 6 else f"the stations where he can be ({some})"


def _piece_json(piece: Piece, at: str) -> dict[str, Any]:
    return piece_json(ScenePiece(Node(0), "pursuer", piece - 1, piece.letter, str(piece)), at)
