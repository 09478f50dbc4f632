"""A document as formulas: what each of its readings means, and what always holds beside them."""

from __future__ import annotations

from spec.relations import Term
from spec.statement import DocumentFile, Statement
from verify.smt.examples import BASES, Part, parts
from verify.smt.logic import FOLDING, Asker
from verify.smt.theory import Law, Theory, laws, silences
from verify.smt.translate import has_force, mentioned, rule_of


class Case:
    """One document before the solver. ``rlimit`` is the budget of each question."""

    def __init__(self, document: DocumentFile, *, rlimit: int) -> None:
        self.document = document
        self.rlimit = rlimit
        self.theory = Theory()
        self.rules = self.theory.rules()
        self.background = laws(self.theory) + silences(self.theory, mentioned(document))
        self._terms: dict[tuple[str, int], Term] = {}
        self._parts: dict[tuple[str, int], list[list[Part]]] = {}

    @property
    def always(self) -> list[Term]:
        """The formulas that hold whatever the document says."""
        return [law.term for law in (*self.theory.ranges, *self.background)]

    def claims(self) -> list[Statement]:
        """The statements whose literal reading has force, in the order of the document."""
        return [statement for statement in self.document.statements if has_force(statement)]

    def term(self, statement: Statement, reading: int = 0) -> Term:
        """The formula of one reading of a statement, the literal one being 0.

        An example holds for some base rank that a deal may have; what has no force is true.
        """
        key = (statement.id, reading)
        if key not in self._terms:
            self._terms[key] = self._meaning(statement, reading)
        return self._terms[key]

    def _meaning(self, statement: Statement, reading: int) -> Term:
        chosen = statement.readings[reading]
        if not has_force(chosen):
            return True
        if chosen.example is None and chosen.fits is None:
            return rule_of(chosen, self.theory)
        return self._for_some_base([self.holds(statement, base, reading) for base in BASES])

    def holds(self, statement: Statement, base: int, reading: int = 0) -> Term:
        """The formula that an example or universal holds where the base rank is ``base``."""
        found = self._parts_by_base(statement, reading)[base - 1]
        return FOLDING.all_of(*(part.term for part in found))

    def parts(self, statement: Statement) -> list[Part]:
        """The conditions of an example or universal, each for some base rank of the rules."""
        return [
            Part(self._for_some_base([part.term for part in same]), same[0].otherwise)
            for same in zip(*self._parts_by_base(statement, 0), strict=True)
        ]

    def _parts_by_base(self, statement: Statement, reading: int) -> list[list[Part]]:
        key = (statement.id, reading)
        if key not in self._parts:
            chosen = statement.readings[reading]
            self._parts[key] = [list(parts(chosen, self.rules, base)) for base in BASES]
        return self._parts[key]

    def _for_some_base(self, terms: list[Term]) -> Term:
        """One term for each base rank: some holds, of a base rank that a deal may have."""
        return FOLDING.any_of(
            *(
                FOLDING.all_of(self.theory.base_is(base), term)
                for base, term in zip(BASES, terms, strict=True)
            )
        )

    def why(self, *terms: Term) -> list[Law]:
        """The laws and silences without which these formulas would not clash.

        A smallest set of them; formulas that clash by themselves need none.
        """
        by_name = {law.name: law for law in self.background}
        asker = Asker(
            ((law.name, law.term) for law in self.background),
            always=[law.term for law in self.theory.ranges],
            rlimit=self.rlimit,
        )
        return [by_name[name] for name in asker.clashing(by_name, *terms)]
