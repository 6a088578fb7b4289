"""What can be wrong with a request, as values of RFC 9457, and the closed list of kinds. Dutch, because people read it.

Each kind has a page under its own address (``/problemen/<slug>``) and a chapter in ``docs/naslag/problemen.md``. A problem
never quotes what somebody asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from throttling.incoming_rules import CONNECTOR, OPENING, PROCESS, SESSION
from throttling.words import Words, later

PATH: Final = "/problemen/"
"""Where the page of a kind is, on our own site."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem. ``means`` and ``advice`` are sentences; ``code`` is what a JSON-RPC error carries.

    ``retryable``: whether the same request may succeed later without a change.
    """

    slug: str
    status: HTTPStatus
    code: int
    title: str
    means: str
    advice: str
    retryable: bool


class Kinds(Enum):
    """All of them."""

    TOO_MANY = Kind(
        "te-veel-verzoeken",
        HTTPStatus.TOO_MANY_REQUESTS,
        4292,
        "Te veel verzoeken",
        "Er kwamen meer verzoeken binnen dan een grens toelaat. Dit verzoek is niet uitgevoerd en telt niet mee.",
        "Wacht zo veel seconden als in retryAfter en in Retry-After staat, en stuur het verzoek dan opnieuw.",
        retryable=True,
    )
    TOO_LARGE = Kind(
        "verzoek-te-groot",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        4130,
        "Verzoek te groot",
        "Het verzoek is groter dan we lezen. Er is niets mee gedaan.",
        "Stuur een kleiner verzoek, of verdeel het over een aantal verzoeken.",
        retryable=False,
    )
    TOO_SLOW = Kind(
        "verzoek-te-traag",
        HTTPStatus.REQUEST_TIMEOUT,
        4080,
        "Verzoek te traag",
        "Het verzoek kwam niet op tijd helemaal binnen. Er is niets mee gedaan.",
        "Stuur het verzoek opnieuw, over een verbinding die sneller is.",
        retryable=True,
    )
    INVALID_INPUT = Kind(
        "ongeldige-invoer",
        HTTPStatus.BAD_REQUEST,
        4000,
        "Ongeldige invoer",
        "Een of meer waarden in het verzoek kunnen niet. In invalidParams staat van elke wat er mis is. Er is niets gevraagd.",
        "Verbeter alles wat in invalidParams staat, en stuur het verzoek opnieuw.",
        retryable=False,
    )
    UNKNOWN_PARAMETER = Kind(
        "onbekende-parameter",
        HTTPStatus.BAD_REQUEST,
        4001,
        "Onbekende parameter",
        "Het verzoek heeft een parameter die hier niet bestaat. We doen niet alsof zij is gebruikt. Er is niets gevraagd.",
        "Laat de parameter weg, of gebruik de naam die in invalidParams staat.",
        retryable=False,
    )
    UNKNOWN_NAME = Kind(
        "onbekende-naam",
        HTTPStatus.BAD_REQUEST,
        4002,
        "Onbekende naam",
        "Onder deze naam is deze website niet te bereiken. Er is niets gevraagd.",
        "Controleer het adres, of vraag de beheerder van deze website om hulp.",
        retryable=False,
    )
    NOT_FOUND = Kind(
        "niet-gevonden",
        HTTPStatus.NOT_FOUND,
        4040,
        "Niet gevonden",
        "Op dit adres is niets. Het adres klopt niet, of wat er was is weg.",
        "Controleer het adres. Aan het eind van een adres hoort geen schuine streep.",
        retryable=False,
    )
    TAKEN_DOWN = Kind(
        "weggehaald",
        HTTPStatus.GONE,
        4100,
        "Weggehaald",
        "De beheerder van deze website heeft dit stuk weggehaald. Wat de bron zelf heeft, zegt dat niet.",
        "Vraag het de beheerder, of zoek het bij de bron zelf.",
        retryable=False,
    )
    WITHDRAWN = Kind(
        "ingetrokken",
        HTTPStatus.GONE,
        4101,
        "Ingetrokken",
        "De bron had dit stuk, en heeft het ingetrokken.",
        "Vraag ernaar bij wie het stuk maakte.",
        retryable=False,
    )
    METHOD = Kind(
        "methode-niet-toegestaan",
        HTTPStatus.METHOD_NOT_ALLOWED,
        4050,
        "Methode niet toegestaan",
        "Deze methode kan op dit adres niet. Er is niets gedaan.",
        "Gebruik een van de methoden die in Allow staan.",
        retryable=False,
    )
    TOKEN_REQUIRED = Kind(
        "token-required",
        HTTPStatus.UNAUTHORIZED,
        4010,
        "Hier is een contract voor nodig",
        "Dit verzoek verandert iets. Dat kan een programma alleen met een contract en een pasje daarvan. Er is niets gedaan.",
        "Vraag een contract. Hoe dat gaat, staat op /.well-known/admission-contract.",
        retryable=True,
    )
    OUT_OF_SCOPE = Kind(
        "out-of-scope",
        HTTPStatus.FORBIDDEN,
        4035,
        "Buiten het contract",
        "Dit staat niet in het contract, of het adres is op meer dan één manier te lezen. Er is niets gedaan.",
        "Blijf bij wat het contract noemt, of vraag een contract waar dit in staat.",
        retryable=False,
    )
    CONTENT_TYPE = Kind(
        "inhoud-niet-te-lezen",
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        4150,
        "Inhoud niet te lezen",
        "De inhoud van het verzoek heeft een vorm die we hier niet lezen. Er is niets gedaan.",
        "Stuur de inhoud als application/json.",
        retryable=False,
    )
    REPORT_REFUSED = Kind(
        "rapport-geweigerd",
        HTTPStatus.SERVICE_UNAVAILABLE,
        5034,
        "Te druk voor een rapport",
        "Het is nu te druk om dit rapport te maken. Er is niets aangevraagd. Zoeken kan gewoon.",
        "Wacht zo lang als in Retry-After staat, en vraag het rapport dan opnieuw aan.",
        retryable=True,
    )
    NOT_ACCEPTABLE = Kind(
        "niet-acceptabel",
        HTTPStatus.NOT_ACCEPTABLE,
        4060,
        "Niet acceptabel",
        "Geen van de vormen in Accept kunnen we hier geven.",
        "Vraag om application/json. Bij _zoek kan ook text/event-stream.",
        retryable=False,
    )
    WAITING = Kind(
        "platform-wacht",
        HTTPStatus.SERVICE_UNAVAILABLE,
        5031,
        "Platform heeft het druk",
        "De vraag wacht nog op een vrije plek bij de bron, of de rij daar is vol. Wie al wacht, houdt zijn plek een tijd.",
        "Wacht zo lang als in Retry-After staat, en stuur het verzoek dan opnieuw.",
        retryable=True,
    )
    UNREACHABLE = Kind(
        "platform-onbereikbaar",
        HTTPStatus.SERVICE_UNAVAILABLE,
        5030,
        "Platform onbereikbaar",
        "De bron gaf geen antwoord, of wordt nu niet gevraagd. Dit zegt niets over wat zij heeft.",
        "Probeer het later opnieuw. Staat er een Retry-After, wacht dan zo lang.",
        retryable=True,
    )
    OWN_FAULT = Kind(
        "eigen-storing",
        HTTPStatus.SERVICE_UNAVAILABLE,
        5032,
        "Storing bij BesluitBron",
        "BesluitBron kan nu niet bij iets van zichzelf dat hiervoor nodig is. Dit zegt niets over de bronnen.",
        "Probeer het over een minuut opnieuw. Blijft het zo, meld het dan de beheerder van deze website.",
        retryable=True,
    )
    TOO_LATE = Kind(
        "platform-te-laat",
        HTTPStatus.GATEWAY_TIMEOUT,
        5040,
        "Platform antwoordt niet op tijd",
        "De bron antwoordde niet op tijd. De vraag loopt door: wat nog komt, bewaren we.",
        "Stuur het verzoek over een minuut opnieuw.",
        retryable=True,
    )
    BAD_ANSWER = Kind(
        "antwoord-wijkt-af",
        HTTPStatus.BAD_GATEWAY,
        5020,
        "Antwoord van platform wijkt af",
        "De bron antwoordde, maar niet met wat zij zou moeten geven.",
        "Probeer het later opnieuw. Blijft het zo, meld het dan de beheerder van deze website.",
        retryable=True,
    )
    BROKEN = Kind(
        "interne-fout",
        HTTPStatus.INTERNAL_SERVER_ERROR,
        5000,
        "Interne fout",
        "Er ging bij ons iets mis. Dat ligt niet aan het verzoek.",
        "Probeer het later opnieuw. Blijft het zo, meld het dan met het nummer dat in instance staat.",
        retryable=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem. ``detail`` is about this case; ``retry_after`` in whole seconds, 0 when waiting does not help.

    ``violated``: the limits that were in the way, by the names that ``RateLimit-Policy`` gives them. ``more``: further members.
    ``words``: the sentences of ``detail``, where they can be said in another language.
    """

    kind: Kind
    detail: str
    retry_after: int = 0
    violated: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    words: tuple[Words, ...] = ()

    def said(self, say: Callable[[str], str]) -> Problem:
        """The same problem, as ``say`` has it."""
        detail = " ".join(one.said(say) for one in self.words) if self.words else self.detail
        return replace(self, kind=replace(self.kind, title=say(self.kind.title)), detail=detail)

    def as_dict(self, site: str) -> dict[str, Any]:
        """The members of RFC 9457, with ours; ``site`` is the address of our own pages, without a slash at the end."""
        members: dict[str, Any] = {
            "type": f"{site}{PATH}{self.kind.slug}",
            "title": self.kind.title,
            "status": int(self.kind.status),
            "detail": self.detail,
            "retryable": self.kind.retryable,
        }
        if self.retry_after:
            members["retryAfter"] = self.retry_after
        if self.violated:
            members["violated-policies"] = list(self.violated)
        return members | dict(self.more)

    def as_json(self, site: str) -> bytes:
        """The body of an ``application/problem+json`` answer."""
        return json.dumps(self.as_dict(site), ensure_ascii=False).encode()


