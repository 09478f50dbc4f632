"""The compiled board: what a move does to a state, how it is undone, and which moves there are.

A state is one vector of small integers: for each card the card under it, then for each pile its top
card, its size and its number of face-down cards, then the base rank, the pass and the number of
empty tableau piles. Piles are numbered tableau, foundations, reserve, waste, stock. A pile is a
linked list, so a group of any length moves by changing two links. Every change is written down on
a trail, and undone from it.

Each pile has a 128-bit hash, the sum over its cards of a mix of class and depth; the hash of a
state is the sum over its piles of a mix of kind and pile hash. So it changes with a move by a few
additions, and does not depend on the order of the piles of a kind: positions that differ only in
that are one state, which no rule can tell apart.

``t`` is :class:`verify.search.tables.Tables` throughout, ``b`` a :class:`Board`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from verify.search.tables import Array, C, Tables, Word

TABLEAU, FOUNDATION, RESERVE, WASTE, STOCK = range(5)

# Plain constants: compiled code reads them without a look-up.
N_TABLEAU, N_FOUNDATIONS, N_RESERVE = int(C.TABLEAU), int(C.FOUNDATIONS), int(C.RESERVE)
CARDS, TYPES, RANKS, CAP, UNIT = int(C.CARDS), int(C.TYPES), int(C.RANKS), int(C.CAP), int(C.UNIT)
RETURNS, PASSES, CHAINS = int(C.RETURNS), int(C.PASSES), int(C.CHAINS)
TO_TABLEAU, TO_SPACE, FILLS, FILL = int(C.TO_TABLEAU), int(C.TO_SPACE), int(C.FILLS), int(C.FILL)
PILES, WASTE_PILE = int(C.PILES), int(C.WASTE)
TOP, SIZE, DOWN, META = int(C.TOP), int(C.SIZE), int(C.DOWN), int(C.META)
TYPE, SAME, RANK = int(C.TYPE), int(C.SAME), int(C.RANK)
FITS, FOLLOWS, RUNS = int(C.FITS), int(C.FOLLOWS), int(C.RUNS)
STARTS, TAKES = int(C.STARTS), int(C.TAKES)
HEIGHT, CHAIN, PER_HEIGHT = int(C.HEIGHT), int(C.CHAIN), int(C.PER_HEIGHT)
MOVES, ROWS = int(C.MOVES), int(C.ROWS)

SINGLE_CARDS = 1
"""Option: no parts of groups. It changes nothing where only whole groups move. A win under fewer
moves is a win."""
NO_RETURNS = 2
"""Option: nothing moves back from a foundation. A win under fewer moves is a win."""

_U = np.uint64
_LANE_0, _LANE_1 = _U(0x9E3779B97F4A7C15), _U(0xD1B54A32D192ED03)
_MIX_1, _MIX_2 = _U(0xBF58476D1CE4E5B9), _U(0x94D049BB133111EB)
_S30, _S27, _S31 = _U(30), _U(27), _U(31)


class Board(NamedTuple):
    """A state that moves change.

    ``hash`` holds the two lanes of the state's hash, then those of each pile. ``trail`` has rows of
    index and old value, ``hash_trail`` rows of pile and its old lanes; row 0 of each counts them.
    """

    state: Array
    hash: Array
    trail: Array
    hash_trail: Array


def new_board(tables: Tables, *, depth: int) -> Board:
    """A board with room for ``depth`` moves on its trails; :func:`reset` puts a state on it."""
    rows = 2 * int(tables.numbers[ROWS])
    return Board(
        state=np.zeros(tables.numbers[META] + 3, np.int16),
        hash=np.zeros(2 + 2 * tables.numbers[PILES], np.uint64),
        trail=np.zeros((depth * 16 + rows, 2), np.int32),
        hash_trail=np.zeros((depth * 4 + rows, 3), np.uint64),
    )


def room_for_moves(tables: Tables, *, states: int = 1) -> Array:
    """Rows for the moves of so many states with some moves each, the last with as many as it can.

    For :func:`generate`, which writes without looking where its rows end.
    """
    return np.zeros((states * 16 + int(tables.numbers[MOVES]), 3), np.int16)


@njit(cache=True, nogil=True)
def related(t: Tables, table: Word, base: Word, card: Word, onto: Word) -> Word:
    """Whether a relation table holds for two cards."""
    n = t.numbers
    types = n[TYPES]
    row = base * types + t.bytes[n[TYPE] + card]
    return t.bytes[n[table] + row * types + t.bytes[n[TYPE] + onto]] != 0


@njit(cache=True, nogil=True)
def attribute(t: Tables, table: Word, base: Word, card: Word) -> Word:
    """The entry of a table by base rank and type."""
    n = t.numbers
    return np.int64(t.bytes[n[table] + base * n[TYPES] + t.bytes[n[TYPE] + card]])


@njit(cache=True, nogil=True)
def kind_of(t: Tables, pile: Word) -> Word:
    """The code of a pile's kind."""
    n = t.numbers
    if pile < n[N_TABLEAU]:
        return TABLEAU
    if pile >= n[WASTE_PILE]:
        return WASTE + pile - n[WASTE_PILE]
    return FOUNDATION if pile < n[N_TABLEAU] + n[N_FOUNDATIONS] else RESERVE


