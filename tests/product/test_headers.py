"""Headers, cookies and methods of every address: what Django's own middleware would do, proven for ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.product.conftest import Product
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio
PATHS = [
    "/",
    "/zoeken",
    "/zoeken?vraag=subsidie",
    "/nergens",
    "/beheer/login/",
    "/static/besluitbron.css",
    "/aansluiten",
    "/status",
    "/privacy",
    "/fout-melden",
    "/bronnen/opentk",
    "/vragenbank",
    "/toegankelijkheid",
    "/.well-known/security.txt",
    "/gezondheid/leeft",
    "/rapporten",
    "/rapporten/nergensnergensnergens",
]
CHANGES = {
    ("POST", "/rapporten"): 403,
    ("POST", "/rapporten/openbesluitvorming/annuleren"): 403,
    ("POST", "/api/v1/rapporten"): 401,
    ("POST", "/api/v1/foutmeldingen"): 401,
    ("DELETE", "/api/v1/rapporten/<id>"): 401,
    ("POST", "/admission/contracts"): 400,
    ("POST", "/admission/token"): 400,
    ("POST", "/admission/revoke"): 401,
}
"""Where something may change, and how that is refused. Pages take a form of ours (tests/product/test_reports_refused.py), the
API a contract (tests/product/test_reports_under_contract.py), what is about contracts a proof (tests/product/contracts)."""
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)


@pytest.mark.parametrize("path", PATHS)
async def test_every_answer_carries_the_security_headers(product: Product, path: str) -> None:
    """Eis 6.3; Eis V6."""
    headers = (await product.site.get(path)).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "max-age=31536000" in headers["strict-transport-security"]
    assert headers["content-security-policy"] == CSP
    assert re.fullmatch(r"[A-Za-z0-9-]{8,64}", headers["x-request-id"])


@pytest.mark.parametrize("path", [path for path in PATHS if "beheer" not in path])
async def test_a_public_page_sets_no_cookie_and_does_not_vary_on_one(product: Product, path: str) -> None:
    """Eis 6.3; Eis V5."""
    headers = (await product.site.get(path)).headers
    assert "set-cookie" not in headers
    assert "cookie" not in headers.get("vary", "").lower()


@pytest.mark.parametrize("path", ["/", "/static/besluitbron.css"])
@pytest.mark.parametrize("host", ["elders.example", "", "localhost.elders.example", "[::1", "a b"])
async def test_a_host_that_is_not_ours_is_refused_in_dutch_and_with_the_headers(
    product: Product, host: str, path: str
) -> None:
    answer = await product.site.get(path, headers={"Host": host})
    assert answer.status_code == 400
    if host != "a b":  # the server itself refuses what is no host at all
        assert answer.headers["content-security-policy"] == CSP
        assert "Onbekende naam" in answer.text


async def test_a_file_that_is_not_there_and_a_method_that_cannot_be_are_said_in_dutch(product: Product) -> None:
    missing = await product.site.get("/static/nergens.css")
    assert (missing.status_code, missing.text) == (404, "Dit bestand bestaat niet.\n")
    assert (await product.site.post("/static/besluitbron.css")).text == "Dit kan hier niet.\n"
    wrong = await product.site.post("/zoeken")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET, HEAD")
    assert "alleen lezen" in wrong.text


async def test_a_websocket_is_closed_and_no_fault(product: Product) -> None:
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    assert (await product.site.get("/zoeken", headers=upgrade)).status_code == 403


async def test_a_given_request_id_is_kept_when_it_is_harmless(product: Product) -> None:
    kept = await product.site.get("/", headers={"X-Request-ID": "abc-12345678"})
    assert kept.headers["x-request-id"] == "abc-12345678"
    replaced = await product.site.get("/", headers={"X-Request-ID": "x" * 500})
    assert len(replaced.headers["x-request-id"]) == 16


def public_patterns() -> Iterator[str]:
    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLResolver) and str(pattern.pattern).startswith("beheer"):
            continue
        children = pattern.url_patterns if isinstance(pattern, URLResolver) else [pattern]
        for child in children:
            assert isinstance(child, URLPattern)
            yield "/" + re.sub(r"<\w+:(\w+)>", "openbesluitvorming", str(child.pattern))


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_outside_beheer_only_safe_methods_are_allowed(product: Product, method: str) -> None:
    """Eis V7."""
    paths = list(public_patterns())
    assert len(paths) >= 6
    for path in paths:
        answer = await product.site.request(method, path)
        assert answer.status_code == CHANGES.get((method, path), 405), path


async def test_logging_in_without_a_token_is_forbidden(product: Product) -> None:
    """Eis V8."""
    answer = await product.site.post("/beheer/login/", data={"username": "beheer", "password": "x"})
    assert answer.status_code == 403
    assert "Proefmodus" in answer.text


async def test_no_page_holds_anything_inline(product: Product) -> None:
    """Eis 6.3; Eis V6."""
    for path in ("/", "/zoeken?vraag=subsidie", "/zoeken?vraag=", "/nergens"):
        page = (await product.site.get(path)).text
        assert not re.search(
            r"<style|<script(?! src=\"/static/[a-z.]+\" defer></script>)|\sstyle=|\son\w+=|javascript:", page
        ), path


@pytest.mark.django_db(transaction=True)
async def test_health_tells_that_the_process_lives_and_what_is_missing(product: Product, store: Valkey) -> None:
    store.kill()
    assert (await product.site.get("/gezondheid/leeft")).text == "leeft\n"
    ready = await product.site.get("/gezondheid/klaar")
    assert ready.status_code == 503
    assert ready.json()["onderdelen"]["toestand"] is False
    store.start()
    assert (await product.site.get("/gezondheid/klaar")).json()["onderdelen"]["toestand"] is True
