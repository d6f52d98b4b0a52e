"""What all chance of a game comes from: a secret of 256 bits, or a whole number for research.

A secret is the key of HMAC-SHA256, and every use has its own label: the deal, chance during play, each seat's
generator, the nonce of the commitment. Whoever sees what comes from one label learns nothing about the others, and
nobody can try all secrets. A number is known to whoever knows it or can try all numbers that it may be, from anything
that comes from it: use one where results are to be repeated and nobody gains by knowing what is hidden.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from random import Random

from manhunt.core.errors import BadText

N_BYTES = 32
_HEX = re.compile(f"[0-9a-f]{{{2 * N_BYTES}}}")


@dataclass(frozen=True, slots=True)
class Secret:
    """A key that nobody can guess. Its text is never part of a message or a traceback; ask for `hex`."""

    key: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.key) != N_BYTES:
            raise BadText(f"a secret has {N_BYTES} bytes, not {len(self.key)}")

    @property
    def hex(self) -> str:
        """As records and folders keep it."""
        return self.key.hex()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the key: fit to be published before the secret itself, and checked afterwards."""
        return hashlib.sha256(self.key).hexdigest()

    def bytes_for(self, label: str) -> bytes:
        return hmac.digest(self.key, label.encode(), "sha256")

    def child(self, label: str) -> Secret:
        """A secret of its own for a part: whoever knows it learns nothing about this one or its other children."""
        return Secret(self.bytes_for(f"child/{label}"))


Seed = int | Secret


def new_secret() -> Secret:
    """A secret from the operating system's random generator, as a `seed` that nobody can guess."""
    return Secret(secrets.token_bytes(N_BYTES))


def seeded(seed: Seed, purpose: str) -> Random:
    """An independent generator for each purpose of one seed, the same on every machine."""
    if isinstance(seed, Secret):
        return Random(int.from_bytes(seed.bytes_for(f"generator/{purpose}"), "big"))
    digest = hashlib.sha256(f"{seed}/{purpose}".encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))


def child_seed(seed: Seed, label: str) -> Seed:
    """A seed for a part; of a number it is a number below 2**48."""
    if isinstance(seed, Secret):
        return seed.child(label)
    return int.from_bytes(hashlib.sha256(f"{label}/{seed}".encode()).digest()[:6], "big")


def number_of(seed: Seed, label: str) -> int:
    """For what takes whole numbers only: the number itself, or one below 2**48 for this label of a secret."""
    return seed if isinstance(seed, int) else int.from_bytes(seed.bytes_for(f"number/{label}")[:6], "big")


def seed_to_json(seed: Seed) -> int | str:
    """The number, or the secret in hexadecimal digits."""
    return seed.hex if isinstance(seed, Secret) else seed


def parse_secret(text: str) -> Secret:
    """The inverse of `Secret.hex`; ValueError for anything else."""
    if not _HEX.fullmatch(text):
        raise ValueError(f"a secret has {2 * N_BYTES} hexadecimal digits")
    return Secret(bytes.fromhex(text))


def parse_seed(text: str) -> Seed:
    """A whole number, or the 64 hexadecimal digits of a secret; ValueError for anything else."""
    return parse_secret(text) if _HEX.fullmatch(text) else int(text)
