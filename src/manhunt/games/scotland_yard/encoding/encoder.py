"""Moves of Scotland Yard as numbers, and what a seat sees as a vector; `batch_kernels.py` does the same, compiled."""

from typing import Any

import numpy as np

from manhunt.core.arrays import Float32s
from manhunt.core.belief import Belief
from manhunt.core.encoding import Encoder, Plane, common_planes, laid_out, write_common
from manhunt.core.errors import BadConfig, one_of
from manhunt.core.game import View
from manhunt.games.scotland_yard.encoding.numbering import build_numbering
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, ScotlandYardAction, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.packed import decode
from manhunt.games.scotland_yard.rules.rules import fares
from manhunt.games.scotland_yard.rules.views import ScotlandYardView


class ScotlandYardEncoder(Encoder):
    """Numbers: Mr X's single moves by ticket and node, then each detective's, then double moves (see `numbering.py`).

    It works if the detectives' pieces are the first ones in seat order, as in every dealt game.
    """

    def __init__(self, config: ScotlandYardConfig) -> None:
        self.config = config
        self.pieces = DETECTIVES[: config.n_detectives]
        self.numbering = build_numbering(config.board, config.n_detectives)
        self.n_actions = self.numbering.n_actions
        self.planes = laid_out((*common_planes(), *_planes(config)))
        n = config.board.n_nodes
        self.shared_planes = (Plane("candidates", "By node: 1 if Mr X can be there, from what everybody saw.", n),)
        self.start = {plane.name: plane.start for plane in self.planes}
        self.ticket_totals = ticket_totals(config)

    def number_of(self, action: ScotlandYardAction) -> int:
        tables = self.numbering
        if isinstance(action, Double):
            first = tables.first_double[tables.fare[action.ticket1, action.mid]]
            return int(first) + fares(self.config.board)[action.mid].index((action.ticket2, action.to))
        fare = int(tables.fare[action.ticket, action.to])
        if action.piece is Piece.MRX:
            return fare
        if action.piece not in self.pieces:
            raise BadConfig(f"{action.piece} has no numbers here; the pieces are {one_of(map(str, self.pieces))}")
        return tables.n_fares + self.pieces.index(action.piece) * tables.n_public + fare

    def action_of(self, number: int, view: View) -> ScotlandYardAction:
        if 0 <= number < self.n_actions:
            action = decode(self.pieces, int(self.numbering.code[number]))
            if action in view.legal:
                return action
        raise self.refusal(number, view)

    def piece_of(self, action: ScotlandYardAction) -> int | None:
        return None if action.piece is Piece.MRX else self.pieces.index(action.piece)

    def observe(self, view: View) -> Float32s:
        assert isinstance(view, ScotlandYardView)
        start, rounds, n = self.start, self.config.rounds, self.config.board.n_nodes
        out = np.zeros(self.observation_size, np.float32)
        write_common(out, view)
        out[start["round"]] = view.round / len(rounds)
        held = (view.mrx_tickets, *(d.tickets[:3] for d in view.detectives))
        shares = [min(count / total, 1) for row in held for count, total in zip(row, self.ticket_totals, strict=False)]
        out[start["tickets"] :][: len(shares)] = shares
        for slot, entry in enumerate(view.log):
            out[start["log"] + 4 * slot + entry.ticket] = 1
        out[start["reveals"] + view.round :][: view.rounds_left] = rounds[view.round :]
        if view.quarry is not None:
            out[start["mrx"] + view.quarry] = 1
        if view.sighting is not None:
            out[start["sighting"] + view.sighting.node] = 1
            out[start["sighting_round"]] = view.sighting.round / len(rounds)
        for i, detective in enumerate(view.detectives):
            out[start["detectives"] + i * n + detective.node] = 1
            out[start["waiting"] + i] = detective.piece in view.waiting
        return out

    def belief_planes(self, belief: Belief[Any]) -> Float32s:
        out = np.zeros(self.belief_size, np.float32)
        out[list(belief.candidates)] = 1
        return out


def ticket_totals(config: ScotlandYardConfig) -> Tickets:
    """By kind: how many all pieces have together when the game begins, at least 1."""
    pairs = zip(config.mrx_tickets, config.detective_tickets, strict=True)
    return Tickets(*(max(mrx + config.n_detectives * detective, 1) for mrx, detective in pairs))


def _planes(config: ScotlandYardConfig) -> tuple[Plane, ...]:
    """Everything but the nodes comes first, so that the kernel can write it in one go."""
    nodes, rounds, n = config.board.n_nodes, config.n_rounds, config.n_detectives
    kinds = ", ".join(map(str, Ticket))
    return (
        Plane("round", "The share of the travel log that is filled.", 1),
        Plane(
            "sighting_round", "The share of the travel log that was filled at the last sighting; 0 before the first.", 1
        ),
        Plane("waiting", "By detective: 1 if the piece has not moved this turn.", n),
        Plane(
            "tickets", f"Mr X's {kinds}, then each detective's first three, as shares of all in the game.", 5 + 3 * n
        ),
        Plane(
            "log",
            "By round: which of the tickets taxi, bus, underground, secret Mr X paid; all 0 for rounds to come.",
            4 * rounds,
        ),
        Plane("reveals", "By round: 1 if it has not been played yet and will show Mr X.", rounds),
        Plane("mrx", "By node: 1 where Mr X is; all 0 while the seat does not see him.", nodes),
        Plane("sighting", "By node: 1 where Mr X was seen last.", nodes),
        Plane("detectives", "By detective, then node: 1 where the piece is.", n * nodes),
    )
