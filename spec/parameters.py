"""The vocabulary of statements: what we ask of every document, one parameter a question.

The paths are those of the ruleset model wherever it has the concept. The others are facts that a
document states and a ruleset derives (``stock.cards``), or questions that the model answers in one
fixed way (``tableau.turn_up``).

A gap outside this table is invisible: nothing is asked about it.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, get_args

from spec.cards import RANKS
from spec.errors import InputError
from spec.relations import STEPS, SUIT_RELATIONS, WRAPS
from spec.ruleset import PileKind

Value: TypeAlias = str | int
"""What a parameter can be: a word, a rank's letter, or a number."""

PILE_KINDS: tuple[PileKind, ...] = get_args(PileKind)
"""The kinds of pile."""


class Silence(Enum):
    """What it means that a document says nothing about a parameter."""

    OPEN = "a gap: the document leaves it open"
    NO = "the ordinary: what is not mentioned is not there"
    CONDITIONAL = "it follows from something else that the document says"
    DERIVED = "it is computed from the other numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of a few words or numbers, in a fixed order."""

    values: tuple[Value, ...]

    def spell(self, value: Value) -> Value:
        """``value`` as the table spells it: a rank written as a number becomes its letter."""
        letter = "T" if value in (10, "10") else str(value)
        return letter if value not in self.values and letter in self.values else value

    def allows(self, value: Value) -> bool:
        """Whether ``value``, spelled as the table does, is one of them."""
        return value in self.values and not isinstance(value, bool)

    def __str__(self) -> str:
        return ", ".join(map(str, self.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number from ``low`` to ``high``, or one of a few words instead of it."""

    low: int
    high: int
    words: tuple[str, ...] = ()

    def spell(self, value: Value) -> Value:
        """``value``, which is spelled in one way only."""
        return value

    def allows(self, value: Value) -> bool:
        """Whether ``value`` is one of the words or a number in the range."""
        if isinstance(value, str):
            return value in self.words
        return not isinstance(value, bool) and self.low <= value <= self.high

    def __str__(self) -> str:
        return ", ".join((f"a number from {self.low} to {self.high}", *self.words))


@dataclass(frozen=True, slots=True, kw_only=True)
class Piles:
    """Kinds of pile, which a statement gives with ``move`` or ``fill`` and not with ``says``."""

    stated_by: str

    def spell(self, value: Value) -> Value:
        """``value``, which is spelled in one way only."""
        return value

    def allows(self, value: Value) -> bool:
        """Never: such a parameter is not stated as a value."""
        del value
        return False

    def __str__(self) -> str:
        return f"kinds of pile, stated with {self.stated_by!r}"


Domain: TypeAlias = Choice | Number | Piles


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One question to a document.

    ``means`` is the value that silence stands for where ``silence`` is NO. ``follows`` says in
    words what silence stands for, or what a derived value follows from; a gap has none.
    """

    path: str
    question: str
    domain: Domain
    silence: Silence = Silence.OPEN
    means: Value | None = None
    follows: str = ""

    @property
    def topic(self) -> str:
        """The part of the rules that the question belongs to: ``tableau``, ``stock``."""
        return self.path.partition(".")[0]

    def read(self, value: Value) -> Value:
        """``value`` as the table spells it; InputError, without a place, outside the domain."""
        if isinstance(self.domain, Piles):
            raise InputError(
                f"{self.path} is not stated with 'says'",
                instead=f"it holds {self.domain}",
            )
        spelled = self.domain.spell(value)
        if not self.domain.allows(spelled):
            close = difflib.get_close_matches(str(value), str(self.domain).split(", "), n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise InputError(
                f"{value!r} is no answer to: {self.question}",
                instead=f"one of these is: {self.domain}{hint}",
            )
        return spelled


_RANKS = tuple(RANKS)
_ALL_STEPS = (*STEPS, *range(2, 13))

_TABLE = (
    # The pack
    Parameter(path="pack.decks", question="How many decks?", domain=Number(low=1, high=8)),
    Parameter(
        path="pack.cards",
        question="How many cards are there in all?",
        domain=Number(low=1, high=416),
        silence=Silence.DERIVED,
        follows="52 cards a deck",
    ),
    Parameter(
        path="pack.base",
        question="On which rank do the foundations start? first_card: on that of the first card "
        "there, which is dealt if a card is dealt to a foundation and played if none is.",
        domain=Choice(values=(*_RANKS, "first_card", "none")),
    ),
    # Foundations
    Parameter(
        path="foundations.piles",
        question="How many foundations?",
        domain=Number(low=1, high=64),
        silence=Silence.CONDITIONAL,
        follows="one for every suit of every deck",
    ),
    Parameter(
        path="foundations.per_suit",
        question="How many foundations for each suit?",
        domain=Number(low=1, high=16),
        silence=Silence.DERIVED,
        follows="the foundations are shared out among four suits",
    ),
    Parameter(
        path="foundations.deal",
        question="How many foundations start with a card from the deal?",
        domain=Number(low=0, high=64),
        silence=Silence.NO,
        means=0,
        follows="no foundation starts with a card from the deal",
    ),
    Parameter(
        path="foundations.start",
        question="Which rank goes first on an empty foundation? low is the base rank, high the "
        "rank before it.",
        domain=Choice(values=("low", "high", "any", *_RANKS)),
        silence=Silence.NO,
        means="low",
        follows="an empty foundation takes the base rank",
    ),
    Parameter(
        path="foundations.last",
        question="On which rank does a complete foundation end?",
        domain=Choice(values=(*_RANKS, "varies")),
        silence=Silence.DERIVED,
        follows="a complete foundation ends on the rank before the one that it starts on",
    ),
    Parameter(
        path="foundations.build.step",
        question="Do the foundations build up or down?",
        domain=Choice(values=_ALL_STEPS),
    ),
    Parameter(
        path="foundations.build.suit",
        question="Do the foundations build by suit, by colour, or regardless?",
        domain=Choice(values=SUIT_RELATIONS),
    ),
    Parameter(
        path="foundations.build.wrap",
        question="May an ace go on a king on the foundations?",
        domain=Choice(values=WRAPS),
        silence=Silence.CONDITIONAL,
        follows="without effect where the foundations run from ace to king, else a gap",
    ),
    Parameter(
        path="foundations.cap",
        question="How many cards may a foundation hold?",
        domain=Number(low=1, high=416, words=("unlimited",)),
        silence=Silence.CONDITIONAL,
        follows="as many as it holds when the game is won, if that is said, else a gap",
    ),
    Parameter(
        path="foundations.returns",
        question="May a card move back from a foundation?",
        domain=Choice(values=("never", "always", "stock_empty")),
    ),
    Parameter(
        path="foundations.forced",
        question="Must a card go to a foundation as soon as it can?",
        domain=Choice(values=("never", "first_cards", "always")),
        silence=Silence.NO,
        means="never",
        follows="no card has to go to a foundation",
    ),
    # Tableau
    Parameter(
        path="tableau.piles", question="How many tableau piles?", domain=Number(low=1, high=64)
    ),
    Parameter(
        path="tableau.deal",
        question="How many cards are dealt to each tableau pile?",
        domain=Number(low=0, high=64, words=("triangle", "rest")),
    ),
    Parameter(
        path="tableau.cards",
        question="How many cards does the tableau take?",
        domain=Number(low=0, high=416),
        silence=Silence.DERIVED,
        follows="piles times cards a pile",
    ),
    Parameter(
        path="tableau.face_down",
        question="How many cards of each tableau pile lie face down?",
        domain=Number(low=0, high=64, words=("all_but_top", "odd", "even")),
    ),
    Parameter(
        path="tableau.turn_up",
        question="Is a face-down card turned up when it is uncovered?",
        domain=Choice(values=("at_once", "by_player", "never")),
    ),
    Parameter(
        path="tableau.build.step",
        question="Does the tableau build up or down?",
        domain=Choice(values=_ALL_STEPS),
    ),
    Parameter(
        path="tableau.build.suit",
        question="Does the tableau build by suit, by colour, or regardless?",
        domain=Choice(values=SUIT_RELATIONS),
    ),
    Parameter(
        path="tableau.build.wrap",
        question="May a king go on an ace in the tableau? base: only where the base rank is "
        "neither, full: always.",
        domain=Choice(values=WRAPS),
        silence=Silence.CONDITIONAL,
        follows="none if nothing is said to wrap, a gap if the foundations do",
    ),
    Parameter(
        path="tableau.move.unit",
        question="What moves as a unit: one card, any built tail (group), only the longest built "
        "tail (whole_group), only a whole pile, or any face-up tail?",
        domain=Choice(values=("card", "group", "whole_group", "pile", "any")),
    ),
    Parameter(
        path="tableau.move.suit",
        question="Which suits go together within a group?",
        domain=Choice(values=SUIT_RELATIONS),
        silence=Silence.CONDITIONAL,
        follows="as the tableau builds",
    ),
    Parameter(
        path="tableau.move.step",
        question="Which ranks go together within a group?",
        domain=Choice(values=_ALL_STEPS),
        silence=Silence.CONDITIONAL,
        follows="as the tableau builds",
    ),
    Parameter(
        path="tableau.from",
        question="From where may cards come onto a tableau pile that has cards?",
        domain=Piles(stated_by="move"),
    ),
    Parameter(
        path="tableau.spaces.fill",
        question="From where is a space filled automatically, in which order?",
        domain=Piles(stated_by="fill"),
    ),
    Parameter(
        path="tableau.spaces.from",
        question="From where may a player fill a space?",
        domain=Piles(stated_by="fill"),
    ),
    Parameter(
        path="tableau.spaces.accept",
        question="Which cards may a player put into a space?",
        domain=Choice(values=("any", "none", "low", "high", *_RANKS)),
    ),
    Parameter(
        path="tableau.spaces.before",
        question="Is a space filled automatically before any other move?",
        domain=Choice(values=("any_move", "nothing")),
    ),
    # Reserve and cells
    Parameter(
        path="reserve.piles",
        question="How many reserve piles?",
        domain=Number(low=0, high=64),
        silence=Silence.CONDITIONAL,
        follows="one if its cards are counted, else none",
    ),
    Parameter(
        path="reserve.deal",
        question="How many cards are dealt to each reserve pile?",
        domain=Number(low=0, high=208),
        silence=Silence.CONDITIONAL,
        follows="none if no reserve is mentioned",
    ),
    Parameter(
        path="reserve.cards",
        question="How many cards does the reserve take?",
        domain=Number(low=0, high=416),
        silence=Silence.DERIVED,
        follows="piles times cards a pile",
    ),
    Parameter(
        path="reserve.face_down",
        question="How many cards of each reserve pile lie face down?",
        domain=Number(low=0, high=208, words=("all_but_top",)),
    ),
    Parameter(
        path="reserve.in_play",
        question="Which cards of the reserve are in play?",
        domain=Choice(values=("top", "any")),
        silence=Silence.NO,
        means="top",
        follows="only the top card of the reserve is in play",
    ),
    Parameter(
        path="reserve.fill",
        question="From where is the reserve filled again?",
        domain=Choice(values=("nothing", "stock", "waste")),
        silence=Silence.NO,
        means="nothing",
        follows="the reserve is not filled again",
    ),
    Parameter(
        path="cells.piles",
        question="How many cells?",
        domain=Number(low=0, high=64),
        silence=Silence.NO,
        means=0,
        follows="there are no cells",
    ),
    Parameter(
        path="cells.deal",
        question="How many cells start with a card?",
        domain=Number(low=0, high=64),
        silence=Silence.NO,
        means=0,
        follows="cells start empty",
    ),
    # Stock and waste
    Parameter(path="waste.piles", question="How many wastes?", domain=Number(low=0, high=1)),
    Parameter(
        path="waste.deal",
        question="How many cards are dealt to the waste?",
        domain=Number(low=0, high=52),
        silence=Silence.NO,
        means=0,
        follows="the waste starts empty",
    ),
    Parameter(
        path="stock.to",
        question="Where does the stock deal to?",
        domain=Choice(values=("waste", "tableau", "foundation", "reserve", "hand", "fill_only")),
    ),
    Parameter(
        path="stock.cards",
        question="How many cards are left for the stock?",
        domain=Number(low=0, high=416),
        silence=Silence.DERIVED,
        follows="what the deal leaves of the pack",
    ),
    Parameter(
        path="stock.count",
        question="How many cards does the stock deal at a time?",
        domain=Number(low=1, high=52),
    ),
    Parameter(
        path="stock.passes",
        question="How many passes through the stock?",
        domain=Number(low=1, high=64, words=("unlimited",)),
    ),
    Parameter(
        path="stock.redeals",
        question="How many redeals?",
        domain=Number(low=0, high=63, words=("unlimited",)),
        silence=Silence.DERIVED,
        follows="one fewer than passes",
    ),
    Parameter(
        path="stock.when",
        question="May the stock be turned at any time?",
        domain=Choice(values=("always", "no_other_move")),
        silence=Silence.NO,
        means="always",
        follows="the stock may be turned at any time",
    ),
    # The goal
    Parameter(
        path="goal.when",
        question="When is the game won?",
        domain=Choice(values=("foundations", "sorted", "stock_empty", "foundations_or_stock")),
    ),
    Parameter(
        path="goal.cards",
        question="How many cards must go to the foundations?",
        domain=Number(low=1, high=416),
        silence=Silence.DERIVED,
        follows="all cards, if all must go to the foundations",
    ),
    Parameter(
        path="goal.each",
        question="How many cards does each foundation hold when the game is won?",
        domain=Number(low=1, high=416),
        silence=Silence.DERIVED,
        follows="the cards that must go to the foundations, shared out among them",
    ),
)

PARAMETERS: dict[str, Parameter] = {parameter.path: parameter for parameter in _TABLE}
"""Every parameter by its path, in the order in which a reader asks."""

NOT_ASKED = (
    *("pack.suits", "pack.ranks"),
    *("foundations.whole", "foundations.first.distinct", "foundations.first.suits"),
    *("tableau.cap", "tableau.spaces.unit", "tableau.spaces.fill_count"),
    *("tableau.sink", "tableau.low_bottoms", "tableau.play_in_deal"),
    *("cells.from", "stock.group", "stock.spaces"),
    *("regather.times", "regather.pickup", "regather.deal", "regather.shuffle"),
)
"""The paths of the ruleset model that no question covers: a document cannot state them."""


def parameter(path: str) -> Parameter:
    """The parameter at ``path``; InputError, without a place, if there is none."""
    found = PARAMETERS.get(path)
    if found is not None:
        return found
    if path in NOT_ASKED:
        raise InputError(
            f"no statement can be made about {path} yet", instead="write it as a remark"
        )
    close = difflib.get_close_matches(path, PARAMETERS, n=1)
    raise InputError(
        f"there is no rule {path!r}",
        instead=f"did you mean {close[0]!r}?" if close else f"rules are such as {_TABLE[0].path}",
    )
