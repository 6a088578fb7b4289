"""An answer of each operation, as the description shows it. Constructed; a test holds each to its form."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from reports.page import FILES
from search.api.examples import HIT

_SITE: Final = "https://besluitbron.example"
_TOKEN: Final = "AbCdEfGhIjKlMnOpQrStUvWxYz012345"  # noqa: S105 - an example, of the form that tokens have
_PAGE: Final = f"{_SITE}/rapporten/{_TOKEN}"
_QUESTION: Final = {"vraag": "urgenda", "zoekopdracht": f"{_SITE}/zoeken?vraag=urgenda"}
_MADE: Final = "2026-11-30T13:58:40Z"
_ASKED: Final = "2026-11-30T13:50:02Z"
_DATED: Final = {"datum": "2019-12-20", "tijdstip": None, "betekenis": "uitspraakdatum"}
_OUTCOME: Final = _QUESTION | {
    "gevraagdOp": _ASKED,
    "gemaakt": _MADE,
    "versie": "0.1.0",
    "hooguitTreffers": 500,
    "hooguitTeksten": 200,
    "aantal": 1,
    "perOrganisatie": [{"organisatieId": "gerecht-hoge-raad", "naam": "Hoge Raad", "aantal": 1}],
    "perJaar": [{"jaar": 2019, "aantal": 1}],
    "ongedateerd": 0,
    "ontbreekt": [
        {
            "platform": "opentk",
            "reden": "mislukt",
            "melding": "OpenTK gaf geen antwoord. Wat deze bron heeft, ontbreekt.",
        }
    ],
    "bronnen": [
        {
            "platform": "rechtspraak",
            "antwoordde": True,
            "totaal": {"waarde": 1, "zekerheid": "exact"},
            "inRapport": 1,
            "opgehaald": "2026-11-30T13:51:10Z",
            "opmerkingen": [],
            "genegeerdeFilters": [],
        }
    ],
}
_ITEM: Final = {
    "organisatie": "Hoge Raad",
    "organisatieId": "gerecht-hoge-raad",
    "treffer": HIT,
    "ookBij": [],
    "verschillen": [],
    "tekst": "volledig",
    "data": [_DATED],
    "stemming": None,
    "delenMetWoorden": 3,
    "fragmenten": [
        {"deel": 2, "isBladzijde": False, "kop": "Inleiding", "tekst": "… Urgenda vordert …", "gevonden": ["Urgenda"]}
    ],
    "opmerkingen": [],
}
_READY: Final[Mapping[str, Any]] = {
    "staat": "klaar",
    "melding": "1 stuk van 1 organisatie.",
    **_QUESTION,
    "tijdstip": "2026-11-30T14:00:00Z",
    "gevraagdOp": _ASKED,
    "plaats": None,
    "verwachteStart": None,
    "delenKlaar": 12,
    "delenTotaal": 12,
    "reden": None,
    "terugkomen": None,
    "klaarOp": _MADE,
    "bewaardTot": "2026-12-14T13:50:02Z",
    "versie": "0.1.0",
    "opnieuwNa": None,
    "uitkomst": _OUTCOME,
    "bladzijde": _PAGE,
    "bestanden": [{"vorm": form, "adres": f"{_PAGE}.{form}"} for form in FILES],
}
_NOT_MADE: Final[Mapping[str, Any]] = {
    "klaarOp": None,
    "uitkomst": None,
    "bestanden": [],
    "tijdstip": _ASKED,
    "delenKlaar": 0,
}
EXAMPLES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "rapport": _READY,
        "rapportaanvraag": {
            **_READY,
            **_NOT_MADE,
            "staat": "wacht",
            "melding": "U bent nummer 3 in de rij. We beginnen waarschijnlijk over ongeveer 5 minuten.",
            "plaats": 3,
            "verwachteStart": "2026-11-30T13:55:00Z",
            "opnieuwNa": 60,
        },
        "rapportannulering": {
            **_READY,
            **_NOT_MADE,
            "staat": "geannuleerd",
            "melding": "Dit rapport is geannuleerd, en wordt niet gemaakt. Wilt u het toch? Vraag het opnieuw aan.",
        },
        "rapportstukken": {"aantal": 1, "pagina": 1, "volgendePagina": None, "stukken": [_ITEM]},
    }
)
