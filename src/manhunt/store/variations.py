"""The tree of variations of a finished game, comments on its moments, and where a game was played on from."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, insert, select, update

from manhunt.store.connect import Store
from manhunt.store.schema import game_origins, games, ply_comments, variations

MAIN = 0
"""The number of the game itself."""


@dataclass(frozen=True, slots=True)
class KeptVariation:
    """Actions in notation, from ply `ply` of the variation `parent`."""

    number: int
    parent: int
    ply: int
    actions: tuple[str, ...]
    name: str = ""
    owner: str = ""

    @property
    def last(self) -> int:
        return self.ply + len(self.actions)


@dataclass(frozen=True, slots=True)
class KeptComment:
    variation: int
    ply: int
    text: str
    owner: str = ""


@dataclass(frozen=True)
class KeptTree:
    """All that was added to a game, in the order in which it came."""

    variations: Mapping[int, KeptVariation] = field(default_factory=dict)
    comments: tuple[KeptComment, ...] = ()

    def children(self, number: int) -> list[KeptVariation]:
        return [each for each in self.variations.values() if each.parent == number]

    def below(self, number: int) -> list[int]:
        """A variation and all that hang on it."""
        return [number, *(n for child in self.children(number) for n in self.below(child.number))]

    def chain(self, number: int) -> list[KeptVariation]:
        """From the variation that leaves the game to this one; KeyError if there is none."""
        out = list[KeptVariation]()
        while number != MAIN:
            out.append(self.variations[number])
            number = out[-1].parent
        return out[::-1]

    def home_of(self, number: int, ply: int) -> tuple[int, int]:
        """The same moment by the variation that it belongs to: up to where it leaves its parent, it is its parent's."""
        while number != MAIN and ply <= self.variations[number].ply:
            number = self.variations[number].parent
        return number, ply


class TreeChange:
    """A tree in a transaction that changes it."""

    def __init__(self, connection: Connection, uid: str, at: float) -> None:
        self._connection, self._uid, self._at = connection, uid, at
        self.tree = _read(connection, uid)

    def add(self, parent: int, ply: int, actions: Collection[str], owner: str) -> int:
        """A new variation; its number. Numbers are not given twice, as long as the newest variation stays."""
        number = max(self.tree.variations, default=MAIN) + 1
        row = {"game_uid": self._uid, "number": number, "parent": parent, "ply": ply, "name": "", "owner": owner}
        row |= {"actions": _text(actions), "changed_at": self._at}
        self._connection.execute(insert(variations), [row])
        return number

    def set_actions(self, number: int, actions: Collection[str]) -> None:
        self._set(number, actions=_text(actions))

    def rename(self, number: int, name: str) -> None:
        self._set(number, name=name)

    def remove(self, numbers: Collection[int]) -> None:
        """These variations, with what was said about them."""
        for table, column in ((ply_comments, ply_comments.c.variation), (variations, variations.c.number)):
            self._connection.execute(delete(table).where(table.c.game_uid == self._uid, column.in_(list(numbers))))

    def comment(self, comment: KeptComment) -> None:
        """In place of what this owner wrote there; an empty text takes it away."""
        kept = ply_comments.c
        here = (kept.variation == comment.variation, kept.ply == comment.ply, kept.owner == comment.owner)
        self._connection.execute(delete(ply_comments).where(kept.game_uid == self._uid, *here))
        if comment.text:
            row = {"game_uid": self._uid, "variation": comment.variation, "ply": comment.ply, "owner": comment.owner}
            self._connection.execute(insert(ply_comments), [{**row, "text": comment.text, "changed_at": self._at}])

    def _set(self, number: int, **values: str) -> None:
        which = (variations.c.game_uid == self._uid, variations.c.number == number)
        self._connection.execute(update(variations).where(*which).values(**values, changed_at=self._at))


def _text(actions: Collection[str]) -> str:
    return json.dumps(list(actions), ensure_ascii=False)


@contextmanager
def changing_tree(store: Store, uid: str) -> Iterator[TreeChange]:
    """One change after the other: whoever comes meanwhile waits, and then sees what came out."""
    with store.writing() as connection:
        connection.execute(select(games.c.uid).where(games.c.uid == uid).with_for_update())
        yield TreeChange(connection, uid, store.now(connection))


def load_tree(store: Store, uid: str) -> KeptTree:
    with store.reading() as connection:
        return _read(connection, uid)


def _read(connection: Connection, uid: str) -> KeptTree:
    kept, said = variations.c, ply_comments.c
    rows = connection.execute(select(variations).where(kept.game_uid == uid).order_by(kept.number)).mappings()
    found = {
        row["number"]: KeptVariation(
            row["number"], row["parent"], row["ply"], tuple(json.loads(row["actions"])), row["name"], row["owner"]
        )
        for row in rows
    }
    order = (said.variation, said.ply, said.changed_at, said.owner)
    query = select(ply_comments).where(said.game_uid == uid).order_by(*order)
    comments = tuple(
        KeptComment(row["variation"], row["ply"], row["text"], row["owner"])
        for row in connection.execute(query).mappings()
    )
    return KeptTree(found, comments)


# -- games that were played on from somewhere -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameOrigin:
    uid: str
    variation: int
    ply: int


def insert_origin(connection: Connection, uid: str, origin: GameOrigin) -> None:
    """Part of the transaction that begins the game."""
    row = {"uid": uid, "from_uid": origin.uid, "variation": origin.variation, "ply": origin.ply}
    connection.execute(insert(game_origins), [row])


def origin_of(store: Store, uid: str) -> GameOrigin | None:
    """Where a game was played on from."""
    with store.reading() as connection:
        row = connection.execute(select(game_origins).where(game_origins.c.uid == uid)).mappings().first()
    return None if row is None else GameOrigin(row["from_uid"], row["variation"], row["ply"])
