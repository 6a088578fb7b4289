"""What goes over the wire packed, and what does not."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import pytest
from starlette.types import Message

from besluitbron.compression import Compression, accepts_gzip
from tests.product.conftest import Product

pytestmark = pytest.mark.anyio
PAGE = {"vraag": "subsidie", "platform": "rechtspraak"}


async def sent(pieces: Iterable[bytes], content_type: bytes = b"text/html", **scope: Any) -> list[Message]:
    """What a client that takes gzip is sent of an answer in these pieces."""
    told: list[Message] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Content-Type", content_type)]})
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Message) -> None:
        told.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asked = {"type": "http", "method": "GET", "path": "/zoeken", "headers": [(b"accept-encoding", b"br, gzip")]}
    await Compression(app, plain=("/beheer/",))(asked | scope, receive, send)
    return told


async def test_each_piece_of_a_page_can_be_read_as_soon_as_it_is_sent() -> None:
    pieces = [b"<h1>Antwoorden</h1>", "<section>één</section>".encode() * 50, b"<footer></footer>"]
    start, *bodies = await sent(pieces)
    assert dict(start["headers"])[b"content-encoding"] == b"gzip"
    unpacker = zlib.decompressobj(wbits=31)
    assert [unpacker.decompress(body["body"]) for body in bodies] == [*pieces, b""]
    assert unpacker.eof


@pytest.mark.parametrize(
    "asked",
    [
        {"path": "/beheer/login/"},
        {"method": "HEAD"},
        {"headers": []},
        {"headers": [(b"accept-encoding", b"gzip;q=0")]},
    ],
)
async def test_operators_and_whoever_does_not_take_it_get_the_page_as_it_is(asked: dict[str, Any]) -> None:
    start, *bodies = await sent([b"pagina"], **asked)
    assert b"content-encoding" not in dict(start["headers"])
    assert b"".join(body["body"] for body in bodies) == b"pagina"


@pytest.mark.parametrize("content_type", [b"text/event-stream", b"application/pdf", b"image/png"])
async def test_events_and_what_is_packed_already_go_as_they_are(content_type: bytes) -> None:
    start, *_ = await sent([b"data: 1\n\n"], content_type)
    assert b"content-encoding" not in {name.lower() for name, _ in start["headers"]}


@pytest.mark.parametrize(
    ("header", "accepts"),
    [
        ("gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("identity", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("notgzip", False),
    ],
)
def test_only_who_names_gzip_with_a_weight_or_takes_anything_takes_gzip(header: str, accepts: bool) -> None:
    assert accepts_gzip(header) is accepts


async def test_a_page_is_the_same_packed_or_not_and_a_cache_is_told_that_there_are_two(product: Product) -> None:
    packed = await product.site.get("/privacy")
    plain = await product.site.get("/privacy", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.text == plain.text


async def test_a_packed_style_is_known_again_by_its_tag(product: Product) -> None:
    style = await product.site.get("/static/besluitbron.css")
    assert style.headers["content-encoding"] == "gzip"
    assert style.headers["etag"].startswith('W/"')
    again = await product.site.get("/static/besluitbron.css", headers={"If-None-Match": style.headers["etag"]})
    assert again.status_code == 304


async def test_answers_come_packed_and_nobody_is_told_a_wrong_length(product: Product) -> None:
    page = await product.site.get("/zoeken", params=PAGE)
    assert page.headers["content-encoding"] == "gzip"
    assert "content-length" not in page.headers
    assert 'data-bron="rechtspraak" data-staat="klaar"' in page.text
