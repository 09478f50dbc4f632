"""Why a deal cannot be won, in a player's words, from the closed set that proves it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from spec.cards import RANK_NAMES, SUIT_NAMES, Card, Pack
from verify.certificate import ClosedSet, Key
from verify.moves import Place, start_of
from verify.position import Position
from verify.rules import Policy, Rules

MOST_KEYS: Final = 3
"""Keys that are explained one by one."""


def why_unsolvable(rules: Rules, deal: Position, closed: ClosedSet) -> list[str]:
    """Why ``deal`` cannot be won: a paragraph for each of a few keys, then a conclusion.

    The keys with the shortest reasons come first. Every sentence follows from the closed set; that
    the closed set itself holds is not asked here (:func:`verify.checker.check`). Raises InputError
    if the deal is none of this game.
    """
    story = _Story(rules, start_of(rules, deal), closed)
    shown: dict[Card, Key] = {}
    for key in sorted(closed.keys, key=story.length):
        shown.setdefault(story.card(key), key)
    keys = list(shown.values())[:MOST_KEYS]
    return [story.of_key(key) for key in keys] + [story.conclusion(len(closed.keys) - len(keys))]


class _Story:
    """What a closed set says about its deal."""

    def __init__(self, rules: Rules, start: Position, closed: ClosedSet) -> None:
        self.rules = rules
        self.pack = rules.pack
        self.start = start
        self.closed = closed
        self.types = [self.pack.card(index) for index in range(self.pack.types)]
        self.held: dict[Card, list[Place]] = {card: [] for card in self.types}
        for key in closed.keys:
            for card in self._pile(key)[: key.depth + 1]:
                self.held[card].append(key.pile)
        keyed = {key.pile for key in closed.keys}
        self.spaces = any(Place("tableau", n) not in keyed for n in range(len(start.tableau)))

    def _pile(self, key: Key) -> tuple[Card, ...]:
        piles = {"tableau": self.start.tableau, "reserve": self.start.reserve}
        return piles[key.pile.kind][key.pile.number]

    def card(self, key: Key) -> Card:
        """The card of the deal that a key names."""
        return self._pile(key)[key.depth]

    def _onto(self, policy: Policy, card: Card) -> list[Card]:
        return [onto for onto in self.types if policy.allows(card, onto, self.start.base)]

    def _moves(self, card: Card) -> bool:
        """Whether some copy of the card may move."""
        return len(self.held[card]) < self.pack.decks

    def length(self, key: Key) -> tuple[int, int, Key]:
        """Sorts the keys by how much there is to say about them."""
        card = self.card(key)
        parents = (
            self._onto(self.rules.tableau_build, card)
            if key.pile.kind in self.rules.to_tableau
            else []
        )
        steps = len(self._waits_for(card))
        return bool(parents) + any(map(self._moves, parents)), steps, key

    def conclusion(self, more: int) -> str:
        """What follows from the keys, of which ``more`` were not explained."""
        number = len(self.closed.keys)
        sentences = []
        if more:
            noun, verb = ("card", "is") if more == 1 else ("cards", "are")
            sentences.append(f"{_number(more).capitalize()} more {noun} {verb} held in such a way.")
        if not self.spaces:
            sentences.append("Every tableau pile has such a card, so there is never a space.")
        if number == 1:
            sentences.append("The card has to move for a win, so this deal cannot be won.")
        else:
            sentences.append(
                f"None of the {_number(number)} cards can be the first of them to move, "
                "so none ever moves and this deal cannot be won."
            )
        return " ".join(sentences)

    def of_key(self, key: Key) -> str:
        """Why one key never moves."""
        card = self.card(key)
        sentences = [
            f"The {card.name} in {self._name(key.pile)} never moves.",
            *self._no_way_in_the_tableau(key, card),
            self._no_way_up(card),
        ]
        return " ".join(sentences)

    def _name(self, pile: Place) -> str:
        single = pile.kind == "reserve" and len(self.start.reserve) == 1
        return "the reserve" if single else pile.name

    def _names(self, piles: set[Place]) -> str:
        tableau = [str(pile.number + 1) for pile in sorted(piles) if pile.kind == "tableau"]
        names = [self._name(pile) for pile in sorted(piles) if pile.kind != "tableau"]
        if tableau:
            names.append(f"tableau pile{'s' * (len(tableau) > 1)} {_listed(tableau, 'and')}")
        return _listed(names, "and")

    def _no_way_in_the_tableau(self, key: Key, card: Card) -> list[str]:
        kind = key.pile.kind
        if kind not in self.rules.to_tableau:
            sentences = [f"No card moves from the {kind} onto a tableau pile."]
        else:
            sentences = [self._no_parent(card)]
        if kind == "tableau" and key.depth > 0 and self.rules.unit != "card":
            under = self._pile(key)[key.depth - 1]
            sentences.append(f"It moves in no group with the {under.name} under it.")
        if not self.spaces:
            sentences.append("There is never a space.")
        elif kind in self.rules.to_space:
            sentences.append("Spaces do not take a card of its rank.")
        else:
            sentences.append(f"Spaces are not filled from the {kind}.")
        return sentences

    def _no_parent(self, card: Card) -> str:
        parents = self._onto(self.rules.tableau_build, card)
        if not parents:
            return "In the tableau it fits on no card."
        fits = f"In the tableau it fits only on {_one_of(parents, self.pack)}"
        if not any(map(self._moves, parents)):
            return f"{fits}, and {self._never_move(parents)}."
        staying = sum(len(self.held[parent]) for parent in parents)
        if not staying:
            return f"{fits}, and none ever comes there."
        copies = self.pack.decks * len(parents)
        never = f"{_number(staying)} never {'moves' if staying == 1 else 'move'}"
        others = "the other never comes" if copies - staying == 1 else "the others never come"
        return f"{fits}; of the {_number(copies)} {never}, and {others} there."

    def _waits_for(self, card: Card) -> list[list[Card]]:
        """The types that must be on a foundation before the card is, step by step.

        Types whose copies all stay where they are need nothing and wait for nothing.
        """
        steps: list[list[Card]] = []
        seen: set[Card] = set()
        waiting = [card]
        while waiting:
            onto = {o for w in waiting for o in self._onto(self.rules.foundation_build, w)}
            step = [o for o in self.types if o in onto - seen]
            if not step:
                break
            seen |= onto
            steps.append(step)
            waiting = [o for o in step if self._moves(o)]
        return steps

    def _no_way_up(self, card: Card) -> str:
        steps = self._waits_for(card)
        if not steps:
            return "It fits on no card of a foundation."
        up = f"On a foundation it fits only on {_one_of(steps[0], self.pack)}"
        if any(map(self._moves, steps[-1])):
            return f"{up}, and none ever gets there."
        if len(steps) == 1:
            return f"{up}, and {self._never_move(steps[0])}."
        return (
            f"{up}; none gets there before {_one_of(steps[-1], self.pack)}, "
            f"and {self._never_move(steps[-1])}."
        )

    def _never_move(self, types: Sequence[Card]) -> str:
        """That all copies of some types lie at or below keys, and where."""
        copies = self.pack.decks * len(types)
        where = self._names({place for card in types for place in self.held[card]})
        if copies == 1:
            return f"the {types[0].name} never moves ({where})"
        every = "both" if copies == 2 else f"all {_number(copies)}"
        return f"{every} {_plural(types, self.pack)} never move ({where})"


def _one_of(types: Sequence[Card], pack: Pack) -> str:
    """Some types as a choice: ``a red ten``, ``a ten of hearts or a six of clubs``."""
    shared = _shared(types, pack)
    if shared is not None:
        return _with_article(shared)
    if pack.decks == 1:
        return _listed([f"the {card.name}" for card in types], "or")
    return _listed([_with_article(card.name) for card in types], "or")


def _plural(types: Sequence[Card], pack: Pack) -> str:
    shared = _shared(types, pack)
    if shared is not None:
        return _many(shared)
    return _listed(
        [f"{_many(RANK_NAMES[card.rank - 1])} of {SUIT_NAMES[card.suit]}" for card in types], "and"
    )


def _shared(types: Sequence[Card], pack: Pack) -> str | None:
    """The rank, or colour and rank, that names exactly these types; None if nothing does."""
    suits = {card.suit for card in types}
    if len(types) < 2 or len({card.rank for card in types}) > 1:
        return None
    rank = RANK_NAMES[types[0].rank - 1]
    if suits == {suit for suit, _ in pack.suits}:
        return rank
    colours = {pack.colour(suit) for suit in suits}
    for colour in colours:
        if suits == {suit for suit, of_suit in pack.suits if of_suit == colour}:
            return f"{colour} {rank}"
    return None


def _many(noun: str) -> str:
    return f"{noun}es" if noun.endswith("x") else f"{noun}s"


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _listed(names: Iterable[str], word: str) -> str:
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last


_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
