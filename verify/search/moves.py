"""From rows of the kernel to moves, and the kernel's own list of moves for a position."""

from __future__ import annotations

from functools import cache

from verify.moves import Move, Place, apply
from verify.position import Position
from verify.rules import Rules
from verify.search.board import do, generate, new_board, reset, room_for_moves
from verify.search.tables import Array, state_of, tables_of


@cache
def _places(tableau: int, foundations: int, reserve: int) -> tuple[Place, ...]:
    return (
        *(Place("tableau", number) for number in range(tableau)),
        *(Place("foundation", number) for number in range(foundations)),
        *(Place("reserve", number) for number in range(reserve)),
        Place("waste"),
        Place("stock"),
    )


def move_of(rules: Rules, position: Position, row: Array) -> Move:
    """The move that a row of the kernel (source, target, count) means in a position."""
    layout = rules.layout
    places = _places(len(layout.tableau), len(layout.foundations), len(layout.reserve))
    source, target, count = places[row[0]], places[row[1]], int(row[2])
    if count == 0:
        return Move(card=None, source=source, target=target)
    card = position.piles(source.kind)[source.number][-count]
    return Move(card=card, source=source, target=target, count=count)


def line_of(rules: Rules, deal: Position, rows: Array) -> tuple[Move, ...]:
    """The moves of a line of rows from a deal, played out by the reference moves.

    Raises IllegalMove if the kernel plays what the rules do not allow.
    """
    moves = []
    position = deal
    for row in rows:
        move = move_of(rules, position, row)
        position = apply(rules, position, move)
        moves.append(move)
    return tuple(moves)


def kernel_moves(rules: Rules, position: Position) -> dict[Move, tuple[int, int]]:
    """The moves that the kernel finds in a position, each with the hash that it leads to.

    Of equivalent moves (to the first or the second of two empty piles) it finds one.
    """
    tables = tables_of(rules)
    board = new_board(tables, depth=1)
    out = room_for_moves(tables)
    state = state_of(rules, position)
    reset(tables, board, state)
    last = generate(tables, board, out, 0, 0)
    found = {}
    for row in out[:last]:
        reset(tables, board, state)
        do(tables, board, row[0], row[1], row[2])
        found[move_of(rules, position, row)] = (int(board.hash[0]), int(board.hash[1]))
    return found


def position_hash(rules: Rules, position: Position) -> tuple[int, int]:
    """The 128-bit hash by which the kernel knows a position."""
    tables = tables_of(rules)
    board = new_board(tables, depth=1)
    reset(tables, board, state_of(rules, position))
    return int(board.hash[0]), int(board.hash[1])
