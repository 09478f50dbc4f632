"""A small good game with its document, and what happens when one thing in them is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DOCUMENT = """\
# yaml-language-server: $schema=../schemas/document.schema.json
document: porch-page
title: Porch, a page of rules
game: porch
file: porch.txt
sha256: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
lines: 20

statements:
  - {id: D1, at: [1], text: One deck., says: {pack.decks: 1}}
  - {id: F1, at: [2], text: Four from the ace., says: {foundations.piles: 4, pack.base: A}}
  - id: F2
    at: [3]
    text: Up in suit to thirteen.
    says: {foundations.build.suit: same, foundations.cap: 13}
  - {id: T1, at: [4, 5], text: Four piles of two., says: {tableau.piles: 4, tableau.deal: 2}}
  - {id: T2, at: [6], text: Down in alternating colours., says: {tableau.build.suit: alternate}}
  - {id: T3, at: [7], text: Spaces take twos and kings., says: {tableau.spaces.accept: [2, K]}}
  - id: T4
    at: [8]
    text: The top card may be moved.
    move: {may: tableau}
    or:
      - text: The top card alone.
        says: {tableau.move.unit: card}
  - {id: R1, at: [9], text: A reserve of five., says: {reserve.deal: 5}}
  - {id: S1, at: [10], text: 39 cards are left., says: {stock.cards: 39}}
  - {id: S2, at: [11], text: One pass., says: {stock.to: waste, stock.passes: 1}}
  - {id: W1, at: [12], text: One waste., says: {waste.piles: 1}}
"""

GAME = """\
# yaml-language-server: $schema=../schemas/game.schema.json
game: porch
title: Porch
about: One deck, four piles of two, a reserve of five.
document: porch-page

rules:
  pack.decks: {is: 1, cite: [D1]}
  pack.base: {is: A, cite: [F1]}
  foundations.piles: {is: 4, cite: [F1]}
  foundations.build.suit: {is: same, cite: [F2]}
  foundations.cap: {is: 13, cite: [F2]}
  tableau.piles: {is: 4, cite: [T1]}
  tableau.deal: {is: 2, cite: [T1]}
  tableau.build.suit: {is: alternate, cite: [T2]}
  tableau.move.unit: {is: card, cite: [T4]}
  tableau.spaces.accept: {is: [2, K], cite: [T3]}
  tableau.spaces.fill: {is: [waste], ruling: fill}
  reserve.deal: {is: 5, cite: [R1]}
  stock.to: {is: waste, cite: [S2]}
  stock.passes: {is: 1, cite: [S2]}
  waste.piles: {is: 1, cite: [W1]}
  stock.when: {is: always, cite: [S2]}

rulings:
  fill:
    asks: [tableau.spaces.fill]
    choice: The waste fills spaces.
    reason: So it is played.

