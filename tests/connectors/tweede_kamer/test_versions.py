"""The two versions of the service: which fields they have, and that each is asked under its own names."""

from __future__ import annotations

from lxml import etree

from connectors.kamer_corpus.schema import metadata, schema
from connectors.tweede_kamer.checks import missing_fields
from connectors.tweede_kamer.versions import V4
from tests.connectors.tweede_kamer.helpers import CORPUS, answer, sample

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
