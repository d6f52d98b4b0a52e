"""One game of Scotland Yard, ply by ply: its legal numbers, and what one seat sees. Few arguments: each costs time."""

from manhunt.core.arrays import Bytes, Float32s, Floats, Int8s, Int32s
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.encoding import batch_kernels
from manhunt.games.scotland_yard.encoding.batch_kernels import EVADER, OVER, Layout
from manhunt.games.scotland_yard.encoding.numbering import Numbering
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.packed import FareTable


@kernel
def begin(table: FareTable, numbering: Numbering, state: Int32s, offers: Int32s, mask: Int8s) -> int:
    """Mark the legal numbers in a mask of zeros; the outcome's code."""
    code = kernels.outcome(table, state)
    if code == kernels.GOES_ON:
        for k in range(batch_kernels.list_numbers(table, numbering, state, offers)):
            mask[offers[k]] = 1
    return code


@kernel
def step(table: FareTable, numbering: Numbering, state: Int32s, number: int, offers: Int32s, mask: Int8s) -> int:
    """Play a legal number, then as `begin`."""
    code = batch_kernels.play(table, state, int(numbering.code[number]))
    if code == kernels.GOES_ON:
        for k in range(batch_kernels.list_numbers(table, numbering, state, offers)):
            mask[offers[k]] = 1
    return code


@kernel
def observe(
    layout: Layout,
    shown: Bytes,
    totals: Floats,
    n: int,
    n_nodes: int,
    state: Int32s,
    acting: int,
    seat: int,
    out: Float32s,
) -> None:
    """What a seat sees, over zeros; n is the number of detectives, `acting` is OVER when nobody acts."""
    out[seat] = 1
    if acting != OVER:
        out[2 + acting] = 1
    sighting = batch_kernels.write_head(layout, shown, totals, n, state, out)
    if seat == EVADER or acting == OVER:
        out[layout.mrx + state[packed.QUARRY]] = 1
    if sighting >= 0:
        out[layout.sighting + sighting] = 1
    for i in range(n):
        out[layout.detectives + i * n_nodes + state[packed.PLACES + i]] = 1
