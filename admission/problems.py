"""Why a request about contracts, or under one, is refused: the kinds of problem (RFC 9457) of this room, in Dutch.

One list for the edge, for negotiation and for tokens. Codes are those of the study of admission, section 2.5; what has none
there is numbered after them.
"""

from __future__ import annotations

from enum import Enum
from http import HTTPStatus
from typing import Final

from admission.edge import RETRYABLE, Reason
from throttling.problems import Kind, Kinds


def _kind(reason: Reason, status: HTTPStatus, code: int, title: str, means: str, advice: str) -> Kind:  # noqa: PLR0913, PLR0917 - the fields of a kind
    """The kind of a refusal by the edge."""
    return Kind(reason.value, status, code, title, means, advice, retryable=reason in RETRYABLE)


class Refusals(Enum):
    """All of them. Those of the edge are called as ``admission.edge.Reason`` calls them."""

    TOKEN_REQUIRED = Kinds.TOKEN_REQUIRED.value
    TOKEN_INVALID = _kind(
        *(Reason.TOKEN_INVALID, HTTPStatus.UNAUTHORIZED, 4011),
        "Pasje ongeldig",
        "Het pasje is niet van ons, niet goed geschreven, ingetrokken of voorbij. Er is niets gedaan.",
        "Vraag een nieuw pasje (POST /admission/token) en stuur het verzoek opnieuw met een nieuw bewijs.",
    )
    PROOF_INVALID = _kind(
        *(Reason.PROOF_INVALID, HTTPStatus.UNAUTHORIZED, 4012),
        "Bewijs ongeldig",
        "Het bewijs van de sleutel (DPoP) ontbreekt, is al gebruikt, of gaat over een andere sleutel, een ander verzoek of een "
        "ander moment. Er is niets gedaan.",
        "Maak een nieuw bewijs, met de tijd die in Date staat, en stuur het verzoek opnieuw.",
    )
    CONTRACT_REVOKED = _kind(
        *(Reason.CONTRACT_REVOKED, HTTPStatus.FORBIDDEN, 4031),
        "Contract ingetrokken",
        "Dit contract is ingetrokken. Er is niets gedaan, en er kan niets meer onder dit contract.",
        "Stop. Neem contact op met de beheerder van deze website als u niet weet waarom.",
    )
    CONTRACT_EXPIRED = _kind(
        *(Reason.CONTRACT_EXPIRED, HTTPStatus.FORBIDDEN, 4032),
        "Contract voorbij",
        "De tijd van dit contract is om, of er is nooit een pasje gevraagd. Er is niets gedaan.",
        "Vraag een nieuw contract (POST /admission/contracts), of stop. Opnieuw sturen helpt niet.",
    )
    QUOTA_EXHAUSTED = _kind(
        *(Reason.QUOTA_EXHAUSTED, HTTPStatus.FORBIDDEN, 4033),
        "Budget op",
        "Het budget van dit contract is op, of te klein voor dit verzoek. Er is niets gedaan. Wachten vult het niet aan.",
        "Vraag een nieuw contract (POST /admission/contracts), of stop. Opnieuw sturen helpt niet.",
    )
    CLASS_MISMATCH = _kind(
        *(Reason.CLASS_MISMATCH, HTTPStatus.FORBIDDEN, 4034),
        "Andere klasse",
        "Het pasje is om te vragen en het verzoek verandert iets, of omgekeerd. Er is niets gedaan.",
        "Vraag een pasje van de klasse die bij het verzoek hoort, als het contract die heeft.",
    )
    OUT_OF_SCOPE = Kinds.OUT_OF_SCOPE.value
    APPROVAL_REQUIRED = _kind(
        *(Reason.APPROVAL_REQUIRED, HTTPStatus.FORBIDDEN, 4036),
        "Goedkeuring nodig",
        "Een beheerder moet precies dit verzoek eerst goedkeuren. Er is niets gedaan.",
        "Vraag een pasje voor dit verzoek (POST /admission/token, met operation, path en body) en wacht op de beheerder.",
    )
    APPROVAL_DENIED = _kind(
        *(Reason.APPROVAL_DENIED, HTTPStatus.FORBIDDEN, 4037),
        "Afgewezen door een beheerder",
        "Een beheerder heeft dit verzoek bekeken en afgewezen. Er is niets gedaan.",
        "Vraag dit niet opnieuw.",
    )
    IN_FLIGHT_EXCEEDED = _kind(
        *(Reason.IN_FLIGHT_EXCEEDED, HTTPStatus.TOO_MANY_REQUESTS, 4291),
        "Te veel tegelijk",
        "Er lopen al zo veel verzoeken als het contract tegelijk toelaat. Dit verzoek is niet uitgevoerd en kost niets.",
        "Wacht tot een verzoek klaar is, of zo lang als in Retry-After staat.",
    )
    PUBLIC_LIMIT = _kind(
        *(Reason.PUBLIC_LIMIT, HTTPStatus.TOO_MANY_REQUESTS, 4292),
        "Gedeelde ruimte vol",
        "De ruimte die dit programma met anderen deelt, is vol. Dit verzoek is niet uitgevoerd en kost niets.",
        "Wacht zo lang als in Retry-After staat. Wie zich beter bekend maakt, krijgt ruimte van zichzelf.",
    )
    ADMISSION_UNAVAILABLE = _kind(
        *(Reason.ADMISSION_UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE, 5033),
        "Contracten zijn nu niet te controleren",
        "We kunnen nu niet nakijken wat dit contract nog mag, of wijzigingen zijn stilgezet. Er is niets gedaan.",
        "Wacht zo lang als in Retry-After staat. Lezen zonder contract kan meestal wel.",
    )
    IDENTITY_INVALID = Kind(
        "identity-invalid",
        HTTPStatus.UNAUTHORIZED,
        4013,
        "Wie dit vraagt, is niet bewezen",
        "Het bewijs van wie dit vraagt ontbreekt of klopt niet, of wij laten die uitgever niet toe. Er is niets gedaan.",
        "Kijk op /.well-known/admission-contract welke bewijzen we aannemen, en maak een nieuw bewijs.",
        retryable=False,
    )
    CONTRACT_REFUSED = Kind(
        "contract-refused",
        HTTPStatus.FORBIDDEN,
        4038,
        "Geen contract",
        "We sluiten nu geen contract met deze aanvrager: er zijn er al genoeg, het budget is op, of een beheerder heeft de "
        "aanvrager stilgezet.",
        "Gebruik het contract dat er is. Is dat voorbij, wacht dan tot de tijd ervan om is.",
        retryable=False,
    )
    KEY_REUSED = Kind(
        "idempotency-key-reused",
        HTTPStatus.CONFLICT,
        4090,
        "Nummer al gebruikt",
        "Met deze Idempotency-Key is al iets anders gevraagd. Er is niets gedaan.",
        "Gebruik voor een andere aanvraag een nieuwe Idempotency-Key.",
        retryable=False,
    )


OF_REASON: Final = {reason: Refusals[reason.name].value for reason in Reason}
"""The kind of problem that a refusal of the edge is told as."""