_REACHED: Final = {
    PROCESS: later("De grens voor dit proces van BesluitBron is bereikt."),
    CONNECTOR: later("De grens voor deze ingang is bereikt."),
    SESSION: later("De grens voor één sessie of adres is bereikt."),
    OPENING: later("De grens voor nieuwe sessies van één adres is bereikt."),
}


def worded(kind: Kind, *words: Words, retry_after: int = 0, violated: tuple[str, ...] = ()) -> Problem:
    """A problem of which every word can be said in another language."""
    detail = " ".join(one.said(str) for one in words)
    return Problem(kind=kind, detail=detail, retry_after=retry_after, violated=violated, words=words)


def too_many(retry_after: int, violated: tuple[str, ...]) -> Problem:
    """A limit is reached; one request passes after ``retry_after`` seconds."""
    back = (
        later("Probeer het over 1 seconde opnieuw.")
        if retry_after == 1
        else later("Probeer het over {seconds} seconden opnieuw.", seconds=retry_after)
    )
    reached = (_REACHED[name] for name in violated)
    return worded(Kinds.TOO_MANY.value, *reached, back, retry_after=retry_after, violated=violated)


def too_large(most: int) -> Problem:
    """A request of more than ``most`` bytes."""
    return worded(Kinds.TOO_LARGE.value, later("We lezen hooguit {most} bytes.", most=most))


def too_slow(seconds: float) -> Problem:
    """A request that did not arrive within ``seconds``."""
    late = later("Na {seconds} seconden was het verzoek er nog niet helemaal.", seconds=f"{seconds:g}")
    return worded(Kinds.TOO_SLOW.value, late)
