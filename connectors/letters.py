"""Letters that a PDF spaces apart ("T weede", "V A N HET LID"), mended only where that is certain (field report 23).

Certain means: the word put together stands elsewhere in the same text, or is one of a short list of very common ones, and the
loose piece is no word of its own there. Anything else stays as it is: "A B C" may well be the head of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_RUN: Final = re.compile(r"(?<![^\s])[^\W\d_](?: [^\W\d_]){2,20}(?![^\s,.;:)])")
_INITIAL: Final = re.compile(r"(?<![^\s(])([A-ZÀ-Ý]) ([a-zà-ÿ]{2,30})(?![^\W\d_])")
_COMMON: Final = frozenset(
    {
        "aan",
        "bij",
        "dat",
        "deze",
        "door",
        "een",
        "geen",
        "haar",
        "heeft",
        "het",
        "hun",
        "kamer",
        "kamerstuk",
        "leden",
        "lid",
        "met",
        "minister",
        "motie",
        "naar",
        "niet",
        "onderwerp",
        "ontvangen",
        "over",
        "regering",
        "staten",
        "tegen",
        "tweede",
        "uit",
        "van",
        "vergaderjaar",
        "verslag",
        "verzoekt",
        "voor",
        "voorgesteld",
        "voorzitter",
        "wet",
        "worden",
        "zijn",
    }
)


def mended(texts: Iterable[str]) -> list[str]:
    """The texts with certain words mended. Words are learnt from all of them, loose pieces left out."""
    texts = list(texts)
    known = {word.lower() for text in texts for word in _WORD.findall(_INITIAL.sub(" ", text))}
    return [_mend(text, known) for text in texts]


def _mend(text: str, known: set[str]) -> str:
    def run(found: re.Match[str]) -> str:
        letters = found[0].replace(" ", "")
        one_case = letters.isupper() or letters[1:].islower()
        return letters if one_case and _is_word(letters, known) else found[0]

    def initial(found: re.Match[str]) -> str:
        whole = found[1] + found[2]
        return whole if _is_word(whole, known) and not _is_word(found[2], known) else found[0]

    return _INITIAL.sub(initial, _RUN.sub(run, text))


def _is_word(letters: str, known: set[str]) -> bool:
    return letters.lower() in _COMMON or letters.lower() in known
