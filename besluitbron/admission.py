"""Contracts put together with what only this room knows: the settings, the routes, and all kinds of work."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.urls import Resolver404, resolve

from admission.arriving import MOST_BODY
from admission.books import Books
from admission.discovery import Site
from admission.documents import Documents
from admission.dry_runs import Following
from admission.fetch import Fetch
from admission.fetching import ByWorker
from admission.gatehouse import Gatehouse
from admission.identification import Identification
from admission.ledger import Ledger
from admission.operations import Operations
from admission.proofs.addresses import PublicAddress
from admission.shown import DISCOVERY
from admission.signing import Signing
from admission.tally import Tally
from admission.trust import Trust, TrustFileError, read_trust
from admission.upkeep import Upkeep
from admission.work import CONTROL
from assistants.places import PREFIX as MCP
from assistants.places import path as mcp_path
from assistants.places import serving, speaks_for
from besluitbron.background import in_the_background
from besluitbron.composition import Reach
from besluitbron.doors import program
from besluitbron.language import in_their_language
from besluitbron.work import WORK
from throttling.middleware import Door, machine_refusal
from throttling.once import Once
from throttling.store import monotonic, wall

ADMISSION: Final = "toelating"
"""What the way in for who negotiates is called, to the incoming limits."""


@lru_cache(1024)
def route_at(path: str) -> str | None:
    """The name of the route at a path; None where there is none, and for what stands behind the operators' door."""
    try:
        found = resolve(path)
    except Resolver404:
        return None
    return found.view_name if "admin" not in found.app_names else None


def make_operations() -> Operations:
    """All that a contract can grant here, and what each route and tool is."""
    return Operations(WORK, route_at)


@asynccontextmanager
async def open_admission(reach: Reach) -> AsyncIterator[Gatehouse]:
    """The gatehouse of this process, open for as long as the context lasts."""
    books = Books()
    try:
        house = make_gatehouse(reach, books, ByWorker(reach.store, in_the_background))
        async with Upkeep(house), Following(house.admissions, books):
            yield house
    finally:
        books.close()


def trust() -> Trust:
    """Whom the operator trusts, by the file that the settings name. Raises ``ImproperlyConfigured``."""
    path = settings.OPTIONS.admitting.path
    if not path:
        return Trust()
    try:
        return read_trust(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as failure:
        message = f"BESLUITBRON_TOELATING noemt {path}, maar dat bestand is niet te lezen ({type(failure).__name__})."
        raise ImproperlyConfigured(message) from None
    except TrustFileError as failure:
        message = f"BESLUITBRON_TOELATING noemt {path}. {failure}"
        raise ImproperlyConfigured(message) from None


def public_address() -> PublicAddress:
    """Where this site is for those who call it. Raises ``ImproperlyConfigured``."""
    try:
        return PublicAddress.of(settings.SITE_ADDRESS)
    except ValueError:
        message = (
            f"BESLUITBRON_ADDRESS is {settings.SITE_ADDRESS!r}, maar moet alleen het adres van de website zijn, "
            f"zoals https://besluitbron.voorbeeld.nl, zonder pad erachter."
        )
        raise ImproperlyConfigured(message) from None


def discovery_site() -> Site:
    """What the discovery document tells of this site."""
    endpoints = tuple(map(mcp_path, speaks_for()))
    return Site(limits=settings.INCOMING_RULES, endpoints=endpoints, contact=settings.CONTACT_ADDRESS)


def contract_link() -> bytes:
    """The ``Link`` to how one gets more room, on each refusal by a public limit."""
    return f'<{settings.SITE_ADDRESS}{DISCOVERY}>; rel="service-meta"; type="application/json"'.encode()


def admission_door() -> Door:
    """The way in for who negotiates: by its network, and of a body no more is read than a request for a contract may have."""
    return Door(
        prefix=CONTROL,
        connector=ADMISSION,
        asker=program,
        refusal=machine_refusal(settings.SITE_ADDRESS, in_their_language),
        reads_body=True,
        most=MOST_BODY,
    )


def make_gatehouse(reach: Reach, books: Books, fetch: Fetch) -> Gatehouse:
    """The gatehouse by the settings. ``fetch`` gets documents with keys of others."""
    site = public_address()
    secret = base64.urlsafe_b64decode(settings.ADMISSION_KEY)
    trusted, origin, once = trust(), site.origin, Once(reach.store)
    identification = Identification(
        trust=trusted,
        audience=f"{origin}/admission",
        endpoints=frozenset({origin, f"{origin}/admission/token", f"{origin}/admission/contracts"}),
        vouched=Documents(fetch, monotonic),
        told=Documents(fetch, monotonic),
        once=once,
        clock=wall,
    )
    return Gatehouse(
        admissions=Ledger(reach.store),
        operations=make_operations(),
        books=books,
        signing=Signing(secret, site.origin, wall),
        trust=trusted,
        identification=identification,
        once=once,
        callers=settings.CALLERS,
        tools_below=f"{MCP}/",
        serving=serving,
        site=site,
        tally=Tally(monotonic),
        say=in_their_language,
        clock=wall,
    )
