"""Whether a sentence stands literally in a document, where, and else what comes nearest. Pure.

Compared are both texts in composed form (NFC) with every run of white space as one blank, and nothing else: a sentence may run
over the end of a line or of a page. A number is not found within a longer one ("5 miljoen" is not in "1,5 miljoen", nor
"€ 1.250" in "€ 1.250.000"), nor a word within a longer word. What stands on both sides of a page that is
missing is no stretch of text: nobody knows what stands in between.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import islice, pairwise
from typing import Final

import nh3

from connectors.records import Document, Passage, TextForm
from search.markup import to_html

_MOST_PLACES: Final = 10
_AROUND: Final = 160
_NEAR_ENOUGH: Final = 0.5
_QUOTES: Final = (("“", "”"), ("„", "”"), ("„", "“"), ("‘", "’"), ("«", "»"), ('"', '"'), ("'", "'"))
_NUMBER_GOES_ON: Final = re.compile(r"(?<=\d)[.,:]\d")
_BLOCK_END: Final = re.compile(r"</(?:p|h[1-6]|li|t[dhr]|blockquote|pre)>|<br>|<hr>")


class Where(StrEnum):
    """In what of a document something stands."""

    TEXT = "tekst"
    TITLE = "titel"
    ABSTRACT = "samenvatting"


class Difference(StrEnum):
    """What a run of words is, when a citation is laid beside a text."""

    SAME = "gelijk"
    ONLY_CITED = "alleen in het citaat"
    ONLY_THERE = "alleen in het stuk"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a citation stands: from ``first`` to ``last`` passage (one and the same, or several when it runs on)."""

    first: Passage
    last: Passage
    before: str
    text: str
    after: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """What comes nearest: ``likeness`` from 0 to 1 (letters in words that are the same), and the runs that are and are not.

    ``only_signs``: all letters and digits are the same; punctuation, capitals, or a word broken at a line's end differ.
    """

    place: Place
    likeness: float
    runs: tuple[tuple[Difference, str], ...]
    only_signs: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The places where a citation stands literally, in ``where``; without any the nearest passage, if one is near.

    ``unquoted``: it stands there without the quotation marks that were around it. ``broken``: it stands nowhere, but would if
    pages that are missing were skipped.
    """

    places: tuple[Place, ...] = ()
    where: Where = Where.TEXT
    unquoted: bool = False
    broken: bool = False
    nearest: Nearest | None = None


def folded(text: str) -> str:
    """The text as it is compared: composed, white space folded."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def check(document: Document, citation: str) -> Verdict:
    """Look for a citation on every page of a document."""
    spellings = [(folded(citation), False)]
    bare = _unquoted(spellings[0][0])
    if bare:
        spellings.append((bare, True))
    running = tuple(_running_texts(document))
    for wanted, unquoted in spellings:
        for where, text in running:
            places = tuple(text.places(wanted))
            if places:
                return Verdict(places, where, unquoted)
    return Verdict(
        broken=any(text.is_broken(wanted) for wanted, _ in spellings for _, text in running),
        nearest=running[0][1].nearest(bare or spellings[0][0]),
    )


def _unquoted(citation: str) -> str:
    """A citation without the quotation marks around it; empty when there are none."""
    for begin, end in _QUOTES:
        if len(citation) > len(begin + end) and citation.startswith(begin) and citation.endswith(end):
            return citation.removeprefix(begin).removesuffix(end).strip()
    return ""


def _running_texts(document: Document) -> Iterator[tuple[Where, Running]]:
    """The ways in which the text of a document may be read, the plainest first.

    Of a text with markup that is the text as people see it and as ``lees`` gives it; headings may belong to the text or not.
    """
    has_markup = any(passage.form is TextForm.MARKDOWN for passage in document.passages)
    yield Where.TEXT, Running.of((passage, _seen(passage)) for passage in document.passages)
    if has_markup:
        yield Where.TEXT, Running.of((passage, passage.text) for passage in document.passages)
    if any(passage.heading for passage in document.passages):
        yield Where.TEXT, Running.of((passage, f"{passage.heading}\n{_seen(passage)}") for passage in document.passages)
        if has_markup:
            yield (
                Where.TEXT,
                Running.of((passage, f"{passage.heading}\n{passage.text}") for passage in document.passages),
            )
    for where, text in ((Where.TITLE, document.title), (Where.ABSTRACT, document.abstract)):
        yield where, Running.of([(Passage(0, text), text)])


def _seen(passage: Passage) -> str:
    """The text of a passage as people see it: without the signs of Markdown."""
    if passage.form is not TextForm.MARKDOWN:
        return passage.text
    broken = _BLOCK_END.sub("\n", to_html(passage))
    return html.unescape(nh3.clean(broken, tags=set()))