@njit(cache=True, nogil=True)
def _mixed(x: np.uint64) -> np.uint64:
    """A 64-bit finaliser (Stafford's variant 13, as in SplitMix64)."""
    x = (x ^ (x >> _S30)) * _MIX_1
    x = (x ^ (x >> _S27)) * _MIX_2
    return x ^ (x >> _S31)


@njit(cache=True, nogil=True)
def _class(t: Tables, card: Word) -> Word:
    return t.bytes[t.numbers[SAME] + t.bytes[t.numbers[TYPE] + card]]


@njit(cache=True, nogil=True)
def _share_in_hash(t: Tables, b: Board, pile: Word, sign: Word) -> None:
    """Add a pile to the hash of the state (sign 1) or take it out (sign -1)."""
    n, s, h = t.numbers, b.state, b.hash
    size = s[n[SIZE] + pile]
    if size == 0:
        return
    kind = kind_of(t, pile)
    x0, x1 = h[2 + 2 * pile], h[3 + 2 * pile]
    if kind == FOUNDATION and n[RETURNS] == 0:
        # What lies under the top of a foundation never comes back into play.
        x0 = _U(size) * _U(256) + _U(_class(t, s[n[TOP] + pile])) + _U(1)
        x1 = x0
    salt = _U(kind * 256 + s[n[DOWN] + pile] + 1)
    y0, y1 = _mixed(x0 + salt * _LANE_0), _mixed(x1 + salt * _LANE_1)
    if sign > 0:
        h[0] += y0
        h[1] += y1
    else:
        h[0] -= y0
        h[1] -= y1


@njit(cache=True, nogil=True)
def _open_pile(t: Tables, b: Board, pile: Word) -> None:
    """Take a pile out of the hash, before it changes."""
    row = np.int64(b.hash_trail[0, 0]) + 1
    b.hash_trail[row, 0] = _U(pile)
    b.hash_trail[row, 1] = b.hash[2 + 2 * pile]
    b.hash_trail[row, 2] = b.hash[3 + 2 * pile]
    b.hash_trail[0, 0] = _U(row)
    _share_in_hash(t, b, pile, -1)


@njit(cache=True, nogil=True)
def _put(b: Board, row: Word, index: Word, value: Word) -> Word:
    """Change the state and write it on the trail; the row it is written to."""
    row += 1
    b.trail[row, 0] = index
    b.trail[row, 1] = b.state[index]
    b.state[index] = value
    return row


@njit(cache=True, nogil=True)
def _shift(t: Tables, b: Board, source: Word, target: Word, count: Word) -> None:
    """Move ``count`` cards from the top of one pile to another, hashes and sizes included."""
    n, s, h = t.numbers, b.state, b.hash
    top, size, spaces = n[TOP], n[SIZE], n[META] + 2
    left, onto = s[size + source] - count, s[size + target]
    head = s[top + source]
    depth = count - 1
    card = head
    while True:
        code = _U(_class(t, card)) + _U(1)
        from_key, to_key = _U(left + depth) * _U(256) + code, _U(onto + depth) * _U(256) + code
        h[2 + 2 * source] -= _mixed(from_key * _LANE_0)
        h[3 + 2 * source] -= _mixed(from_key * _LANE_1)
        h[2 + 2 * target] += _mixed(to_key * _LANE_0)
        h[3 + 2 * target] += _mixed(to_key * _LANE_1)
        if depth == 0:
            break
        card = s[card]
        depth -= 1
    rest = s[card]
    row = b.trail[0, 0]
    row = _put(b, row, card, s[top + target])
    row = _put(b, row, top + target, head)
    row = _put(b, row, top + source, rest)
    row = _put(b, row, size + source, left)
    row = _put(b, row, size + target, onto + count)
    if source < n[N_TABLEAU]:
        down = n[DOWN] + source
        if left == 0:
            row = _put(b, row, spaces, s[spaces] + 1)
        if s[down] > 0 and s[down] >= left:
            # The exposed card is turned up.
            row = _put(b, row, down, max(left - 1, 0))
    if target < n[N_TABLEAU] and onto == 0:
        row = _put(b, row, spaces, s[spaces] - 1)
    b.trail[0, 0] = row


