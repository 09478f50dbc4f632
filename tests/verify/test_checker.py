"""The checker accepts nothing false, and every one of its clauses is needed or explained.

Three ways: files of certificates that must be accepted or rejected, small decks on which the truth
is found by brute force, and checkers in which one clause is broken.
"""

from __future__ import annotations

import inspect
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from generator.dealers import deal
from generator.shuffles import Seed
from spec.errors import InputError
from spec.game import load_game
from spec.ruleset import from_paths
from tests.adversary import ALL_VARIANTS, accepted, false_acceptance, rules_of_variant
from tests.brute_force import is_solvable
from verify import checker
from verify.certificate import Certificate, ClosedSet, Exhaustion, Verdict, read_certificate
from verify.checker import NotCheckable, Rejected, check
from verify.position import Position, read_position
from verify.rules import Rules, rules_of

CORPUS = Path(__file__).parent.parent / "corpus" / "certificates"
ACCEPTED = sorted((CORPUS / "accepted").glob("*.json"))
REJECTED = sorted((CORPUS / "rejected").glob("*.json"))

DEALS = int(os.environ.get("DEALPROOF_DEALS", "20"))
"""Deals of each variant and size that are held against brute force, some 3000 in all.

For a longer run: ``DEALPROOF_DEALS=500 make test ARGS=tests/verify/test_checker.py``.
"""


def _by_name(path: Path) -> str:
    return path.stem


def _read(path: Path) -> dict[str, Any]:
    tree: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return tree


def _rules(tree: dict[str, Any]) -> Rules:
    return rules_of(from_paths(tree["rules"]))


def _parts(path: Path) -> tuple[Rules, Position, Certificate]:
    tree = _read(path)
    rules = _rules(tree)
    start = read_position(tree["deal"], pack=rules.pack, layout=rules.layout)
    return rules, start, read_certificate(tree["certificate"], rules)


class TestCorpus:
    @pytest.mark.parametrize("path", ACCEPTED, ids=_by_name)
    def test_accepts(self, path: Path) -> None:
        rules, start, certificate = _parts(path)
        closed = isinstance(certificate, ClosedSet)
        verdict = check(rules, start, certificate).verdict
        assert verdict is (Verdict.UNSOLVABLE if closed else Verdict.SOLVABLE)

    @pytest.mark.parametrize("path", ACCEPTED, ids=_by_name)
    def test_writes_what_it_reads(self, path: Path) -> None:
        tree = _read(path)
        _, start, certificate = _parts(path)
        assert certificate.to_json() == tree["certificate"]
        assert start.to_json() == tree["deal"]

    @pytest.mark.parametrize("path", REJECTED, ids=_by_name)
    def test_rejects_and_says_why(self, path: Path) -> None:
        with pytest.raises((InputError, Rejected)) as refusal:
            check(*_parts(path))
        assert _read(path)["reason"] in str(refusal.value)

    def test_holds_every_game_at_full_size(self) -> None:
        sizes = {_rules(_read(path)).pack.size for path in ACCEPTED}
        names = {path.stem for path in ACCEPTED}
        assert {"josephine", "emperor", "signora", "empress-of-italy"} <= names
        assert {104, 208} <= sizes


@pytest.mark.slow
@pytest.mark.parametrize("variant", ALL_VARIANTS)
def test_accepts_no_closed_set_of_a_deal_that_can_be_won(variant: str) -> None:
    for rules in rules_of_variant(variant):
        assert false_acceptance(rules, range(DEALS)) is None


