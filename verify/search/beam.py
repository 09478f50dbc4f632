"""Beam search for wins: layer by layer, the best positions of each layer by a weighted sum.

It narrows, so it can say that a deal is won and never that it is lost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from verify.search.board import (
    CARDS,
    CHAIN,
    CHAINS,
    HEIGHT,
    META,
    MOVES,
    N_FOUNDATIONS,
    N_TABLEAU,
    PER_HEIGHT,
    RANKS,
    RUNS,
    SIZE,
    TOP,
    WASTE_PILE,
    Board,
    attribute,
    do,
    generate,
    new_board,
    on_foundations,
    related,
    reset,
    undo,
)
from verify.search.tables import Array, Tables, Word

WON, ENDED, NODES, STOPPED = range(4)

FEATURES = (
    "on_foundations",
    "spaces",
    "buried_tableau",
    "built_pairs",
    "waste",
    "buried_waste",
    "reserve",
    "over_playable",
    "buried_in_chain",
    "stock_dealt",
    "reserve_distance",
    "low_cards_depth",
    "built_piles",
    "full_heights",
    "bottleneck",
    "clashing_copies",
)
"""What the evaluation looks at; a weight each. All count cards, piles or heights."""

_U = np.uint64


@njit(cache=True, nogil=True)
def evaluate(t: Tables, b: Board, weights: Array, scratch: Array) -> Word:
    """The weighted sum of a position's features, the higher the better.

    ``scratch`` has room for the cards out of reach at each chain and height, for the height that
    each chain waits for, for the lowest card met of each chain, and for a pile.
    """
    n, s = t.numbers, b.state
    top, size, ranks, chains = n[TOP], n[SIZE], n[RANKS], n[CHAINS]
    base = np.int64(s[n[META]])
    out_of_reach, waits = 0, chains * ranks
    lowest, pile_cards = waits + chains, waits + 2 * chains
    scratch[: chains * ranks + chains] = 0
    # What each chain waits for: the number of its foundations that have each height.
    on, full = 0, 0
    for pile in range(n[N_TABLEAU], n[N_TABLEAU] + n[N_FOUNDATIONS]):
        level = s[size + pile]
        if level > 0:
            on += level
            scratch[attribute(t, CHAIN, base, s[top + pile]) * ranks + min(level, ranks) - 1] += 1
    for c in range(chains):
        done = 0
        scratch[waits + c] = 0
        for h in range(ranks - 1, -1, -1):
            done += scratch[c * ranks + h]
            scratch[c * ranks + h] = 0
            if done >= t.bytes[n[PER_HEIGHT] + (base * chains + c) * ranks + h]:
                full += 1
            else:
                scratch[waits + c] = h
    buried, pairs, over, low, built, in_chain = 0, 0, 0, 0, 0, 0
    for pile in range(n[N_TABLEAU]):
        card = s[top + pile]
        if card < 0:
            continue
        length = s[size + pile]
        for depth in range(length - 1, -1, -1):
            scratch[pile_cards + depth] = card
            card = s[card]
        least = 99
        for c in range(chains):
            scratch[lowest + c] = 99
        whole = True
        for depth in range(length):
            card = scratch[pile_cards + depth]
            h, c = attribute(t, HEIGHT, base, card), attribute(t, CHAIN, base, card)
            above = length - 1 - depth
            if h > least:
                buried += 1
            if h > scratch[lowest + c]:
                in_chain += 1
            least = min(least, h)
            scratch[lowest + c] = min(scratch[lowest + c], h)
            if h == scratch[waits + c]:
                over += above
            low += (ranks - h) * above
            if depth > 0:
                if related(t, RUNS, base, card, s[card]):
                    pairs += 1
                else:
                    whole = False
        if whole:
            built += 1
    waste = n[WASTE_PILE]
    card = s[top + waste]
    buried_waste = 0
    while card >= 0:
        h = attribute(t, HEIGHT, base, card)
        scratch[out_of_reach + attribute(t, CHAIN, base, card) * ranks + h] += 1
        under = s[card]
        if under >= 0 and attribute(t, HEIGHT, base, under) < h:
            buried_waste += 1
        card = under
    distance, reserve = 0, 0
    for pile in range(n[N_TABLEAU] + n[N_FOUNDATIONS], waste):
        reserve += s[size + pile]
        card = s[top + pile]
        if card >= 0:
            waiting = scratch[waits + attribute(t, CHAIN, base, card)]
            distance += max(attribute(t, HEIGHT, base, card) - waiting, 0)
        while card >= 0:
            h, c = attribute(t, HEIGHT, base, card), attribute(t, CHAIN, base, card)
            scratch[out_of_reach + c * ranks + h] += 1
            card = s[card]
    bottleneck, clash = 0, 0
    for c in range(chains):
        least = 999
        for h in range(ranks):
            missing = scratch[out_of_reach + c * ranks + h]
            per = np.int64(t.bytes[n[PER_HEIGHT] + (base * chains + c) * ranks + h])
            least = min(least, per - missing)
            bottleneck += least
            clash += missing * missing
    return (
        weights[0] * on
        + weights[1] * s[n[META] + 2]
        - weights[2] * buried
        + weights[3] * pairs
        - weights[4] * s[size + waste]
        - weights[5] * buried_waste
        - weights[6] * reserve
        - weights[7] * over
        - weights[8] * in_chain
        - weights[9] * (n[CARDS] - s[size + waste + 1])
        - weights[10] * distance
        - weights[11] * low / 16
        + weights[12] * built
        + weights[13] * full
        + weights[14] * bottleneck
        - weights[15] * clash / 8
    )


@njit(cache=True, nogil=True)
def _first_time(keys: Array, key: np.uint64) -> Word:
    """Whether a hash is not yet in the table. A full table takes every hash for new."""
    mask = _U(keys.shape[0] - 1)
    slot = key & mask
    for _ in range(64):
        if keys[slot] == key:
            return False
        if keys[slot] == 0:
            keys[slot] = key
            return True
        slot = (slot + _U(1)) & mask
    return True


@njit(cache=True, nogil=True)
def _bucket(t: Tables, b: Board) -> np.uint64:
    """A hash of the foundations and the reserve, by which a layer is kept diverse."""
    n, s = t.numbers, b.state
    total = _U(0)
    for pile in range(n[N_TABLEAU], n[WASTE_PILE]):
        level = s[n[SIZE] + pile]
        if level > 0:
            chain = attribute(t, CHAIN, np.int64(s[n[META]]), s[n[TOP] + pile])
            x = _U(chain * 256 + level + (pile >= n[N_TABLEAU] + n[N_FOUNDATIONS]) * 4096)
            x *= _U(0x9E3779B97F4A7C15)
            total += x ^ (x >> _U(29))
    return total


@njit(cache=True, nogil=True)
def _beam(
    t: Tables,
    b: Board,
    start: Array,
    options: Word,
    weights: Array,
    noise: Word,
    cap: Word,
    seed: Word,
    limit: Word,
    stop: Array,
    work: tuple[Array, ...],
    line: Array,
) -> tuple[int, int, int, int]:
    """The outcome, nodes, most cards on foundations, and length of the line in ``line``."""
    layer, following, parents, moves, chosen, scores, buckets, keys, scratch = work
    width = layer.shape[0]
    levels = parents.shape[0]
    rows = scores.shape[0]
    layer[0, :] = start
    in_layer = 1
    nodes, best = 0, 0
    state = _U(seed) * _U(0x9E3779B97F4A7C15) + _U(1)
    candidates = np.zeros((rows, 2), np.int32)
    found = np.zeros((t.numbers[MOVES], 3), np.int16)
    steps = np.zeros((rows, 3), np.int16)
    reset(t, b, start)
    _first_time(keys, b.hash[0])
    slots = np.zeros(8 * width + 1, np.uint64)
    for level in range(levels):
        n = 0
        for index in range(in_layer):
            reset(t, b, layer[index])
            last = generate(t, b, found, 0, options)
            hash_0, hash_1 = b.hash[0], b.hash[1]
            for row in range(last):
                do(t, b, found[row, 0], found[row, 1], found[row, 2])
                nodes += 1
                on = on_foundations(t, b)
                best = max(best, on)
                if on == t.numbers[CARDS]:
                    for field in range(3):
                        line[level, field] = found[row, field]
                    parent = index
                    for back in range(level - 1, -1, -1):
                        for field in range(3):
                            line[back, field] = moves[back, parent, field]
                        parent = parents[back, parent]
                    return WON, nodes, best, level + 1
                if n < rows and _first_time(keys, b.hash[0]):
                    score = evaluate(t, b, weights, scratch)
                    if noise > 0:
                        state ^= state << _U(13)
                        state ^= state >> _U(7)
                        state ^= state << _U(17)
                        score += noise * (np.float64(state >> _U(40)) / 16777216.0)
                    scores[n] = -score
                    buckets[n] = _bucket(t, b)
                    candidates[n, 0] = index
                    for field in range(3):
                        steps[n, field] = found[row, field]
                    n += 1
                undo(b, 0, 0, hash_0, hash_1)
            if stop[0]:
                return STOPPED, nodes, best, 0
            if nodes >= limit:
                return NODES, nodes, best, 0
        if n == 0:
            return ENDED, nodes, best, 0
        order = np.argsort(scores[:n], kind="mergesort")
        kept = 0
        if cap > 0 and n > width:
            # At most ``cap`` of a bucket, counted in a small table: a collision mixes buckets.
            slots[:] = 0
            for place in range(n):
                row = order[place]
                slot = buckets[row] % _U(8 * width + 1)
                if slots[slot] < _U(cap):
                    slots[slot] += _U(1)
                    chosen[kept] = row
                    kept += 1
                    if kept == width:
                        break
        else:
            kept = min(n, width)
            for place in range(kept):
                chosen[place] = order[place]
        for place in range(kept):
            row = chosen[place]
            index = candidates[row, 0]
            reset(t, b, layer[index])
            do(t, b, steps[row, 0], steps[row, 1], steps[row, 2])
            following[place, :] = b.state
            parents[level, place] = index
            for field in range(3):
                moves[level, place, field] = steps[row, field]
        layer, following = following, layer
        in_layer = kept
    return ENDED, nodes, best, 0


class BeamOptions(NamedTuple):
    """How wide, with which weights, how noisy, how diverse, under which restricted moves."""

    width: int
    weights: tuple[float, ...]
    noise: float = 0.0
    cap: int = 0
    seed: int = 0
    restricted: int = 0
    levels: int = 1200


def beam(
    tables: Tables, start: Array, options: BeamOptions, *, nodes: int, stop: Array
) -> tuple[int, int, int, Array]:
    """The outcome code, the nodes, the most cards on foundations, and the winning line."""
    width, levels = options.width, options.levels
    chains, ranks, cards = (int(tables.numbers[code]) for code in (CHAINS, RANKS, CARDS))
    rows = width * 24
    size = len(start)
    slots = 1 << max(16, (min(nodes, width * 24 * 400) * 2).bit_length())
    work = (
        np.zeros((width, size), np.int16),
        np.zeros((width, size), np.int16),
        np.zeros((levels, width), np.int32),
        np.zeros((levels, width, 3), np.int16),
        np.zeros(width, np.int64),
        np.zeros(rows, np.float64),
        np.zeros(rows, np.uint64),
        np.zeros(min(slots, 1 << 24), np.uint64),
        np.zeros(chains * (ranks + 2) + cards, np.int16),
    )
    board = new_board(tables, depth=64)
    line = np.zeros((levels, 3), np.int16)
    outcome, expanded, best, length = _beam(
        tables,
        board,
        start,
        options.restricted,
        np.array(options.weights, np.float64),
        options.noise,
        options.cap,
        options.seed,
        nodes,
        stop,
        work,
        line,
    )
    return outcome, expanded, best, line[:length]
