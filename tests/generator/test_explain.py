"""The reasons in words are those of the closed set."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from generator.closed_set import find_closed_set
from generator.explain import why_unsolvable
from spec.cards import RANK_NAMES, SUIT_NAMES, Card
from spec.ruleset import from_paths
from tests.adversary import ALL_VARIANTS, accepted, rules_of_variant
from tests.rulesets import AUTO_FILL, FREE_SPACES, small
from verify.certificate import ClosedSet, read_certificate
from verify.moves import Place
from verify.position import Position, read_position
from verify.rules import Rules, rules_of

CORPUS = Path(__file__).parent.parent / "corpus" / "certificates" / "accepted"
GAMES = ("josephine", "emperor", "signora", "empress-of-italy")


def _parts(game: str) -> tuple[Rules, Position, ClosedSet]:
    tree = json.loads((CORPUS / f"{game}.json").read_text(encoding="utf-8"))
    rules = rules_of(from_paths(tree["rules"]), game=game)
    start = read_position(tree["deal"], pack=rules.pack, layout=rules.layout)
    closed = read_certificate(tree["certificate"], rules)
    assert isinstance(closed, ClosedSet)
    return rules, start, closed


def _held(start: Position, closed: ClosedSet) -> list[tuple[Card, Place]]:
    piles = {"tableau": start.tableau, "reserve": start.reserve}
    return [
        (card, key.pile)
        for key in closed.keys
        for card in piles[key.pile.kind][key.pile.number][: key.depth + 1]
    ]


_COUNTS = {"both": 2, "all four": 4, "all eight": 8}
_NEVER_MOVE = re.compile(
    r"(?P<count>both|all four|all eight) (?:(?P<colour>red|black) )?(?P<rank>[a-z]+?)(?:es|s)"
    r"(?: of (?P<suit>[a-z]+))? never move \((?P<where>[^)]*)\)"
)


@pytest.mark.parametrize("game", GAMES)
def test_cards_that_never_move_lie_where_it_says(game: str) -> None:
    rules, start, closed = _parts(game)
    claims = list(_NEVER_MOVE.finditer(" ".join(why_unsolvable(rules, start, closed))))
    assert claims
    for claim in claims:
        rank = [name.rstrip("e") for name in RANK_NAMES].index(claim["rank"].rstrip("e")) + 1
        suits = {
            suit
            for suit, colour in rules.pack.suits
            if claim["colour"] in (None, colour) and claim["suit"] in (None, SUIT_NAMES[suit])
        }
        places = [
            place
            for card, place in _held(start, closed)
            if card.rank == rank and card.suit in suits
        ]
        assert len(places) == _COUNTS[claim["count"]] == rules.pack.decks * len(suits)
        named = {int(number) for number in re.findall(r"\d+", claim["where"])}
        assert named == {place.number + 1 for place in places if place.kind == "tableau"}
        assert ("reserve" in claim["where"]) is any(p.kind == "reserve" for p in places)


@pytest.mark.parametrize("game", GAMES)
def test_explains_keys_of_the_deal(game: str) -> None:
    rules, start, closed = _parts(game)
    *keys, conclusion = why_unsolvable(rules, start, closed)
    assert 1 <= len(keys) <= 3
    for paragraph in keys:
        said = re.match(r"The (.*) in (?:the|tableau pile) (\w+) never moves\.", paragraph)
        assert said is not None
        assert said[1] in {
            card.name
            for card, place in _held(start, closed)
            if said[2] in ("reserve", str(place.number + 1))
        }
    assert len(set(keys)) == len(keys)
    assert conclusion.endswith("this deal cannot be won.")


def test_in_full_for_a_reserve() -> None:
    assert why_unsolvable(*_parts("empress-of-italy")) == [
        (
            "The seven of spades in the reserve never moves. No card moves from the reserve onto "
            "a tableau pile. Spaces are not filled from the reserve. On a foundation it fits only "
            "on a red six; none gets there before a red four, and all eight red fours never move "
            "(the reserve)."
        ),
        "The card has to move for a win, so this deal cannot be won.",
    ]


def test_in_full_for_groups() -> None:
    first, *_, last = why_unsolvable(*_parts("josephine"))
    assert first == (
        "The king of hearts in tableau pile 4 never moves. In the tableau it fits on no card. It "
        "moves in no group with the ten of spades under it. There is never a space. On a "
        "foundation it fits only on a queen of hearts, and both queens of hearts never move "
        "(tableau piles 1 and 7)."
    )
    assert last == (
        "Seven more cards are held in such a way. Every tableau pile has such a card, so there is "
        "never a space. None of the ten cards can be the first of them to move, so none ever "
        "moves and this deal cannot be won."
    )


@pytest.mark.parametrize("variant", ALL_VARIANTS)
def test_has_words_for_every_rule(variant: str) -> None:
    for rules in rules_of_variant(variant):
        for start, closed in accepted(rules, range(4)):
            for paragraph in why_unsolvable(rules, start, closed):
                assert re.fullmatch(r"(?:[A-Z][^.]*\.)(?: [A-Z][^.]*\.)*", paragraph)


def _said_of(rules: Rules, start: Position) -> str:
    closed = find_closed_set(rules, start)
    assert closed is not None
    return " ".join(why_unsolvable(rules, start, closed))


def test_names_the_one_card_of_a_single_deck() -> None:
    rules = rules_of(small(FREE_SPACES, tableau__piles=1))
    tree = {
        "foundations": [[], [], [], []],
        "tableau": [["AC", "2C", "3C"]],
        "stock": ["4C", "AD", "2D", "3D", "4D", "AH", "2H", "3H", "4H", "AS", "2S", "3S", "4S"],
    }
    said = _said_of(rules, read_position(tree, pack=rules.pack, layout=rules.layout))
    assert (
        "fits only on the two of clubs, and the two of clubs never moves (tableau pile 1)" in said
    )


def test_says_that_a_space_takes_other_ranks_only() -> None:
    rules = rules_of(small(FREE_SPACES, tableau__piles=2, tableau__spaces__accept=["high"]))
    tree = {
        "foundations": [[], [], [], []],
        "tableau": [["AC", "4C", "3C"], ["AD", "AH", "AS"]],
        "stock": ["2C", "2D", "3D", "4D", "2H", "3H", "4H", "2S", "3S", "4S"],
    }
    said = _said_of(rules, read_position(tree, pack=rules.pack, layout=rules.layout))
    assert "the four of clubs never moves (tableau pile 1). Spaces do not take a card of" in said
    assert "never a space" not in said


def test_counts_parents_that_stay_and_parents_that_never_come() -> None:
    """Of two red fours, one is held and the other waits in the stock."""
    rules = rules_of(small(FREE_SPACES, tableau__build__suit="alternate", tableau__piles=1))
    tree = {
        "foundations": [[], [], [], []],
        "tableau": [["AC", "4D", "3C"]],
        "stock": ["2C", "4C", "AD", "2D", "3D", "AH", "2H", "3H", "4H", "AS", "2S", "3S", "4S"],
    }
    start = read_position(tree, pack=rules.pack, layout=rules.layout)
    assert (
        "it fits only on a red four; of the two one never moves, and the other never comes there"
    ) in _said_of(rules, start)


def test_a_reserve_that_reaches_the_tableau_is_told_so() -> None:
    rules = rules_of(
        small(
            AUTO_FILL,
            reserve__deal=4,
            tableau__from=["waste", "tableau", "reserve"],
            tableau__spaces__accept="none",
        )
    )
    for start, closed in accepted(rules, range(60)):
        if closed.keys[0].pile.kind == "reserve":
            said = why_unsolvable(rules, start, closed)[0]
            assert "In the tableau it fits" in said
            assert "Spaces are not filled from the reserve." in said
            return
    pytest.fail("no deal with a key in the reserve")
