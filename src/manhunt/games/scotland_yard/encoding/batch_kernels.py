"""Many games of Scotland Yard in one call: moves by number, masks, observations, candidates, new deals.

The arrays of all games lie side by side (`Games`, one row each). A step of one game costs what changes in it: a mask is
cleared at the numbers that were set, which `offers` remembers, and a plane of nodes at the places in `marks`. Only the
short head of the observation (everything that is no plane of nodes) and the candidates are written whole.
"""

from typing import NamedTuple

from manhunt.core.arrays import Bytes, Float32s, Floats, Int8s, Int32s, Int64s, Words
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import below, seed_generator
from manhunt.games.scotland_yard.encoding.numbering import Numbering
from manhunt.games.scotland_yard.rules import kernels, packed, playouts
from manhunt.games.scotland_yard.rules.packed import FareTable

OVER, EVADER, PURSUERS = -1, 0, 1
BOTH = -1
MAX_DEALS = 100
"""Tries to find a deal from which the game does not end at once."""


class Layout(NamedTuple):
    """Where the planes begin in an observation."""

    round: int
    sighting_round: int
    waiting: int
    tickets: int
    log: int
    reveals: int
    mrx: int
    sighting: int
    detectives: int
    candidates: int


class Setting(NamedTuple):
    """What is the same for all games of a batch and does not change."""

    table: FareTable
    numbering: Numbering
    layout: Layout
    first_state: Int32s
    mrx_starts: Int32s
    detective_starts: Int32s
    ticket_totals: Floats
    seat: int
    """The seat that the caller plays, the other one moving at random; or BOTH."""


class Games(NamedTuple):
    """One row for each game; `observations` and `candidates` have none where nobody wants them."""

    states: Int32s
    rngs: Words
    to_act: Int8s
    values: Float32s
    offers: Int32s
    n_offers: Int32s
    masks: Int8s
    observations: Float32s
    marks: Int32s
    candidates: Bytes
    actions: Int64s
    """Room to list the moves of one game."""
    spread: Bytes
    """Room for the candidates of one game."""


@kernel
def seed_games(games: Games, seeds: Words, where: Bytes) -> None:
    for i in range(len(where)):
        if where[i]:
            seed_generator(games.rngs[i], seeds[i])


@kernel
def deal_games(setting: Setting, games: Games, where: Bytes) -> None:
    for i in range(len(where)):
        if where[i]:
            games.to_act[i] = OVER
            begin(setting, games, i)
    publish(setting, games)


@kernel
def find_refused(games: Games, numbers: Int64s) -> int:
    """The first running game whose number is not on offer; -1 if there is none."""
    for i in range(len(numbers)):
        if games.to_act[i] != OVER:
            found = False
            for k in range(games.n_offers[i]):
                if games.offers[i, k] == numbers[i]:
                    found = True
                    break
            if not found:
                return i
    return -1


@kernel
def step_games(setting: Setting, games: Games, numbers: Int64s) -> None:
    """Play a legal number in each running game; begin a new game where one was over.

    The inner kernels take rows and few arrays: a call that is not inlined counts references for each array it gets.
    """
    table, codes, seat = setting.table, setting.numbering.code, setting.seat
    with_belief = games.candidates.shape[1] > 0
    for i in range(len(numbers)):
        if games.to_act[i] == OVER:
            begin(setting, games, i)
            continue
        state = games.states[i]
        n_logged = int(state[packed.N_LOGGED])
        code = play(table, state, int(codes[numbers[i]]))
        if with_belief:
            learn(table, state, n_logged, code, games.candidates[i], games.spread)
        if seat != BOTH and code == kernels.GOES_ON:
            code = answer(table, state, seat, games.rngs[i], games.actions, games.candidates[i], games.spread)
        games.to_act[i] = acting(state, code)
        games.values[i] = value_of(code)
    publish(setting, games)


@kernel
def choose_numbers(games: Games, rng: Words, out: Int64s) -> None:
    """For each running game one of its legal numbers, all equally likely; 0 where it is over."""
    for i in range(len(out)):
        n = games.n_offers[i]
        out[i] = games.offers[i, below(rng, n)] if n else 0


