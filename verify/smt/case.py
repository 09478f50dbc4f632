"""A document as formulas: what each of its readings means, and what always holds beside them."""

from __future__ import annotations

from spec.relations import Term
from spec.statement import DocumentFile, Statement
from verify.smt.examples import BASES, parts
from verify.smt.logic import FOLDING, Asker
from verify.smt.theory import Law, Theory, laws, silences
from verify.smt.translate import has_force, meaning, mentioned


class Case:
    """One document before the solver. ``rlimit`` is the budget of each question."""

    def __init__(self, document: DocumentFile, *, rlimit: int) -> None:
        self.document = document
        self.rlimit = rlimit
        self.theory = Theory()
        self.rules = self.theory.rules()
        self.background = laws(self.theory) + silences(self.theory, mentioned(document))
        self._meanings: dict[tuple[str, int], Term] = {}

    @property
    def always(self) -> list[Term]:
        """The formulas that hold whatever the document says."""
        return [law.term for law in (*self.theory.ranges, *self.background)]

    def claims(self) -> list[Statement]:
        """The statements whose literal reading has force, in the order of the document."""
        return [statement for statement in self.document.statements if has_force(statement)]

    def term(self, statement: Statement, reading: int = 0) -> Term:
        """The formula of one reading of a statement, the literal one being 0."""
        key = (statement.id, reading)
        if key not in self._meanings:
            chosen = statement.readings[reading]
            self._meanings[key] = meaning(chosen, self.theory, self.rules)
        return self._meanings[key]

    def parts(self, statement: Statement) -> list[tuple[str, Term]]:
        """The conditions of an example or universal, each for some base rank of the rules.

        Each with the words for its failing.
        """
        by_base = [list(parts(statement, self.rules, base)) for base in BASES]
        return [
            (
                same[0].otherwise,
                FOLDING.any_of(
                    *(
                        FOLDING.all_of(self.theory.base_is(base), part.term)
                        for base, part in zip(BASES, same, strict=True)
                    )
                ),
            )
            for same in zip(*by_base, strict=True)
        ]

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
