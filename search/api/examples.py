"""An answer of each operation, as the description shows it. Constructed; a test holds each to its form."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

_ECLI: Final = "ECLI:NL:HR:2019:2006"
_ID: Final = f"rechtspraak:{_ECLI}"
_ADDRESS: Final = f"https://uitspraken.rechtspraak.nl/details?id={_ECLI}"
_FETCHED: Final = "2026-11-30T13:50:02Z"
_REFERENCE: Final = f"Hoge Raad 20 december 2019, {_ECLI}"

HIT: Final[Mapping[str, Any]] = {
    "id": _ID,
    "titel": "Hoge Raad, 20-12-2019, 19/00135",
    "organisatie": "Hoge Raad",
    "soort": "uitspraak",
    "soortBijBron": "Uitspraak",
    "datum": "2019-12-20",
    "tijdstip": None,
    "datumBetekenis": "uitspraakdatum",
    "fragment": "De Staat moet de uitstoot van broeikasgassen verminderen.",
    "dekking": "",
    "lijktErop": False,
    "bronId": _ECLI,
    "adres": _ADDRESS,
    "origineel": None,
    "verwijzing": _REFERENCE,
}
_ANSWERED: Final = {
    "platform": "rechtspraak",
    "staat": "klaar",
    "melding": "",
    "totaal": {"waarde": 1, "zekerheid": "exact"},
    "genegeerdeFilters": [],
    "opmerkingen": [],
    "opgehaald": _FETCHED,
    "verwachteStart": None,
    "plaats": None,
    "volgendePagina": None,
    "treffers": [HIT],
}
_LATE: Final[Mapping[str, Any]] = {
    "platform": "opentk",
    "staat": "te-laat",
    "melding": "OpenTK antwoordt nu niet op tijd. De resultaten van de andere bronnen kloppen wel. "
    "Probeer het over een paar minuten opnieuw.",
    "totaal": {"waarde": None, "zekerheid": "onbekend"},
    "genegeerdeFilters": [],
    "opmerkingen": [],
    "opgehaald": None,
    "verwachteStart": None,
    "plaats": None,
    "volgendePagina": None,
    "treffers": [],
}
_SEARCH: Final = {
    "vraag": "urgenda",
    "zoekopdracht": "https://besluitbron.example/zoeken?vraag=urgenda",
    "gemaakt": "2026-11-30T13:50:03Z",
    "opmerkingen": [],
    "mogelijkeStukken": [],
    "wegTeLaten": [],
    "dezelfdeStukken": [],
    "bronnen": [_LATE, _ANSWERED],
}
_HEADING: Final = {"nummer": 1, "kop": "Uitspraak", "isBladzijde": False, "tekens": 57}
_PART: Final = _HEADING | {"vorm": "plat", "tekst": "De Staat moet de uitstoot van broeikasgassen verminderen."}
_DOCUMENT: Final = {
    "id": _ID,
    "platform": "rechtspraak",
    "bronId": _ECLI,
    "titel": "Hoge Raad, 20-12-2019, 19/00135",
    "organisatie": "Hoge Raad",
    "organisatieId": "gerecht-hoge-raad",
    "soort": "uitspraak",
    "soortBijBron": "Uitspraak",
    "data": [{"datum": "2019-12-20", "tijdstip": None, "betekenis": "uitspraakdatum"}],
    "samenvatting": "",
    "tekst": "volledig",
    "delen": [_HEADING],
    "kenmerken": [{"naam": "Zaaknummer", "waarde": "19/00135"}],
    "verwant": [],
    "stemming": None,
    "kopie": None,
    "opmerkingen": [],
    "opgehaald": _FETCHED,
    "adres": _ADDRESS,
    "origineel": None,
    "bladzijde": f"https://besluitbron.example/document/rechtspraak/{_ECLI}",
    "verwijzing": {
        "tekst": f"{_REFERENCE}, {_ADDRESS} (geraadpleegd op 30 november 2026)",
        "markdown": f"[{_REFERENCE}]({_ADDRESS}) (geraadpleegd op 30 november 2026)",
        "bibtex": "@misc{rechtspraak-ECLI-NL-HR-2019-2006, …}",
        "ris": "TY  - CASE\r\n…\r\nER  - \r\n",
        "cslJson": {"id": _ID, "type": "legal_case"},
    },
}
_BODY: Final = {
    "id": "gemeente-land-van-cuijk",
    "naam": "Gemeente Land van Cuijk",
    "soort": "gemeente",
    "codes": [{"stelsel": "CBS", "waarde": "GM1982"}],
    "geldigVanaf": "2022-01-01",
    "geldigTot": None,
    "platforms": ["openbesluitvorming", "officiele-bekendmakingen"],
}
_PLATFORM: Final = {
    "id": "rechtspraak",
    "naam": "Rechtspraak",
    "over": "Uitspraken van rechters en conclusies van de Hoge Raad, gepubliceerd door de Rechtspraak.",
    "adres": "https://uitspraken.rechtspraak.nl",
    "staatUit": False,
    "soortenOrganisaties": ["gerecht"],
    "soortenStukken": ["conclusie", "uitspraak"],
    "filters": ["organisatie", "pagina", "sorteer", "soort", "tot", "van"],
    "eigenFilters": [],
    "groepen": [],
    "tekens": [],
    "volgordes": ["nieuwste", "oudste", "relevantie"],
    "zoektInTekst": True,
    "heeftLaadstatus": False,
    "termijnSeconden": 20.0,
}

EXAMPLES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "zoek": _SEARCH,
        "document": _DOCUMENT,
        "delen": {
            "id": _ID,
            "tekst": "volledig",
            "aantal": 1,
            "pagina": 1,
            "volgendePagina": None,
            "delen": [_PART],
            "opmerkingen": [],
        },
        "deel": _PART,
        "organisaties": {"aantal": 1, "pagina": 1, "volgendePagina": None, "organisaties": [_BODY]},
        "organisatie": _BODY
        | {
            "andereNamen": ["Land van Cuijk"],
            "voorgangers": [
                {
                    "id": "gemeente-boxmeer",
                    "naam": "Gemeente Boxmeer",
                    "datum": "2022-01-01",
                    "geheel": True,
                    "naamswijziging": False,
                }
            ],
            "opvolgers": [],
            "opvolgersNu": [],
            "bezit": [
                {
                    "platform": "openbesluitvorming",
                    "sleutel": "gemeente:land-van-cuijk",
                    "eersteDatum": None,
                    "laatsteDatum": "2026-11-26",
                    "aantal": 4312,
                    "staat": "actueel",
                    "melding": "Het nieuwste stuk is van 2026. Vanaf welk jaar deze bron stukken heeft, is niet bekend.",
                }
            ],
        },
        "platforms": {"platforms": [_PLATFORM]},
        "platform": _PLATFORM,
        "limieten": {
            "platform": "openbesluitvorming",
            "tijdstip": _FETCHED,
            "limieten": [
                {
                    "dienst": "api",
                    "eenheden": 60,
                    "seconden": 60,
                    "werking": "emmer",
                    "tegelijk": 4,
                    "herkomst": "gepubliceerd",
                    "bron": "https://openbesluitvorming.nl/docs/api",
                    "gemeld": "niet nodig: gepubliceerd",
                    "nu": {"wachtend": 0, "onderweg": 1, "rustSeconden": None, "melding": ""},
                }
            ],
        },
        "laadstatus": {
            "tijdstip": _FETCHED,
            "platforms": [
                {
                    "platform": "openbesluitvorming",
                    "heeftLaadstatus": True,
                    "melding": "",
                    "gemaakt": "2026-11-30T13:45:00Z",
                    "opgehaald": "2026-11-30T13:46:10Z",
                    "perStaat": [{"staat": "actueel", "aantal": 341}],
                    "leveranciers": [],
                    "aantal": 341,
                    "volgendePagina": 2,
                    "organisaties": [
                        {
                            "sleutel": "gemeente:ede",
                            "naam": "Gemeente Ede",
                            "organisatieId": "gemeente-ede",
                            "staat": "actueel",
                            "laatstGelukt": "2026-11-30T04:12:00Z",
                            "nieuwsteStuk": "2026-11-26T18:30:00Z",
                            "aantal": 20611,
                            "dekking": {
                                "bijLeverancier": 912,
                                "aanwezig": 870,
                                "hooguit": True,
                                "van": "2025-09-11",
                                "totEnMet": "2026-09-11",
                            },
                        }
                    ],
                }
            ],
        },
        "foutmelding": {
            "nummer": "fout_6c1e0a9b42d7f358",
            "gemeldOp": "2026-11-30T14:00:00Z",
            "bewaardTot": "2027-11-30T14:00:00Z",
        },
    }
)
