"""The forms of a document and its parts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, WithJsonSchema

from connectors.records import DateMeaning, TextForm, TextState
from search.api.schemas import Form, KindWord, MaybeCount, MaybeDay, MaybeMoment, MaybeText, PlatformKey

DocumentMeaning = Annotated[str, WithJsonSchema({"type": "string", "enum": [meaning.value for meaning in DateMeaning]})]
TextWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [state.value for state in TextState]})]
FormWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [form.value for form in TextForm]})]


class Dag(Form):
    """Een dag met wat zij betekent."""

    datum: MaybeDay
    tijdstip: MaybeMoment = Field(description="In UTC, als de bron een tijd geeft.")
    betekenis: DocumentMeaning


class Kenmerk(Form):
    """Eén gegeven dat de bron over het stuk geeft."""

    naam: str
    waarde: str


class Verwant(Form):
    """Iets dat bij het stuk hoort: een stuk bij dezelfde bron (`id`), of iets elders (`adres`)."""

    relatie: str
    titel: str
    id: MaybeText
    adres: MaybeText


class Fractie(Form):
    """Hoe één fractie stemde."""

    naam: str
    voor: int
    tegen: int


class Stemming(Form):
    """De uitslag van een stemming, zoals de bron haar telt."""

    uitslag: str
    letterlijk: str = Field(description="De uitslag in de woorden van de bron.")
    voor: MaybeCount
    tegen: MaybeCount
    samenvatting: str
    fracties: list[Fractie]


class Kopie(Form):
    """Een kopie die de bron bewaarde van een stuk dat elders stond."""

    adres: MaybeText
    datum: MaybeDay
    origineelIsWeg: bool


class Verwijzing(Form):
    """Hoe u naar het stuk verwijst, in de vormen die mensen en programma's gebruiken."""

    tekst: str
    markdown: str
    bibtex: str
    ris: str
    cslJson: dict[str, object]


class DeelKop(Form):
    """Een deel van de tekst, zonder de tekst zelf."""

    nummer: int
    kop: str
    isBladzijde: bool
    tekens: int


class Document(Form):
    """Eén stuk zoals één platform het geeft. De tekst staat in de delen."""

    id: str
    platform: PlatformKey
    bronId: str
    titel: str
    organisatie: str
    organisatieId: MaybeText
    soort: KindWord
    soortBijBron: str
    data: list[Dag]
    samenvatting: str
    tekst: TextWord = Field(description="Hoeveel van de tekst er is.")
    delen: list[DeelKop]
    kenmerken: list[Kenmerk]
    verwant: list[Verwant]
    stemming: Stemming | None
    kopie: Kopie | None
    opmerkingen: list[str]
    opgehaald: datetime
    adres: str
    origineel: MaybeText
    bladzijde: str = Field(description="De bladzijde van dit stuk op deze website.")
    verwijzing: Verwijzing


class Deel(DeelKop):
    """Een deel van de tekst."""

    vorm: FormWord
    tekst: str


class Delen(Form):
    """Delen van de tekst van een stuk, een bladzijde ervan."""

    id: str
    tekst: TextWord
    aantal: int = Field(description="Hoeveel delen er in totaal zijn.")
    pagina: int
    volgendePagina: MaybeCount
    delen: list[Deel]
    opmerkingen: list[str] = Field(description="Ook hoeveel er van een lang stuk is gelezen, en waar de rest staat.")
