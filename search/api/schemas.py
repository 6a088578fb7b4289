"""The forms of what a search answers, as the description tells them. The printers write them; tests hold the two together."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import ConfigDict, Field, WithJsonSchema

from connectors.platforms import PLATFORMS
from connectors.records import Certainty, DateMeaning, Filter, Kind
from search.answers import State

# A plain ``anyOf`` would hide the format from readers of the description (ADR ``date-omit-time-portion``).
MaybeDay = Annotated[date | None, WithJsonSchema({"type": ["string", "null"], "format": "date"})]
MaybeMoment = Annotated[datetime | None, WithJsonSchema({"type": ["string", "null"], "format": "date-time"})]
MaybeText = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
MaybeCount = Annotated[int | None, WithJsonSchema({"type": ["integer", "null"], "minimum": 0})]
PlatformKey = Annotated[str, WithJsonSchema({"type": "string", "enum": [platform.key for platform in PLATFORMS]})]


def _one_of(*values: str | None) -> dict[str, Any]:
    kinds = ["string", "null"] if None in values else "string"
    return {"type": kinds, "enum": list(values)}


StateWord = Annotated[str, WithJsonSchema(_one_of(*(state.value for state in State)))]
KindWord = Annotated[str, WithJsonSchema(_one_of(*(kind.value for kind in Kind)))]
CertaintyWord = Annotated[str, WithJsonSchema(_one_of(*(one.value for one in Certainty)))]
MeaningWord = Annotated[str | None, WithJsonSchema(_one_of(*(one.value for one in DateMeaning), None))]
FilterWord = Annotated[str, WithJsonSchema(_one_of(*(one.value for one in Filter)))]


class Form(Schema):
    """A form whose members are all there and no others."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})


class Totaal(Form):
    """Hoeveel treffers er zijn, met hoe zeker dat is."""

    waarde: MaybeCount = Field(description="Leeg als het aantal onbekend is.")
    zekerheid: CertaintyWord


class Treffer(Form):
    """Eén gevonden stuk."""

    id: str = Field(description="Het id over alle platforms: platform, dubbele punt, nummer bij de bron.")
    titel: str
    organisatie: str
    soort: KindWord
    soortBijBron: str = Field(description="Het woord van de bron zelf.")
    datum: MaybeDay
    tijdstip: MaybeMoment = Field(description="In UTC, als de bron een tijd geeft.")
    datumBetekenis: MeaningWord
    fragment: str = Field(description="Platte tekst rond de gevonden woorden, zonder opmaak.")
    dekking: str = Field(description="Hoeveel van het stuk de bron doorzocht, als dat niet alles is; anders leeg.")
    lijktErop: bool = Field(
        description="Of het stuk er alleen op lijkt: in titel en fragment staan niet alle woorden. Het telt nergens mee."
    )
    bronId: str = Field(description="Het nummer bij de bron.")
    adres: str = Field(description="De bladzijde bij de bron om naar te verwijzen.")
    origineel: MaybeText = Field(description="Het oorspronkelijke bestand.")
    verwijzing: str


class Antwoord(Form):
    """Wat één platform antwoordde."""

    platform: PlatformKey
    staat: StateWord
    melding: str = Field(description="Wat er aan de hand is, in gewone woorden; leeg bij de staat `klaar`.")
    totaal: Totaal
    genegeerdeFilters: list[FilterWord] = Field(description="Wat dit platform niet kan kiezen en dus niet gebruikte.")
    opmerkingen: list[str]
    opgehaald: MaybeMoment = Field(description="Wanneer dit antwoord bij de bron is gehaald.")
    verwachteStart: MaybeMoment = Field(description="Wanneer de vraag aan de beurt komt, zolang zij wacht.")
    plaats: MaybeCount = Field(description="De hoeveelste in de rij, zolang de vraag wacht.")
    volgendePagina: MaybeCount = Field(description="De bladzijde die hierna komt, als er meer is.")
    treffers: list[Treffer]


class Uitspraak(Form):
    """Wat één platform over een stuk zegt."""

    platform: PlatformKey
    waarde: str


class Verschil(Form):
    """Waarover platforms het bij hetzelfde stuk niet eens zijn."""

    over: str
    volgens: list[Uitspraak]


class ZelfdeStuk(Form):
    """Eén stuk dat meer dan één platform heeft."""

    ids: list[str]
    verschillen: list[Verschil]


class Zoekresultaat(Form):
    """De antwoorden van alle gevraagde platforms. Een platform dat niet antwoordt, staat er ook bij, met zijn staat."""

    vraag: str
    zoekopdracht: str = Field(
        description="Het adres van dezelfde zoekopdracht op de website, zo nodig met `letterlijk=ja`."
    )
    gemaakt: datetime
    opmerkingen: list[str]
    mogelijkeStukken: list[str] = Field(
        description="Is de vraag het nummer of adres van een stuk: de ids waaronder u het bij `documenten/{id}` kunt opvragen."
    )
    wegTeLaten: list[str] = Field(
        description="Vond geen platform iets en gaf elk antwoord: woorden die u weg kunt laten, de minst zeggende eerst."
    )
    bronnen: list[Antwoord]
    dezelfdeStukken: list[ZelfdeStuk] = Field(
        description="Treffers die hetzelfde stuk zijn bij verschillende platforms."
    )


class OngeldigeParameter(Schema):
    """Wat er mis is met één parameter."""

    name: str
    reason: str
    keuzes: list[dict[str, str]] | None = None


class Probleem(Schema):
    """Een probleem, in de vorm van RFC 9457."""

    type: str = Field(description="Het soort probleem, als adres van een bladzijde met uitleg.")
    title: str
    status: int
    detail: str
    instance: str | None = Field(None, description="Het nummer van dit verzoek, om aan de beheerder door te geven.")
    retryable: bool = Field(description="Of hetzelfde verzoek later wel kan lukken.")
    retryAfter: int | None = Field(None, description="Over hoeveel seconden.")
    invalidParams: list[OngeldigeParameter] | None = None
