"""The NLGov API Design Rules at every address of the API, over real HTTP. The table in docs/naslag/api.md names these tests."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from django.conf import settings as product_settings
from pytest_django import Settings

from besluitbron.asgi import make_application
from search.api.version import VERSION
from tests.product.conftest import Product
from tests.support.serving import served
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.problems import Kinds

pytestmark = pytest.mark.anyio
ROOT = "/api/v1"
SECRET = "geheim pad"
THERE = [
    f"{ROOT}/openapi.json",
    f"{ROOT}/_zoek?vraag=warmtenet&platform=rechtspraak",
    f"{ROOT}/documenten/rechtspraak:ECLI:NL:PHR:1995:AA3128",
    f"{ROOT}/documenten/rechtspraak:ECLI:NL:PHR:1995:AA3128/delen",
    f"{ROOT}/documenten/rechtspraak:ECLI:NL:PHR:1995:AA3128/delen/1",
    f"{ROOT}/organisaties?naam=ede",
    f"{ROOT}/organisaties/gemeente-ede",
    f"{ROOT}/platforms",
    f"{ROOT}/platforms/rechtspraak",
    f"{ROOT}/platforms/rechtspraak/limieten",
]


@asynccontextmanager
async def another(seconds: float = 30) -> AsyncIterator[httpx.AsyncClient]:
    """One more process of the same product, with the settings of now."""
    async with (
        served(make_application(), lifespan="on") as root,
        httpx.AsyncClient(base_url=root, timeout=seconds, verify=False) as site,
    ):
        yield site


def problem_of(answer: httpx.Response, kind: Kinds) -> dict[str, Any]:
    """The problem in an answer, which must be of this kind and say all that RFC 9457 and the design rules want."""
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["api-version"] == VERSION
    assert answer.headers["access-control-allow-origin"] == "*"
    found: dict[str, Any] = answer.json()
    assert (answer.status_code, found["status"], found["title"]) == (
        kind.value.status,
        kind.value.status,
        kind.value.title,
    )
    assert found["type"].endswith(f"/problemen/{kind.value.slug}")
    assert found["detail"].endswith(".")
    return found


async def test_every_answer_tells_its_version_may_be_read_by_pages_of_others_and_is_guarded(product: Product) -> None:
    """Eis 6.6. Eis A4."""
    for path in THERE:
        answer = await product.site.get(path, headers={"Origin": "https://elders.example"})
        assert answer.status_code == 200, path
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["api-version"] == VERSION
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-robots-tag"] == "noindex"
        assert "max-age=" in answer.headers["strict-transport-security"]
        assert '"connector"' in answer.headers["ratelimit-policy"]
        assert "set-cookie" not in answer.headers
        kept = answer.headers["cache-control"]
        holds_a_question = "_zoek" in path or "documenten" in path or "limieten" in path
        assert ("no-store" in kept) is holds_a_question, path
        assert ("public, max-age=" in kept) is not holds_a_question, path


async def test_head_works_wherever_get_does_and_options_tells_what_may_be_done(product: Product) -> None:
    """Eis 6.6. Eis A4."""
    for path in THERE:
        before = await product.counted("rechtspraak")
        head = await product.site.head(path)
        assert (head.status_code, head.content, head.headers["api-version"]) == (200, b"", VERSION), path
        if "_zoek" in path:
            assert await product.counted("rechtspraak") == before, "HEAD asks no platform"
        options = await product.site.options(path)
        assert (options.status_code, options.content) == (204, b""), path
        assert options.headers["allow"] == "GET, HEAD, OPTIONS"
        assert options.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
        assert options.headers["api-version"] == VERSION


async def test_an_address_that_is_not_there_is_a_problem_and_no_page(product: Product) -> None:
    """Eis A2."""
    for path in (f"{ROOT}/nergens", f"{ROOT}/", f"{ROOT}/platforms/x/y/z", f"{ROOT}/openapi.yaml"):
        for method in ("GET", "OPTIONS", "POST"):
            found = problem_of(await product.site.request(method, path), Kinds.NOT_FOUND)
            assert found["instance"].startswith("urn:besluitbron:verzoek:")
    for path in ("/api/", "/api/v2", "/api/v2/_zoek?vraag=dijk", "/api/openapi.json", "/api/v1x"):
        problem_of(await product.site.get(path), Kinds.NOT_FOUND)
    about = await product.site.get("/api")
    assert (about.status_code, about.headers["content-type"]) == (200, "text/html; charset=utf-8")


async def test_a_slash_at_the_end_is_not_found_and_not_sent_on(product: Product) -> None:
    """Eis 6.6. Eis A4."""
    for path in THERE:
        problem_of(await product.site.get(f"{path.partition('?')[0]}/"), Kinds.NOT_FOUND)


async def test_what_would_change_something_is_refused(product: Product) -> None:
    """Eis A2."""
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for path, body in zip(THERE, (b"", b"{", b'{"vraag": "x"}'), strict=False):
            answer = await product.site.request(
                method, path, content=body, headers={"Content-Type": "application/json"}
            )
            problem_of(answer, Kinds.METHOD)
            assert answer.headers["allow"] == "GET, HEAD, OPTIONS"


async def test_a_form_that_we_cannot_give_is_a_problem(product: Product) -> None:
    for path in (f"{ROOT}/platforms", f"{ROOT}/_zoek?vraag=warmtenet"):
        problem_of(await product.site.get(path, headers={"Accept": "application/xml"}), Kinds.NOT_ACCEPTABLE)
        preferred = {"Accept": "text/html, */*;q=0.1"}
        assert (await product.site.head(path, headers=preferred)).status_code == 200
    events = await product.site.get(f"{ROOT}/platforms", headers={"Accept": "text/event-stream"})
    problem_of(events, Kinds.NOT_ACCEPTABLE)


async def test_all_faults_are_told_together_as_400(product: Product) -> None:
    """Eis 6.6. Eis A3."""
    query = (
        "vrag=a&vraag=&van=2024-02-30&tot=12-03-2024&soort=ding&platform=nergens&sorteer=mooi&pagina=0"
        "&voorgangers=misschien&organisatie=bestaatniet"
    )
    found = problem_of(await product.site.get(f"{ROOT}/_zoek?{query}"), Kinds.INVALID_INPUT)
    wrong = {one["name"]: one for one in found["invalidParams"]}
    assert set(wrong) == {part.partition("=")[0] for part in query.split("&")}
    assert "Bedoelt u vraag?" in wrong["vrag"]["reason"]
    assert {"waarde": "motie", "naam": "motie"} in wrong["soort"]["keuzes"]
    assert found["detail"].startswith("Er zijn 10 fouten")


MEANT = [
    ("_zoek?vraag=a&q=b", "Bedoelt u vraag?"),
    ("_zoek?vraag=a&Platform=rechtspraak", "Bedoelt u platform?"),
    ("_zoek?vraag=a&utm_source=mail", "Wel: vraag, platform"),
    ("organisaties?q=ede", "Bedoelt u naam?"),
    ("laadstatus?ouderdanuren=3", "Bedoelt u ouderDanUren?"),
    ("platforms?pagina=1", "Hier zijn geen parameters."),
    ("platforms/rechtspraak?x=1", "Hier zijn geen parameters."),
    ("platforms/rechtspraak/limieten?x=1", "Hier zijn geen parameters."),
    ("organisaties/gemeente-ede?x=1", "Hier zijn geen parameters."),
    ("documenten/rechtspraak:ECLI:NL:PHR:1995:AA3128?x=1", "Hier zijn geen parameters."),
    ("documenten/rechtspraak:ECLI:NL:PHR:1995:AA3128/delen?start=1", "Wel: pagina, aantal"),
    ("documenten/rechtspraak:ECLI:NL:PHR:1995:AA3128/delen/1?x=1", "Hier zijn geen parameters."),
]


async def test_a_parameter_that_does_not_exist_is_refused_with_what_was_meant(product: Product) -> None:
    """Eis 6.6. Eis A3."""
    for path, reason in MEANT:
        found = problem_of(await product.site.get(f"{ROOT}/{path}"), Kinds.UNKNOWN_PARAMETER)
        assert reason in found["invalidParams"][0]["reason"], path


async def test_an_odd_wish_for_a_form_is_answered_or_refused_as_ever(product: Product) -> None:
    for accept in ("onzin", ";;;", "application/json;q=", "text/event-stream;q=0.1, application/*;q=x", "*/*;q=0"):
        answer = await product.site.head(f"{ROOT}/_zoek?vraag=a", headers={"Accept": accept})
        assert answer.status_code in {200, 406}, accept


async def test_what_is_too_long_or_too_many_is_refused_before_anything_looks_at_it(product: Product) -> None:
    for path in ("_zoek?vraag=a&organisatie=", "organisaties?naam=", "laadstatus?organisatie="):
        answer = await product.site.get(f"{ROOT}/{path}{'e' * 201}")
        (wrong,) = problem_of(answer, Kinds.INVALID_INPUT)["invalidParams"]
        assert wrong["reason"] == "Dit is te lang: hooguit 200 tekens kan."
    many = "&".join(f"organisatie=gemeente-{number}" for number in range(51))
    (wrong,) = problem_of(await product.site.get(f"{ROOT}/laadstatus?{many}"), Kinds.INVALID_INPUT)["invalidParams"]
    assert "hooguit 50" in wrong["reason"]


async def test_what_cannot_be_asked_is_400(product: Product) -> None:
    for query in ("pagina=1&pagina=2&vraag=a", "vraag=a&vraag=b", "vraag=%00", "vraag=" + "a" * 501, ""):
        problem_of(await product.site.get(f"{ROOT}/_zoek?{query}"), Kinds.INVALID_INPUT)


async def test_a_failure_that_nobody_foresaw_is_a_problem_without_its_innards(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eis 6.6. Eis A2."""

    def breaks(*given: object, **named: object) -> object:
        raise KeyError(SECRET, given, named)

    monkeypatch.setattr("search.api.printing_register.platform", breaks)
    found = problem_of(await product.site.get(f"{ROOT}/platforms"), Kinds.BROKEN)
    assert SECRET not in json.dumps(found)
    monkeypatch.setattr("django.urls.resolvers.URLResolver.resolve", breaks)
    problem_of(await product.site.get(f"{ROOT}/platforms"), Kinds.BROKEN)