@njit(cache=True, nogil=True)
def _move_cards(t: Tables, b: Board, source: Word, target: Word, count: Word) -> None:
    _open_pile(t, b, source)
    _open_pile(t, b, target)
    _shift(t, b, source, target, count)
    _share_in_hash(t, b, source, 1)
    _share_in_hash(t, b, target, 1)


@njit(cache=True, nogil=True)
def _set_meta(t: Tables, b: Board, index: Word, value: Word) -> None:
    """Change the base rank (0) or the pass (1), which are part of the hash."""
    place = t.numbers[META] + index
    for sign in (-1, 1):
        x = _mixed(_U(b.state[place] + 1) * _LANE_1 + _U(index))
        y = _mixed(x + _LANE_0)
        if sign < 0:
            b.hash[0] -= x
            b.hash[1] -= y
            b.trail[0, 0] = _put(b, b.trail[0, 0], place, value)
        else:
            b.hash[0] += x
            b.hash[1] += y


@njit(cache=True, nogil=True)
def _filler(t: Tables, b: Board) -> Word:
    """The pile that fills the next space, -1 if none has a card."""
    n = t.numbers
    for step in range(n[FILLS]):
        kind = n[FILL + step]
        pile = n[WASTE_PILE]
        if kind == STOCK:
            pile += 1
        elif kind == RESERVE:
            pile -= n[N_RESERVE]
        if b.state[n[TOP] + pile] >= 0:
            return pile
    return -1


@njit(cache=True, nogil=True)
def _settle(t: Tables, b: Board) -> None:
    """Fill spaces by the automatic chain, the leftmost first."""
    n = t.numbers
    if n[FILLS] == 0 or b.state[n[META] + 2] == 0:
        return
    for pile in range(n[N_TABLEAU]):
        if b.state[n[TOP] + pile] < 0:
            source = _filler(t, b)
            if source < 0:
                return
            _move_cards(t, b, source, pile, 1)


@njit(cache=True, nogil=True)
def do(t: Tables, b: Board, source: Word, target: Word, count: Word) -> None:
    """Make a move with all that follows from it. The move must be one of :func:`generate`."""
    n = t.numbers
    if count == 0:
        # A redeal turns the waste over: its bottom card is dealt first.
        while b.state[n[TOP] + source] >= 0:
            _move_cards(t, b, source, target, 1)
        if n[PASSES] != 0:
            _set_meta(t, b, 1, b.state[n[META] + 1] + 1)
    else:
        if b.state[n[META]] == 0 and kind_of(t, target) == FOUNDATION:
            card = b.state[n[TOP] + source]
            _set_meta(t, b, 0, t.bytes[n[RANK] + t.bytes[n[TYPE] + card]])
        _move_cards(t, b, source, target, count)
    _settle(t, b)


@njit(cache=True, nogil=True)
def undo(b: Board, row: Word, hash_row: Word, hash_0: np.uint64, hash_1: np.uint64) -> None:
    """Go back to the state at which the trails ended at these rows and the hash was this."""
    last = b.trail[0, 0]
    while last > row:
        b.state[b.trail[last, 0]] = b.trail[last, 1]
        last -= 1
    b.trail[0, 0] = row
    last = np.int64(b.hash_trail[0, 0])
    while last > hash_row:
        pile = np.int64(b.hash_trail[last, 0])
        b.hash[2 + 2 * pile] = b.hash_trail[last, 1]
        b.hash[3 + 2 * pile] = b.hash_trail[last, 2]
        last -= 1
    b.hash_trail[0, 0] = _U(hash_row)
    b.hash[0] = hash_0
    b.hash[1] = hash_1


@njit(cache=True, nogil=True)
def reset(t: Tables, b: Board, state: Array) -> None:
    """Put a state on the board: copy it, compute its hashes, empty the trails."""
    n, h = t.numbers, b.hash
    b.state[:] = state
    b.trail[0, 0] = 0
    b.hash_trail[0, 0] = _U(0)
    h[0] = _U(0)
    h[1] = _U(0)
    for pile in range(n[PILES]):
        depth = state[n[SIZE] + pile] - 1
        card = state[n[TOP] + pile]
        x, y = _U(0), _U(0)
        while card >= 0:
            key = _U(depth) * _U(256) + _U(_class(t, card)) + _U(1)
            x += _mixed(key * _LANE_0)
            y += _mixed(key * _LANE_1)
            card = state[card]
            depth -= 1
        h[2 + 2 * pile] = x
        h[3 + 2 * pile] = y
        _share_in_hash(t, b, pile, 1)
    for index in range(2):
        x = _mixed(_U(state[n[META] + index] + 1) * _LANE_1 + _U(index))
        h[0] += x
        h[1] += _mixed(x + _LANE_0)


