"""Card accounting: how many cards each pile gets, and what is left for the stock."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spec.errors import InputError
from spec.ruleset import Foundations, Reserve, Ruleset, Tableau


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The numbers of cards that the deal puts on each pile; ``stock`` is what is left."""

    cards: int
    foundations: tuple[int, ...]
    tableau: tuple[int, ...]
    face_down: tuple[int, ...]
    reserve: tuple[int, ...]
    cells: tuple[int, ...]
    stock: int

    def __str__(self) -> str:
        """The sum in words: ``foundations 1 + tableau 11 x 1 = 11 + ... = 208 cards``."""
        parts = [
            _sum_of("foundations", tuple(n for n in self.foundations if n)),
            _sum_of("tableau", self.tableau),
            _sum_of("reserve", self.reserve),
            _sum_of("cells", tuple(n for n in self.cells if n)),
            _sum_of("stock", (self.stock,) if self.stock else ()),
        ]
        text = " + ".join(part for part in parts if part)
        total = f" = {self.cards}"
        return f"{text.removesuffix(total)}{total} cards"


def layout(ruleset: Ruleset) -> Layout:
    """How the pack is laid out; InputError, with the piles and the sums, if it does not add up.

    That is: the deal takes more cards than there are, leaves some without a place, or the cards
    do not fit on the foundations where all have to go. Does not promise that the game is the one
    meant: a wrong layout may add up as well.
    """
    cards = ruleset.pack.pack().size
    foundations = tuple(n for group in ruleset.foundations for n in _seeded(group, ruleset))
    reserve = tuple(n for group in ruleset.reserve for n in _reserve(group))
    cells = _cells(ruleset)
    open_cards = sum(foundations) + sum(reserve) + sum(cells)
    tableau: tuple[int, ...] = ()
    face_down: tuple[int, ...] = ()
    for group in ruleset.tableau:
        dealt = _dealt(group, rest=cards - open_cards - sum(tableau))
        tableau += dealt
        face_down += _face_down(group, dealt)
    left = cards - open_cards - sum(tableau)
    result = Layout(
        cards=cards,
        foundations=foundations,
        tableau=tableau,
        face_down=face_down,
        reserve=reserve,
        cells=cells,
        stock=max(left, 0),
    )
    if left < 0:
        raise InputError(
            f"the deal takes {cards - left} cards and the pack has {cards}: "
            f"{_listed(result, cards - left)}",
            instead=f"deal {-left} fewer, or play with more decks",
            path="tableau.deal",
        )
    if left and ruleset.stock is None:
        raise InputError(
            f"{left} of {cards} cards are nowhere: {_listed(result, cards - left)}, and no stock",
            instead=f"deal {left} more, or state where the stock deals to (stock.to)",
            path="stock",
        )
    _check_room(ruleset, result)
    return result


def _check_room(ruleset: Ruleset, laid: Layout) -> None:
    """Nothing if the foundations can hold all cards, or need not; InputError if they are too few.

    Room for more is no fault: where foundations build up and down, they meet (Bisley).
    """
    groups = ruleset.foundations
    piles = tuple(
        min(foundation_cap(group, ruleset), laid.cards)
        for group in groups
        for _ in range(foundation_count(group, ruleset))
    )
    if not groups or ruleset.goal.when != "foundations" or sum(piles) >= laid.cards:
        return
    raise InputError(
        f"the foundations have room for {sum(piles)} of {laid.cards} cards "
        f"({_sum_of('foundations', piles)}) and all must go there; the deal is {laid}",
        instead="change foundations.piles, foundations.cap or the pack",
        path="foundations.piles",
    )


def _listed(laid: Layout, total: int) -> str:
    """The sum of what is dealt, without the stock."""
    return str(replace(laid, stock=0, cards=total)).removesuffix(" cards")


def _sum_of(name: str, counts: tuple[int, ...]) -> str:
    if not counts:
        return ""
    if len(counts) == 1:
        return f"{name} {counts[0]}"
    if len(set(counts)) == 1:
        return f"{name} {len(counts)} x {counts[0]} = {sum(counts)}"
    return f"{name} {'+'.join(map(str, counts))} = {sum(counts)}"


def foundation_count(group: Foundations, ruleset: Ruleset) -> int:
    """The number of foundations: as stated, else one for every suit of every deck."""
    return group.piles or ruleset.pack.decks * len(ruleset.pack.suits)


def foundation_cap(group: Foundations, ruleset: Ruleset) -> int:
    """The number of cards that complete a foundation; the whole pack if it is unlimited."""
    if group.cap == "unlimited":
        return ruleset.pack.pack().size
    return group.cap or ruleset.pack.ranks


def _seeded(group: Foundations, ruleset: Ruleset) -> tuple[int, ...]:
    piles = foundation_count(group, ruleset)
    if group.deal > piles:
        raise InputError(
            f"{group.deal} foundations start with a card and there are {piles}",
            instead=f"at most {piles}",
            path="foundations.deal",
        )
    return tuple(int(index < group.deal) for index in range(piles))


def _reserve(group: Reserve) -> tuple[int, ...]:
    dealt = _per_pile(group.deal, group.piles, path="reserve.deal")
    _check_face_down("reserve", _reserve_face_down(group, dealt), dealt)
    return dealt


def _reserve_face_down(group: Reserve, dealt: tuple[int, ...]) -> tuple[int, ...]:
    if isinstance(group.face_down, str):
        return tuple(max(n - 1, 0) for n in dealt)
    return _per_pile(group.face_down, group.piles, path="reserve.face_down")


def _cells(ruleset: Ruleset) -> tuple[int, ...]:
    if ruleset.cells is None:
        return ()
    if ruleset.cells.deal > ruleset.cells.piles:
        raise InputError(
            f"{ruleset.cells.deal} cards for {ruleset.cells.piles} cells",
            instead="one card a cell at most",
            path="cells.deal",
        )
    return tuple(int(index < ruleset.cells.deal) for index in range(ruleset.cells.piles))


def _dealt(group: Tableau, rest: int) -> tuple[int, ...]:
    if group.deal == "triangle":
        return tuple(range(1, group.piles + 1))
    if group.deal == "rest":
        each, more = divmod(max(rest, 0), group.piles)
        return tuple(each + int(index < more) for index in range(group.piles))
    return _per_pile(group.deal, group.piles, path="tableau.deal")


def _face_down(group: Tableau, dealt: tuple[int, ...]) -> tuple[int, ...]:
    if group.face_down == "all_but_top":
        return tuple(max(n - 1, 0) for n in dealt)
    if group.face_down in ("odd", "even"):
        # Every other card, so a count a pile does not tell which: the engines refuse these.
        return tuple(n // 2 for n in dealt)
    assert not isinstance(group.face_down, str)
    counts = _per_pile(group.face_down, group.piles, path="tableau.face_down")
    _check_face_down("tableau", counts, dealt)
    return counts


def _check_face_down(name: str, counts: tuple[int, ...], dealt: tuple[int, ...]) -> None:
    for index, (down, cards) in enumerate(zip(counts, dealt, strict=True), start=1):
        if down > cards:
            raise InputError(
                f"{name} pile {index} has {cards} cards, {down} of them face down",
                instead=f"at most {cards}",
                path=f"{name}.face_down",
            )


def _per_pile(counts: int | list[int], piles: int, *, path: str) -> tuple[int, ...]:
    if isinstance(counts, int):
        return (counts,) * piles
    if len(counts) != piles:
        raise InputError(
            f"{len(counts)} numbers for {piles} piles", instead=f"{piles} numbers", path=path
        )
    return tuple(counts)
