"""Documents with keys are fetched from outside alone, whatever somebody points at (attack 6 of the study of admission)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from admission.fetch import Failure, FetchError
from admission.targets import BadTargetError, Target, is_public
from tests.admission.proofs.made import vectors
from tests.support.elsewhere import PUBLIC, Elsewhere, Page, elsewhere

pytestmark = pytest.mark.anyio
HOST, OTHER = "sleutels.voorbeeld.nl", "anders.voorbeeld.nl"
URL = f"https://{HOST}/jwks.json"
JSON = {"Content-Type": "application/json"}
TARGETS = vectors("fetch_targets.json")["targets"]
REFUSED = [
    "https://127.0.0.1/d",
    "https://[::1]/d",
    "https://10.0.0.5/d",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::ffff:127.0.0.1]/d",
    "https://2130706433/d",
    "https://0x7f.1/d",
    "https://127.1/d",
    "https://localhost/d",
    "https://metadata.google.internal/d",
    "https://user:pw@signature-agent.test/d",
    "https://user@signature-agent.test/d",
    "https://signature-agent.test:6379/d",
    "https://signature-agent.test:0443/d",
    "http://signature-agent.test/d",
    "https://[64:ff9b::7f00:1]/d",
    "https://0.0.0.0/d",
    "https://signature-agent.test/d#deel",
    "https://signature-agent.test\\@127.0.0.1/d",
    "https://signature-agent.test/a/../d",
    "https://signature-agent.test//d",
    "https://signature-agent.test./d",
    "https://1.2.3.4.test.1/d",
    "https://-a.test/d",
    "https://signature-agent.test/d\r\nHost: 127.0.0.1",
    "https://signature-agent.test/d e",
    "https://é.voorbeeld.nl/d",
    "file:///etc/passwd",
    "gopher://signature-agent.test/d",
    "//signature-agent.test/d",
    "",
    "https://" + "a" * 600 + ".nl/",
]
PRIVATE = [
    *("127.0.0.1", "10.0.0.5", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *(
        "255.255.255.255",
        "240.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fec0::1",
    ),
    *(
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:93.184.216.34",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001:0:1::",
    ),
    *("2001:db8::1", "::127.0.0.1", "geen adres", ""),
]


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Elsewhere]:
    async with elsewhere(tmp_path, HOST) as one:
        one.pages[URL] = Page(b'{"keys":[]}')
        yield one


async def failure(web: Elsewhere, url: str = URL, most: int = 100, **other: float) -> Failure:
    with pytest.raises(FetchError) as failed:
        await web.fetcher(**other)(url, most)
    return failed.value.failure


async def test_a_document_comes_from_the_address_that_was_looked_at(web: Elsewhere) -> None:
    assert await web.fetcher()(URL, 100) == b'{"keys":[]}'
    assert (web.resolved, web.dialled, web.asked) == ([HOST], [PUBLIC], [URL])


@pytest.mark.parametrize("url", REFUSED)
async def test_what_is_no_public_website_is_not_even_looked_up(web: Elsewhere, url: str) -> None:
    """Attack 6: AC-S01 to AC-S13 and more of their kind."""
    assert await failure(web, url) is Failure.REFUSED
    assert (web.resolved, web.dialled) == ([], [])


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target["id"])
async def test_an_address_of_the_vectors_is_not_even_looked_up(web: Elsewhere, target: dict[str, str]) -> None:
    """Attack 6: those of AC-S."""
    assert await failure(web, target["url"]) is Failure.REFUSED
    assert (web.resolved, web.dialled) == ([], [])


@pytest.mark.parametrize("address", PRIVATE)
async def test_a_name_with_an_inner_address_is_dialled_nowhere(web: Elsewhere, address: str) -> None:
    """Attack 6: also where another of its addresses is a good one."""
    for answer in ([address], [PUBLIC, address], [address, PUBLIC]):
        web.names[HOST] = [answer]
        assert await failure(web) is Failure.REFUSED
    assert web.dialled == []


async def test_a_name_that_flips_between_two_answers_is_dialled_at_what_was_looked_at(web: Elsewhere) -> None:
    """Attack 6: the usual fault is to look at one answer and to dial the next."""
    web.names[HOST] = [[PUBLIC], ["127.0.0.1"]]
    fetch = web.fetcher()
    assert await fetch(URL, 100) == b'{"keys":[]}'
    assert (web.dialled, len(web.resolved)) == ([PUBLIC], 1)
    assert await failure(web) is Failure.REFUSED
    assert web.dialled == [PUBLIC]


async def test_a_redirect_is_not_followed(web: Elsewhere) -> None:
    """Attack 6: AC-N17."""
    for status in ("301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"):
        web.pages[URL] = Page(status=status, headers={"Location": "http://169.254.169.254/latest/meta-data/"})
        assert await failure(web) is Failure.STATUS
    assert set(web.dialled) == {PUBLIC}


@pytest.mark.parametrize("status", ["500 Oops", "404 Not Found", "204 No Content", "206 Partial Content"])
async def test_whatever_is_not_200_is_no_document(web: Elsewhere, status: str) -> None:
    """Attack 6: AC-N19."""
    web.pages[URL] = Page(status=status)
    assert await failure(web) is Failure.STATUS


@pytest.mark.parametrize("told", [{}, {"Content-Length": "99999"}, {"Transfer-Encoding": "chunked"}])
async def test_a_document_that_is_too_large_is_given_up_as_soon_as_that_shows(
    web: Elsewhere, told: dict[str, str]
) -> None:
    """Attack 6: AC-N18."""
    body = b"{" + b" " * 99_998
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    web.pages[URL] = Page(
        chunked if "Transfer-Encoding" in told else body, headers={"Content-Type": "application/json"} | told
    )
    assert await failure(web) is Failure.SIZE


@pytest.mark.parametrize("told", [{"Content-Type": "text/html"}, {}, JSON | {"Content-Encoding": "gzip"}])
async def test_what_is_no_plain_json_is_no_document(web: Elsewhere, told: dict[str, str]) -> None:
    web.pages[URL] = Page(headers=told)
    assert await failure(web) is Failure.MEDIA


async def test_a_website_that_says_nothing_is_given_up_in_time(web: Elsewhere) -> None:
    web.pages[URL] = Page(wait=asyncio.Event())
    assert await failure(web, seconds=0.2) is Failure.LATE


async def test_a_resolver_that_says_nothing_is_given_up_in_time(web: Elsewhere) -> None:
    async def hangs(host: str) -> list[str]:
        await asyncio.Event().wait()
        return []

    with pytest.raises(FetchError) as failed:
        await web.fetcher(resolve=hangs, seconds=0.05)(URL, 100)
    assert failed.value.failure is Failure.LATE


async def test_a_certificate_of_another_name_is_none(web: Elsewhere) -> None:
    web.names[OTHER] = [[PUBLIC]]
    assert await failure(web, f"https://{OTHER}/jwks.json") is Failure.UNREACHABLE
    assert web.asked == []


async def test_no_proxy_of_the_environment_is_asked(web: Elsewhere, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert await web.fetcher()(URL, 100) == b'{"keys":[]}'


async def test_a_name_that_nobody_has_is_unreachable(web: Elsewhere) -> None:
    assert await failure(web, "https://bestaat-niet.voorbeeld.nl/") is Failure.UNREACHABLE


@pytest.mark.parametrize(
    "url", ["https://a.nl", "https://a.nl:443/", "https://a.nl/?x=1", "https://xn--bcher-kva.example/a-b_c~d"]
)
def test_what_may_be_asked_has_one_spelling(url: str) -> None:
    made = Target.of(url)
    assert Target.of(made.url) == made
    assert made.url.startswith("https://")
    assert ":443" not in made.url


def test_refused_addresses_are_refused_by_their_text_alone() -> None:
    for url in REFUSED:
        with pytest.raises(BadTargetError):
            Target.of(url)


def test_public_addresses_are() -> None:
    assert is_public(PUBLIC)
    assert is_public("2606:2800:220:1:248:1893:25c8:1946")