@kernel
def begin(setting: Setting, games: Games, i: int) -> None:
    """Deal until there is a game that goes on, and let the other seat move if it begins."""
    table, state, candidates = setting.table, games.states[i], games.candidates[i]
    for _ in range(MAX_DEALS):
        state[:] = setting.first_state
        playouts.deal(table, state, setting.mrx_starts, setting.detective_starts, games.rngs[i])
        code = kernels.outcome(table, state)
        if code == kernels.GOES_ON:
            break
    if len(candidates):
        candidates[:] = 0
        for k in range(len(setting.mrx_starts)):
            candidates[setting.mrx_starts[k]] = 1
        learn(table, state, 0, code, candidates, games.spread)
    if setting.seat != BOTH and code == kernels.GOES_ON:
        code = answer(table, state, setting.seat, games.rngs[i], games.actions, candidates, games.spread)
    games.to_act[i] = acting(state, code)
    games.values[i] = value_of(code)


@kernel
def acting(state: Int32s, code: int) -> int:
    if code != kernels.GOES_ON:
        return OVER
    return PURSUERS if state[packed.WAITING] else EVADER


@kernel
def value_of(code: int) -> int:
    """For Mr X; 0 while the game goes on."""
    if code == kernels.GOES_ON:
        return 0
    return 1 if code == kernels.SURVIVED or code == kernels.EXHAUSTED else -1


@kernel
def play(table: FareTable, state: Int32s, action: int) -> int:
    """One legal action, given as `packed` writes it; the outcome's code. Mr X's move cannot end the game."""
    is_detective = state[packed.WAITING] != 0
    kernels.advance(table, state, action)
    if state[packed.WAITING] == 0:
        return kernels.outcome(table, state)
    if is_detective and state[packed.QUARRY] == action >> 8:
        return kernels.CAPTURED
    return kernels.GOES_ON


@kernel
def answer(
    table: FareTable, state: Int32s, seat: int, rng: Words, actions: Int64s, candidates: Bytes, room: Bytes
) -> int:
    """Let the other seat of a game that goes on move at random until `seat` acts or the game is over; its code."""
    code = kernels.GOES_ON
    while code == kernels.GOES_ON and acting(state, code) != seat:
        if state[packed.WAITING]:
            action = playouts.draw_detective(table, state, rng)
        else:
            action = playouts.draw_mrx(table, state, rng)
        if action < 0:
            action = playouts.draw_listed(table, state, rng, actions)
        n_logged = int(state[packed.N_LOGGED])
        code = play(table, state, action)
        if len(candidates):
            learn(table, state, n_logged, code, candidates, room)
    return code


@kernel
def learn(table: FareTable, state: Int32s, n_logged: int, code: int, candidates: Bytes, room: Bytes) -> None:
    """What everybody knows after an action; the log had `n_logged` entries before it."""
    if code != kernels.GOES_ON:
        candidates[:] = 0
        candidates[state[packed.QUARRY]] = 1
        return
    for slot in range(n_logged, state[packed.N_LOGGED]):
        spread(table, state, slot, candidates, room)
    drop_ended(table, state, candidates)


@kernel
def spread(table: FareTable, state: Int32s, slot: int, candidates: Bytes, room: Bytes) -> None:
    """Where Mr X can be after the step in this slot of the log; the detectives did not move meanwhile."""
    shown = state[packed.LOG + 2 * slot + 1]
    held = 1 << state[packed.LOG + 2 * slot]
    room[:] = 0
    if shown != packed.NO_NODE:
        room[shown] = 1
    else:
        for node in range(len(candidates)):
            if candidates[node]:
                for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
                    room[table.fares[k] >> 8] = 1
        for i in range(table.n_detectives):
            room[state[packed.PLACES + i]] = 0
    candidates[:] = room


@kernel
def drop_ended(table: FareTable, state: Int32s, candidates: Bytes) -> None:
    """Were Mr X caught, or could he not move on his turn, the game would be over."""
    for i in range(table.n_detectives):
        candidates[state[packed.PLACES + i]] = 0
    if state[packed.WAITING] == 0:
        held = state[packed.HELD]
        for node in range(len(candidates)):
            if candidates[node]:
                candidates[node] = 0
                for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
                    if not kernels.is_blocked(state, table.fares[k] >> 8):
                        candidates[node] = 1
                        break


