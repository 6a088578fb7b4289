"""Pages about the site itself: how accessible it is, what it keeps, and where to report a hole. No database, no platform."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from connectors.moments import now
from connectors.platforms import PLATFORMS

STATEMENT: Final = Path(__file__).parents[1] / "docs" / "toegankelijkheid.toml"
_VALID: Final = timedelta(days=180)
"""How long the file for who finds a hole is good, from today (RFC 9116, section 2.5.5: less than a year)."""


@cache
def statement() -> Mapping[str, Any]:
    """The statement on accessibility as it stands in its file."""
    return MappingProxyType(tomllib.loads(STATEMENT.read_text(encoding="utf-8")))


def contact() -> str:
    """Where the operator can be reached, as an address to follow; our own page on privacy when none was given."""
    given: str = settings.CONTACT_ADDRESS
    if given.startswith(("https://", "http://", "mailto:")):
        return given
    return f"mailto:{given}" if "@" in given else f"{settings.SITE_ADDRESS}/privacy"


def _page(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    given = {"contact": contact(), "heeft_contact": bool(settings.CONTACT_ADDRESS), "site": settings.SITE_ADDRESS}
    return render(request, template, {**given, **context})


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """The statement on accessibility, in the order that government sites use."""
    return _page(request, "pagina/toegankelijkheid.html", **statement())


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept and for how long, what platforms and assistants see, and how to have something removed."""
    return _page(request, "pagina/privacy.html", bronnen=[platform.name for platform in PLATFORMS])


@require_safe
def report(request: HttpRequest) -> HttpResponse:
    """Whom to tell of a fault: in a paper, at a source, or in this site."""
    return _page(request, "pagina/fout_melden.html", bronnen=PLATFORMS)


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Where to report a hole (RFC 9116)."""
    del request
    day = datetime.combine(now().astimezone(UTC).date() + _VALID, time(), UTC)
    fields = (
        ("Contact", contact()),
        ("Expires", f"{day:%Y-%m-%dT%H:%M:%SZ}"),
        ("Preferred-Languages", "nl, en"),
        ("Canonical", f"{settings.SITE_ADDRESS}/.well-known/security.txt"),
        ("Policy", f"{settings.SITE_ADDRESS}/privacy#lek"),
    )
    text = "".join(f"{name}: {value}\n" for name, value in fields)
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "max-age=3600"})
