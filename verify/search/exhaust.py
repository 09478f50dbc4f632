"""Exhaustive depth-first search: every position that can be reached, each once.

It may say that a deal is lost, and only if it has met every reachable position and none is won. A
position is known by a 128-bit hash, up to the order of piles of a kind and up to types that no rule
can tell apart; both are exact, and neither leaves a position out.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from verify.search.board import (
    CARDS,
    MOVES,
    ROWS,
    Board,
    do,
    generate,
    new_board,
    on_foundations,
    reset,
    room_for_moves,
    undo,
)
from verify.search.tables import Array, Tables, Word

EXHAUSTED, WON, NODES, MEMORY, DEPTH, STOPPED = range(6)

_U = np.uint64
KEY_BITS = 128


@njit(cache=True, nogil=True)
def _is_new(keys: Array, high: np.uint64, low: np.uint64) -> Word:
    """Whether a hash is not yet in the table; it is now. The table is never full."""
    mask = _U(keys.shape[0] - 1)
    slot = low & mask
    while keys[slot, 0] != 0 or keys[slot, 1] != 0:
        if keys[slot, 0] == high and keys[slot, 1] == low:
            return False
        slot = (slot + _U(1)) & mask
    keys[slot, 0] = high
    keys[slot, 1] = low
    return True


@njit(cache=True, nogil=True)
def _exhaust(
    t: Tables,
    b: Board,
    start: Array,
    options: Word,
    keys: Array,
    moves: Array,
    first: Array,
    at: Array,
    marks: Array,
    hashes: Array,
    limit: Word,
    stop: Array,
    line: Array,
) -> tuple[int, int, int, int]:
    """The outcome, nodes, positions met, and length of the winning line written to ``line``."""
    reset(t, b, start)
    most = keys.shape[0] - keys.shape[0] // 8
    room = moves.shape[0] - t.numbers[MOVES]
    trail_room = b.trail.shape[0] - t.numbers[ROWS]
    hash_room = _U(b.hash_trail.shape[0] - t.numbers[ROWS])
    _is_new(keys, b.hash[0], b.hash[1])
    nodes, positions, depth = 1, 1, 0
    if on_foundations(t, b) == t.numbers[CARDS]:
        return WON, nodes, positions, 0
    first[0] = 0
    at[0] = 0
    first[1] = generate(t, b, moves, 0, options)
    while depth >= 0:
        if at[depth] == first[depth + 1]:
            depth -= 1
            if depth >= 0:
                undo(b, marks[depth, 0], marks[depth, 1], hashes[depth, 0], hashes[depth, 1])
            continue
        row = at[depth]
        at[depth] = row + 1
        marks[depth, 0] = b.trail[0, 0]
        marks[depth, 1] = np.int64(b.hash_trail[0, 0])
        hashes[depth, 0] = b.hash[0]
        hashes[depth, 1] = b.hash[1]
        do(t, b, moves[row, 0], moves[row, 1], moves[row, 2])
        if not _is_new(keys, b.hash[0], b.hash[1]):
            undo(b, marks[depth, 0], marks[depth, 1], hashes[depth, 0], hashes[depth, 1])
            continue
        positions += 1
        nodes += 1
        if on_foundations(t, b) == t.numbers[CARDS]:
            for ply in range(depth + 1):
                for field in range(3):
                    line[ply, field] = moves[at[ply] - 1, field]
            return WON, nodes, positions, depth + 1
        if positions >= most:
            return MEMORY, nodes, positions, 0
        if nodes >= limit:
            return NODES, nodes, positions, 0
        depth += 1
        if (
            depth + 2 >= first.shape[0]
            or first[depth] >= room
            or b.trail[0, 0] >= trail_room
            or b.hash_trail[0, 0] >= hash_room
        ):
            return DEPTH, nodes, positions, 0
        at[depth] = first[depth]
        first[depth + 1] = generate(t, b, moves, first[depth], options)
        if nodes & 1023 == 0 and stop[0]:
            return STOPPED, nodes, positions, 0
    return EXHAUSTED, nodes, positions, 0


def exhaust(
    tables: Tables,
    start: Array,
    *,
    nodes: int,
    megabytes: int,
    stop: Array,
    depth: int = 20_000,
) -> tuple[int, int, int, Array]:
    """The outcome code, the nodes, the positions met, and the winning line as rows of moves.

    ``nodes`` and ``megabytes`` (of the table of positions) are limits; a limit that is met is
    never an answer.
    """
    slots = 1 << max(10, (megabytes * 1024 * 1024 // 16).bit_length() - 1)
    while slots // 4 > nodes:
        slots //= 2
    keys = np.zeros((slots, 2), np.uint64)
    board = new_board(tables, depth=depth)
    moves = room_for_moves(tables, states=depth)
    line = np.zeros((depth, 3), np.int16)
    outcome, expanded, positions, length = _exhaust(
        tables,
        board,
        start,
        0,
        keys,
        moves,
        np.zeros(depth + 2, np.int64),
        np.zeros(depth + 2, np.int64),
        np.zeros((depth + 2, 2), np.int64),
        np.zeros((depth + 2, 2), np.uint64),
        nodes,
        stop,
        line,
    )
    return outcome, expanded, positions, line[:length]
