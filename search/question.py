"""From what somebody typed to the words to search for.

Any text is read: control characters, direction marks and unbalanced quotes are taken out, words are runs of letters and
digits of any script (``coördinatie`` is one word), ``14:30`` and ``foto's`` are words that belong together,
``kosten/baten`` are two words. Operators are recognised so that a platform that does not know them can say so instead
of searching for "OR". Field reports 5, 6 and 7.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from connectors.rechtspraak.ecli import parse_ecli
from connectors.records import Operator, SearchText, Term

_DOUBLE_QUOTES: Final = re.compile("[“”„‟«»＂]")
_SLOP: Final = re.compile(r'"\s*~\s*\d+')
_PIECE: Final = re.compile(r'"([^"]*)"|([^\s"]+)')
_WORD: Final = re.compile(r"[^\W_]+")
_EDGES: Final = re.compile(r"^[\W_]+|[\W_]+$")
_LOOSE: Final = re.compile(r"[/+|&,;()\[\]{}<>=]+")
_OPERATOR_WORDS: Final = {"OR": Operator.OR, "||": Operator.OR, "|": Operator.OR, "NOT": Operator.NOT}
_SILENT_WORDS: Final = frozenset({"AND", "&&"})
_EXCLUDED: Final = re.compile(r"[-−!](?=[^\W_])")
_WILDCARD: Final = re.compile(r"[^\W_]\*|\*[^\W_]")


class Remark(StrEnum):
    """What was done to a question, worth telling who asked it."""

    QUOTE_DROPPED = "quote_dropped"


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody typed, cleaned (``typed``), and how it is read. Neither shows in a log."""

    typed: str = field(repr=False)
    text: SearchText
    remarks: tuple[Remark, ...] = ()


def clean(typed: str) -> str:
    """The text without control characters, direction marks and half characters, in composed form, blanks folded."""
    kept = "".join(_visible(character) for character in unicodedata.normalize("NFC", typed))
    return " ".join(kept.split())


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc":
        return " "
    return "" if category in {"Cf", "Cs", "Co", "Cn"} else character


def read_question(typed: str) -> Question:
    """Read ``typed``. A text without one letter or digit gives a question without terms; nothing is raised."""
    cleaned = clean(typed)
    ecli = parse_ecli(cleaned)
    if ecli is not None:
        return Question(cleaned, SearchText((Term(tuple(_WORD.findall(ecli)), phrase=True),), ecli=ecli))
    text = _DOUBLE_QUOTES.sub('"', cleaned)
    operators: set[Operator] = set()
    if _SLOP.search(text):
        operators.add(Operator.SLOP)
        text = _SLOP.sub('"', text)
    remarks: tuple[Remark, ...] = ()
    if text.count('"') % 2:
        before, _, after = text.rpartition('"')
        text = f"{before} {after}"
        remarks = (Remark.QUOTE_DROPPED,)
    terms: list[Term] = []
    for quoted, loose in _PIECE.findall(text):
        if loose:
            terms.extend(_loose_terms(loose, operators))
        else:
            terms.extend(_phrase(quoted))
    return Question(cleaned, SearchText(tuple(terms), frozenset(operators)), remarks)


def _phrase(quoted: str) -> list[Term]:
    words = tuple(_WORD.findall(quoted))
    if len(words) <= 1:
        return [Term(words)] if words else []
    return [Term(words, phrase=True, written=_EDGES.sub("", " ".join(quoted.split())))]


def _loose_terms(piece: str, operators: set[Operator]) -> list[Term]:
    """The terms of one piece without blanks; operators in it are added to ``operators``."""
    if piece in _SILENT_WORDS:
        return []
    if piece in _OPERATOR_WORDS:
        operators.add(_OPERATOR_WORDS[piece])
        return []
    if _EXCLUDED.match(piece):
        operators.add(Operator.NOT)
    if _WILDCARD.search(piece):
        operators.add(Operator.WILDCARD)
    return [term for part in _LOOSE.split(piece) for term in _phrase(part)]
