"""What internet.nl would say of our headers, and what an odd text of a source may do: nothing."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime

import pytest
from lxml import etree, html

from connectors.platforms import RECHTSPRAAK
from connectors.records import (
    Certainty,
    DateMeaning,
    Document,
    Hit,
    Kind,
    Moment,
    Passage,
    SearchResult,
    TextForm,
    TextState,
    Total,
)
from search.answers import PlatformAnswer, State
from search.federation import Federation
from tests.product.conftest import Product
from tests.support.answering import every_question_gets
from tests.support.pages import words_of

pytestmark = pytest.mark.anyio
FETCHES = ("script-src", "style-src", "img-src", "connect-src", "font-src", "manifest-src")
AT = datetime(2026, 3, 12, 18, 30, tzinfo=UTC)


@pytest.mark.parametrize("path", ["/", "/zoeken?vraag=subsidie", "/nergens", "/status", "/api", "/beheer/login/"])
async def test_the_policy_of_every_page_passes_what_internet_nl_asks_of_one(product: Product, path: str) -> None:
    """Eis 6.4: no default for what is not named, nothing inline or from elsewhere, and the three that no default covers."""
    headers = (await product.site.get(path)).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert {"frame-ancestors", "base-uri", "form-action"} <= set(policy)
    assert all(policy[name] in {"'none'", "'self'"} for name in ("frame-ancestors", "base-uri", "form-action"))
    allowed = {source for name in FETCHES for source in policy.get(name, "'none'").split()}
    assert allowed <= {"'self'", "'none'", "data:"}
    assert "data:" not in policy["script-src"] + policy["style-src"]
    assert not re.search(r"unsafe-|https?:|\*", headers["content-security-policy"])
    seconds = int(re.findall(r"max-age=(\d+)", headers["strict-transport-security"])[0])
    assert seconds >= 31_536_000
    assert headers["referrer-policy"] in {"same-origin", "no-referrer"}
    assert headers["x-content-type-options"] == "nosniff"


HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "\u202eomgekeerd\u2066\u200f",
    "{{ 7*7 }}{% debug %}",
    "javascript:alert(1)",
    "=HYPERLINK(1)",
    "Titel " * 1700,
    "x" * 10_000,
    "\x00\x07\ufffe\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "]]></summary><entry>",
)


def hit(title: str, number: int) -> Hit:
    return Hit(
        platform=RECHTSPRAAK.key,
        upstream_id=f"ECLI:NL:RVS:2023:{number}",
        title=title,
        organisation=title[:200],
        organisation_id=None,
        kind=Kind.UITSPRAAK,
        kind_at_source=title[:200],
        date=Moment(date(2026, 3, 12), DateMeaning.DECISION),
        snippet=f"dijk {title}",
        address="https://uitspraken.example/1",
        original=None,
        fetched_at=AT,
    )


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> tuple[Hit, ...]:
    """A source whose every word is meant to do harm."""
    hits = tuple(hit(title, number) for number, title in enumerate(HOSTILE, start=1))

    result = SearchResult(hits=hits, total=Total(len(hits), Certainty.EXACT), fetched_at=AT)
    every_question_gets((PlatformAnswer(platform=RECHTSPRAAK, state=State.READY, result=result),), monkeypatch)
    return hits


async def test_hostile_words_of_a_source_are_text_on_the_page_and_in_every_file(
    product: Product, hostile: tuple[Hit, ...]
) -> None:
    """Eis 6.12; Eis Z10."""
    page = (await product.site.get("/zoeken?vraag=dijk")).text
    tree = html.document_fromstring(page)
    assert [script.get("src") for script in tree.xpath("//script")] == ["/static/besluitbron.js"]
    assert not tree.xpath("//section[@data-bron]//*[self::img or self::svg or self::script]")
    assert not [name for one in tree.iter() for name in one.attrib if str(name).startswith("on")]
    assert not tree.xpath("//@href[starts-with(., 'javascript:')]")
    titles = [words_of(one) for one in tree.xpath("//section[@data-bron]//h3")]
    assert titles == [" ".join(one.title.replace("\x00", "\ufffd").split()) for one in hostile]
    assert "49" not in titles[4]

    feed = etree.fromstring((await product.site.get("/zoeken.atom?vraag=dijk")).content)
    assert len(feed.findall("{http://www.w3.org/2005/Atom}entry")) == len(hostile)
    text = (await product.site.get("/zoeken.csv?vraag=dijk")).content.decode("utf-8-sig")
    rows = [row for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=";") if row["titel"]]
    assert len(rows) == len(hostile)
    assert not [cell for row in rows for cell in row.values() if cell.lstrip(" ").startswith(("=", "+", "-", "@"))]
    references = (await product.site.get("/zoeken.ris?vraag=dijk")).text
    assert references.count("TY  - ") == references.count("ER  - ") == len(hostile)


@pytest.mark.parametrize("words", HOSTILE)
async def test_a_document_full_of_hostile_words_is_a_page_of_text(
    product: Product, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """Eis 6.12."""
    given = hit(words, 1)
    document = Document(
        platform=given.platform,
        upstream_id=given.upstream_id,
        title=words,
        organisation=words,
        organisation_id=None,
        kind=Kind.UITSPRAAK,
        kind_at_source=words,
        dates=(),
        abstract=words,
        passages=tuple(Passage(number, words, form=form) for number, form in enumerate(TextForm, start=1)),
        text_state=TextState.FULL,
        address=given.address,
        original=None,
        fetched_at=AT,
    )

    async def found(*_: object, **__: object) -> Document:
        return document

    monkeypatch.setattr(Federation, "document", found)
    answer = await product.site.get(f"/document/rechtspraak/{given.upstream_id}")
    assert answer.status_code == 200
    tree = html.document_fromstring(answer.text)
    assert not tree.xpath("//article//*[self::script or self::svg or self::img or self::iframe]")
    assert not [name for one in tree.iter() for name in one.attrib if str(name).startswith("on")]
    assert not tree.xpath("//@href[starts-with(., 'javascript:')]")
    assert len(tree.xpath("//article/h1")) == 1
