"""The words by which map files of others name transports and columns, and what was found in such a file."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from manhunt.core.ids import Transport

KINDS: dict[str, Transport] = {
    word: transport
    for transport, words in {
        Transport.TAXI: "taxi taxis cab t",
        Transport.BUS: "bus buses b",
        Transport.UNDERGROUND: "underground metro tube subway train ubahn u-bahn ug u m",
        Transport.FERRY: "ferry ferries boat ship water river black secret hidden f h w",
        Transport.PLAIN: "plain",
    }.items()
    for word in words.split()
}
"""Connections on water have many names; some files name the payment that only they ask for."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FROM = _words("a from source src start begin u node1 station1 vertex1 end1 v1 n1 first")
TO = _words("b to target dst dest destination end stop v node2 station2 vertex2 end2 v2 n2 second neighbour")
KIND_WORDS = _words("transport transports type kind mode by means via colour color vehicle")
NODE_WORDS = _words("number id label name node station key vertex location position")
NEIGHBOUR_WORDS = _words("neighbours neighbors adj adjacent adjacency connections edges links routes connected moves")
_LEVELS = re.compile(r"[/|+&]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class FoundEdge:
    """One edge as a file has it: `a` stands first."""

    a: str
    b: str
    kind: Transport
    where: str
    """`line 7`, or its number in a list."""


@dataclass(slots=True)
class FoundMap:
    """What a file says, before anybody asks whether it makes a board."""

    nodes: dict[str, None] = field(default_factory=dict)
    edges: list[FoundEdge] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    n_rows: int = 0
    n_lost: int = 0
    """Rows that nobody could make sense of."""

    def add(self, a: str, b: str, kinds: Iterable[Transport], where: str) -> None:
        self.edges += [FoundEdge(a, b, kind, where) for kind in kinds]

    def lose(self, where: str, text: str, why: str) -> None:
        self.n_lost += 1
        self.findings.append(f"{where}: {text[:60]!r} is left out: {why}")


def kinds_of(text: str) -> tuple[Transport, ...] | None:
    """The transports that a cell names, one or several (`bus/underground`); None if a word is no transport."""
    words = [word.strip().lower() for word in _LEVELS.split(text)]
    found = [KINDS.get(word) for word in words]
    return None if None in found else tuple(kind for kind in found if kind is not None)


def words_of(name: str) -> list[str]:
    """`from_node_id` and `fromNodeId` are from, node, id."""
    return [word for word in re.split(r"[^a-z0-9]+", _CAMEL.sub(" ", name).lower()) if word]
