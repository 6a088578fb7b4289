"""What every template may say of the site itself."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest

from besluitbron.language import in_english
from connectors.addresses import PlatformMode
from connectors.language import Language, spoken
from connectors.moments import AMSTERDAM, now
from search import texts
from search.address_names import asked_only

_ASKED = ("/zoeken", "/document/")
_NAMES = {Language.DUTCH: "Nederlands", Language.ENGLISH: "English"}


def site(request: HttpRequest | None) -> dict[str, Any]:
    """The version, whether answers come from the stand-ins (then every page says so), and for paper: where and when."""
    here = {"versie": settings.VERSION, "proefmodus": settings.PLATFORM_MODE is PlatformMode.STAND_INS}
    if request is None:
        return here | {"andere_taal": partial(_other, None)}
    at = now()
    read = f"{texts.day(at.astimezone(AMSTERDAM).date())}, {texts.clock(at)}"
    return {
        **here,
        "vaste_link": f"{settings.SITE_ADDRESS}{_address(request)}",
        "gelezen": read,
        "andere_taal": partial(_other, request),  # called by the one template that shows it, not for every section
        "talen": partial(_alternates, request),
    }


def _other(request: HttpRequest | None) -> dict[str, str]:
    """The link to this page in the other language, the question and all; to the front page where it has none."""
    other = spoken().other
    address = f"{other.prefix}/" if request is None or not in_english(request.path_info) else _in(other, request)
    return {"kort": other.value, "naam": _NAMES[other], "adres": address}


def _alternates(request: HttpRequest) -> list[tuple[str, str]]:
    """The absolute addresses of this page in every language."""
    if not in_english(request.path_info):
        return []
    return [(language.value, f"{settings.SITE_ADDRESS}{_in(language, request)}") for language in Language]


def _address(request: HttpRequest) -> str:
    """The address of this page with what was asked, and without what only tells by which link somebody came."""
    given = dict(request.GET.lists())
    asked = asked_only(given)
    if asked == given:
        return request.get_full_path()
    return request.path + ("?" if asked else "") + urlencode(asked, doseq=True)


def _in(language: Language, request: HttpRequest) -> str:
    """Its address in a language, with what was asked where that counts: a page that is kept for others must not have it."""
    here = _address(request) if request.path_info.startswith(_ASKED) else request.path
    return f"{language.prefix}{here.removeprefix(spoken().prefix)}"