readings:
  stays:
    title: Porch with spaces that stay
    reason: The page does not speak of a fill.
    rules:
      tableau.spaces.fill: {is: [], ruling: fill}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A change to the game or its document, and the words and the place of the complaint.

    ``new`` holds ``@@`` where the complaint must point. ``schema``: an editor sees it too.
    """

    name: str
    old: str
    new: str
    words: tuple[str, ...]
    document: bool = False
    schema: bool = False

    @property
    def text(self) -> str:
        """The broken file."""
        return self._marked.replace("@@", "")

    @property
    def place(self) -> str:
        """``line:column`` of the complaint."""
        before = self._marked.partition("@@")[0]
        return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"

    @property
    def _marked(self) -> str:
        good = DOCUMENT if self.document else GAME
        assert good.count(self.old) == 1, self.name
        marked = good.replace(self.old, self.new)
        assert marked.count("@@") == 1, self.name
        return marked


def write(folder: Path, *, game: str = GAME, document: str = DOCUMENT, name: str = "porch") -> Path:
    """The file of a game in ``folder``/games, with its document in the folder beside it."""
    for kind in ("games", "documents"):
        (folder / kind).mkdir(exist_ok=True)
    (folder / "documents" / "porch-page.yaml").write_text(document, encoding="utf-8", newline="")
    path = folder / "games" / f"{name}.yaml"
    path.write_text(game, encoding="utf-8", newline="")
    return path


_CYRILLIC_A = "\u0430"

BROKEN = [
    # The file itself
    Broken(
        name="a key twice",
        old="  tableau.deal: {is: 2, cite: [T1]}\n",
        new="  tableau.deal: {is: 2, cite: [T1]}\n  @@tableau.deal: {is: 3, cite: [T1]}\n",
        words=("'tableau.deal'", "twice"),
    ),
    Broken(
        name="a key twice in one rule",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: 2, @@is: 3, cite: [T1]}",
        words=("'is'", "twice"),
    ),
    Broken(
        name="cut off in a bracket",
        old=GAME[GAME.index("[R1]}\n  stock.to") :],
        new="@@[R1",
        words=("never closed",),
    ),
    Broken(
        name="cut off after a key",
        old=GAME[GAME.index(" {is: 5, cite: [R1]}\n") :],
        new="@@",
        words=("reserve.deal", "is empty", "a mapping is expected"),
        schema=True,
    ),
    Broken(
        name="a tab",
        old="  tableau.deal: {is: 2,",
        new="@@\ttableau.deal: {is: 2,",
        words=("tab",),
    ),
    # Keys
    Broken(
        name="an unknown key",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: 2, @@cites: [T1]}",
        words=("unknown key 'cites'", "did you mean 'cite'?"),
        schema=True,
    ),
    Broken(
        name="a look-alike letter in a key",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: 2, @@\u0441ite: [T1]}",
        words=("U+0441", "looks like 'c'"),
        schema=True,
    ),
    Broken(
        name="no title",
        old="game: porch\ntitle: Porch\n",
        new="@@game: porch\n",
        words=("title: is missing",),
        schema=True,
    ),
    Broken(
        name="a name with capitals",
        old="game: porch\n",
        new="game: @@Porch\n",
        words=("'Porch' does not fit",),
        schema=True,
    ),
    # Paths
    Broken(
        name="an unknown path",
        old="  tableau.deal: {is: 2,",
        new="  @@tableau.deals: {is: 2,",
        words=("no 'tableau.deals'", "did you mean tableau.deal?"),
        schema=True,
    ),
    Broken(
        name="a look-alike letter in a path",
        old="  tableau.deal: {is: 2,",
        new=f"  @@t{_CYRILLIC_A}bleau.deal: {{is: 2,",
        words=("did you mean tableau.deal?", "U+0430", "looks like 'a'"),
        schema=True,
    ),
    Broken(
        name="a group without a value",
        old="  tableau.deal: {is: 2,",
        new="  @@tableau: {is: 2,",
        words=("no 'tableau'",),
        schema=True,
    ),
    Broken(
        name="a derived number",
        old="  stock.to: {is: waste,",
        new="  @@stock.cards: {is: 39, cite: [S1]}\n  stock.to: {is: waste,",
        words=("no 'stock.cards'",),
        schema=True,
    ),
    Broken(
        name="a number on what is no group",
        old="  pack.decks: {is: 1,",
        new="  @@pack[1].decks: {is: 1,",
        words=("no 'pack[1].decks'", "did you mean pack.decks?"),
        schema=True,
    ),
    Broken(
        name="the first group with a number",
        old="  tableau.deal: {is: 2,",
        new="  @@tableau[0].deal: {is: 2,",
        words=("no 'tableau[0].deal'", "did you mean tableau.deal?"),
        schema=True,
    ),
    Broken(
        name="a group that is left out",
        old="  reserve.deal: {is: 5, cite: [R1]}\n",
        new="  reserve.deal: {is: 5, cite: [R1]}\n  reserve[2].deal: {is: @@1, ruling: fill}\n",
        words=("reserve[2].deal", "nothing is said of reserve[1]"),
    ),
    Broken(
        name="an unknown path in a reading",
        old="      tableau.spaces.fill: {is: [],",
        new="      @@tableau.space.fill: {is: [],",
        words=("no 'tableau.space.fill'", "did you mean tableau.spaces.fill?"),
        schema=True,
    ),
    # Values
    Broken(
        name="a word that is none of a few",
        old="tableau.build.suit: {is: alternate,",
        new="tableau.build.suit: {is: @@alternating,",
        words=("tableau.build.suit", "'alternating'", "did you mean 'alternate'?"),
        schema=True,
    ),
    Broken(
        name="no is a text",
        old="tableau.build.suit: {is: alternate,",
        new="tableau.build.suit: {is: @@no,",
        words=("tableau.build.suit", "'no' is not one of same, alternate, any"),
        schema=True,
    ),
    Broken(
        name="a look-alike letter in a value",
        old="tableau.build.suit: {is: alternate,",
        new=f"tableau.build.suit: {{is: @@{_CYRILLIC_A}lternate,",
        words=("did you mean 'alternate'?", "U+0430"),
        schema=True,
    ),
    Broken(
        name="a number in quotes",
        old="tableau.piles: {is: 4,",
        new="tableau.piles: {is: @@'4',",
        words=("tableau.piles", "a whole number is expected", "take the quotes off"),
        schema=True,
    ),
    Broken(
        name="no piles",
        old="tableau.piles: {is: 4,",
        new="tableau.piles: {is: @@0,",
        words=("tableau.piles", "at least 1"),
        schema=True,
    ),
    Broken(
        name="a rank that there is not",
        old="pack.base: {is: A,",
        new="pack.base: {is: @@1,",
        words=("pack.base",),
        schema=True,
    ),
    Broken(
        name="true for a rank",
        old="pack.base: {is: A,",
        new="pack.base: {is: @@true,",
        words=("pack.base",),
        schema=True,
    ),
    Broken(
        name="a missing value that has no default",
        old="rules:\n  pack.decks: {is: 1, cite: [D1]}\n  pack.base",
        new="@@rules:\n  pack.decks: {is: 1, cite: [D1]}\n  tableau[1].piles: {is: 1, source: me}\n"
        "  tableau[1].deal: {is: 1, source: me}\n  pack.base",
        words=("tableau[1].build: is missing",),
    ),
    # What a value rests on
    Broken(
        name="a value that rests on nothing",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: @@{is: 2}",
        words=("rests on nothing", "write cite, ruling or source"),
        schema=True,
    ),
    Broken(
        name="a value with no citation in its list",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: @@{is: 2, cite: []}",
        words=("rests on nothing",),
        schema=True,
    ),
    Broken(
        name="a rule without its value",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: @@{cite: [T1]}",
        words=("is: is missing",),
        schema=True,
    ),
    Broken(
        name="a statement that there is not",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: 2, cite: [T1, @@T9]}",
        words=("tableau.deal", "no statement 'T9'"),
    ),
    Broken(
        name="a statement that has no such name",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: 2, cite: [@@t1]}",
        words=("'t1' does not fit",),
        schema=True,
    ),
    Broken(
        name="a document that there is not",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: 2, cite: [@@veranda-page:T1]}",
        words=("no document 'veranda-page'", "put veranda-page.yaml in a folder documents"),
    ),
    Broken(
        name="the game's document is not there",
        old="document: porch-page\n",
        new="document: @@veranda-page\n",
        words=("no document 'veranda-page'",),
    ),
    Broken(
        name="a statement of another document that there is not",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: 2, cite: [@@signora-page:T9]}",
        words=("no statement 'signora-page:T9'",),
    ),
    Broken(
        name="a ruling that there is not",
        old="tableau.spaces.fill: {is: [waste], ruling: fill}",
        new="tableau.spaces.fill: {is: @@[waste], ruling: fills}",
        words=("tableau.spaces.fill", "no ruling 'fills'", "write it under rulings"),
    ),
    Broken(
        name="a ruling about something else",
        old="foundations.cap: {is: 13, cite: [F2]}",
        new="foundations.cap: {is: @@13, ruling: fill}",
        words=("ruling fill does not decide it", "asks tableau.spaces.fill"),
    ),
    Broken(
        name="a ruling about nothing",
        old="asks: [tableau.spaces.fill]",
        new="asks: [tableau.spaces.fill, @@tableau.space.fill]",
        words=("rulings.fill.asks.1", "did you mean tableau.spaces.fill?"),
    ),
    Broken(
        name="a ruling against a statement that there is not",
        old="    reason: So it is played.\n",
        new="    reason: So it is played.\n    overrules: [T3, @@T33]\n",
        words=("rulings.fill.overrules.1", "no statement 'T33'"),
    ),
    # Values against what they rest on
    Broken(
        name="another value than the document says",
        old="tableau.build.suit: {is: alternate,",
        new="tableau.build.suit: {is: @@same,",
        words=("same, but T2 (porch.txt, line 6) says alternate", "or a ruling"),
    ),
    Broken(
        name="another value than a further reading says",
        old="tableau.move.unit: {is: card,",
        new="tableau.move.unit: {is: @@group,",
        words=("group, but T4 (porch.txt, line 8) says card",),
    ),
    Broken(
        name="one of a list that the document does not say",
        old="tableau.spaces.accept: {is: [2, K],",
        new="tableau.spaces.accept: {is: @@[2, Q],",
        words=("[2, Q], but T3 (porch.txt, line 7) says 2 or K",),
    ),
    Broken(
        name="something out of the ordinary that nobody says",
        old="stock.when: {is: always,",
        new="stock.when: {is: @@no_other_move,",
        words=("no_other_move, and S2 does not say so", "always, the ordinary"),
    ),
    # Sums
    Broken(
        name="a card more on each pile",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: @@3, cite: [T1]}",
        words=(
            "3, but T1 (porch.txt, lines 4, 5) says 2",
            "tableau 4 x 3 = 12 + reserve 5 + stock 35 = 52 cards",
        ),
    ),
    Broken(
        name="a card more on one pile",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: @@[2, 2, 3, 2], cite: [T1]}",
        words=("[2, 2, 3, 2], but T1", "tableau 2+2+3+2 = 9 + reserve 5 + stock 38 = 52 cards"),
    ),
    Broken(
        name="a deal that takes too many cards",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: @@12, source: another page}",
        words=(
            "the deal takes 53 cards and the pack has 52: tableau 4 x 12 = 48 + reserve 5 = 53",
        ),
    ),
    Broken(
        name="another number than the document counts",
        old="rules:\n  pack.decks: {is: 1, cite: [D1]}",
        new="@@rules:\n  pack.suits: {is: {C: black, H: red, S: black}, source: a joke}\n"
        "  pack.decks: {is: 1, cite: [D1]}",
        words=("stock.cards: 26, but S1 (porch.txt, line 10) says 39", "tableau 4 x 2 = 8"),
    ),
    Broken(
        name="two decks",
        old="pack.decks: {is: 1, cite: [D1]}",
        new="pack.decks: {is: @@2, cite: [D1]}",
        words=("2, but D1 (porch.txt, line 1) says 1",),
    ),
    Broken(
        name="too little room on the foundations",
        old="foundations.piles: {is: 4, cite: [F1]}",
        new="foundations.piles: {is: @@3, source: a joke}",
        words=("room for 39 of 52 cards (foundations 3 x 13 = 39)", "tableau 4 x 2 = 8"),
    ),
    Broken(
        name="lists of the wrong length",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: @@[2, 2, 2], cite: [T1]}",
        words=("3 numbers for 4 piles",),
    ),
    Broken(
        name="more face down than there are",
        old="tableau.deal: {is: 2, cite: [T1]}",
        new="tableau.deal: {is: 2, cite: [T1]}\n  tableau.face_down: {is: @@3, source: a joke}",
        words=("tableau pile 1 has 2 cards, 3 of them face down",),
    ),
    # Piles, ranks and suits that are not there
    Broken(
        name="spaces filled from cells that there are not",
        old="tableau.spaces.accept: {is: [2, K], cite: [T3]}",
        new="tableau.spaces.from: {is: @@[waste, cell], source: a joke}",
        words=("this game has no cell", "it has foundation, tableau, reserve, waste, stock"),
    ),
    Broken(
        name="a rank above the pack's",
        old="pack.base: {is: A, cite: [F1]}",
        new="pack.ranks: {is: 12, source: a joke}\n  pack.base: {is: @@K, source: a joke}",
        words=("there is no K in the pack", "ranks are A to Q"),
    ),
    Broken(
        name="a step once round the ranks",
        old="pack.base: {is: A, cite: [F1]}",
        new="pack.ranks: {is: 12, source: a joke}\n"
        "  foundations.build.step: {is: @@12, source: a joke}",
        words=("12 is once round the 12 ranks of the pack", "at most 11"),
    ),
    Broken(
        name="nothing to come from",
        old="tableau.spaces.accept: {is: [2, K], cite: [T3]}",
        new="tableau.from: {is: @@[], source: a joke}",
        words=("tableau.from", "at least 1"),
        schema=True,
    ),
    Broken(
        name="a suit that there is not",
        old="foundations.build.suit: {is: same, cite: [F2]}",
        new="foundations.first.suits: {is: @@[H, X], source: a joke}",
        words=("there is no X in the pack", "suits C, D, H, S"),
    ),
    # The chain of games
    Broken(
        name="a game that is based on itself",
        old="document: porch-page\n",
        new="document: porch-page\nbased_on: @@porch\n",
        words=("based on itself", "end the chain"),
    ),
    Broken(
        name="a base that there is not",
        old="document: porch-page\n",
        new="document: porch-page\nbased_on: @@veranda\n",
        words=("no game 'veranda'",),
    ),
    # The document
    Broken(
        name="an id twice",
        old="{id: T1, at",
        new="{id: @@F1, at",
        words=("'F1' is used twice",),
        document=True,
    ),
    Broken(
        name="a line that the document does not have",
        old="at: [12]",
        new="at: [@@21]",
        words=("line 21 is not in the document", "lines are 1 to 20"),
        document=True,
    ),
    Broken(
        name="a look-alike letter in a rule of the document",
        old="says: {tableau.build.suit: alternate}",
        new=f"says: {{@@t{_CYRILLIC_A}bleau.build.suit: alternate}}",
        words=("did you mean 'tableau.build.suit'?",),
        document=True,
        schema=True,
    ),
    Broken(
        name="an answer that is none",
        old="says: {tableau.build.suit: alternate}",
        new="says: {tableau.build.suit: @@alternating}",
        words=("did you mean 'alternate'?",),
        document=True,
        schema=True,
    ),
    Broken(
        name="kinds of pile as an answer",
        old="says: {tableau.build.suit: alternate}",
        new="says: {tableau.from: @@waste}",
        words=("stated with 'move'",),
        document=True,
        schema=True,
    ),
    Broken(
        name="two kinds in a statement",
        old="- {id: D1, at: [1], text: One deck., says: {pack.decks: 1}}",
        new="- @@{id: D1, at: [1], text: One deck., says: {pack.decks: 1}, remark: no}",
        words=("there are says, remark",),
        document=True,
        schema=True,
    ),
    Broken(
        name="a statement without a kind",
        old="- {id: D1, at: [1], text: One deck., says: {pack.decks: 1}}",
        new="- @@{id: D1, at: [1], text: One deck.}",
        words=("one kind and there is none",),
        document=True,
        schema=True,
    ),
    Broken(
        name="a sum of the file that is none",
        old="sha256: aaaa",
        new="sha256: @@aaa",
        words=("sha256", "does not fit"),
        document=True,
        schema=True,
    ),
]
