"""From a report to what is printed: plain texts in the order of the page. Pure.

All of it is data to the typesetter, which puts it in as text: nothing that a source wrote can be a command. What the letters of
the typesetter do not have is shown as a box, and the paper says so.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import quote, urlsplit

from reports import charts, page, words
from reports.page import BodyView, EntryView, Subject
from reports.records import Report
from search import texts

BOX: Final = "\u25a1"
_LONGEST: Final = 2_000
_LONGEST_ADDRESS: Final = 2_000
_LONGEST_QUESTION: Final = 8_000
"""What the typesetter takes behind a link."""
_LONGEST_NAMES: Final = 65_536
# Measured over the letters of the wheel (Libertinus Serif, New Computer Modern, DejaVu Sans Mono): every sign in these ranges.
_THERE: Final = re.compile(
    "[^\u0020-\u007e\u00a0-\u00ac\u00ae-\u0377\u037a-\u037f\u0384-\u038a\u038e-\u03a1\u03a3-\u04ff\u0531-\u0556"
    "\u05d0-\u05ea\u0621-\u063a\u0640-\u066d\u06f0-\u06f9\u1d00-\u1f15\u1f20-\u1f45\u1f50-\u1f57\u1f80-\u1fb4\u1fc6-\u1fd3"
    "\u2000-\u200a\u2010-\u2027\u202f-\u2040\u2044-\u2052\u2054-\u205e\u2074-\u208e\u2090-\u209c\u20a0-\u20c0\u2100-\u211e"
    "\u2126-\u2151\u2153-\u2184\u2190-\u23ff\u2460-\u2606\u2638-\u268b\ufb00-\ufb06]"
)
# All signs that are not shown by themselves are in these ranges: most texts have none, and are not looked at sign by sign.
_RARE: Final = re.compile("[\u00ad\u0300-\u1fff\u200b-\u200f\u2028-\u202e\u2060-\u206f\u20d0-\u20ff\u2cef-\U0010ffff]")
_WITHOUT: Final = frozenset({"Cf", "Mn", "Mc", "Me"})
# Measured as well: Libertinus Serif sets each of these marks on each of these letters, two at a time too.
_WEARS_MARKS: Final = re.compile("[A-Za-z\u00c0-\u0241\u0391-\u03c9\u0400-\u045f]")
_MARKS: Final = frozenset(map(chr, range(0x300, 0x370)))
_MOST_MARKS: Final = 2
_FLAG: Final = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_JOINED: Final = re.compile("([^\u0000-\u2fff])(?:[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\u200d[^\u0000-\u200c])+")
_RUN: Final = re.compile(r"\S{30,}")
_MAY_BREAK: Final = re.compile(r"([/?&=_.:,;+-]+)")
_BREAK: Final = "\u200b"
_PIECE: Final = 24


def printed(text: str, longest: int = _LONGEST) -> str:
    """``text`` as it can be printed: on one line, without what does not show, with places to break very long words.

    A picture of several signs (a family, a flag) is one sign. Marks stay on letters that wear them, and are left out elsewhere.
    """
    composed = unicodedata.normalize("NFC", text[:longest])
    if _RARE.search(composed):
        composed = "".join(_shown(_FLAG.sub(lambda flag: flag[0][0], _JOINED.sub(r"\1", composed))))
    line = " ".join(composed.split())
    return _RUN.sub(lambda run: _breakable(run[0]), _THERE.sub(BOX, line)) + ("…" if len(text) > longest else "")


def _shown(text: str) -> Iterator[str]:
    """The signs that show: without what only steers, and without marks that the letter before them does not wear."""
    room = 0
    for sign in text:
        if sign in _MARKS and room:
            room -= 1
            yield sign
        elif unicodedata.category(sign) not in _WITHOUT:
            room = _MOST_MARKS if _WEARS_MARKS.match(sign) else 0
            yield sign


def _breakable(run: str) -> str:
    parts = _MAY_BREAK.sub(rf"\1{_BREAK}", run).split(_BREAK)
    pieces = (part[at : at + _PIECE] for part in parts for at in range(0, len(part), _PIECE))
    return _BREAK.join(pieces)


def web(address: str | None, longest: int = _LONGEST_ADDRESS) -> str:
    """An address that may stand behind a link: of the web, and of plain signs; else empty."""
    try:
        parts = urlsplit(address or "")
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or not parts.netloc or len(address or "") > longest:
        return ""
    return quote(address or "", safe=":/?#[]@!$&'()*+,;=-._~%")


def as_input(report: Report, about: Subject, site: str) -> bytes:
    """What the typesetter reads. ``site`` is the address of our own pages."""
    return json.dumps(contents(report, about, site), ensure_ascii=False).encode()


def contents(report: Report, about: Subject, site: str) -> dict[str, Any]:
    """The whole of the paper, by its parts."""
    overview, made = report.overview, words.moment(report.made_at)
    facts = [("Zoekvraag", about.typed)] if about.typed else []
    facts += [(chip.label.capitalize(), chip.value) for chip in about.filters]
    facts += [("Welke organisaties", ", ".join(about.bodies))] if about.bodies else []
    facts += [("Gemaakt", f"{made}, door BesluitBron {report.version}")]
    return {
        "title": printed(f"Rapport: {about.title}"),
        "description": printed(f"Overzicht van openbare besluiten, gemaakt met BesluitBron op {made}."),
        "footer": printed(f"BesluitBron {report.version}, {made}. Geen dienst van de overheid."),
        "missing": [printed(" ".join(filter(None, words.cut(one)))) for one in report.cuts],
        "complete": "Alle gevraagde bronnen antwoordden, en alles wat zij gaven staat erin.",
        "limits": (
            f"Een rapport heeft hooguit {texts.number(report.most_hits)} treffers, en leest de tekst van hooguit "
            f"{texts.number(report.most_texts)} stukken. Wat een bron zelf niet heeft, staat er ook niet in. "
            f"Een teken dat deze vorm niet kan tonen, staat er als {BOX}, en een los teken bij een letter kan ontbreken; op de "
            "pagina staan ze wel."
        ),
        "facts": [[printed(name), printed(value, _LONGEST_NAMES)] for name, value in facts],
        "question": web(f"{site}{about.address}", _LONGEST_QUESTION),
        "no-question": "Het adres van deze zoekvraag is te lang voor een link op papier. Het staat in de gegevens (JSON).",
        "summary": page.summary(report),
        "per-body": _rows(charts.by_body(overview).rows),
        "per-year": _rows(charts.by_year(overview).rows),
        "bodies": [
            _body(page.body_view(body, place, about.found), site) for place, body in enumerate(overview.bodies, 1)
        ],
        "sources": [
            [printed(one) for one in (source.name, source.total, source.taken, " ".join(source.notes))]
            for source in page.sources(report)
        ],
    }


def _rows(rows: Sequence[tuple[str, int]]) -> list[list[Any]]:
    return [[printed(name), count] for name, count in rows]


def _body(body: BodyView, site: str) -> dict[str, Any]:
    months = [
        {"name": printed(month.name), "entries": [_entry(entry, site) for entry in month.entries]}
        for month in body.months
    ]
    return {"name": printed(body.name) or BOX, "number": body.number, "months": months}


def _entry(entry: EntryView, site: str) -> dict[str, Any]:
    hit = entry.hit
    return {
        "title": printed(hit.title) or BOX,
        "language": hit.language or "nl",
        "facts": printed(" · ".join(_facts(entry))),
        "vote": printed(entry.vote),
        "excerpts": [
            {
                "place": printed(" – ".join(filter(None, (one.place, one.heading)))),
                "segments": [[_inside(part.text), part.marked] for part in one.segments],
            }
            for one in entry.excerpts
        ]
        or _snippet(entry),
        "said": [printed(one) for one in (entry.said, *entry.notes, *entry.warnings, hit.kept) if one],
        "links": [
            [printed(name), web(address)]
            for name, address in (
                (f"{entry.source}: {hit.address}", hit.address),
                ("bij BesluitBron", f"{site}{hit.link}"),
                *((f"ook bij {name}", address) for name, address in entry.others),
                *((("bewaarde kopie", hit.kept_at),) if hit.kept_at else ()),
            )
        ],
    }


def _snippet(entry: EntryView) -> list[dict[str, Any]]:
    if not entry.hit.snippet:
        return []
    return [{"place": "", "segments": [[_inside(part.text), part.marked] for part in entry.hit.snippet]}]


def _inside(text: str) -> str:
    """A part of a line: what separates it from the next stays."""
    before, after = (" " if edge.isspace() else "" for edge in (text[:1], text[-1:]))
    middle = printed(text)
    return f"{before}{middle}{after}" if middle else " "


def _facts(entry: EntryView) -> Iterator[str]:
    hit = entry.hit
    yield f"{hit.kind} ({hit.kind_at_source})" if hit.kind_at_source else hit.kind
    yield f"{hit.date} ({hit.date_meaning})" if hit.date_meaning else hit.date
    yield from (f"{day} ({meaning})" for day, _, meaning in entry.dates)
    if hit.coverage:
        yield hit.coverage