async def test_a_name_that_is_not_ours_is_a_problem(product: Product) -> None:
    problem_of(await product.site.get(f"{ROOT}/platforms", headers={"Host": "elders.example"}), Kinds.UNKNOWN_NAME)
    page = await product.site.get("/", headers={"Host": "elders.example"})
    assert page.headers["content-type"].startswith("text/html")


async def test_who_asks_too_much_hears_so_as_a_problem_and_pages_go_on(settings: Settings) -> None:
    """Eis A9."""
    settings.INCOMING_RULES = IncomingRules(api=DoorRules(Rate(100_000), Rate(2, 60, 2)))
    async with another() as site:
        codes = [(await site.get(f"{ROOT}/platforms")).status_code for _ in range(2)]
        refused = await site.get(f"{ROOT}/platforms")
        found = problem_of(refused, Kinds.TOO_MANY)
        assert codes == [200, 200]
        assert refused.headers["retry-after"] == str(found["retryAfter"])
        assert 1 <= int(refused.headers["retry-after"]) <= 30  # less by as long as the machine took
        assert refused.headers["cache-control"] == "no-store"
        assert (await site.get("/")).status_code == 200
        assert (await site.get("/api")).status_code == 200


async def test_the_page_for_people_leads_to_the_description(product: Product) -> None:
    start = await product.site.get(ROOT)
    assert (start.status_code, start.headers["location"]) == (302, "/api")
    page = await product.site.get("/api")
    assert page.status_code == 200
    assert 'href="/api/v1/openapi.json"' in page.text
    assert "http://localhost:8000/api/v1" in page.text
    assert f"Dit is versie {VERSION}." in page.text
    assert f"BesluitBron {product_settings.VERSION}" in page.text, "the product has a version of its own"


async def test_a_list_that_did_not_change_is_not_sent_again(product: Product) -> None:
    for path in ("openapi.json", "platforms", "organisaties?naam=ede", "organisaties/gemeente-ede"):
        first = await product.site.get(f"{ROOT}/{path}")
        again = await product.site.get(f"{ROOT}/{path}", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content, again.headers["api-version"]) == (304, b"", VERSION)
        other = await product.site.get(f"{ROOT}/{path}", headers={"If-None-Match": '"anders"'})
        assert (other.status_code, other.content) == (200, first.content)
