"""Where a redirect may lead: below the same service, plainly said, for a GET; everything else is no answer."""

from __future__ import annotations

import pytest
from starlette.requests import Request
from starlette.responses import Response

from connectors.exceptions import Defect, NotAnAnswerError
from tests.support.asking import as_is
from tests.support.scripted import call_to, client_of, scripted_platform
from throttling.callers import house

pytestmark = pytest.mark.anyio
PLATFORM = scripted_platform()


async def follow(location: str | None, *, method: str = "GET") -> list[str]:
    """The paths asked when the first answer points to ``location``."""
    asked: list[str] = []

    async def handler(request: Request) -> Response:
        asked.append(request.url.path + (f"?{request.url.query}" if request.url.query else ""))
        if len(asked) > 1:
            return Response("nieuw")
        root = str(request.base_url).rstrip("/")
        headers = {} if location is None else {"location": location.replace("ROOT", root)}
        return Response("", 302, headers)

    async with client_of({PLATFORM: handler}) as client:
        await client.bind(PLATFORM, house())(call_to(PLATFORM, path="/a/b", method=method, params=(("q", "x"),)), as_is)
    return asked


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("c?d=1", "/gemaakt/api/a/c?d=1"),
        ("/gemaakt/api/c", "/gemaakt/api/c"),
        ("ROOT/gemaakt/api/c?d=a%20b&e=", "/gemaakt/api/c?d=a+b&e="),
        ("../c#deel", "/gemaakt/api/c"),
    ],
)
async def test_a_redirect_below_the_same_service_is_followed(location: str, path: str) -> None:
    assert (await follow(location))[1:] == [path]


@pytest.mark.parametrize(
    "location",
    [
        None,
        "",
        "http://[",
        "//[x",
        "http://127.0.0.1:1/gemaakt/api/c",
        "https://127.0.0.1/gemaakt/api/c",
        "//elders.example/gemaakt/api/c",
        "../../c",
        "/gemaakt/api/%2e%2e/c",
        "/gemaakt/api/x%2f..%2fc",
        "/gemaakt/api/c?d=%E9",
        "/gemaakt/apiextra/c",
        "file:///etc/passwd",
        "http://a:99999/",
    ],
)
async def test_a_redirect_to_anywhere_else_is_no_answer(location: str | None) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        await follow(location)
    assert caught.value.defect is Defect.REDIRECTED


async def test_a_post_is_not_sent_again_to_another_address() -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        await follow("/gemaakt/api/c", method="POST")
    assert caught.value.defect is Defect.REDIRECTED
