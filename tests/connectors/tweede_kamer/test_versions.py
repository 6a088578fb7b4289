"""The two versions of the service: which fields they have, and that each is asked under its own names."""

from __future__ import annotations

import pytest
from lxml import etree

from connectors.addresses import Addresses, PlatformMode
from connectors.kamer_corpus.schema import metadata, schema
from connectors.platforms import TWEEDE_KAMER
from connectors.records import Kind, Note, NoteCode
from connectors.tweede_kamer.checks import missing_fields
from connectors.tweede_kamer.versions import V4, V5, VERSIONS, Version
from search.texts import note
from tests.connectors.tweede_kamer.helpers import CORPUS, StandInAsk, answer, connector, sample, words

Described = dict[str, tuple[dict[str, str], set[str]]]


def described(body: bytes) -> Described:
    return {
        str(entity.get("Name")): (
            {str(field.get("Name")): str(field.get("Type")) for field in entity.iterfind("{*}Property")},
            {str(way.get("Name")) for way in entity.iterfind("{*}NavigationProperty")},
        )
        for entity in etree.fromstring(body).iter("{*}EntityType")
    }


def test_the_real_description_wins_over_the_one_that_was_made() -> None:
    """Field report 34: the made one lists a set, ``ToegezegdAan``, that the service answers with 404.

    Where they differ the real one, recorded in October 2025, is what the stand-in serves and what we read.
    """
    real = described((CORPUS / "metadata-v4.edmx.xml").read_bytes())
    made = described(sample("metadata_v4.constructed.edmx.xml"))
    assert made.keys() - real.keys() == {"ToegezegdAan"}
    differing = {name for name in real if real[name] != made[name]}
    assert differing == {"Fractie", "Persoon", "PersoonNevenfunctieInkomsten", "Toezegging"}
    commitment = schema("v4/2.0")["Toezegging"]
    assert (commitment.fields, set(commitment.navigations)) == real["Toezegging"]
    assert "KamerbriefNakoming" in commitment.fields
    assert "Notities" not in commitment.fields
    assert "ToegezegdAan" not in schema("v4/2.0")


def test_the_real_description_has_every_field_of_our_settings() -> None:
    """Field report 35."""
    assert missing_fields(answer(metadata("v4/2.0")), V4) == ()


@pytest.mark.anyio
@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.setting)
async def test_either_version_is_asked_at_its_own_path_and_answers_the_same(version: Version) -> None:
    ask = StandInAsk()
    held = connector(version)
    found = await held.search(words("klimaat", kinds=frozenset({Kind.MOTIE})), ask)
    document = await held.document(found.hits[0].upstream_id, ask)
    assert document.passages
    assert {call.path.startswith(f"{version.path}/") for call in ask.calls} == {True}
    other = await connector(V4 if version is V5 else V5).search(words("klimaat", kinds=frozenset({Kind.MOTIE})), ask)
    assert [hit.upstream_id for hit in found.hits] == [hit.upstream_id for hit in other.hits]


@pytest.mark.anyio
async def test_every_answer_of_the_old_version_says_that_it_is_old() -> None:
    """Field report 35."""
    old = Note(NoteCode.OLD_VERSION, ("v4/2.0",))
    ask = StandInAsk()
    found = await connector(V4).search(words("klimaat"), ask)
    assert old in found.notes
    assert old in (await connector(V4).document(found.hits[0].upstream_id, ask)).notes
    assert (await connector(V4).check(ask))[0].seen == "v4/2.0, de oude versie"
    assert "oude versie" in note(old)
    new = await connector(V5).search(words("klimaat"), ask)
    assert NoteCode.OLD_VERSION not in {note.code for note in new.notes}
    assert (await connector(V5).check(ask))[0].seen == "v5"


def test_an_address_that_an_operator_gave_goes_before_the_one_that_we_know() -> None:
    known = Addresses(PlatformMode.LIVE, "", "")
    given = Addresses(PlatformMode.LIVE, "", "", given=((TWEEDE_KAMER.key, "https://odata.example.nl"),))
    (service,) = TWEEDE_KAMER.services
    assert known.base(TWEEDE_KAMER, service) == "https://gegevensmagazijn.tweedekamer.nl"
    assert given.base(TWEEDE_KAMER, service) == "https://odata.example.nl"
