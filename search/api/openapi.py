"""The description of the API in OpenAPI 3.1: what django-ninja makes of the operations, with what the design rules ask.

It is made once for each process: nothing in it depends on a request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from ninja import NinjaAPI, Schema

from search.api.reading import EVENTS, Parameter
from search.api.schemas import Probleem
from search.api.version import ROOT, VERSION
from throttling.problems import Kinds

TITLE: Final = "BesluitBron"
_ABOUT: Final = (
    "Stelt één vraag aan zeven openbare bronnen van Nederlandse besluiten, en geeft elk antwoord met zijn bron. "
    "Alles is openbaar en te lezen zonder sleutel. Wat iets verandert, kan alleen onder een contract. "
    "De API volgt de NLGov API Design Rules. "
    "BesluitBron is geen dienst van de overheid."
)
_TAGS: Final = (
    ("zoeken", "Eén vraag aan alle platforms tegelijk."),
    ("documenten", "Eén stuk met zijn gegevens, zijn tekst in delen en hoe u ernaar verwijst."),
    ("organisaties", "Het register: elke organisatie één keer, met voorgangers, opvolgers en codes."),
    ("platforms", "De zeven bronnen: wat zij kunnen, hun grenzen en hoe actueel zij zijn."),
    ("foutmeldingen", "Een fout in een stuk of bron melden aan de beheerder, onder een contract."),
)
_STATUS_WORDS: Final[Mapping[int, str]] = {
    200: "Gelukt.",
    201: "Gemeld aan de beheerder.",
    202: "Aangenomen; het wordt gemaakt. In Location staat waar u ziet hoe het ermee staat.",
    204: "De stroom die u hervat, is al ten einde.",
    304: "Er is niets veranderd sinds de ETag die u noemt.",
    400: "De invoer kan niet. Alle fouten staan er tegelijk in.",
    401: "Hiervoor is een contract nodig, met een pasje en een bewijs die kloppen.",
    403: "Het contract staat dit niet toe. Opnieuw vragen helpt niet.",
    404: "Dit is er niet.",
    406: "Deze vorm kunnen we niet geven.",
    410: "De bron heeft dit ingetrokken, of de beheerder van deze website heeft het weggehaald.",
    413: "De inhoud is te groot.",
    415: "De inhoud heeft een vorm die we niet lezen.",
    429: "Er kwam te veel binnen.",
    500: "Er ging bij ons iets mis.",
    502: "Het platform gaf geen bruikbaar antwoord.",
    503: "Nu niet te beantwoorden; later wel.",
    504: "Het platform antwoordde niet op tijd.",
}
_ALWAYS: Final = (429, 500)
_CHANGING: Final = (401, 403)
CONTRACT: Final = "contract"
_SCHEMES: Final = {
    CONTRACT: {
        "type": "http",
        "scheme": "DPoP",
        "description": "Een pasje onder een contract (`Authorization: DPoP …`), met een bewijs van dit verzoek (`DPoP: …`).",
    }
}
_KINDS: Final[Mapping[int, Kinds]] = {
    400: Kinds.INVALID_INPUT,
    401: Kinds.TOKEN_REQUIRED,
    403: Kinds.OUT_OF_SCOPE,
    404: Kinds.NOT_FOUND,
    406: Kinds.NOT_ACCEPTABLE,
    410: Kinds.TAKEN_DOWN,
    413: Kinds.TOO_LARGE,
    415: Kinds.CONTENT_TYPE,
    429: Kinds.TOO_MANY,
    500: Kinds.BROKEN,
    502: Kinds.BAD_ANSWER,
    503: Kinds.UNREACHABLE,
    504: Kinds.TOO_LATE,
}
_EVENTS_EXAMPLE: Final = (
    'event: bron\nid: 1\ndata: {"platform":"rechtspraak","staat":"bezig"}\n\n'
    'event: einde\nid: einde\ndata: {"gevraagd":1,"beantwoord":1}\n\n'
)


READ: Final = ["GET", "HEAD"]


def described(  # noqa: PLR0913 - each is one thing to tell
    operation_id: str,
    parameters: Sequence[Parameter] = (),
    *,
    fails: Sequence[int] = (),
    also: Sequence[int] = (),
    path: Mapping[str, str] | None = None,
    body: Mapping[str, Any] | None = None,
    changes: bool = False,
) -> dict[str, Any]:
    """What an operation tells of itself beside its function: its parameters, and the statuses with which it may fail.

    ``also``: statuses of answers without a body.
    ``path``: what each parameter in the path is, with an example behind a bar. ``body``: what is sent, as OpenAPI describes it.
    ``changes``: whether it changes something, and so takes a contract.
    """
    fails = tuple(sorted({*fails, *_ALWAYS, *(_CHANGING if changes else ())}))
    return {
        "operation_id": operation_id,
        "openapi_extra": {
            "parameters": [parameter.described() for parameter in parameters],
            "x-fails": list(fails),
            "x-also": list(also),
            "x-path": dict(path or {}),
            **({"requestBody": dict(body)} if body else {}),
            **({"security": [{CONTRACT: []}]} if changes else {}),
        },
    }


class Described(NinjaAPI):
    """django-ninja with our description. ``examples``: an answer of each operation by its id; ``tags``: what they are about."""

    examples: Mapping[str, Any] = {}
    tags: tuple[tuple[str, str], ...] = _TAGS

    def get_openapi_schema(self, **options: Any) -> Any:
        """The description; what django-ninja would take from a request has no place in it."""
        del options
        found: Any = super().get_openapi_schema(path_prefix="", path_params={})
        found["openapi"] = "3.1.0"
        found["info"] = _info()
        found["servers"] = [{"url": f"{settings.SITE_ADDRESS}{ROOT}", "description": "Deze website."}]
        found["tags"] = [{"name": name, "description": about} for name, about in self.tags]
        found["externalDocs"] = {"url": f"{settings.SITE_ADDRESS}/api", "description": "Uitleg over deze API."}
        schemas = found["components"]["schemas"]
        schemas.update(_definitions(Probleem))
        found["components"]["headers"] = _HEADERS
        found["components"]["securitySchemes"] = _SCHEMES
        for path in found["paths"].values():
            path.pop("head", None)  # works wherever GET does; told once, it would only double the operation's id
            for operation in path.values():
                _complete(operation, self.examples.get(operation["operationId"]))
        return found


def _info() -> dict[str, Any]:
    return {
        "title": TITLE,
        "version": VERSION,
        "summary": "Zoeken in openbare besluiten van de overheid.",
        "description": _ABOUT,
        "termsOfService": f"{settings.SITE_ADDRESS}/privacy",
        "contact": {"name": "Beheer van BesluitBron", "url": f"{settings.SITE_ADDRESS}/api", "email": _email()},
        "license": {"name": "EUPL-1.2", "identifier": "EUPL-1.2"},
    }


def _email() -> str:
    """The contact address when it is one for mail; else one that says where to look."""
    given = settings.CONTACT_ADDRESS.removeprefix("mailto:")
    return given if "@" in given and "/" not in given else "beheer@besluitbron.invalid"


_HEADERS: Final = {
    "API-Version": {
        "description": "De volledige versie van de API.",
        "schema": {"type": "string", "examples": [VERSION]},
    },
    "Retry-After": {
        "description": "Over hoeveel hele seconden opnieuw vragen zin heeft.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "Location": {"description": "Het adres van wat er nu is.", "schema": {"type": "string", "format": "uri-reference"}},
    "RateLimit": {"description": "Wat er van elke grens over is.", "schema": {"type": "string"}},
    "RateLimit-Policy": {"description": "Wat elke grens toelaat.", "schema": {"type": "string"}},
}


def _header(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _definitions(model: type[Schema]) -> dict[str, Any]:
    made: dict[str, Any] = model.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    others: dict[str, Any] = made.pop("$defs", {})
    return others | {model.__name__: made}


def _complete(operation: dict[str, Any], example: Any) -> None:
    """Headers on every answer, problems for every failure, words and examples."""
    fails, about = operation.pop("x-fails"), operation.pop("x-path")
    empty = {str(status): {"description": _STATUS_WORDS[status]} for status in operation.pop("x-also")}
    for parameter in operation["parameters"]:
        if parameter["in"] == "path" and parameter["name"] in about:
            words, _, given = about[parameter["name"]].partition("|")
            parameter |= {"description": words, "example": int(given) if given.isdigit() else given}
            parameter["schema"].pop("title", None)
    answers = operation["responses"]
    (status,) = answers
    good = answers.pop(status)
    good["description"] = _STATUS_WORDS[status]
    beside = ("Location",) if status == HTTPStatus.ACCEPTED else ()
    good["headers"] = _header("API-Version", "RateLimit", "RateLimit-Policy", *beside)
    if example is not None:
        good["content"]["application/json"]["example"] = example
    if operation["operationId"] == "zoek":
        good["content"][EVENTS] = {"schema": {"type": "string"}, "example": _EVENTS_EXAMPLE}
    answers[str(status)] = good
    answers.update({status: told | {"headers": _header("API-Version")} for status, told in empty.items()})
    for failed in fails:
        answers[str(failed)] = _failure(failed)


def _failure(status: int) -> dict[str, Any]:
    kind = _KINDS[status].value
    later = ("Retry-After",) if status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE} else ()
    example: dict[str, Any] = {
        "type": f"{settings.SITE_ADDRESS}/problemen/{kind.slug}",
        "title": kind.title,
        "status": status,
        "detail": kind.means,
        "retryable": kind.retryable,
    }
    return {
        "description": _STATUS_WORDS[status],
        "headers": _header("API-Version", *later),
        "content": {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Probleem"}, "example": example}
        },
    }
