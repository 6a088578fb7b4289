"""The forms of organisations, platforms, limits and Laadstatus."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, WithJsonSchema

from connectors.platforms import Origin
from connectors.records import BodyKind, Group, Operator, Sort
from search.api.schemas import FilterWord, Form, KindWord, MaybeCount, MaybeDay, MaybeMoment, MaybeText, PlatformKey

BodyWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [kind.value for kind in BodyKind]})]
GroupWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [group.value for group in Group]})]
OperatorWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [one.value for one in Operator]})]
SortWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [sort.value for sort in Sort]})]
OriginWord = Annotated[str, WithJsonSchema({"type": "string", "enum": [origin.value for origin in Origin]})]
MaybeNumber = Annotated[float | None, WithJsonSchema({"type": ["number", "null"]})]


class Code(Form):
    """Een code van een organisatie: CBS, TOOI of (van een gerecht) ECLI."""

    stelsel: str
    waarde: str


class Sleutel(Form):
    """Onder welke sleutel een platform een organisatie kent."""

    platform: PlatformKey
    sleutel: str


class OrganisatieKort(Form):
    """Een organisatie in een lijst."""

    id: str = Field(description="Het id in het register, zoals gemeente-ede.")
    naam: str
    soort: BodyWord
    codes: list[Code]
    geldigVanaf: MaybeDay = Field(description="De eerste dag; leeg als die niet bekend is.")
    geldigTot: MaybeDay = Field(description="De eerste dag waarop zij er niet meer was; leeg als zij er nog is.")
    platforms: list[PlatformKey]


class Overgang(Form):
    """Een organisatie die hiervoor kwam of hierna komt."""

    id: str
    naam: MaybeText
    datum: MaybeDay
    geheel: bool = Field(description="Of het hele gebied overging.")
    naamswijziging: bool


class Bezit(Form):
    """Wat één platform van een organisatie heeft, voor zover bekend."""

    platform: PlatformKey
    sleutel: str
    eersteDatum: MaybeDay
    laatsteDatum: MaybeDay
    aantal: MaybeCount
    staat: str = Field(description="De staat in de Laadstatus, in het woord van het platform; leeg als die er niet is.")
    melding: str


class Organisatie(OrganisatieKort):
    """Een organisatie met haar geschiedenis en wat platforms van haar hebben."""

    andereNamen: list[str]
    voorgangers: list[Overgang]
    opvolgers: list[Overgang]
    opvolgersNu: list[str] = Field(description="De organisaties van nu, over alle stappen heen, als id.")
    bezit: list[Bezit]


class Organisaties(Form):
    """Een bladzijde van organisaties, op naam."""

    aantal: int
    pagina: int
    volgendePagina: MaybeCount
    organisaties: list[OrganisatieKort]


class Platform(Form):
    """Eén bron en wat zij kan."""

    id: PlatformKey
    naam: str
    over: str
    adres: str
    staatUit: bool = Field(description="Of deze bron hier niet wordt gevraagd, omdat de beheerder geen adres opgaf.")
    soortenOrganisaties: list[BodyWord]
    soortenStukken: list[KindWord]
    filters: list[FilterWord] = Field(description="Waarop de bron zelf kiest.")
    eigenFilters: list[FilterWord] = Field(description="Waarop wij kiezen uit wat zij gaf.")
    groepen: list[GroupWord] = Field(description="Of de bron zelf kiest op een fractie of een commissie.")
    tekens: list[OperatorWord]
    volgordes: list[SortWord]
    zoektInTekst: bool
    heeftLaadstatus: bool
    termijnSeconden: float = Field(description="Hoelang één aanroep bij de bron mag duren.")


class Platforms(Form):
    """De zeven bronnen."""

    platforms: list[Platform]


class Nu(Form):
    """Hoe een dienst er nu voor staat."""

    wachtend: int = Field(description="Hoeveel aanroepen op een beurt wachten.")
    onderweg: int
    rustSeconden: MaybeNumber = Field(
        description="Over hoeveel seconden we een dienst die niet antwoordde weer proberen."
    )
    melding: str = Field(description="Wat de beheerder zegt als hij de dienst uit gebruik nam; anders leeg.")


class Limiet(Form):
    """De grens van één dienst van een platform, waar wij ons aan houden."""

    dienst: str
    eenheden: MaybeNumber = Field(description="Hoeveel aanroepen in de tijd mogen; leeg als er geen getal bekend is.")
    seconden: MaybeNumber
    werking: Annotated[str | None, WithJsonSchema({"type": ["string", "null"], "enum": ["emmer", "venster", None]})]
    tegelijk: MaybeCount = Field(description="Hoeveel aanroepen tegelijk onderweg mogen zijn.")
    herkomst: OriginWord
    bron: MaybeText = Field(description="Waar het platform de grens bekendmaakt.")
    gemeld: str = Field(description="Of de houder weet dat hij geen grens bekendmaakt.")
    nu: Nu | None


class Limieten(Form):
    """De grenzen van één platform."""

    platform: PlatformKey
    tijdstip: datetime
    limieten: list[Limiet]


class Dekking(Form):
    """Hoeveel een platform heeft van wat de leverancier had, zoals het platform dat zelf telde."""

    bijLeverancier: int
    aanwezig: int
    hooguit: bool = Field(description="Of er meer kan ontbreken dan is geteld.")
    van: MaybeDay
    totEnMet: MaybeDay


class Rij(Form):
    """Hoe actueel een platform één organisatie of leverancier heeft."""

    sleutel: str
    naam: str
    organisatieId: MaybeText
    staat: str = Field(description="In het woord van het platform.")
    laatstGelukt: MaybeMoment
    nieuwsteStuk: MaybeMoment
    aantal: MaybeCount
    dekking: Dekking | None = Field(description="Leeg als het platform dit niet telt.")


class Staten(Form):
    """Hoeveel organisaties in één staat zijn."""

    staat: str
    aantal: int


class PlatformStatus(Form):
    """De Laadstatus van één platform, zoals wij haar het laatst ophaalden."""

    platform: PlatformKey
    heeftLaadstatus: bool
    melding: str
    gemaakt: MaybeMoment = Field(description="Wanneer het platform haar maakte.")
    opgehaald: MaybeMoment
    perStaat: list[Staten]
    leveranciers: list[Rij]
    aantal: int
    volgendePagina: MaybeCount
    organisaties: list[Rij]


class Laadstatus(Form):
    """Hoe actueel platforms zijn. Bijgewerkt zegt niet dat niets ontbreekt."""

    tijdstip: datetime
    platforms: list[PlatformStatus]
