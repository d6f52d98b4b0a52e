"""A random generator for kernels: xoshiro256**, with its state in an array of the caller."""

from __future__ import annotations

import numpy as np

from manhunt.core.arrays import Words
from manhunt.core.jit import kernel

U7, U17, U19, U32, U45, U57 = (np.uint64(n) for n in (7, 17, 19, 32, 45, 57))
U5, U9 = np.uint64(5), np.uint64(9)
LOW = np.uint64(0xFFFFFFFF)
GOLDEN, MIX1, MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
U27, U30, U31 = np.uint64(27), np.uint64(30), np.uint64(31)


def new_rng(seed: int) -> Words:
    """The state of a xoshiro256** generator, to be owned by the caller."""
    return np.asarray(np.random.SeedSequence(seed).generate_state(4, np.uint64), np.uint64)


@kernel
def seed_generator(rng: Words, seed: np.uint64) -> None:
    """Fill the four words of a xoshiro generator from one number by splitmix64."""
    for i in range(4):
        seed = seed + GOLDEN
        z = (seed ^ (seed >> U30)) * MIX1
        z = (z ^ (z >> U27)) * MIX2
        rng[i] = z ^ (z >> U31)


@kernel
def next_bits(rng: Words) -> np.uint64:
    """xoshiro256** of Blackman and Vigna."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    x = b * U5
    result = (x << U7 | x >> U57) * U9
    t = b << U17
    c ^= a
    d ^= b
    rng[1] = b ^ c
    rng[0] = a ^ d
    rng[2] = c ^ t
    rng[3] = d << U45 | d >> U19
    return np.uint64(result)


@kernel
def below(rng: Words, n: int) -> int:
    """A number from 0 to n - 1, all equally likely (Lemire's method); n from 1 to 2**32."""
    bound = np.uint64(n)
    product = (next_bits(rng) >> U32) * bound
    if (product & LOW) < bound:
        least = (LOW - bound + np.uint64(1)) % bound
        while (product & LOW) < least:
            product = (next_bits(rng) >> U32) * bound
    return int(np.int64(product >> U32))  # int() alone would stay unsigned