@kernel
def publish(setting: Setting, games: Games) -> None:
    """Write all masks and observations anew."""
    table, numbering = setting.table, setting.numbering
    for i in range(len(games.to_act)):
        offers, mask = games.offers[i], games.masks[i]
        for k in range(games.n_offers[i]):
            mask[offers[k]] = 0
        n = 0
        if games.to_act[i] != OVER:
            n = list_numbers(table, numbering, games.states[i], offers)
        games.n_offers[i] = n
        for k in range(n):
            mask[offers[k]] = 1
    if games.observations.shape[1]:
        for i in range(len(games.to_act)):
            observe(setting, games.states[i], games.to_act[i], games.observations[i], games.marks[i])
        if games.candidates.shape[1]:
            games.observations[:, setting.layout.candidates :] = games.candidates


@kernel
def list_numbers(table: FareTable, numbering: Numbering, state: Int32s, out: Int32s) -> int:
    """Write the numbers of all actions of a game that goes on; return how many. Must equal `kernels.offered`."""
    n = 0
    if state[packed.WAITING] == 0:
        with_doubles = kernels.doubles_allowed(table, state)
        held, node = state[packed.HELD], state[packed.QUARRY]
        for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
            first = int(table.fares[k])
            mid = first >> 8
            if not kernels.is_blocked(state, mid):
                fare = numbering.fare[first >> 3 & 3, mid]
                out[n] = fare
                n += 1
                if with_doubles:
                    least = numbering.first_double[fare]
                    for j in range(table.indptr[held, mid], table.indptr[held, mid + 1]):
                        if kernels.may_join(state, kernels.joined(first, int(table.fares[j]))):
                            out[n] = least + numbering.rank[j]
                            n += 1
        return n
    for i in range(table.n_detectives):
        if state[packed.WAITING] >> i & 1:
            base = numbering.n_fares + i * numbering.n_public
            held, node = state[packed.HELD + i + 1], state[packed.PLACES + i]
            for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
                code = table.fares[k]
                if not kernels.is_blocked(state, code >> 8):
                    out[n] = base + numbering.fare[code >> 3 & 3, code >> 8]
                    n += 1
            if table.seated and n:
                break
    return n


@kernel
def observe(setting: Setting, state: Int32s, to_act: int, out: Float32s, marks: Int32s) -> None:
    """What the seat to act sees; with one seat for the caller, what that one sees. When all is over: the pursuers."""
    layout, seat = setting.layout, setting.seat
    if seat == BOTH:
        seat = PURSUERS if to_act == OVER else to_act
    out[: layout.mrx] = 0
    out[seat] = 1
    if to_act != OVER:
        out[2 + to_act] = 1
    sighting = write_head(layout, setting.table.shown, setting.ticket_totals, setting.table.n_detectives, state, out)
    sees = seat == EVADER or to_act == OVER
    mark(out, marks, 0, layout.mrx + state[packed.QUARRY] if sees else -1)
    mark(out, marks, 1, layout.sighting + sighting if sighting >= 0 else -1)
    for k in range(setting.table.n_detectives):
        mark(out, marks, 2 + k, layout.detectives + k * setting.numbering.n_nodes + state[packed.PLACES + k])


@kernel
def mark(out: Float32s, marks: Int32s, which: int, at: int) -> None:
    """Move the one that this mark stands for; -1 is nowhere."""
    if marks[which] != at:
        if marks[which] >= 0:
            out[marks[which]] = 0
        if at >= 0:
            out[at] = 1
        marks[which] = at


@kernel
def write_head(layout: Layout, shown: Bytes, totals: Floats, n: int, state: Int32s, out: Float32s) -> int:
    """All that is no plane of nodes, for n detectives, over zeros; the node of the last sighting, or -1."""
    n_logged, n_rounds = state[packed.N_LOGGED], len(shown)
    out[layout.round] = n_logged / n_rounds
    sighting = -1
    for slot in range(n_logged):
        out[layout.log + 4 * slot + state[packed.LOG + 2 * slot]] = 1
        if state[packed.LOG + 2 * slot + 1] != packed.NO_NODE:
            sighting = state[packed.LOG + 2 * slot + 1]
            out[layout.sighting_round] = (slot + 1) / n_rounds
    for slot in range(n_logged, n_rounds):
        out[layout.reveals + slot] = shown[slot]
    for kind in range(5):
        out[layout.tickets + kind] = min(state[packed.TICKETS + kind] / totals[kind], 1.0)
    for i in range(n):
        out[layout.waiting + i] = state[packed.WAITING] >> i & 1
        for kind in range(3):
            count = state[packed.TICKETS + 5 * (i + 1) + kind]
            out[layout.tickets + 5 + 3 * i + kind] = min(count / totals[kind], 1.0)
    return sighting
