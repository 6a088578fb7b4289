"""The forms of a report in the API, as the description tells them. The printers write them; tests hold the two together."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, WithJsonSchema

from reports.page import FILES
from reports.records import CutReason, Reason, ReportStatus
from search.api.schemas import (
    FilterWord,
    Form,
    MaybeCount,
    MaybeMoment,
    MaybeText,
    PlatformKey,
    Totaal,
    Treffer,
    Verschil,
)
from search.api.schemas_documents import Dag, Stemming

StatusWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [one.value for one in ReportStatus]})]
ReasonWord = Annotated[
    str | None, WithJsonSchema({"type": ["string", "null"], "enum": [*(one.value for one in Reason), None]})
]
FileWord = Annotated[str, WithJsonSchema({"type": "string", "enum": list(FILES)})]
CutWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [one.value for one in CutReason]})]


class PerOrganisatie(Form):
    """Hoeveel stukken er van één organisatie zijn."""

    organisatieId: MaybeText = Field(description="Leeg als het register de organisatie niet kent.")
    naam: str
    aantal: int


class PerJaar(Form):
    """Hoeveel stukken er van één jaar zijn."""

    jaar: int
    aantal: int


class Ontbreekt(Form):
    """Iets dat niet in het rapport staat, en waarom."""

    platform: PlatformKey
    reden: CutWord
    melding: str


class BronVanRapport(Form):
    """Eén gevraagd platform: wat het zegt te hebben, en hoeveel daarvan in het rapport staat."""

    platform: PlatformKey
    antwoordde: bool
    totaal: Totaal
    inRapport: int
    opgehaald: MaybeMoment
    opmerkingen: list[str]
    genegeerdeFilters: list[FilterWord]


class Uitkomst(Form):
    """Wat er in een rapport staat, behalve de stukken zelf: die staan onder `stukken`."""

    vraag: str
    zoekopdracht: str = Field(description="Het adres van dezelfde zoekopdracht op de website.")
    gevraagdOp: datetime
    gemaakt: datetime
    versie: str = Field(description="De versie van BesluitBron die het maakte.")
    hooguitTreffers: int
    hooguitTeksten: int
    aantal: int = Field(description="Hoeveel stukken erin staan; hetzelfde stuk van twee platforms telt één keer.")
    perOrganisatie: list[PerOrganisatie]
    perJaar: list[PerJaar]
    ongedateerd: int
    ontbreekt: list[Ontbreekt]
    bronnen: list[BronVanRapport]


class Bestand(Form):
    """Hetzelfde rapport als bestand."""

    vorm: FileWord
    adres: str


class Rapport(Form):
    """Hoe het met een rapport staat, en wat erin staat zodra het klaar is."""

    staat: StatusWord
    melding: str = Field(description="Hoe het ervoor staat, in gewone woorden.")
    vraag: str
    zoekopdracht: str
    tijdstip: datetime = Field(description="Wanneer het zo stond.")
    gevraagdOp: datetime
    plaats: MaybeCount = Field(description="De hoeveelste in de rij, zolang het wacht.")
    verwachteStart: MaybeMoment = Field(description="Wanneer het waarschijnlijk begint, zolang het wacht.")
    delenKlaar: int
    delenTotaal: int = Field(description="Uit hoeveel delen het maken bestaat; 0 als dat nog niet bekend is.")
    reden: ReasonWord = Field(description="Waarom er geen rapport is.")
    terugkomen: MaybeMoment = Field(description="Vanaf wanneer opnieuw vragen zin heeft.")
    klaarOp: MaybeMoment
    bewaardTot: datetime
    versie: str
    opnieuwNa: MaybeCount = Field(
        description="Over hoeveel seconden opnieuw kijken zin heeft; leeg als er niets meer verandert."
    )
    uitkomst: Uitkomst | None
    bladzijde: str = Field(description="Het adres van het rapport op de website.")
    bestanden: list[Bestand] = Field(
        description="Leeg zolang het rapport niet klaar is. Een bestand dat niet te maken was, staat er niet bij."
    )


class AndereBron(Form):
    """Hetzelfde stuk bij een ander platform."""

    id: str
    platform: PlatformKey
    adres: str


class Fragment(Form):
    """Een stuk tekst rond gezochte woorden."""

    deel: int
    isBladzijde: bool
    kop: str
    tekst: str
    gevonden: list[str]


class StukInRapport(Form):
    """Eén stuk uit een rapport: de treffer zoals bij zoeken, en wat zijn tekst gaf."""

    organisatie: str
    organisatieId: MaybeText
    treffer: Treffer
    ookBij: list[AndereBron]
    verschillen: list[Verschil]
    tekst: str = Field(description="Hoeveel van de tekst is gelezen: volledig, deels, geen, of niet gelezen.")
    data: list[Dag]
    stemming: Stemming | None
    delenMetWoorden: MaybeCount = Field(description="In hoeveel delen van de tekst de gezochte woorden staan.")
    fragmenten: list[Fragment]
    opmerkingen: list[str]


class Stukken(Form):
    """De stukken van een rapport, een bladzijde ervan: organisaties op naam, en per organisatie het nieuwste eerst."""

    aantal: int
    pagina: int
    volgendePagina: MaybeCount
    stukken: list[StukInRapport]