@njit(cache=True, nogil=True)
def on_foundations(t: Tables, b: Board) -> Word:
    """The number of cards on foundations; the game is won when it is every card."""
    n = t.numbers
    total = 0
    for pile in range(n[N_TABLEAU], n[N_TABLEAU] + n[N_FOUNDATIONS]):
        total += b.state[n[SIZE] + pile]
    return total


@njit(cache=True, nogil=True)
def generate(t: Tables, b: Board, out: Array, start: Word, options: Word) -> Word:
    """Write the moves of a state to ``out`` from row ``start``; the row after the last of them.

    A row is source pile, target pile, number of cards; a redeal has 0 cards. Of the empty piles of
    a kind only the first is a target, and a pile does not move whole from one space to another:
    what is left out leads to a state with the same hash.
    """
    n, s = t.numbers, b.state
    base, waste = np.int64(s[n[META]]), n[WASTE_PILE]
    closed = n[RETURNS] == 0 or options & NO_RETURNS != 0
    last = start
    for source in range(waste + 1):
        card = s[n[TOP] + source]
        if card >= 0 and not (closed and kind_of(t, source) == FOUNDATION):
            last = _to_foundations(t, b, source, card, base, out, last)
    for source in range(waste + 1):
        kind = kind_of(t, source)
        head = s[n[TOP] + source]
        if head < 0 or (closed and kind == FOUNDATION):
            continue
        most = 1
        if kind == TABLEAU and (n[UNIT] == 2 or (n[UNIT] == 1 and options & SINGLE_CARDS == 0)):
            most = s[n[SIZE] + source] - s[n[DOWN] + source]
        longest = 1
        bottom = head
        while longest < most and related(t, RUNS, base, bottom, s[bottom]):
            bottom = s[bottom]
            longest += 1
        first = longest if kind == TABLEAU and n[UNIT] == 2 else 1
        for count in range(1, longest + 1):
            if count >= first:
                last = _to_tableau(t, b, source, kind, head, count, base, out, last)
            head = s[head]
    if s[n[TOP] + waste + 1] >= 0:
        last = _write(out, last, waste + 1, waste, 1)
    elif s[n[TOP] + waste] >= 0 and (n[PASSES] == 0 or s[n[META] + 1] < n[PASSES]):
        last = _write(out, last, waste, waste + 1, 0)
    return last


@njit(cache=True, nogil=True)
def _write(out: Array, row: Word, source: Word, target: Word, count: Word) -> Word:
    out[row, 0] = source
    out[row, 1] = target
    out[row, 2] = count
    return row + 1


@njit(cache=True, nogil=True)
def _to_foundations(
    t: Tables, b: Board, source: Word, card: Word, base: Word, out: Array, row: Word
) -> Word:
    n, s = t.numbers, b.state
    seen_empty = False
    for pile in range(n[N_TABLEAU], n[N_TABLEAU] + n[N_FOUNDATIONS]):
        onto = s[n[TOP] + pile]
        if onto < 0:
            if not seen_empty and attribute(t, STARTS, base, card) != 0:
                row = _write(out, row, source, pile, 1)
            seen_empty = True
        elif (
            pile != source and s[n[SIZE] + pile] < n[CAP] and related(t, FOLLOWS, base, card, onto)
        ):
            row = _write(out, row, source, pile, 1)
    return row


@njit(cache=True, nogil=True)
def _to_tableau(
    t: Tables,
    b: Board,
    source: Word,
    kind: Word,
    head: Word,
    count: Word,
    base: Word,
    out: Array,
    row: Word,
) -> Word:
    n, s = t.numbers, b.state
    onto_cards = (n[TO_TABLEAU] >> kind) & 1
    into_space = (n[TO_SPACE] >> kind) & 1
    if onto_cards == 0 and into_space == 0:
        return row
    whole = kind == TABLEAU and s[head] < 0
    seen_empty = False
    for pile in range(n[N_TABLEAU]):
        onto = s[n[TOP] + pile]
        if onto >= 0:
            if pile != source and onto_cards != 0 and related(t, FITS, base, head, onto):
                row = _write(out, row, source, pile, count)
        elif not seen_empty:
            seen_empty = True
            if into_space != 0 and not whole and attribute(t, TAKES, base, head) != 0:
                row = _write(out, row, source, pile, count)
    return row
