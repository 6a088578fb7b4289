"""How people and programs write down a paper: notations and addresses, brought to ids that connectors can read. Pure.

The forms of addresses are those of the platform pages; the notations those of the official journals and of parliamentary papers
("Kamerstukken II 2024/25, 36600-VII, nr. 139", "Gemeenteblad 2024, 216934").
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Final
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

LONGEST: Final = 2000
_AROUND: Final = " \t\r\n.,;!?'\"“”„‘’«»[]{}<>"
_DASHES: Final = re.compile(r"[\u2010-\u2015\u2212]")
_JOURNALS: Final = {
    "gemeenteblad": "gmb",
    "gmb": "gmb",
    "provinciaal blad": "prb",
    "prb": "prb",
    "waterschapsblad": "wsb",
    "wsb": "wsb",
    "blad gemeenschappelijke regeling": "bgr",
    "bgr": "bgr",
    "staatscourant": "stcrt",
    "stcrt": "stcrt",
    "staatsblad": "stb",
    "stb": "stb",
    "tractatenblad": "trb",
    "trb": "trb",
}
_NAMES: Final = "|".join(sorted(_JOURNALS, key=len, reverse=True))
_JOURNAL_NAME: Final = rf"({_NAMES})\.?(?:\s+van\s+[^\d,]{{2,60}})?,?[\s-]*(?:nr\.?\s*)?([12]\d{{3}})"
_JOURNAL: Final = re.compile(
    rf"{_JOURNAL_NAME}(?:\s*,\s*|\s*[/-]\s*|\s+)(?:nr\.?\s*|nummer\s*)?(\d{{1,8}})", re.ASCII | re.IGNORECASE
)
_JOURNAL_UNPARTED: Final = re.compile(rf"{_JOURNAL_NAME}(\d{{1,8}})", re.ASCII | re.IGNORECASE)
_JOURNAL_INSIDE: Final = re.compile(rf"\b(?:{_JOURNAL.pattern})\b", re.IGNORECASE | re.ASCII)
_PAPER: Final = re.compile(
    r"(?P<word>kamerstuk(?:ken)?|kst|tk|ek)?[\s.-]*(?:(?:ii|i|tk|ek)\b[\s,.-]*)?(?:[12]\d{3}\s*[/-]\s*(?:[12]\d{3}|\d{2})\s*,?\s+)?"
    r"(?P<dossier>\d{2}[ .]?\d{3})(?:\s*[- ]\s*(?P<addition>(?!nr\b|no\b)[a-z]{1,5}|\d{1,3}))?(?:\s*\(r\s?\d+\))?"
    r"\s*[,-]?\s*(?P<nr>nr\.?|no\.?|nummer|[-,/])\s*(?P<number>\d{1,5}|[a-z]{1,2})",
    re.ASCII | re.IGNORECASE,
)
_PAPER_UNMARKED: Final = re.compile(
    r"(?:(?:kamerstuk(?:ken)?|kst|tk|ek)[\s.-]*(?:(?:ii|i|tk|ek)\b[\s,.-]*)?(?:[12]\d{3}\s*[/-]\s*(?:[12]\d{3}|\d{2})\s*,?\s+)?)?"
    r"(?P<dossier>\d{2}[ .]?\d{3})(?:\s*[- ]\s*(?P<addition>[a-z]{1,5}))?\s+(?P<number>\d{1,4})",
    re.ASCII | re.IGNORECASE,
)
"""As people type one: nothing but a blank before its number."""
_PARLIAMENT_NUMBER: Final = re.compile(r"([12]\d{3})\s*([a-z])\s*(\d{5})", re.ASCII | re.IGNORECASE)
_FILE_NAME: Final = re.compile(r"((?:[a-z]{2,5}-){1,2}[0-9][0-9a-z-]*)\.(?:html|xml|pdf|odt)", re.ASCII | re.IGNORECASE)
_YEAR: Final = r"([12]\d{3})\s*[/-]\s*((?:[12]\d)?\d{2})"
_ANNEX: Final = re.compile(
    rf"aanhangsel(?:\s+van\s+de)?(?:\s+handelingen)?(?:\s+(?:ii|tk))?[\s,]*{_YEAR}\s*,?\s*(?:nr\.?)?\s*(\d{{1,6}})",
    re.ASCII | re.IGNORECASE,
)
_PROCEEDINGS: Final = re.compile(
    rf"handelingen\s+(ii|i|tk|ek)\s+{_YEAR}\s*,?\s*(?:nr\.?)?\s*(\d{{1,3}})\s*,\s*(?:item|nr\.?)?\s*(\d{{1,3}})",
    re.ASCII | re.IGNORECASE,
)
_OWN_PATH: Final = re.compile(r"/document/([a-z-]+)/(.+)", re.IGNORECASE)
_GUID: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_ANY_GUID: Final = re.compile(
    rf"(?:https?://gegevensmagazijn\.tweedekamer\.nl/\S*/)?({_GUID})", re.ASCII | re.IGNORECASE
)
_THINGS: Final = ("document", "zaak", "activiteit", "toezegging", "vergadering", "verslag")
_COUNCIL_HOST: Final = re.compile(r"([a-z0-9-]{2,60})\.(raads|staten|waterschaps)informatie\.nl", re.ASCII)
_COUNCIL_PATH: Final = re.compile(r"/(vergadering|document)/([1-9]\d{0,17})(?:/.*)?", re.ASCII)
_IBABS_HOST: Final = re.compile(r"([a-z0-9-]{2,60})\.bestuurlijkeinformatie\.nl", re.ASCII)
_IBABS_PATH: Final = re.compile(rf"/agenda/index/({_GUID})", re.ASCII | re.IGNORECASE)
_OLD_NUMBER: Final = re.compile(r"\bLJN[\s:-]*[A-Z]{2}[0-9]{4}\b", re.IGNORECASE | re.ASCII)
_ISSUED: Final = re.compile(
    r"\b(?:kst|gmb|stcrt|stb|trb|wsb|prb|bgr|h-tk|h-ek|ah-tk)-[0-9][0-9a-z-]*[0-9a-z]", re.IGNORECASE | re.ASCII
)
_SAID_TO_BE_PAPER: Final = re.compile(rf"\b(?=kamerstuk|kst)(?:{_PAPER.pattern})\b", re.IGNORECASE | re.ASCII)
_SAID_TO_BE_PAPER_UNMARKED: Final = re.compile(
    rf"\b(?=kamerstuk|kst)(?:{_PAPER_UNMARKED.pattern})\b", re.IGNORECASE | re.ASCII
)
_AS_ONE: Final = re.compile(
    r"\bECLI[\s:_]+[A-Z]{2}[\s:_]+[A-Z]{2,7}[\s:_]+[12][0-9]{3}[\s:_]+[A-Z0-9.]*[0-9]\b", re.IGNORECASE | re.ASCII
)
_BODY_TYPES: Final = {"raads": "gemeente", "staten": "provincie", "waterschaps": "waterschap"}
_ODATA: Final = re.compile(rf"/(Document|Zaak|Activiteit|Toezegging|Vergadering)\(({_GUID})\)", re.IGNORECASE)
_ELASTIC: Final = re.compile(r"/v1/elastic/([a-z0-9_-]+)/_doc/(\d{1,18})", re.IGNORECASE)
_RECORD: Final = re.compile(r"https?://id\.openraadsinformatie\.nl/(\d{1,18})", re.IGNORECASE)
_RESOURCE: Final = re.compile(r"besluitbron://document/([^/]+)(?:/\d{1,5})?", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://[^\s\"<>]+", re.IGNORECASE)
_ECLI: Final = re.compile(r"ECLI:[A-Z]{2}:[A-Z0-9.]{1,7}:[12][0-9]{3}:[A-Z0-9.]{1,25}", re.IGNORECASE | re.ASCII)
_KST_PAGE: Final = re.compile(r"/(?:tkconv/)?(kst-[a-z0-9-]+)", re.IGNORECASE)


def plain(text: str) -> str:
    """The text in one form: composed, without invisible signs, ordinary hyphens, single blanks, nothing around it."""
    composed = unicodedata.normalize("NFKC", text[: LONGEST + 1])
    visible = "".join(c for c in composed if unicodedata.category(c) not in {"Cf", "Cc"} or c.isspace())
    text = " ".join(_DASHES.sub("-", visible).split()).strip(_AROUND)
    while text.endswith(")") and text.count("(") < text.count(")"):
        text = text[:-1].strip(_AROUND)
    while text.startswith("("):
        text = text[1:].removesuffix(")").strip(_AROUND)
    return text


def spellings(text: str) -> Iterator[str]:
    """What connectors may know an id by: the text itself, decoded, and what its notation or address stands for."""
    seen: set[str] = set()
    for one in _unfolded(text):
        for spelling in (one, *_by_notation(one), *_by_address(one)):
            if spelling and spelling not in seen:
                seen.add(spelling)
                yield spelling


def _unfolded(text: str) -> Iterator[str]:
    cleaned = plain(text)
    yield cleaned
    for _ in range(2):  # an address within an address is encoded twice
        decoded = unquote(cleaned)
        if decoded == cleaned:
            return
        cleaned = decoded
        yield cleaned


def embedded(text: str) -> Iterator[str]:
    """Addresses and case law numbers that stand in a text among other words."""
    cleaned = plain(text)
    for pattern in (_ADDRESS, _ECLI):
        yield from (found[0].rstrip(_AROUND) for found in pattern.finditer(cleaned))


def mentioned(text: str) -> tuple[tuple[str, str], ...]:
    """The numbers and addresses of papers among the other words of a text, each with the text without it.

    Only what can be nothing else: an ECLI, an LJN, the number of a publication, a parliamentary paper that is said to be one.
    """
    cleaned = plain(text)
    patterns = (
        _ADDRESS,
        _ECLI,
        _AS_ONE,
        _OLD_NUMBER,
        _ISSUED,
        _JOURNAL_INSIDE,
        _SAID_TO_BE_PAPER,
        _SAID_TO_BE_PAPER_UNMARKED,
    )
    found: dict[str, str] = {}
    for pattern in patterns:
        for one in pattern.finditer(cleaned):
            piece = one[0].rstrip(_AROUND)
            if not any(piece in other or other in piece for other in found):
                found[piece] = " ".join(f"{cleaned[: one.start()]} {cleaned[one.end() :]}".split())
    return tuple(found.items())


def is_old_number(text: str) -> bool:
    """Whether a text is an LJN with its name before it: without that, two letters and four digits may be anything."""
    return _OLD_NUMBER.fullmatch(plain(text)) is not None


def own_page(text: str) -> tuple[str, str] | None:
    """Platform and number in an address of our own document page, or in its path."""
    parts = _parts(text)
    found = _OWN_PATH.fullmatch(parts.path.rstrip("/")) if parts else None
    return (found[1].lower(), unquote(found[2])) if found else None


def record_number(text: str) -> tuple[str, str] | None:
    """Index ("" when it is not named) and number in an address of a record of Open Raadsinformatie."""
    for one in _unfolded(text):
        if found := _ELASTIC.search(one):
            return found[1], found[2]
        if found := _RECORD.search(one):
            return _index_in(one), found[1]
    return None


def _index_in(address: str) -> str:
    parts = _parts(address)
    try:
        named = json.loads(parse_qs(parts.query).get("organisaties", ["[]"])[0]) if parts else []
    except (ValueError, RecursionError):
        return ""
    one = isinstance(named, list) and len(named) == 1 and isinstance(named[0], str)
    return named[0] if one else ""


def _parts(text: str) -> SplitResult | None:
    try:
        return urlsplit(text)
    except ValueError:
        return None


def _by_notation(text: str) -> Iterator[str]:
    if found := _RESOURCE.fullmatch(text):
        yield found[1]
    if found := _ANY_GUID.fullmatch(text):  # the Tweede Kamer gives every row one, and does not say of what
        yield from (f"{thing}:{found[1].lower()}" for thing in _THINGS)
    if found := _FILE_NAME.fullmatch(text):
        yield found[1].lower()
    if found := _PARLIAMENT_NUMBER.fullmatch(text):
        yield f"{found[1]}{found[2].upper()}{found[3]}"
    if found := _JOURNAL.fullmatch(text) or _JOURNAL_UNPARTED.fullmatch(text):
        yield f"{_JOURNALS[found[1].lower()]}-{found[2]}-{found[3]}"
    if found := _PROCEEDINGS.fullmatch(text):
        house = "tk" if found[1].lower() in {"ii", "tk"} else "ek"
        yield f"h-{house}-{_years(found[2], found[3])}-{found[4]}-{found[5]}"
    if found := _ANNEX.fullmatch(text):
        yield f"ah-tk-{_years(found[1], found[2])}-{found[3]}"
    if found := _PAPER.fullmatch(text):
        yield from _paper(found)
    elif found := _PAPER_UNMARKED.fullmatch(text):
        yield _paper_id(found)


def _paper(found: re.Match[str]) -> Iterator[str]:
    """A letter alone is the number of a paper of the Senate only where "nr." stands before it."""
    if found["number"].isdigit() or found["nr"] not in {"-", ",", "/"}:
        yield _paper_id(found)


def _paper_id(found: re.Match[str]) -> str:
    dossier = re.sub(r"\D", "", found["dossier"])
    return "-".join(filter(None, ("kst", dossier, (found["addition"] or "").upper(), found["number"].upper())))


def _years(first: str, last: str) -> str:
    return f"{first}{last if len(last) == 4 else first[:2] + last}"  # noqa: PLR2004 - "2024/25" or "2024-2025"


def _by_address(text: str) -> Iterator[str]:
    parts = _parts(text)
    if parts is None or parts.scheme.lower() not in {"http", "https"}:
        return
    host, path = (parts.netloc.rpartition("@")[2].partition(":")[0].lower(), unquote(parts.path))
    if host == "gegevensmagazijn.tweedekamer.nl" and (found := _ODATA.search(path)):
        yield f"{found[1].lower()}:{found[2].lower()}"
    if host.endswith("openbesluitvorming.nl") and path.startswith("/api/entities/"):
        yield path.removeprefix("/api/entities/").partition("/")[0]
    if host.endswith("officielebekendmakingen.nl") and path.count("/") == 1:
        yield re.sub(r"\.(?:html|xml|pdf|odt)$", "", path.strip("/"), flags=re.IGNORECASE)
    if host in {"berthub.eu", "www.berthub.eu", "opentk.nl", "www.opentk.nl"} and (found := _KST_PAGE.fullmatch(path)):
        yield found[1].lower()
    if host.endswith("openraadsinformatie.nl") and (record := record_number(text)) and record[0]:
        yield f"{record[0].lower()}:{record[1]}"
    if host.endswith("tweedekamer.nl"):  # the same number at every platform that has the papers of the Tweede Kamer
        named = parse_qs(parts.query)
        yield next((named[name][0].strip() for name in ("did", "id") if name in named), "")
    yield from _of_council(host, path)


def _of_council(host: str, path: str) -> Iterator[str]:
    """Pages of councils at their suppliers, as OpenBesluitvorming numbers what stands there (platform pages, its section 4).

    Whether it has the meeting or paper, it says itself: the key of a council is now and then another than the name of its site.
    """
    if (site := _COUNCIL_HOST.fullmatch(host)) and (thing := _COUNCIL_PATH.fullmatch(path)):
        kind = {"vergadering": "meeting", "document": "document"}[thing[1]]
        yield f"{kind}:notubiz:{_BODY_TYPES[site[2]]}:{site[1].replace('-', '_')}:{thing[2]}"
    if (site := _IBABS_HOST.fullmatch(host)) and (thing := _IBABS_PATH.fullmatch(path)):
        yield f"meeting:ibabs:gemeente:{site[1].replace('-', '_')}:{thing[1].lower()}"