def test_the_small_decks_are_hard_to_refuse() -> None:
    """Nothing is shown where nothing is accepted: every rule that can be proved with is met."""
    none_accepted = [
        variant
        for variant in ALL_VARIANTS
        if not any(next(accepted(rules, range(DEALS)), None) for rules in rules_of_variant(variant))
    ]
    # Where the base rank is played and not dealt, no closed set follows from the deal.
    assert none_accepted == ["base played, by suit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A checker in which ``old`` reads ``new``, and the file of the corpus that exposes it.

    A ``sound`` mutant accepts nothing false, as other clauses refuse what the broken one refused;
    the corpus exposes it by another reason, or by accepting what is true but badly formed.
    """

    clause: str
    old: str
    new: str
    file: str
    sound: bool = False


_FREE_IN_PILES = """
            for card in pile[self.depth.get(place, -1) + 1 :]:
                yield _Free(card=card, origin=place.kind)"""
_FREE_SPACE = "(self._filled_from(free) or self._put_in_space(card, kinds))"
_KEY_SPACE = "(self._filled_from(held) or self._put_in_space(card, {kind}))"

MUTANTS = [
    Mutant(
        clause="there is a key",
        old="if not self.closed.keys:",
        new="if False:",
        file="no-key",
    ),
    Mutant(
        clause="one key in a pile",
        old="if len(self.depth) != len(self.closed.keys):",
        new="if False:",
        file="two-keys-in-a-pile",
        # Each key is shown not to move, so the cards at or below either stay where they are.
        sound=True,
    ),
    Mutant(
        clause="the base rank is known",
        old="if self.start.base is None:",
        new="if False:",
        file="base-rank-not-dealt",
        # Any card may start a foundation then, a key as well.
        sound=True,
    ),
    Mutant(
        clause="open cards are in the tableau set",
        old="if card not in self.closed.tableau:\n                    self._reject",
        new="if False:\n                    self._reject",
        file="open-card-missing",
    ),
    Mutant(
        clause="keys are in the tableau set",
        old="pile[self.depth.get(place, 0) :]",
        new="pile[self.depth.get(place, -1) + 1 :]",
        file="key-missing-in-tableau",
    ),
    Mutant(
        clause="dealt foundation cards are in the foundation set",
        old="if card not in self.closed.foundation:\n                    self._reject",
        new="if False:\n                    self._reject",
        file="seeded-card-missing",
        # A card dealt to a foundation is free and of the base rank, so it is asked for as well.
        sound=True,
    ),
    Mutant(
        clause="cards that go up are in the foundation set",
        old="if card not in self.closed.foundation and self._goes_up(card):",
        new="if False:",
        file="foundation-type-missing",
    ),
    Mutant(
        clause="the base rank starts foundations",
        old="self.rules.starts_foundation(card, base) or any(",
        new="any(",
        file="base-rank-missing",
    ),
    Mutant(
        clause="cards are built on foundations",
        old="self.rules.foundation_build.allows(card, onto, base)",
        new="False",
        file="built-foundation-type-missing",
    ),
    Mutant(
        clause="cards that are built are in the tableau set",
        old="if kinds & self.rules.to_tableau and self._has_parent(card):",
        new="if False:",
        file="built-type-missing",
    ),
    Mutant(
        clause="cards have parents in the tableau",
        old="self.rules.tableau_build.allows(card, onto, self.start.base)",
        new="False",
        file="parent-missing",
    ),
    Mutant(
        clause="stock cards come from the waste",
        old='{"waste" if free.origin == "stock" else free.origin}',
        new="{free.origin}",
        file="waste-card-missing",
    ),
    Mutant(
        clause="cards come back from foundations",
        old="if free.card in self.closed.foundation:",
        new="if False:",
        file="returned-card-missing",
    ),
    Mutant(
        clause="the dealt foundation card comes back",
        old='return kinds if self.rules.returns else kinds - {"foundation"}',
        new='return kinds - {"foundation"}',
        file="seeded-card-returns",
    ),
    Mutant(
        clause="players put cards into spaces",
        old=_FREE_SPACE,
        new="self._filled_from(free)",
        file="card-put-in-space-missing",
    ),
    Mutant(
        clause="spaces are filled automatically",
        old=_FREE_SPACE,
        new="self._put_in_space(card, kinds)",
        file="fill-from-waste-missing",
    ),
    Mutant(
        clause="spaces are filled from the waste",
        old='{"stock", "waste"} if free.origin == "stock"',
        new='{"stock"} if free.origin == "stock"',
        file="fill-from-waste-missing",
    ),
    Mutant(
        clause="spaces are filled from the stock",
        old='{"stock", "waste"} if free.origin == "stock"',
        new='{"waste"} if free.origin == "stock"',
        file="fill-from-stock-missing",
    ),
    Mutant(
        clause="spaces are filled from the reserve",
        old="else {free.origin}\n        return bool(names",
        new="else set()\n        return bool(names",
        file="key-fills-space",
    ),
    Mutant(
        clause="cards fit into spaces",
        old="return bool(kinds & self.rules.to_space) and self.rules.space_takes",
        new="return False and self.rules.space_takes",
        file="key-fits-space",
    ),
    Mutant(
        clause="there are spaces",
        old="self.spaces = any(",
        new="self.spaces = False and any(",
        file="space-overlooked",
    ),
    Mutant(
        clause="one pile without a key is enough for a space",
        old="self.spaces = any(",
        new="self.spaces = all(",
        file="space-overlooked",
    ),
    Mutant(
        clause="cards of the stock are free",
        old='yield _Free(card=card, origin="stock")',
        new="pass",
        file="free-stock-card-missing",
    ),
    Mutant(
        clause="cards dealt to foundations are free",
        old='yield _Free(card=card, origin="foundation")',
        new="pass",
        file="seeded-card-returns",
    ),
    Mutant(
        clause="cards above keys and in piles without keys are free",
        old=_FREE_IN_PILES,
        new="\n            pass",
        file="free-tableau-card-missing",
    ),
    Mutant(
        clause="cards of the reserve are free",
        old=_FREE_IN_PILES,
        new=_FREE_IN_PILES.replace("-1) + 1 :]", '-1) + 1 :] if place.kind == "tableau" else ()'),
        file="reserve-card-missing",
    ),
    Mutant(
        clause="keys do not go up",
        old='if self._goes_up(card):\n            self._reject(f"{where}',
        new='if False:\n            self._reject(f"{where}',
        file="key-goes-up",
    ),
    Mutant(
        clause="keys are not built",
        old="if kind in self.rules.to_tableau and self._has_parent(card):",
        new="if False:",
        file="key-has-parent",
    ),
    Mutant(
        clause="keys are not put into spaces",
        old=_KEY_SPACE,
        new="self._filled_from(held)",
        file="key-fits-space",
    ),
    Mutant(
        clause="keys do not fill spaces",
        old=_KEY_SPACE,
        new="self._put_in_space(card, {kind})",
        file="key-fills-space",
    ),
    Mutant(
        clause="keys do not move in groups",
        old='if kind == "tableau" and key.depth > 0 and self.rules.unit != "card":',
        new="if False:",
        file="key-moves-in-group",
    ),
    Mutant(
        clause="groups are as the rules build groups",
        old="if self.rules.run.allows(card, under, self.start.base):",
        new="if self.rules.tableau_build.allows(card, under, self.start.base):",
        file="key-moves-in-group-of-any-suit",
    ),
    Mutant(
        clause="moves are legal",
        old='raise Rejected(f"move {number}, {error}", position) from error',
        new="continue",
        file="witness-covered-card",
    ),
    Mutant(
        clause="the game is won in the end",
        old="if not is_won(rules, position):",
        new="if False:",
        file="witness-cut-short",
    ),
]

WITNESS_CLAUSES = ("moves are legal", "the game is won in the end")


def _clause(mutant: Mutant) -> str:
    return mutant.clause


def _checker_of(mutant: Mutant) -> Any:
    """The broken checker, as a module."""
    source = inspect.getsource(checker)
    assert source.count(mutant.old) == 1, "the checker has changed: write this mutant anew"
    # The name of the real module: dataclasses look their module up by it.
    module = ModuleType(checker.__name__)
    exec(compile(source.replace(mutant.old, mutant.new), "mutant", "exec"), vars(module))
    return module


def _why(broken: Any, path: Path) -> str:
    """Why a checker rejects a file, nothing if it accepts it."""
    try:
        broken.check(*_parts(path))
    except broken.Rejected as error:
        return str(error)
    return ""


class TestMutants:
    @pytest.mark.parametrize(
        "mutant", [mutant for mutant in MUTANTS if not mutant.sound], ids=_clause
    )
    def test_accepts_something_false(self, mutant: Mutant) -> None:
        rules, start, certificate = _parts(CORPUS / "rejected" / f"{mutant.file}.json")
        _checker_of(mutant).check(rules, start, certificate)
        with pytest.raises(Rejected):
            check(rules, start, certificate)
        if mutant.clause not in WITNESS_CLAUSES:
            assert is_solvable(rules, start) is True

    @pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if mutant.sound], ids=_clause)
    def test_is_sound_without_a_clause_that_others_imply(self, mutant: Mutant) -> None:
        broken = _checker_of(mutant)
        path = CORPUS / "rejected" / f"{mutant.file}.json"
        assert _read(path)["reason"] not in _why(broken, path)
        for variant in ("no spaces", "reserve to tableau, returns", "base played, by suit"):
            for rules in rules_of_variant(variant):
                assert false_acceptance(rules, range(5), broken) is None

    def test_brute_force_finds_a_broken_clause_by_itself(self) -> None:
        """The search of the differential test, on a checker that forgets what goes up."""
        (mutant,) = (m for m in MUTANTS if m.file == "foundation-type-missing")
        rules = rules_of_variant("suit single")[0]
        assert false_acceptance(rules, range(DEALS), _checker_of(mutant)) is not None

    def test_covers_every_clause_that_rejects(self) -> None:
        lines = inspect.getsource(checker).splitlines()
        guards = []
        for at, line in enumerate(lines):
            if "self._reject(" in line or "raise Rejected(f" in line:
                guards.append(next(g for g in lines[at::-1] if g.strip().startswith(("if", "try"))))
        assert len(guards) >= 13
        broken = [mutant.old for mutant in MUTANTS]
        for guard in guards:
            text = guard.strip()
            assert any(text in old or old.split("\n")[0] in text for old in broken) or (
                text == "try:"
            ), text


class TestDeals:
    """The deal itself is checked, not only the certificate."""

    def test_of_another_game_is_refused(self) -> None:
        _, start, certificate = _parts(CORPUS / "accepted" / "emperor.json")
        josephine = rules_of(load_game("josephine").ruleset, game="josephine")
        with pytest.raises(InputError, match="face_down"):
            check(josephine, start, certificate)

    def test_with_a_card_twice_is_refused(self) -> None:
        rules, start, certificate = _parts(CORPUS / "accepted" / "josephine.json")
        doubled = replace(start, stock=(start.stock[1], *start.stock[1:]))
        with pytest.raises(InputError, match="missing 1 x"):
            check(rules, doubled, certificate)


def test_an_exhaustion_cannot_be_checked() -> None:
    rules = rules_of_variant("suit single")[0]
    start = deal(rules, Seed(dealer="dealproof", number=0))
    exhaustion = Exhaustion(positions=7, key_bits=64, reductions=())
    with pytest.raises(NotCheckable, match="7 positions"):
        check(rules, start, exhaustion)


def test_says_which_rules_an_acceptance_rests_on() -> None:
    acceptance = check(*_parts(CORPUS / "accepted" / "signora.json"))
    assert "foundations.returns: always" in acceptance.rests_on
    assert "tableau.spaces.fill: waste, stock" in acceptance.rests_on
    witness = check(*_parts(CORPUS / "accepted" / "witness-redeal.json"))
    assert witness.rests_on == ()
