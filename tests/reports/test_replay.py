"""Steps and the data for the player, on walks through every kind of small game."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.dealers import deal
from generator.shuffles import Seed
from reports.data import deal_data, json_in_script
from reports.replay import Step, face_down_at, pile_at, places_of, steps_of
from reports.table import draw, table_of
from tests.reports import samples
from tests.rulesets import VARIANTS, small
from verify.certificate import Witness
from verify.moves import IllegalMove, Move, apply, legal_moves
from verify.position import Position
from verify.rules import Rules, rules_of

RULES = {name: rules_of(small(family, **paths), game=name) for name, family, paths in VARIANTS}


@st.composite
def walks(draw_from: st.DrawFn) -> tuple[Rules, Position, Witness]:
    """A deal of a small game, and legal moves from it."""
    rules = RULES[draw_from(st.sampled_from(sorted(RULES)))]
    seed = Seed(dealer="dealproof", number=draw_from(st.integers(0, 500)))
    start = position = deal(rules, seed)
    line: list[Move] = []
    for choice in draw_from(st.lists(st.integers(0, 10**6), max_size=40)):
        moves = legal_moves(rules, position)
        if not moves:
            break
        line.append(moves[choice % len(moves)])
        position = apply(rules, position, line[-1])
    return rules, start, Witness(moves=tuple(line))


@given(walks())
def test_steps_end_where_the_moves_lead(walk: tuple[Rules, Position, Witness]) -> None:
    rules, position, line = walk
    steps = steps_of(rules, position, line)
    for move, step in zip(line.moves, steps, strict=True):
        position = apply(rules, position, move)
        assert step.position == position


@given(walks())
def test_transfers_alone_lead_to_the_position(walk: tuple[Rules, Position, Witness]) -> None:
    rules, start, line = walk
    before = start
    for step in steps_of(rules, start, line):
        piles = {place: list(pile_at(before, place)) for place in places_of(before)}
        for transfer in step.transfers:
            count = len(transfer.cards)
            taken = piles[transfer.source][-count:]
            assert taken in (list(transfer.cards), list(transfer.cards)[::-1])
            del piles[transfer.source][-count:]
            piles[transfer.target] += transfer.cards
        assert piles == {place: list(pile_at(step.position, place)) for place in piles}
        before = step.position


@given(walks())
def test_the_players_data_lead_to_the_position(walk: tuple[Rules, Position, Witness]) -> None:
    rules, start, line = walk
    steps = steps_of(rules, start, line)
    table = table_of(rules)
    drawing = draw(table, start, [step.position for step in steps])
    tree = deal_data(table, drawing, start, steps)
    for position, piles in zip((start, *(s.position for s in steps)), played(tree), strict=True):
        expected = [
            [list(map(str, pile_at(position, slot.place))), face_down_at(position, slot.place)]
            for slot in table.slots
        ]
        assert piles == expected


def played(tree: Any) -> list[Any]:
    """Every position that the data state, replayed as the player does it."""
    piles = [[cards.split(), down] for cards, down in tree["piles"]]
    positions = [piles]
    for step in tree["steps"]:
        piles = list(piles)
        for index, kept, added, down in step["piles"]:
            piles[index] = [piles[index][0][:kept] + added.split(), down]
        positions.append(piles)
    return positions


def _step(name: str, wanted: str) -> Step:
    """The first step of a sample's winning lines whose words hold ``wanted``."""
    rules = {"fills": samples.fills, "spaces": samples.spaces}[name]()
    return next(
        step
        for proved in samples.solved(name)
        if isinstance(proved.certificate, Witness)
        for step in steps_of(rules, proved.position, proved.certificate)
        if wanted in step.words
    )


def test_words_name_the_move_and_the_automatic_fill() -> None:
    step = _step("fills", "fills")
    moved, fill = step.transfers
    assert step.words == (
        f"{moved.cards[0].name.capitalize()} from {moved.source.name} to {moved.target.name}; "
        f"{fill.cards[0].name} fills {fill.target.name} from {fill.source.name}."
    )
    assert fill.target == moved.source


def test_words_name_the_card_that_is_turned_up() -> None:
    step = _step("spaces", "turned up")
    (card,) = step.turned_up
    assert step.words.endswith(f"; {card.name} is turned up.")
    assert pile_at(step.position, step.move.source)[-1] == card


def test_words_name_a_redeal_with_its_pass() -> None:
    step = _step("spaces", "turned over")
    assert step.words == "The waste is turned over to the stock, for pass 2."


def test_words_name_the_base_rank_that_a_card_sets() -> None:
    rules = RULES["base played, by suit"]
    start = deal(rules, Seed(dealer="dealproof", number=1))
    assert start.base is None
    move = next(m for m in legal_moves(rules, start) if m.target.kind == "foundation")
    (step,) = steps_of(rules, start, Witness(moves=(move,)))
    assert "; the base rank is now the " in step.words


def test_an_illegal_line_is_refused() -> None:
    (proved, _) = samples.solved("fills")
    assert isinstance(proved.certificate, Witness)
    moves = proved.certificate.moves
    with pytest.raises(IllegalMove):
        steps_of(samples.fills(), proved.position, Witness(moves=moves[1:]))


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner, max_size=3)))
def test_json_in_a_script_ends_no_element_and_says_the_same(tree: Any) -> None:
    text = str(json_in_script([tree, "</script><!--", "\u2028&amp;"]))
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text)[0] == tree


def test_neighbouring_positions_share_what_does_not_change() -> None:
    """A step holds the piles that changed and no others: that keeps a page small."""
    rules = samples.fills()
    proved = samples.solved("fills")[0]
    assert isinstance(proved.certificate, Witness)
    steps = steps_of(rules, proved.position, proved.certificate)
    table = table_of(rules)
    tree = deal_data(table, draw(table, proved.position), proved.position, steps)
    for (before, after), step in zip(pairwise(played(tree)), tree["steps"], strict=True):
        changed = [index for index, pile in enumerate(after) if pile != before[index]]
        assert changed == [index for index, *_ in step["piles"]]
        assert len(changed) <= 2 + len(step["transfers"])