@dataclass(frozen=True, slots=True)
class Running:
    """The folded texts of passages, one after another: where each begins, and at which of these pages before it are missing."""

    text: str
    starts: tuple[int, ...]
    passages: tuple[Passage, ...]
    breaks: tuple[int, ...]

    @classmethod
    def of(cls, texts: Iterator[tuple[Passage, str]] | Sequence[tuple[Passage, str]]) -> Running:
        """The running text of passages. Those without text are left out; a page that has a place but no text is empty."""
        pieces: list[str] = []
        starts: list[int] = []
        passages: list[Passage] = []
        breaks: list[int] = []
        at, last, lacks = 0, 0, False
        for passage, text in texts:
            lacks |= bool(last) and passage.is_page and passage.number > last + 1
            last = passage.number
            if not (piece := folded(text)):
                continue
            breaks += [at] if lacks else []
            lacks = False
            pieces.append(piece)
            starts.append(at)
            passages.append(passage)
            at += len(piece) + 1
        return cls(" ".join(pieces), tuple(starts), tuple(passages), tuple(breaks))

    def places(self, wanted: str) -> Iterator[Place]:
        """Where ``wanted`` stands, the first places of them."""
        there = (at for at in self._stretches(wanted) if not self._skips(at, at + len(wanted)))
        return (self._place(at, at + len(wanted)) for at in islice(there, _MOST_PLACES))

    def is_broken(self, wanted: str) -> bool:
        """Whether ``wanted`` stands on both sides of pages that are missing."""
        return any(self._skips(at, at + len(wanted)) for at in self._stretches(wanted))

    def _stretches(self, wanted: str) -> Iterator[int]:
        """Where ``wanted`` begins, as whole words and numbers."""
        at = self.text.find(wanted)
        while wanted and at >= 0:
            if self._stands_alone(at, at + len(wanted)):
                yield at
            at = self.text.find(wanted, at + 1)

    def _skips(self, begin: int, end: int) -> bool:
        """Whether pages that are missing lie within a stretch."""
        return any(begin < at < end for at in self.breaks)

    def _stands_alone(self, begin: int, end: int) -> bool:
        """Whether neither border of a stretch goes through a word or a number, also one with points or a comma in it."""
        goes_on = _NUMBER_GOES_ON.match(self.text, begin - 1) if begin else None
        return not (goes_on or _NUMBER_GOES_ON.match(self.text, end) or self._cuts(begin) or self._cuts(end))

    def _cuts(self, at: int) -> bool:
        """Whether a border at ``at`` goes through a word or a number. A digit behind a letter is often a footnote's."""
        if not 0 < at < len(self.text):
            return False
        left, right = self.text[at - 1], self.text[at]
        return (left.isalpha() and right.isalpha()) or (left.isdigit() and right.isdigit())

    def _place(self, begin: int, end: int) -> Place:
        return Place(
            first=self.passages[bisect_right(self.starts, begin) - 1],
            last=self.passages[bisect_right(self.starts, end - 1) - 1],
            before=self.text[max(begin - _AROUND, 0) : begin].strip(),
            text=self.text[begin:end],
            after=self.text[end : end + _AROUND].strip(),
        )

    def nearest(self, wanted: str) -> Nearest | None:
        """What comes nearest to ``wanted``; None when nothing has half of its words in order."""
        cited = wanted.split(" ")
        words = list(_words(self.text))
        window = self._window([text.casefold() for _, text in words], [word.casefold() for word in cited])
        if window is None:
            return None
        there = words[window[0] : window[1]]
        matcher = SequenceMatcher(None, [word for _, word in there], cited, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        if not blocks:
            return None
        there = there[max(blocks[0].a - blocks[0].b, 0) : blocks[-1].a + len(cited) - blocks[-1].b]
        return self._compared(there, cited)

    def _compared(self, there: list[tuple[int, str]], cited: list[str]) -> Nearest | None:
        texts = [word for _, word in there]
        matcher = SequenceMatcher(None, cited, texts, autojunk=False)
        shared = sum(
            len(word) for block in matcher.get_matching_blocks() for word in cited[block.a : block.a + block.size]
        )
        likeness = 2 * shared / sum(map(len, (*cited, *texts)))
        begin, (last, word) = there[0][0], there[-1]
        same = _letters("".join(cited)) == _letters("".join(texts)) and not self._skips(begin, last + len(word))
        if likeness < _NEAR_ENOUGH and not same:
            return None
        runs: list[tuple[Difference, str]] = []
        for kind, a, b, c, d in matcher.get_opcodes():
            if kind == "equal":
                runs.append((Difference.SAME, " ".join(cited[a:b])))
                continue
            runs += [(Difference.ONLY_CITED, " ".join(cited[a:b]))] if a < b else []
            runs += [(Difference.ONLY_THERE, " ".join(texts[c:d]))] if c < d else []
        place = self._place(begin, last + len(word))
        return Nearest(place, round(likeness, 3), tuple(runs), only_signs=same)

    @staticmethod
    def _window(words: Sequence[str], cited: Sequence[str]) -> tuple[int, int] | None:
        """The stretch of words, somewhat wider than the citation, that shares most with it; None when none shares any."""
        if not words:
            return None
        size = min(len(cited), len(words))
        wanted, inside = Counter(cited), Counter(words[:size])
        shared = sum((wanted & inside).values())
        best, best_at = shared, 0
        for at, (gone, come) in enumerate(zip(words, words[size:], strict=False), 1):
            if gone != come:
                shared -= inside[gone] <= wanted[gone]
                inside[gone] -= 1
                inside[come] += 1
                shared += inside[come] <= wanted[come]
            if shared > best:
                best, best_at = shared, at
        margin = size // 2 + 2
        return (max(best_at - margin, 0), best_at + size + margin) if best else None


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _words(text: str) -> Iterator[tuple[int, str]]:
    """The words of a folded text, with where each begins."""
    borders = [-1, *(at for at, sign in enumerate(text) if sign == " "), len(text)]
    for left, right in pairwise(borders):
        if right > left + 1:
            yield left + 1, text[left + 1 : right]
