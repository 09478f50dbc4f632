"""Letters that only look like ASCII: named, so that a person can find them."""

from __future__ import annotations

import unicodedata

_CYRILLIC_GREEK_LATIN = (
    "a\u0430\u03b1\u0251 c\u0441\u03f2 d\u0501 e\u0435 g\u0261 h\u04bb i\u0456\u03b9\u0131 j\u0458 "
    "k\u03ba l\u04cf n\u0578 o\u043e\u03bf p\u0440\u03c1 q\u051b s\u0455 u\u03c5 v\u0475\u03bd "
    "w\u051d x\u0445\u03c7 y\u0443\u03b3 A\u0410\u0391 B\u0412\u0392 C\u0421\u03f9 E\u0415\u0395 "
    "H\u041d\u0397 I\u0406\u0399 J\u0408 K\u041a\u039a M\u041c\u039c N\u039d O\u041e\u039f "
    "P\u0420\u03a1 S\u0405 T\u0422\u03a4 X\u0425\u03a7 Y\u0423\u03a5 Z\u0396"
)
_PUNCTUATION = (
    "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212 '\u2018\u2019\u2032\u02bc \"\u201c\u201d\u2033 "
    ":\u2236\ua789 /\u2044\u2215 ,\u201a *\u2217\u00d7"
)
_TWIN = {
    odd: group[0]
    for group in f"{_CYRILLIC_GREEK_LATIN} {_PUNCTUATION}".split(" ")
    for odd in group[1:]
}
_NAMED_AT_MOST = 3


def ascii_twin(character: str) -> str | None:
    """The ASCII text that ``character`` can be mistaken for, or None.

    Not a security check: the table holds common Cyrillic, Greek and typographic twins, and the
    compatibility forms of Unicode (full-width letters, odd spaces), no more.
    """
    if character.isascii():
        return None
    if character in _TWIN:
        return _TWIN[character]
    folded = unicodedata.normalize("NFKC", character)
    return folded if folded.isascii() else None


def name_character(character: str) -> str:
    """``U+0430 CYRILLIC SMALL LETTER A``: the code point and the Unicode name, if it has one."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X} {name}".rstrip()


def confusable_hint(text: str) -> str | None:
    """One clause that names the non-ASCII characters of ``text``, or None if it is all ASCII.

    For a text that is expected to be plain ASCII: a key, or one of a few allowed words.
    Names each character once, in order, and no more than three of them.
    """
    odd = list(dict.fromkeys(character for character in text if not character.isascii()))
    if not odd:
        return None
    clauses = [_clause(character) for character in odd[:_NAMED_AT_MOST]]
    if len(odd) > _NAMED_AT_MOST:
        clauses.append("and more")
    return ", ".join(clauses)


def _clause(character: str) -> str:
    twin = ascii_twin(character)
    tail = f"which only looks like {twin!r}" if twin is not None else "which is not ASCII"
    return f"{character!r} is {name_character(character)}, {tail}"
