"""Deals that can be checked: a hash of the deal is published before the first move, and the record reveals the rest.

The commitment is the SHA-256 of four lines: `manhunt deal 1`, the game's name, the nonce, and the setup as JSON with
sorted keys and without spaces; no newline at the end. The nonce has 256 bits, so that nobody can find the setup by
trying all of them. Nobody can find another setup with the same hash either, so the deal is fixed from then on.
"""

import hashlib
import json
from enum import Enum

from manhunt.core.game import Setup
from manhunt.core.seeds import Secret
from manhunt.play.record import Record

FIRST_LINE = "manhunt deal 1"
EVENT = "commitment"
"""The kind of the event that publishes it."""


class DealCheck(Enum):
    """What `verify_deal` found."""

    KEPT = "kept"
    BROKEN = "broken"
    NONE = "none"


def nonce_of(secret: Secret) -> str:
    return secret.bytes_for("nonce").hex()


def commit(game: str, setup: Setup, nonce: str) -> str:
    """The commitment to a setup: a SHA-256 in hexadecimal digits."""
    plain = json.loads(json.dumps(setup))
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256("\n".join((FIRST_LINE, game, nonce, text)).encode()).hexdigest()


def verify_deal(record: Record) -> DealCheck:
    """Check that a record's setup is the one that it committed to."""
    if record.commitment is None or record.nonce is None:
        return DealCheck.NONE
    made = commit(record.game, record.setup, record.nonce)
    return DealCheck.KEPT if made == record.commitment else DealCheck.BROKEN


def deal_words(record: Record) -> str:
    """The check in one sentence, for whoever looks at the game."""
    found = verify_deal(record)
    if found is DealCheck.NONE:
        return "Deal not checked: this record has no commitment."
    if found is DealCheck.BROKEN:
        return f"Deal changed: the setup of this record does not match the commitment {record.commitment}."
    return f"Deal verified: the setup matches the commitment {record.commitment}, published before the first move."
