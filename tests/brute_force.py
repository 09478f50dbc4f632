"""The truth about small deals: every position that play can reach, by the reference moves."""

from __future__ import annotations

from verify.moves import apply, is_won, legal_moves, start_of
from verify.position import Position
from verify.rules import Rules


def is_solvable(rules: Rules, deal: Position, *, cap: int = 100_000) -> bool | None:
    """Whether some line of play wins ``deal``; None if ``cap`` positions do not decide it.

    It prunes nothing, but takes positions for one that differ in the order of their piles only.
    """
    start = start_of(rules, deal).canonical()
    seen = {start}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if is_won(rules, position):
            return True
        for move in legal_moves(rules, position):
            following = apply(rules, position, move).canonical()
            if following not in seen:
                if len(seen) == cap:
                    return None
                seen.add(following)
                waiting.append(following)
    return False
