"""Changes to the tree of variations of a finished game, each checked by the rules, and the tree as pages read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import Any

from manhunt.core.errors import BadText
from manhunt.play.hindsight import Hindsight
from manhunt.play.variation import draw_action
from manhunt.server.addresses import TooMany
from manhunt.server.errors import Conflict, NotFound
from manhunt.server.replays import FinishedGames, steps_of
from manhunt.server.rooms import Forbidden
from manhunt.server.settings import Limits
from manhunt.server.tables.changes import clean_text
from manhunt.store.connect import Store
from manhunt.store.variations import KeptComment, KeptTree, KeptVariation, changing_tree

FORMAT = "manhunt tree 1"
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes a tree: the hash of a token; on a server of one's own everybody is the same person."""

    owner: str
    is_at_home: bool

    def owns(self, owner: str) -> bool:
        return self.is_at_home or (owner != "" and owner == self.owner)


@dataclass(frozen=True)
class TreeEditor:
    """The tree of one finished game. Every method is one transaction, and belongs into a thread."""

    store: Store
    games: FinishedGames
    limits: Limits
    uid: str
    record: str

    def play(self, number: int, ply: int, action: str | None, author: Author) -> tuple[int, int]:
        """Where a move leads: along moves that are there, or new ones. None draws the action of chance.

        It is added to the variation if that ends there and is the author's own; else it begins a new one.
        """
        with changing_tree(self.store, self.uid) as change:
            tree = change.tree
            past = self._past(tree, number)
            past.check_ply(ply)
            number, ply = tree.home_of(number, ply)
            past = self._past(tree, number)
            text = draw_action(past, ply, SystemRandom()) if action is None else _checked(past, ply, action)
            if (there := _following(tree, past, number, ply, text)) is not None:
                return there
            kept = tree.variations.get(number)
            if kept is not None and ply == past.last and author.owns(kept.owner):
                self._check_length(len(kept.actions) + 1)
                change.set_actions(number, (*kept.actions, text))
                return number, ply + 1
            if len(tree.variations) >= self.limits.variations_per_game:
                raise TooMany(f"this game has {len(tree.variations)} variations (the maximum); delete one first")
            return change.add(number, ply, (text,), author.owner), ply + 1

    def rename(self, number: int, name: str, author: Author) -> None:
        words = clean_text(name)
        if len(words) > LONGEST_NAME:
            raise BadText(f"name too long: {len(words)} characters (max {LONGEST_NAME})")
        with changing_tree(self.store, self.uid) as change:
            self._own(change.tree, number, author)
            change.rename(number, words)

    def shorten(self, number: int, after: int, author: Author) -> None:
        """Take away the moves after a ply, with what hangs on them; all of it, if nothing is left."""
        with changing_tree(self.store, self.uid) as change:
            tree, kept = change.tree, self._own(change.tree, number, author)
            if after <= kept.ply:
                gone = tree.below(number)
            else:
                late = [child.number for child in tree.children(number) if child.ply > after]
                gone = [n for child in late for n in tree.below(child)]
            if not all(author.owns(tree.variations[n].owner) for n in gone):
                raise Conflict("someone else's moves build on these; they would be lost")
            change.remove(gone)
            if number not in gone:
                change.set_actions(number, kept.actions[: after - kept.ply])
                for comment in tree.comments:
                    if comment.variation == number and comment.ply > after:
                        change.comment(KeptComment(number, comment.ply, "", comment.owner))

    def comment(self, number: int, ply: int, text: str, author: Author) -> None:
        """What the author says about a moment, in place of what they said before."""
        words = "\n".join(clean_text(line) for line in text.strip().splitlines())
        if len(words) > self.limits.comment_chars:
            raise BadText(f"text too long: {len(words)} characters (max {self.limits.comment_chars})")
        with changing_tree(self.store, self.uid) as change:
            tree = change.tree
            self._past(tree, number).check_ply(ply)
            said = KeptComment(*tree.home_of(number, ply), words, author.owner)
            others = [each for each in tree.comments if replace(each, text=words) != said]
            if words and len(others) >= self.limits.comments_per_game:
                raise TooMany(f"this game has {len(others)} comments already (the maximum)")
            change.comment(said)

    def _past(self, tree: KeptTree, number: int) -> Hindsight:
        return self.games.get_variation(self.uid, self.record, tree, number)

    def _own(self, tree: KeptTree, number: int, author: Author) -> KeptVariation:
        kept = tree.variations.get(number)
        if kept is None:
            raise NotFound(f"this game has no variation {number}")
        if not author.owns(kept.owner):
            raise Forbidden("somebody else made this variation; you can add your own")
        return kept

    def _check_length(self, n: int) -> None:
        if n > self.limits.variation_plies:
            raise TooMany(f"a variation has {self.limits.variation_plies} plies at most")


def _checked(past: Hindsight, ply: int, text: str) -> str:
    """The action in its own notation; IllegalAction or BadText if it cannot be made there."""
    state: Any = past.states[ply]
    action = past.game.parse_action(past.config, text)
    past.game.check_action(state, action)
    return past.game.format_action(past.config, action)


def _following(tree: KeptTree, past: Hindsight, number: int, ply: int, text: str) -> tuple[int, int] | None:
    """Where this move is already."""
    if ply < past.last and past.game.format_action(past.config, past.actions[ply]) == text:
        return number, ply + 1
    for child in tree.children(number):
        if child.ply == ply and child.actions[0] == text:
            return child.number, ply + 1
    return None


def tree_json(
    games: FinishedGames, uid: str, record: str, tree: KeptTree, hashes: Mapping[str, str], author: Author
) -> dict[str, Any]:
    """The whole tree; `mine` tells what the author may change, `by` whose seat's link it was written with."""
    seats = {kept: seat for seat, kept in hashes.items()}

    def whose(owner: str) -> dict[str, Any]:
        return {"mine": author.owns(owner), "by": seats.get(owner)}

    return {
        "format": FORMAT,
        "game": uid,
        "variations": [
            {**_variation_json(games.get_variation(uid, record, tree, number), kept), **whose(kept.owner)}
            for number, kept in tree.variations.items()
        ],
        "comments": [
            {"variation": said.variation, "ply": said.ply, "text": said.text, **whose(said.owner)}
            for said in tree.comments
        ],
    }


def _variation_json(past: Hindsight, kept: KeptVariation) -> dict[str, Any]:
    acting = past.acting(past.last)
    return {
        "number": kept.number,
        "parent": kept.parent,
        "ply": kept.ply,
        "name": kept.name,
        "actions": list(kept.actions),
        "last": past.last,
        "steps": steps_of(past, kept.ply),
        "ending": None if past.record.outcome is None else str(past.record.outcome),
        "acting": acting and acting.value,
    }
