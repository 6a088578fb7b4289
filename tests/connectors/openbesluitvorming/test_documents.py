"""Items with their text: every sample read in full."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from connectors.exceptions import Defect, GoneError, NotAnAnswerError, RefusedError
from connectors.openbesluitvorming.documents import document
from connectors.records import (
    DateMeaning,
    Detail,
    Document,
    Kind,
    Moment,
    Note,
    NoteCode,
    Passage,
    Related,
    TextForm,
    TextState,
)
from tests.connectors.openbesluitvorming.support import (
    ERMELO_FILE,
    FETCHED,
    LIVE,
    STAND_INS,
    answer,
    good,
    opened,
    refusal,
)

VIEW = "https://openbesluitvorming.nl/?view="


def test_a_document_is_read_in_full() -> None:
    assert document(good("entity_document_fulltext"), "document:notubiz:gemeente:ermelo:16678798", LIVE) == Document(
        platform="openbesluitvorming",
        upstream_id="document:notubiz:gemeente:ermelo:16678798",
        title="Ingekomen stukken raad 12 maart 2026",
        organisation="Gemeente Ermelo",
        organisation_id="gemeente-ermelo",
        kind=Kind.DOCUMENT,
        kind_at_source="Document",
        dates=(
            Moment(date(2026, 3, 12), DateMeaning.MEETING_OR_CHANGE, datetime(2026, 3, 12, 18, 30, tzinfo=UTC)),
            Moment(date(2026, 3, 5), DateMeaning.CHANGE, datetime(2026, 3, 5, 14, 16, 15, tzinfo=UTC)),
        ),
        passages=(
            Passage(
                1,
                "|Nr.|Afzender|Onderwerp|Voorstel tot afdoening|\n|---|---|---|---|\n"
                "|1|Inwoner|Snelheid op de Harderwijkerweg|Ter afdoening naar het college|\n"
                "|2|Provincie Gelderland|Begrotingstoezicht 2026|Voor kennisgeving aannemen|",
                "Ingekomen stukken raad 12 maart 2026",
                TextForm.MARKDOWN,
            ),
            Passage(
                2,
                "**3.** Brief van een inwoner over de woningbouw aan de Horsterweg, ter afdoening naar het college.\n\n"
                "**4.** Motie gemeente Nunspeet over de spreidingswet, voor kennisgeving aannemen.\n\n"
                "Ermelo, 5 maart 2026\n\nDe griffier",
                "Toelichting",
                TextForm.MARKDOWN,
            ),
        ),
        text_state=TextState.FULL,
        address=f"{VIEW}document%3Anotubiz%3Agemeente%3Aermelo%3A16678798",
        original=ERMELO_FILE,
        fetched_at=FETCHED,
        details=(
            Detail("Bestandstype", "application/pdf"),
            Detail("Gelezen door de bron", "hooguit de eerste 40 bladzijden"),
        ),
        related=(
            Related("Vergadering", "De vergadering waar dit bij hoort", "meeting:notubiz:gemeente:ermelo:1440012"),
        ),
        same_as=(
            "raad:notubiz:document:gemeente-ermelo:16678798",
            f"adres:{ERMELO_FILE.removeprefix('https://')}",
        ),
    )


def test_a_file_without_text_says_so() -> None:
    """Field report 24."""
    identifier = "document:ibabs:gemeente:texel:5c2f7a10-3b4d-4e6f-9a8b-0c1d2e3f4a5b"

    assert document(good("entity_document_without_text"), identifier, STAND_INS) == Document(
        platform="openbesluitvorming",
        upstream_id=identifier,
        title="Presentatie havenvisie.pptx",
        organisation="Gemeente Texel",
        organisation_id="gemeente-texel",
        kind=Kind.DOCUMENT,
        kind_at_source="Document",
        dates=(Moment(date(2026, 9, 24), DateMeaning.MEETING_OR_CHANGE),),
        passages=(),
        text_state=TextState.NONE,
        address=f"http://127.0.0.1:8000/document/openbesluitvorming/{identifier}",
        original="https://api1.ibabs.eu/publicdownload.aspx?site=Texel&id=5c2f7a10-3b4d-4e6f-9a8b-0c1d2e3f4a5b",
        fetched_at=FETCHED,
        details=(Detail("Bestandstype", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),),
        related=(
            Related(
                "Vergadering",
                "De vergadering waar dit bij hoort",
                "meeting:ibabs:gemeente:texel:0f0e0d0c-0b0a-4908-8706-050403020100",
            ),
        ),
        notes=(Note(NoteCode.WITHOUT_TEXT),),
        same_as=(
            "raad:ibabs:document:gemeente-texel:5c2f7a10-3b4d-4e6f-9a8b-0c1d2e3f4a5b",
            "adres:api1.ibabs.eu/publicdownload.aspx?id=5c2f7a10-3b4d-4e6f-9a8b-0c1d2e3f4a5b&site=Texel",
        ),
    )


def test_a_meeting_is_read_in_full() -> None:
    plan = "Bespreekstukken › 15. Bestemmingsplan Buitengebied"

    assert document(good("entity_meeting"), "meeting:notubiz:gemeente:alkmaar:1391001", LIVE) == Document(
        platform="openbesluitvorming",
        upstream_id="meeting:notubiz:gemeente:alkmaar:1391001",
        title="Gemeenteraad",
        organisation="Gemeente Alkmaar",
        organisation_id="gemeente-alkmaar",
        kind=Kind.VERGADERING,
        kind_at_source="Vergadering",
        dates=(Moment(date(2026, 1, 22), DateMeaning.MEETING, datetime(2026, 1, 22, 18, 30, tzinfo=UTC)),),
        passages=(
            Passage(1, "", "1. Opening"),
            Passage(2, "", "Bespreekstukken"),
            Passage(
                3,
                "De raad wordt gevraagd het plan vast te stellen.\n\nTijd: 20.10 tot 21.05 uur\n\n"
                "Stuk: Raadsvoorstel Bestemmingsplan Buitengebied",
                plan,
            ),
            Passage(
                4,
                "",
                f"{plan} › Amendement - GL PvdA - Geotechnisch onderzoek mogelijkheden woningbouw op die plek",
            ),
            Passage(
                5,
                "[0:00:00] goedenavond allemaal welkom bij de vergadering van de gemeenteraad",
                "Opname: Gemeenteraad 22 januari 2026 (automatische ondertiteling)",
            ),
        ),
        text_state=TextState.FULL,
        address=f"{VIEW}meeting%3Anotubiz%3Agemeente%3Aalkmaar%3A1391001",
        original=None,
        fetched_at=FETCHED,
        related=(
            Related(
                "Stuk bij agendapunt 15",
                "Raadsvoorstel Bestemmingsplan Buitengebied",
                "document:notubiz:gemeente:alkmaar:16490001",
            ),
            Related(
                "Amendement (verworpen)",
                "15-A-1 Amendement - GL PvdA - Geotechnisch onderzoek mogelijkheden woningbouw op die plek",
                "motion:notubiz:gemeente:alkmaar:1124979",
            ),
            Related(
                "Amendement (aangenomen)",
                "17-A-1 Amendement - GL PvdA - Een Jongerenraad met stem en mandaat",
                "motion:notubiz:gemeente:alkmaar:1125193",
            ),
            Related(
                "Opname",
                "Gemeenteraad 22 januari 2026",
                address="https://alkmaar.raadsinformatie.nl/vergadering/1391001",
            ),
        ),
        same_as=("raad:notubiz:meeting:gemeente-alkmaar:1391001",),
    )


def test_a_meeting_without_an_agenda_has_no_text() -> None:
    found = opened("entity_meeting_without_agenda")

    assert (found.title, found.passages, found.text_state) == ("Vergadering 2026-08-19 19:30:00", (), TextState.NONE)
    assert found.notes == (Note(NoteCode.WITHOUT_TEXT),)


def test_a_text_that_was_read_to_the_platforms_cap_says_how_far() -> None:
    """Field report 22."""
    found = opened("entity_document_fulltext", pageCount=40, sourcePageCount=908)

    assert found.text_state is TextState.PARTIAL
    assert found.notes == (Note(NoteCode.PAGES_READ, ("40", "908")),)


def test_a_text_that_was_read_whole_says_nothing_of_pages() -> None:
    assert opened("entity_document_fulltext", pageCount=3, sourcePageCount=3).notes == ()


def test_a_paper_that_hangs_on_a_motion_links_to_the_motion() -> None:
    found = opened("entity_document_fulltext", meetingId="motion:notubiz:gemeente:ermelo:7")

    assert found.related == (Related("Motie", "De motie waar dit bij hoort", "motion:notubiz:gemeente:ermelo:7"),)


def test_a_paper_that_the_platform_does_not_serve_keeps_the_address_of_the_supplier() -> None:
    papers = [
        {"id": "bijlage-7", "name": "Kaart", "original_url": "https://api.notubiz.nl/document/7/1"},
        {"file_name": "kaart.pdf", "original_url": "javascript:alert(1)"},
    ]
    found = opened("entity_meeting", agenda=[{"title": "Plan", "documents": papers}], motions=[], recordings=[])

    assert found.related == (
        Related("Stuk", "Kaart", address="https://api.notubiz.nl/document/7/1"),
        Related("Stuk", "kaart.pdf"),
    )


def test_the_same_paper_is_linked_once_where_it_is_first_named() -> None:
    papers = [{"id": "document:notubiz:gemeente:alkmaar:1", "name": "Kaart"}]
    agenda = [{"number": str(number), "title": "Plan", "documents": papers} for number in (1, 2)]
    found = opened("entity_meeting", agenda=agenda, motions=[], recordings=[])

    assert found.related == (Related("Stuk bij agendapunt 1", "Kaart", "document:notubiz:gemeente:alkmaar:1"),)


@pytest.mark.parametrize("field", ["agenda", "motions", "recordings", "motion", "dateModifiedIso", "contentType"])
@pytest.mark.parametrize("odd", [None, 5, "tekst", [None, 5], {"a": 1}, [{}], [[]]])
def test_a_damaged_part_never_hides_an_item(field: str, odd: object) -> None:
    """Field report 20."""
    assert opened("entity_meeting", **{field: odd}).title == "Gemeenteraad"


def test_an_agenda_deeper_than_any_agenda_goes_is_cut_off() -> None:
    item: dict[str, Any] = {"title": "diep"}
    for _ in range(200):
        item = {"title": "diep", "agenda_items": [item]}

    assert len(opened("entity_meeting", agenda=[item], recordings=[]).passages) == 21


@pytest.mark.parametrize("status", [404, 410])
def test_an_item_that_is_not_there_is_gone(status: int) -> None:
    """Field report 19: withdrawn papers answer like this too."""
    with pytest.raises(GoneError) as failure:
        document(answer({"error": "Resultaat niet gevonden"}, status), "document:notubiz:gemeente:ede:1", LIVE)

    assert failure.value.upstream_id == "document:notubiz:gemeente:ede:1"


def test_the_recorded_refusal_for_an_unknown_item_is_gone() -> None:
    with pytest.raises(GoneError):
        document(refusal("error_404_entity_not_found"), "document:notubiz:gemeente:ede:1", LIVE)


def test_an_unknown_path_is_a_refusal_and_says_nothing_about_the_item() -> None:
    with pytest.raises(RefusedError) as failure:
        document(refusal("error_404_unknown_api_path"), "document:notubiz:gemeente:ede:1", LIVE)

    assert failure.value.status == 404


@pytest.mark.parametrize(
    "identifier", ["document:notubiz:gemeente:ermelo:1667879", "document:notubiz:gemeente:ermelo:1"]
)
def test_the_answer_to_another_question_is_no_answer(identifier: str) -> None:
    """Field report 43: "823" is not "1823"."""
    with pytest.raises(NotAnAnswerError) as failure:
        document(good("entity_document_fulltext"), identifier, LIVE)

    assert failure.value.defect is Defect.WRONG_SHAPE
