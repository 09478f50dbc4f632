"""Shorter winning lines: short cuts between positions that the line passes anyway.

A depth-first search wanders. Where one move leads from a position of its line to a much later one,
what lies between can be left out. The result is a win, and nobody says that it is the shortest.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from verify.search.board import MOVES, Board, do, generate, new_board, reset, undo
from verify.search.tables import Array, Tables, Word

_U = np.uint64


@njit(cache=True, nogil=True)
def _slot_of(keys: Array, key: np.uint64) -> Word:
    """The slot of a hash in the table, or the free one where it belongs."""
    mask = _U(keys.shape[0] - 1)
    slot = key & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + _U(1)) & mask
    return slot


@njit(cache=True, nogil=True)
def _relax(
    t: Tables, b: Board, start: Array, rows: Array, keys: Array, index: Array, steps: Array
) -> None:
    """Fill ``steps`` with the fewest moves to each position of the line, and the one before it."""
    length = rows.shape[0]
    found = np.zeros((t.numbers[MOVES], 3), np.int16)
    reset(t, b, start)
    for ply in range(length):
        do(t, b, rows[ply, 0], rows[ply, 1], rows[ply, 2])
        _forget(b)
        slot = _slot_of(keys, b.hash[0])
        keys[slot] = b.hash[0]
        index[slot] = ply + 1
    reset(t, b, start)
    for ply in range(length):
        last = generate(t, b, found, 0, 0)
        hash_0, hash_1 = b.hash[0], b.hash[1]
        for row in range(last):
            do(t, b, found[row, 0], found[row, 1], found[row, 2])
            slot = _slot_of(keys, b.hash[0])
            later = index[slot] if keys[slot] != 0 else 0
            if later > ply and steps[ply, 0] + 1 < steps[later, 0]:
                steps[later, 0] = steps[ply, 0] + 1
                steps[later, 1] = ply
            undo(b, 0, 0, hash_0, hash_1)
        do(t, b, rows[ply, 0], rows[ply, 1], rows[ply, 2])
        _forget(b)


@njit(cache=True, nogil=True)
def _forget(b: Board) -> None:
    """Empty the trails, so that the moves made so far cannot be undone."""
    b.trail[0, 0] = 0
    b.hash_trail[0, 0] = _U(0)


@njit(cache=True, nogil=True)
def _follow(t: Tables, b: Board, start: Array, rows: Array, wanted: Array, line: Array) -> None:
    """Write to ``line`` the moves that lead through the wanted positions of the line ``rows``."""
    found = np.zeros((t.numbers[MOVES], 3), np.int16)
    hashes = np.zeros(rows.shape[0] + 1, np.uint64)
    reset(t, b, start)
    for ply in range(rows.shape[0]):
        do(t, b, rows[ply, 0], rows[ply, 1], rows[ply, 2])
        _forget(b)
        hashes[ply + 1] = b.hash[0]
    reset(t, b, start)
    for step in range(wanted.shape[0]):
        last = generate(t, b, found, 0, 0)
        hash_0, hash_1 = b.hash[0], b.hash[1]
        for row in range(last):
            do(t, b, found[row, 0], found[row, 1], found[row, 2])
            if b.hash[0] == hashes[wanted[step]]:
                for field in range(3):
                    line[step, field] = found[row, field]
                _forget(b)
                break
            undo(b, 0, 0, hash_0, hash_1)


def shortened(tables: Tables, start: Array, rows: Array) -> Array:
    """The line with short cuts taken, as rows of moves from the same start to a win.

    A position of the line may be reached with piles of a kind in another order, so moves are found
    anew on the way.
    """
    length = len(rows)
    slots = 1 << max(10, (length * 4).bit_length())
    steps = np.full((length + 1, 2), length + 1, np.int64)
    steps[0, 0] = 0
    board = new_board(tables, depth=64)
    keys, index = np.zeros(slots, np.uint64), np.zeros(slots, np.int64)
    _relax(tables, board, start, rows, keys, index, steps)
    wanted: list[int] = []
    at = length
    while at > 0:
        wanted.append(at)
        at = int(steps[at, 1])
    line = np.zeros((len(wanted), 3), np.int16)
    _follow(tables, board, start, rows, np.array(wanted[::-1], np.int64), line)
    return line
