"""The bodies of this platform are the same as those of the other platforms."""

from __future__ import annotations

from connectors.open_raadsinformatie.organisations import organisation, shipped, sources
from connectors.openbesluitvorming.organisations import shipped as of_openbesluitvorming
from connectors.records import BodyKind


def test_a_body_has_the_same_id_name_and_end_as_at_openbesluitvorming() -> None:
    """Field report 13: merged municipalities stay, with their history and what came of them."""
    there = {body.key_at("openbesluitvorming"): body for body in of_openbesluitvorming()}
    alone = []
    for source in sources().values():
        same = there.get(source.key)
        if same is None:
            alone.append(source.alias)
            continue
        ours = source.body
        assert (ours.id, ours.name, ours.kind, ours.ended, ours.successor) == (
            same.id,
            same.name,
            same.kind,
            same.ended,
            same.successor,
        )
    assert set(alone) <= {"ori_renkum", "ori_west_betuwe"}


def test_every_alias_is_one_body_and_every_body_one_alias() -> None:
    assert len(shipped()) == len({body.id for body in shipped()}) == len({body.keys for body in shipped()}) == 330


def test_a_water_board_is_named_with_its_kind() -> None:
    """Field report 14."""
    assert organisation("owi_de-dommel") is not None
    assert {body.name.split(" ")[0] for body in shipped() if body.kind is BodyKind.WATERSCHAP} <= {
        "Waterschap",
        "Hoogheemraadschap",
        "Wetterskip",
    }


def test_the_layer_comes_from_the_prefix_where_the_platform_names_it_wrongly() -> None:
    province = organisation("osi_groningen")
    assert province is not None
    assert (province.id, province.kind) == ("provincie-groningen", BodyKind.PROVINCIE)


def test_an_alias_that_is_new_gets_a_name_from_itself() -> None:
    new = organisation("ori_nieuwe_stad")
    assert new is not None
    assert (new.id, new.name) == ("gemeente-nieuwe-stad", "Gemeente Nieuwe stad")
    assert organisation("xyz_iets") is None
