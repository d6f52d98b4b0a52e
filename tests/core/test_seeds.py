"""Secrets: one key, separate labels; whoever sees what comes from one label learns nothing about another."""

import hashlib
import hmac
import pickle
from random import Random

import pytest

from manhunt.core.errors import BadText
from manhunt.core.seeds import Secret, child_seed, new_secret, number_of, parse_secret, parse_seed, seed_to_json, seeded

KEY = bytes(range(32))


def test_a_label_is_a_keyed_hash() -> None:
    secret = Secret(KEY)
    expected = hmac.new(KEY, b"generator/deal", hashlib.sha256).digest()
    assert seeded(secret, "deal").random() == Random(int.from_bytes(expected, "big")).random()
    assert secret.child("a").key == hmac.new(KEY, b"child/a", hashlib.sha256).digest()
    assert secret.fingerprint == hashlib.sha256(KEY).hexdigest()


def test_uses_of_one_secret_share_nothing() -> None:
    secret = Secret(KEY)
    made = [secret.bytes_for(label) for label in ("nonce", "generator/nonce", "child/nonce", "number/nonce")]
    assert len(set(made)) == 4
    assert seeded(secret, "evader").getrandbits(64) != seeded(secret, "pursuers").getrandbits(64)
    assert seeded(secret, "evader").getrandbits(64) != seeded(secret.child("evader"), "evader").getrandbits(64)
    assert number_of(secret, "a") != number_of(secret, "b")
    assert 0 <= number_of(secret, "a") < 2**48


def test_secrets_have_256_bits_and_differ() -> None:
    assert len({new_secret().hex for _ in range(50)}) == 50
    assert len(new_secret().key) == 32
    with pytest.raises(BadText, match="32 bytes, not 8"):
        Secret(b"12345678")


def test_a_secret_is_not_printed_by_accident() -> None:
    secret = new_secret()
    for text in (repr(secret), str(secret), f"{secret}", repr([secret]), repr({"seed": secret})):
        assert secret.hex not in text
        assert repr(secret.key) not in text
    assert pickle.loads(pickle.dumps(secret)) == secret, "workers get it"


def test_seeds_round_trip_as_text() -> None:
    secret = new_secret()
    for seed in (0, 7, 2**53 - 1, secret):
        assert parse_seed(str(seed_to_json(seed))) == seed
    assert parse_secret("0" * 64) == parse_seed("0" * 64) == Secret(bytes(32))
    for bad in ("", "x", "ab", secret.hex[:-1], secret.hex + "0"):
        with pytest.raises(ValueError, match=r"secret|invalid literal"):
            parse_secret(bad)


def test_numbers_decide_the_same_as_ever() -> None:
    """Records and folders of earlier versions hold such numbers."""
    assert seeded(7, "deal").getrandbits(64) == 0x9A582D48A5A0FFB7
    assert number_of(7, "whatever") == 7
    assert child_seed(7, "match") == int.from_bytes(hashlib.sha256(b"match/7").digest()[:6], "big")
