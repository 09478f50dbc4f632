from __future__ import annotations

import pytest

from spec.parameters import PARAMETERS, Silence
from tests.verify.smt.transcripts import found_in, says
from verify.smt import case
from verify.smt.theory import Law, Theory, laws, silences

WITNESSES: dict[str, tuple[str, ...]] = {
    "pack": (says(pack__decks=2), says(pack__cards=156)),
    "deal": (
        says(pack__decks=1, tableau__piles=7, tableau__deal=4),
        says(stock__cards=20),
    ),
    "tableau cards": (says(tableau__piles=7, tableau__deal="triangle"), says(tableau__cards=27)),
    "reserve cards": (says(reserve__piles=2, reserve__deal=10), says(reserve__cards=21)),
    "face down": (says(tableau__deal=3), says(tableau__face_down=4)),
    "seeds": (says(foundations__piles=4), says(foundations__deal=5)),
    "suits": (says(foundations__piles=8), says(foundations__per_suit=1)),
    "goal": (says(goal__when="foundations", pack__cards=52), says(goal__cards=48)),
    "shares": (
        says(goal__when="foundations", goal__cards=52),
        says(foundations__piles=4, goal__each=12),
    ),
    "redeals": (says(stock__passes=3), says(stock__redeals=3)),
    "end": (
        says(pack__base="A", foundations__build__step="up", foundations__cap=13),
        says(foundations__last="Q"),
    ),
    "dealt end": (says(pack__base="first_card"), says(foundations__last="K")),
    "dealt start": (says(pack__base="first_card"), says(foundations__start="A")),
    "returns": (says(foundations__returns="never"), "move: {may: foundation, to: tableau}"),
    "no choice": ("fill: {by: automatic, from: tableau}",),
}
"""For every law, statements that clash by it alone."""

SILENT: dict[str, tuple[str, ...]] = {
    "foundations.piles": (says(pack__decks=1), says(foundations__per_suit=2)),
    "foundations.deal": (
        says(pack__decks=1, tableau__cards=28, reserve__piles=0),
        says(stock__cards=23),
    ),
    "foundations.cap": (
        says(pack__base="A", foundations__build__step="up", foundations__build__wrap="full"),
        says(goal__each=13),
        "example: {place: A, onto: K, in: foundation}",
    ),
    "tableau.move.suit": (
        says(tableau__build__suit="same", tableau__move__unit="group"),
        "example: {lift: [6S, 5H]}",
    ),
    "tableau.move.step": (
        says(tableau__build__step="down", tableau__build__suit="any", tableau__move__unit="group"),
        "example: {lift: [5H, 6S]}",
    ),
    "tableau.build.wrap": (
        says(tableau__build__step="down", tableau__build__suit="any"),
        "example: {place: K, onto: A, in: tableau}",
    ),
    "reserve.piles": (
        says(pack__decks=1, tableau__cards=28),
        says(stock__cards=14),
    ),
}


def test_every_law_has_a_witness() -> None:
    assert [law.name for law in laws(Theory())] == list(WITNESSES)


@pytest.mark.parametrize("name", WITNESSES)
def test_a_law_is_needed_for_its_witness(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = WITNESSES[name]
    everything = tuple(f"S{number}" for number in range(1, len(said) + 1))
    assert [ids for _, ids in found_in(*said)] == [everything]

    def without(theory: Theory) -> list[Law]:
        return [law for law in laws(theory) if law.name != name]

    monkeypatch.setattr(case, "laws", without)
    assert found_in(*said) == []


@pytest.mark.parametrize("path", SILENT)
def test_silence_gives_way_to_a_word(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = SILENT[path]
    assert found_in(*said), path
    monkeypatch.setattr(
        case, "silences", lambda theory, mentioned: silences(theory, mentioned | {path})
    )
    assert found_in(*said) == []


def test_silence_has_a_formula_exactly_where_it_is_no_gap() -> None:
    theory = Theory()
    asked = silences(theory, frozenset({"goal.each", "reserve.deal"}))
    named = {law.name.removeprefix("silence about ") for law in asked}
    ordinary = {path for path, p in PARAMETERS.items() if p.silence is Silence.NO}
    conditional = {path for path, p in PARAMETERS.items() if p.silence is Silence.CONDITIONAL}
    assert ordinary <= named
    # Where the foundations wrap is a gap or without effect; what there is to deal follows.
    assert named - ordinary == conditional - {"foundations.build.wrap", "reserve.deal"}
    assert all(law.silent for law in asked)


def test_what_is_mentioned_is_not_taken_for_silence() -> None:
    assert found_in(says(tableau__build__step="down"), says(tableau__build__wrap="full")) == []
    everything = frozenset(PARAMETERS)
    assert silences(Theory(), everything) == []
