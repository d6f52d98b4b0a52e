"""Looking at one finished game together: whoever leads moves the cursor, and the others follow."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from manhunt.core.errors import ManhuntError
from manhunt.server.addresses import TooMany
from manhunt.server.settings import Limits
from manhunt.server.tables.changes import clean_text
from manhunt.server.wire import BadPageMessage, encode

if TYPE_CHECKING:
    from manhunt.server.sockets import Outbox

LONGEST_NAME = 24
GUEST = "Guest"
AWAY_SECONDS = 20.0
"""How long the lead of somebody whose connection was lost is kept for them."""

Number = Annotated[int, Meta(ge=0, lt=1 << 31)]


class FromReviewPage(Struct, tag_field="t", frozen=True):
    """Whatever a page says to those who look with it."""


class ReviewHello(FromReviewPage, tag="hello", frozen=True):
    """`token` is what the page was told when it was here before."""

    name: Annotated[str, Meta(max_length=200)] = ""
    token: Annotated[str, Meta(max_length=100)] | None = None


class ReviewName(FromReviewPage, tag="name", frozen=True):
    name: Annotated[str, Meta(max_length=200)]


class ReviewLead(FromReviewPage, tag="lead", frozen=True):
    """Takes the lead, or gives it up."""

    on: bool


class ReviewAt(FromReviewPage, tag="at", frozen=True):
    """Where the leader looks."""

    variation: Number
    ply: Number
    track: Annotated[str, Meta(max_length=20)]


class ReviewPing(FromReviewPage, tag="ping", frozen=True):
    pass


ReviewMessage = ReviewHello | ReviewName | ReviewLead | ReviewAt | ReviewPing
_decoder: msgspec.json.Decoder[ReviewMessage] = msgspec.json.Decoder(ReviewMessage)


def decode(data: str | bytes) -> ReviewMessage:
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadPageMessage(f"could not parse the message: {error}") from None


class NotLeading(ManhuntError):
    """Somebody else leads."""


@dataclass(eq=False)
class Reviewer:
    """One page. The token is its own secret, by which it is known after a lost connection."""

    id: int
    token: str
    name: str
    outbox: Outbox


@dataclass
class Review:
    """Those who look at one game, and where the leader looks. It lasts as long as somebody is there."""

    people: dict[int, Reviewer] = field(default_factory=dict)
    leader: int | None = None
    cursor: ReviewAt | None = None
    n_came: int = 0
    away: dict[str, tuple[int, float]] = field(default_factory=dict)
    """The numbers of those whose connection was lost, by token, and since when."""

    def enter(self, name: str, token: str | None, outbox: Outbox) -> Reviewer:
        """Somebody new, or somebody who was here a moment ago."""
        known = self.away.pop(token, None) if token is not None else None
        if known is None or token is None:
            self.n_came += 1
            person = Reviewer(self.n_came, secrets.token_urlsafe(18), clean_name(name), outbox)
        else:
            person = Reviewer(known[0], token, clean_name(name), outbox)
        self.people[person.id] = person
        outbox.put(encode({"t": "you", "id": person.id, "token": person.token}))
        self.tell_here()
        if self.cursor is not None:
            outbox.put(self._at())
        return person

    def leave(self, person: Reviewer) -> None:
        if self.people.get(person.id) is person:
            del self.people[person.id]
            now = time.monotonic()
            recent = {token: kept for token, kept in self.away.items() if now - kept[1] < AWAY_SECONDS}
            self.away = {**recent, person.token: (person.id, now)}
            self.tell_here()

    def lead(self, person: Reviewer, on: bool) -> None:
        """Whoever leads goes on leading until they stop or are gone for a while."""
        if on:
            if self._leads_still() and self.leader != person.id:
                raise NotLeading("somebody else leads; they can hand over by stopping")
            self.leader = person.id
        elif self.leader == person.id:
            self.leader = None
        self.tell_here()

    def _leads_still(self) -> bool:
        if self.leader in self.people:
            return True
        gone = next((since for number, since in self.away.values() if number == self.leader), None)
        return gone is not None and time.monotonic() - gone < AWAY_SECONDS

    def move(self, person: Reviewer, at: ReviewAt) -> None:
        if self.leader != person.id:
            raise NotLeading("take the lead before you move the others")
        self.cursor = at
        self._tell(self._at(), but=person)

    def rename(self, person: Reviewer, name: str) -> None:
        person.name = clean_name(name)
        self.tell_here()

    def tell_here(self) -> None:
        leader = self.leader if self._leads_still() else None
        people = [{"id": each.id, "name": each.name} for each in self.people.values()]
        self._tell(encode({"t": "here", "people": people, "leader": leader}))

    def tell_tree(self) -> None:
        self._tell('{"t":"tree"}')

    def _at(self) -> str:
        at = self.cursor
        assert at is not None
        return encode({"t": "at", "variation": at.variation, "ply": at.ply, "track": at.track, "by": self.leader})

    def _tell(self, text: str, but: Reviewer | None = None) -> None:
        for person in list(self.people.values()):
            if person is not but:
                person.outbox.put(text)


def clean_name(text: str) -> str:
    return clean_text(text)[:LONGEST_NAME].strip() or GUEST


class Reviews:
    """All reviews of a server, by game. Used from the event loop alone."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._reviews: dict[str, Review] = {}

    def enter(self, uid: str, hello: ReviewHello, outbox: Outbox) -> tuple[Review, Reviewer]:
        review = self._reviews.setdefault(uid, Review())
        if len(review.people) >= self._limits.review_people:
            raise TooMany(f"{len(review.people)} people are already reviewing this game (the maximum)")
        return review, review.enter(hello.name, hello.token, outbox)

    def leave(self, uid: str, person: Reviewer) -> None:
        review = self._reviews[uid]
        review.leave(person)
        if not review.people:
            asyncio.get_running_loop().call_later(AWAY_SECONDS, self._forget, uid, review)

    def _forget(self, uid: str, review: Review) -> None:
        if not review.people and self._reviews.get(uid) is review:
            del self._reviews[uid]

    def tree_changed(self, uid: str) -> None:
        if uid in self._reviews:
            self._reviews[uid].tell_tree()
