"""The rules of Scotland Yard again, compiled; must equal `rules.py`. Nothing here checks its input."""

from manhunt.core.arrays import Int32s, Int64s
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.rules import packed
from manhunt.games.scotland_yard.rules.packed import FareTable

GOES_ON, CAPTURED, SURVIVED, EXHAUSTED, STRANDED = range(5)
DOUBLE = 4
TICKET_BITS = 0b11000


@kernel
def is_blocked(state: Int32s, node: int) -> bool:
    """Whether a detective stands there; no loop, for speed (absent detectives are on NO_NODE)."""
    one = state[packed.PLACES] == node
    two = (state[packed.PLACES + 1] == node) | (state[packed.PLACES + 2] == node)
    return bool(one | two | (state[packed.PLACES + 3] == node) | (state[packed.PLACES + 4] == node))


@kernel
def can_move(table: FareTable, state: Int32s, seat: int) -> bool:
    node = state[packed.PLACES + seat - 1] if seat else state[packed.QUARRY]
    held = state[packed.HELD + seat]
    for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
        if not is_blocked(state, table.fares[k] >> 8):
            return True
    return False


@kernel
def outcome(table: FareTable, state: Int32s) -> int:
    """Paragraph 14: the code of the end, 0 while the game goes on."""
    code = EXHAUSTED
    for seat in range(1, table.n_detectives + 1):
        if can_move(table, state, seat):
            code = GOES_ON
            break
    is_mrx_turn = state[packed.WAITING] == 0
    if is_mrx_turn & (code == GOES_ON):
        code = GOES_ON if can_move(table, state, 0) else STRANDED
    if is_mrx_turn & (state[packed.N_LOGGED] == len(table.shown)):
        code = SURVIVED
    if is_blocked(state, state[packed.QUARRY]):
        code = CAPTURED
    return code


@kernel
def doubles_allowed(table: FareTable, state: Int32s) -> bool:
    return bool((state[packed.TICKETS + DOUBLE] > 0) & (len(table.shown) - state[packed.N_LOGGED] >= 2))


@kernel
def offered(table: FareTable, state: Int32s, out: Int64s) -> int:
    """Write all actions of a game that goes on to `out` in the order of the rules; return how many."""
    if state[packed.WAITING] == 0:
        n = singles(table, state, 0, out, 0)
        return doubles(table, state, out, n) if doubles_allowed(table, state) else n
    n = 0
    for i in range(table.n_detectives):
        if state[packed.WAITING] >> i & 1:
            n = singles(table, state, i + 1, out, n)
            if table.seated and n:
                break
    return n


@kernel
def singles(table: FareTable, state: Int32s, seat: int, out: Int64s, n: int) -> int:
    """Paragraph 8: append to the first n actions; return how many there are then."""
    node = state[packed.PLACES + seat - 1] if seat else state[packed.QUARRY]
    held = state[packed.HELD + seat]
    for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
        if not is_blocked(state, table.fares[k] >> 8):
            out[n] = table.fares[k] | seat
            n += 1
    return n


@kernel
def doubles(table: FareTable, state: Int32s, out: Int64s, n_singles: int) -> int:
    """Paragraph 9: extend the single moves in `out`."""
    held = state[packed.HELD]
    n = n_singles
    for first in range(n_singles):
        mid = out[first] >> 8
        for k in range(table.indptr[held, mid], table.indptr[held, mid + 1]):
            action = joined(int(out[first]), int(table.fares[k]))
            if may_join(state, action):
                out[n] = action
                n += 1
    return n


@kernel
def joined(first: int, second: int) -> int:
    """The double move of two single moves of Mr X."""
    return first | packed.DOUBLE_BIT | (second & TICKET_BITS) << 3 | (second >> 8) << 24


@kernel
def may_join(state: Int32s, action: int) -> bool:
    """Whether the second step of a double move is free and both tickets are there."""
    ticket = action >> 3 & 3
    if ticket == action >> 6 & 3 and state[packed.TICKETS + ticket] < 2:
        return False
    return not is_blocked(state, action >> 24)


@kernel
def advance(table: FareTable, state: Int32s, action: int) -> None:
    """Change the state in place as a legal action does (paragraphs 10, 12 and 13)."""
    if action & 7:
        move_detective(state, action)
        pass_over(table, state)
    else:
        move_mrx(table, state, action)


@kernel
def move_detective(state: Int32s, action: int) -> None:
    seat, ticket = action & 7, action >> 3 & 3
    state[packed.PLACES + seat - 1] = action >> 8
    pay(state, seat, ticket)
    state[packed.TICKETS + ticket] += 1
    state[packed.HELD] |= 1 << ticket
    state[packed.WAITING] &= ~(1 << (seat - 1))


@kernel
def move_mrx(table: FareTable, state: Int32s, action: int) -> None:
    log_step(table, state, action >> 3 & 3, action >> 8 & 0xFFFF)
    if action & packed.DOUBLE_BIT:
        state[packed.TICKETS + DOUBLE] -= 1
        log_step(table, state, action >> 6 & 3, action >> 24)
    state[packed.WAITING] = (1 << table.n_detectives) - 1


@kernel
def log_step(table: FareTable, state: Int32s, ticket: int, to: int) -> None:
    slot = state[packed.N_LOGGED]
    state[packed.LOG + 2 * slot] = ticket
    state[packed.LOG + 2 * slot + 1] = to if table.shown[slot] else packed.NO_NODE
    state[packed.N_LOGGED] = slot + 1
    state[packed.QUARRY] = to
    pay(state, 0, ticket)


@kernel
def pay(state: Int32s, seat: int, ticket: int) -> None:
    at = packed.TICKETS + 5 * seat + ticket
    state[at] -= 1
    if state[at] == 0:
        state[packed.HELD + seat] &= ~(1 << ticket)


@kernel
def pass_over(table: FareTable, state: Int32s) -> None:
    for i in range(table.n_detectives):
        if state[packed.WAITING] >> i & 1 and can_move(table, state, i + 1):
            return
    state[packed.WAITING] = 0
