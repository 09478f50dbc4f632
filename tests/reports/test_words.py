from __future__ import annotations

import pytest

from reports.words import counted, group_name, in_lines, listed, move_lines, pile_label, sentence
from spec.cards import Card
from verify.moves import STOCK, WASTE, Move

NINE, EIGHT, SEVEN = Card(9, "H"), Card(8, "S"), Card(7, "D")


@pytest.mark.parametrize(
    ("items", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_a_list_in_words(items: list[str], said: str) -> None:
    assert listed(items) == said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((), ""),
        ((5,), "line 5"),
        ((7, 5), "lines 5 and 7"),
        ((5, 6), "lines 5-6"),
        ((12, 9, 8, 7, 5, 5), "lines 5, 7-9 and 12"),
    ],
)
def test_lines_of_a_document_in_words(lines: tuple[int, ...], said: str) -> None:
    assert in_lines(lines) == said


def test_numbers_agree_with_their_nouns() -> None:
    said = [counted(number, "deal") for number in (0, 1, 1024)]
    assert said == ["0 deals", "1 deal", "1,024 deals"]


def test_a_sentence_keeps_its_own_end() -> None:
    assert [sentence(text) for text in ("", "nine", "Is it?")] == ["", "Nine.", "Is it?"]


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ((NINE,), "nine of hearts"),
        ((NINE, EIGHT), "nine of hearts and the card on it"),
        ((NINE, EIGHT, SEVEN), "nine of hearts and the 2 cards on it"),
    ],
)
def test_a_group_in_words(cards: tuple[Card, ...], said: str) -> None:
    assert group_name(cards) == said


@pytest.mark.parametrize(
    ("kind", "cards", "down", "said"),
    [
        ("tableau", (), 0, "pile: empty"),
        ("tableau", (NINE, EIGHT), 1, "pile: face-down card, eight of spades"),
        ("stock", (NINE,), 1, "pile: 1 card, face down"),
        ("waste", (NINE, EIGHT), 0, "pile: 2 cards, top card eight of spades"),
    ],
)
def test_a_pile_as_a_screen_reader_says_it(
    kind: str, cards: tuple[Card, ...], down: int, said: str
) -> None:
    assert pile_label("pile", kind, cards, down) == said


def test_move_lines_hold_every_move_once_and_keep_to_the_width() -> None:
    moves = [Move(card=NINE, source=STOCK, target=WASTE)] * 31
    lines = move_lines(moves, 40)
    assert max(len(line) for _, line in lines) <= 40
    assert ", ".join(line.removesuffix(",") for _, line in lines) == ", ".join(map(str, moves))
    assert [first for first, _ in lines] == [1, 6, 11, 16, 21, 26, 31]
    assert move_lines([], 40) == []
