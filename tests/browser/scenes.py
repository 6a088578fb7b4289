"""Every page for people in every state it can have: what axe, the validator, a narrow window and the camera look at.

A page that is not here fails ``test_every_address_of_the_site_is_looked_at``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from lxml import html

from reports.records import Reason, ReportStatus
from tests.browser.oddities import Prepare, breaks, loaded, one_switched_off, too_busy
from tests.product.conftest import Product, running
from tests.product.test_document_waits import full_queues
from tests.support.pages import sections
from tests.support.reports import DESKS, NOW, a_big_report, a_standing, ready
from tests.support.serving import BOUND

Find = Callable[[Product], Awaitable[str]]
NOWHERE: Final = "xyzzyplugh"
VOTED: Final = "/document/tweede-kamer/2023D92057"
COUNCIL: Final = "/document/openbesluitvorming"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A page in a state.

    ``states``: how stand-ins behave. ``full``: the queues of OpenTK are, for the
    ``page_seconds`` that the page is open. ``prepare``: what else is odd.
    """

    name: str
    route: str
    address: str | Find
    status: int = 200
    states: Mapping[str, str] = field(default_factory=dict)
    patience: float = BOUND * 4
    full: bool = False
    page_seconds: float = 2
    prepare: Prepare | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A product in the state of a scene, and where its page is."""

    product: Product
    address: str

    @property
    def site(self) -> str:
        return str(self.product.site.base_url).rstrip("/")


@asynccontextmanager
async def staged(scene: Scene, settings: Any, patch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    """The product as ``scene`` wants it."""
    if scene.prepare is not None:
        scene.prepare(patch, settings)
    settings.PAGE_SECONDS = scene.page_seconds if scene.full else 60.0
    async with AsyncExitStack() as things:
        product = await things.enter_async_context(running(settings, scene.patience))
        address = scene.address if isinstance(scene.address, str) else await scene.address(product)
        for platform, state in scene.states.items():
            await product.put(platform, state, 60)
        if scene.full:
            await things.enter_async_context(full_queues())
        yield Stage(product, address)


def first(platform: str, question: str, behind: str = "") -> Find:
    """The page of the first document that a source finds."""

    async def find(product: Product) -> str:
        asked = {"vraag": question, "platform": platform}
        for _ in range(5):  # on a busy machine the product may say that it cannot reach its own store just now
            links = sections((await product.site.get("/zoeken", params=asked)).text)[-1].links
            if links:
                return links[0] + behind
        pytest.fail(f"{platform} finds nothing for {question}")

    return find


async def _of_nothing(product: Product) -> str:
    """A number of no document, once that is known: asked anew on a busy machine, it may lead to a page that still waits."""
    for _ in range(5):
        if (
            await product.site.get("/document/officiele-bekendmakingen/gmb-2024-1")
        ).status_code == HTTPStatus.NOT_FOUND:
            return "/zoeken?vraag=gmb-2024-1"
    pytest.fail("nobody says that there is no such document")


async def _second_page(product: Product) -> str:
    answer = await product.site.get("/zoeken", params={"vraag": "besluit", "platform": "rechtspraak"})
    (address,) = html.document_fromstring(answer.text).xpath("//a[@rel='next']/@href")
    return str(address)


async def _asked_once(product: Product) -> str:
    await product.site.get("/")
    return "/"


def report(status: ReportStatus, language: str = "", behind: str = "", **more: Any) -> Find:
    """The page of a report that stands so."""

    async def find(product: Product) -> str:
        del product
        standing, made = (
            ready(a_big_report(120)) if status is ReportStatus.READY else (a_standing(status, **more), None)
        )
        return f"{language}/rapporten/{DESKS[-1].put(standing, made)}{behind}"

    return find


def small_report(language: str = "") -> Find:
    """The page of a report with a vote, a copy, a text that failed and one that was not read."""

    async def find(product: Product) -> str:
        del product
        return f"{language}/rapporten/{DESKS[-1].put(*ready())}"

    return find


REPORT: Final = "rapporten/<rapport:token>"
WAITS: Final[Mapping[str, Any]] = {"place": 3, "start_in": 290.0, "start_at": NOW + timedelta(seconds=290)}
DOCUMENT: Final = "document/<slug:platform>/<bronid:upstream_id>"
SEARCH: Final = "/zoeken?vraag=subsidie"
SCENES: Final = (
    Scene(name="voorpagina", route="", address="/"),
    Scene(name="voorpagina-leeg-gevraagd", route="zoeken", address="/zoeken?vraag="),
    Scene(name="voorpagina-bron-uit", route="", address="/", prepare=one_switched_off),
    Scene(name="voorpagina-engels", route="", address="/en/"),
    Scene(name="antwoorden-engels", route="zoeken", address="/en/zoeken?vraag=subsidie&organisatie=gemeente-ede"),
    Scene(name="niets-gevonden-engels", route="zoeken", address=f"/en/zoeken?vraag={NOWHERE}&van=2020-01-01"),
    Scene(name="vraag-klopt-niet-engels", route="zoeken", address="/en/zoeken?vraag=a&organisatie=utrecht", status=400),
    Scene(
        name="bron-te-laat-engels",
        route="zoeken",
        address=f"/en{SEARCH}",
        states={"rechtspraak": "traag"},
        patience=1.5,
    ),
    Scene(name="stuk-met-stemming-engels", route=DOCUMENT, address=f"/en{VOTED}"),
    Scene(
        name="stuk-ingetrokken-engels",
        route=DOCUMENT,
        address="/en/document/officiele-bekendmakingen/gmb-2023-9900099",
        status=410,
    ),
    Scene(name="status-engels", route="status", address="/en/status", prepare=loaded),
    Scene(name="vragenbank-engels", route="vragenbank", address="/en/vragenbank"),
    Scene(name="toegankelijkheid-engels", route="toegankelijkheid", address="/en/toegankelijkheid"),
    Scene(name="antwoorden", route="zoeken", address=SEARCH),
    Scene(
        name="antwoorden-met-filters",
        route="zoeken",
        address=f"{SEARCH}&organisatie=gemeente-ede&soort=voorstel&van=2012-01-01",
    ),
    Scene(name="antwoorden-met-dubbelen", route="zoeken", address="/zoeken?vraag=parkeren+in+Ede"),
    Scene(name="antwoorden-met-jaren", route="zoeken", address="/zoeken?vraag=subsidie&organisatie=gemeente-rotterdam"),
    Scene(
        name="antwoorden-opgeheven-gemeente",
        route="zoeken",
        address="/zoeken?vraag=parkeren&organisatie=gemeente-boxmeer",
    ),
    Scene(name="antwoorden-tweede-bladzijde", route="zoeken", address=_second_page),
    Scene(name="antwoorden-bron-uit", route="zoeken", address=SEARCH, prepare=one_switched_off),
    Scene(name="antwoorden-nummer-bestaat-niet", route="zoeken", address=_of_nothing),
    Scene(name="bron-dood", route="zoeken", address=SEARCH, states={"openbesluitvorming": "dood"}),
    Scene(name="bron-vol", route="zoeken", address=SEARCH, states={"rechtspraak": "vol", "openbesluitvorming": "vol"}),
    Scene(name="bron-onderhoud", route="zoeken", address=SEARCH, states={"rechtspraak": "onderhoud"}),
    Scene(name="bron-onzin", route="zoeken", address=SEARCH, states={"opentk": "onzin"}),
    Scene(name="bron-te-laat", route="zoeken", address=SEARCH, states={"rechtspraak": "traag"}, patience=1.5),
    Scene(
        name="bron-wacht",
        route="zoeken",
        address="/zoeken?vraag=klimaat&platform=opentk&platform=rechtspraak",
        full=True,
    ),
    Scene(
        name="alles-dood", route="zoeken", address="/zoeken?vraag=klimaat&platform=opentk", states={"opentk": "dood"}
    ),
    Scene(name="niets-gevonden", route="zoeken", address=f"/zoeken?vraag={NOWHERE}&van=2020-01-01"),
    Scene(
        name="niets-gevonden-bij-gemeente",
        route="zoeken",
        address=f"/zoeken?vraag={NOWHERE}&organisatie=gemeente-boxmeer&soort=motie",
    ),
    Scene(name="nog-niets-gevonden", route="zoeken", address=f"/zoeken?vraag={NOWHERE}&platform=opentk", full=True),
    Scene(
        name="vraag-klopt-niet",
        route="zoeken",
        address="/zoeken?vraag=a&organisatie=utrecht&organisatie=nergenshuizen&van=2026-13-45&tot=x&soort=lied&platform=ons&sorteer=z&periode=q",
        status=400,
    ),
    Scene(
        name="deel-van-adres-onbekend",
        route="zoeken",
        address="/zoeken?vraag=warmtenet&soorten=motie&xyzzy=1&platform=rechtspraak",
        status=400,
    ),
    Scene(
        name="stuk-deel-onbekend",
        route=DOCUMENT,
        address="/document/rechtspraak/ECLI:NL:PHR:1995:AA3128?in-stuk=hof&elder=ja",
        status=400,
    ),
    Scene(name="vraag-te-lang", route="zoeken", address=f"/zoeken?vraag={'a' * 3000}", status=400),
    Scene(name="stuk-uitspraak", route=DOCUMENT, address=first("rechtspraak", "vergunning")),
    Scene(name="stuk-van-gemeente", route=DOCUMENT, address=first("openbesluitvorming", "subsidie")),
    Scene(name="stuk-bewaard", route=DOCUMENT, address=first("open-archivaris", "subsidie")),
    Scene(name="stuk-bekendmaking", route=DOCUMENT, address=first("officiele-bekendmakingen", "subsidie")),
    Scene(name="stuk-met-stemming", route=DOCUMENT, address=VOTED),
    Scene(name="stuk-opentk", route=DOCUMENT, address=first("opentk", "klimaat")),
    Scene(
        name="stuk-lang-rapport",
        route=DOCUMENT,
        address=first("open-raadsinformatie", "Milieueffectrapport met bijlagen"),
    ),
    Scene(
        name="stuk-gevonden-woorden", route=DOCUMENT, address=first("rechtspraak", "vergunning", "?in-stuk=vergunning")
    ),
    Scene(
        name="stuk-woorden-niet-gevonden",
        route=DOCUMENT,
        address=first("rechtspraak", "vergunning", f"?in-stuk={NOWHERE}"),
    ),
    Scene(name="stuk-elders", route=DOCUMENT, address=first("tweede-kamer", "subsidie woningen", "?elders=ja")),
    Scene(
        name="stuk-elders-geen-antwoord",
        route=DOCUMENT,
        address=first("tweede-kamer", "subsidie woningen", "?elders=ja"),
        states={"opentk": "dood"},
    ),
    Scene(
        name="stuk-elders-verschil",
        route=DOCUMENT,
        address=f"{COUNCIL}/document:notubiz:gemeente:weesp:2900198?elders=ja",
    ),
    Scene(name="stuk-wacht", route=DOCUMENT, address=first("opentk", "klimaat"), full=True),
    Scene(
        name="stuk-ingetrokken",
        route=DOCUMENT,
        address=f"{COUNCIL}/document:notubiz:gemeente:ermelo:9082003",
        status=404,
    ),
    Scene(
        name="stuk-bekendmaking-ingetrokken",
        route=DOCUMENT,
        address="/document/officiele-bekendmakingen/gmb-2023-9900099",
        status=410,
    ),
    Scene(name="stuk-geen-nummer", route=DOCUMENT, address="/document/rechtspraak/niets", status=404),
    Scene(
        name="stuk-bron-dood", route=DOCUMENT, address=first("opentk", "klimaat"), states={"opentk": "dood"}, status=502
    ),
    Scene(name="rapporten", route="rapporten", address="/rapporten"),
    Scene(name="rapport-wacht", route=REPORT, address=report(ReportStatus.WAITS, **WAITS)),
    Scene(name="rapport-wacht-engels", route=REPORT, address=report(ReportStatus.WAITS, "/en", **WAITS)),
    Scene(name="rapport-bezig", route=REPORT, address=report(ReportStatus.BUSY, done=4, size=12)),
    Scene(
        name="rapport-zonder-teken",
        route=REPORT,
        address=report(ReportStatus.BUSY, done=4, size=12, last_sign=NOW - timedelta(seconds=9)),
    ),
    Scene(name="rapport-klaar", route=REPORT, address=small_report()),
    Scene(name="rapport-klaar-engels", route=REPORT, address=small_report("/en")),
    Scene(name="rapport-groot", route=REPORT, address=report(ReportStatus.READY)),
    Scene(
        name="rapport-geweigerd",
        route=REPORT,
        address=report(ReportStatus.REFUSED, reason=Reason.WAIT, come_back_at=NOW + timedelta(minutes=20)),
    ),
    Scene(name="rapport-mislukt", route=REPORT, address=report(ReportStatus.FAILED, reason=Reason.NO_SOURCE)),
    Scene(name="rapport-geannuleerd", route=REPORT, address=report(ReportStatus.CANCELLED)),
    Scene(name="rapport-weg", route=REPORT, address=f"/rapporten/{'x' * 32}", status=404),
    Scene(name="rapport-geen-adres", route="rapporten/<path:rest>", address="/rapporten/kort", status=404),
    Scene(name="rapporten-niets-erachter", route="rapporten/", address="/rapporten/", status=404),
    Scene(
        name="rapport-annuleren-als-pagina",
        route="rapporten/<rapport:token>/annuleren",
        address=f"/rapporten/{'x' * 32}/annuleren",
        status=405,
    ),
    Scene(name="status", route="status", address="/status", prepare=loaded),
    Scene(name="status-zonder-lijsten", route="status", address="/status"),
    Scene(name="aansluiten", route="aansluiten", address="/aansluiten"),
    Scene(name="programmas", route="api", address="/api"),
    Scene(name="vragenbank", route="vragenbank", address="/vragenbank"),
    Scene(name="over-een-bron", route="bronnen/<slug:platform>", address="/bronnen/openbesluitvorming"),
    Scene(name="fout-melden", route="fout-melden", address="/fout-melden"),
    Scene(name="privacy", route="privacy", address="/privacy"),
    Scene(name="toegankelijkheid", route="toegankelijkheid", address="/toegankelijkheid"),
    Scene(name="probleem", route="problemen/<slug:slug>", address="/problemen/te-veel-verzoeken"),
    Scene(name="bestaat-niet", route="", address="/nergens", status=404),
    Scene(
        name="gaat-mis", route="zoeken", address=SEARCH, status=500, prepare=breaks("search.carried.read_parameters")
    ),
    Scene(name="te-druk", route="", address=_asked_once, status=429, prepare=too_busy),
)
BY_NAME: Final = {scene.name: scene for scene in SCENES}
NO_PAGE: Final = {
    "zoeken/stroom": "events for the script",
    "organisaties/namen": "names for the field",
    "fracties/namen": "names for the field",
    "commissies/namen": "names for the field",
    "zoeken.csv": "a file",
    "zoeken.json": "a file",
    "zoeken.ris": "a file",
    "zoeken.atom": "a feed",
    "opensearch.xml": "for browsers",
    "rapporten/<rapport:token>.csv": "a file",
    "rapporten/<rapport:token>.json": "a file",
    "rapporten/<rapport:token>.ris": "a file",
    "rapporten/<rapport:token>.pdf": "a file",
    "gezondheid/leeft": "for machines",
    "gezondheid/klaar": "for machines",
    "metrics": "for machines",
    ".well-known/security.txt": "plain text",
    "robots.txt": "plain text",
    "llms.txt": "plain text",
    ".well-known/admission-contract": "for programs",
    ".well-known/oauth-protected-resource": "for programs",
    ".well-known/oauth-protected-resource/<path:path>": "for programs",
    ".well-known/oauth-authorization-server": "for programs",
    "beheer": "leads on",
}
"""What of the public addresses is no page for people, and why."""
APART: Final = ("beheer/", "api/v1", "admission/")
"""What starts so is another site (of operators, after they signed in) or for programs."""


def routes() -> set[str]:
    """Every public address of the site, as the URL configuration has it."""
    found = set(_below(get_resolver().url_patterns, ""))
    return {one for one in found if not one.startswith(APART)}


def _below(patterns: Sequence[URLPattern | URLResolver], prefix: str) -> list[str]:
    here = []
    for one in patterns:
        where = prefix + str(one.pattern)
        here += _below(one.url_patterns, where) if isinstance(one, URLResolver) else [where]
    return here
