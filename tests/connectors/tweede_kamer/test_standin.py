"""The stand-in by itself: the shape of its answers, its limits and its oddities."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from connectors.standins import StandIns
from connectors.tweede_kamer.standin import TweedeKamerStandIn
from tests.connectors.tweede_kamer.helpers import sample_json

BASE = "/tweede-kamer/odata/OData"
V5, V4 = f"{BASE}/v5", f"{BASE}/v4/2.0"
LIVE_ONLY = {"$filter": "Verwijderd eq false"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(StandIns([TweedeKamerStandIn("http://127.0.0.1:2")])) as found:
        yield found


def rows(client: TestClient, path: str, **options: str) -> list[dict[str, Any]]:
    response = client.get(path, params={f"${name}": value for name, value in options.items()})
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["value"]
    return found


@pytest.mark.parametrize(
    ("entity", "name"),
    [
        ("Document", "document_top3_with_headers.recorded.json"),
        ("Activiteit", "activiteit_top3_with_headers.recorded.json"),
    ],
)
def test_rows_have_the_fields_of_recorded_ones(client: TestClient, entity: str, name: str) -> None:
    recorded = sample_json(name)
    (row,) = rows(client, f"{V4}/{entity}", top="1", filter="Verwijderd eq false")
    assert set(recorded["data"]["value"][0]) == set(row)
    for field, value in recorded["data"]["value"][0].items():
        assert value is None or row[field] is None or type(value) is type(row[field]), field
    headers = client.get(f"{V4}/{entity}", params={"$top": "1"}).headers
    assert headers["content-type"] == recorded["headers"]["Content-Type"]
    assert headers["odata-version"] == "4.0"


def test_v5_calls_fields_by_its_own_names(client: TestClient) -> None:
    (new,) = rows(client, f"{V5}/Document", top="1", filter="Nummer eq '2025D43338'")
    (old,) = rows(client, f"{V4}/Document", top="1", filter="DocumentNummer eq '2025D43338'")
    assert set(new) - set(old) == {"Nummer", "Ondernummer"}
    assert set(old) - set(new) == {"DocumentNummer", "Volgnummer"}
    assert client.get(f"{V5}/Document", params={"$filter": "DocumentNummer eq 'x'"}).status_code == 400
    assert 'Name="VoortouwCommissieNaam"' in client.get(f"{V5}/$metadata").text


def test_at_least_a_hundred_items_are_served(client: TestClient) -> None:
    assert int(client.get(f"{V5}/Document/$count", params=LIVE_ONLY).text) > 900
    assert int(client.get(f"{V5}/Stemming/$count").text) > 2_000


def test_deleted_rows_are_given_unless_they_are_left_out(client: TestClient) -> None:
    everything = client.get(f"{V5}/Document", params={"$top": "0", "$count": "true"}).json()["@odata.count"]
    live = client.get(f"{V5}/Document", params={"$top": "0", "$count": "true", **LIVE_ONLY}).json()["@odata.count"]
    assert everything > live
    (deleted,) = rows(client, f"{V5}/Document", filter="Verwijderd eq true", top="1")
    kept = {name for name, value in deleted.items() if value is not None}
    assert kept <= {"Id", "GewijzigdOp", "ApiGewijzigdOp", "Verwijderd"}
    assert client.get(f"{V5}/Document({deleted['Id']})/resource").status_code == 404


def test_a_next_page_is_named_only_without_top_and_leads_to_every_row_once(client: TestClient) -> None:
    first = client.get(f"{V4}/Document").json()
    assert len(first["value"]) == 250
    assert "@odata.nextLink" not in client.get(f"{V4}/Document", params={"$top": "250"}).json()
    seen = [row["Id"] for row in first["value"]]
    after = client.get(first["@odata.nextLink"]).json()
    assert len(after["value"]) > 0
    assert all(row["Id"] > seen[-1] for row in after["value"])


@pytest.mark.parametrize(
    ("base", "options", "words"),
    [
        (V5, {"$top": "101"}, "limit of '100' for Top"),
        (V4, {"$top": "251"}, "limit of '250' for Top"),
        (V5, {"$filter": " and ".join(["contains(Titel,'abc')"] * 21)}, "node count limit of '100'"),
        (V5, {"$filter": "contains(Titel,'abc'"}, "expected"),
        (V5, {"$filter": "Onderwep eq 'a'"}, "Could not find a property named 'Onderwep'"),
        (V5, {"$filter": "Id eq guid'723901fb-0000-4000-8000-000000000000'"}, "not valid"),
        (V5, {"$filter": "Datum ge 'gisteren'"}, "incompatible types"),
        (V5, {"$filter": "(" * 60 + "Verwijderd eq false" + ")" * 60}, "too deep"),
        (V5, {"$orderby": "Titel omhoog"}, "orderby"),
        (V5, {"$orderby": "Niets"}, "Could not find a property"),
        (V5, {"$expand": "Niets"}, "Could not find a property"),
        (V5, {"$expand": "Zaak($filter=Verwijderd eq false"}, "not closed"),
        (V5, {"$select": "Niets"}, "Could not find a property"),
        (V5, {"$skip": "-1"}, "Invalid value"),
        (V5, {"$zoek": "x"}, "not supported"),
    ],
)
def test_a_refusal_is_in_the_words_of_the_service(
    client: TestClient, base: str, options: dict[str, str], words: str
) -> None:
    response = client.get(f"{base}/Document", params=options)
    assert response.status_code == 400
    assert words in response.json()["error"]["message"]
    assert set(response.json()["error"]) == set(sample_json("error_400_unknown_property.constructed.json")["error"])


def test_a_very_short_word_fails_as_it_does_there(client: TestClient) -> None:
    response = client.get(f"{V5}/Document", params={"$filter": "contains(Onderwerp,'OV')"})
    assert (response.status_code, response.json()) == (500, sample_json("error_500.recorded.json"))


def test_words_ignore_case_and_not_accents_and_no_search_in_text_exists(client: TestClient) -> None:
    upper = rows(client, f"{V5}/Document", filter="contains(Onderwerp,'KLIMAAT')", top="100")
    lower = rows(client, f"{V5}/Document", filter="contains(Onderwerp,'klimaat')", top="100")
    assert [row["Id"] for row in upper] == [row["Id"] for row in lower] != []
    assert rows(client, f"{V5}/Document", filter="contains(Onderwerp,'klìmaat')", top="5") == []


def test_a_date_without_a_time_means_midnight_in_the_netherlands(client: TestClient) -> None:
    def count(day: str, after: str) -> int:
        condition = f"Datum ge {day} and Datum lt {after}"
        found = client.get(f"{V5}/Document", params={"$filter": condition, "$top": "0", "$count": "true"})
        return int(found.json()["@odata.count"])

    whole = count("2025-10-02", "2025-10-03")
    assert whole == count("2025-10-02T00:00:00+02:00", "2025-10-03T00:00:00+02:00") > 0
    assert count("2025-10-02T00:00:00Z", "2025-10-03T00:00:00Z") < whole


def test_navigations_expansions_and_single_rows(client: TestClient) -> None:
    (case,) = rows(client, f"{V5}/Zaak", filter="Nummer eq '2022Z06955'", expand="Besluit($expand=Stemming),ZaakActor")
    assert len(case["Besluit"][0]["Stemming"]) == 150
    reached = rows(client, f"{V5}/Zaak({case['Id']})/Besluit", expand="Stemming($filter=Soort eq 'Voor')")
    assert {vote["Soort"] for vote in reached[0]["Stemming"]} == {"Voor"}
    for path in (f"Zaak({case['Id']})", f"Zaak/{case['Id']}"):
        body = client.get(f"{V5}/{path}", params={"$select": "Nummer"}).json()
        assert body == {"@odata.context": body["@odata.context"], "Nummer": "2022Z06955"}
    assert client.get(f"{V5}/Zaak(00000000-aaaa-4000-8000-000000000000)").status_code == 404
    assert client.get(f"{V5}/Niets").status_code == 404
    assert client.get(f"{BASE}/v6/Zaak").status_code == 404


def test_the_service_document_names_entity_sets_and_the_files_are_bytes(client: TestClient) -> None:
    listed = client.get(V4).json()["value"]
    assert listed[0].keys() == sample_json("service_document.constructed.json")["value"][0].keys()
    assert {"Document", "Zaak", "Toezegging"} <= {one["name"] for one in listed}
    (row,) = rows(client, f"{V5}/Document", top="1", filter="Nummer eq '2025D43338'")
    for way in ("resource", "Resource", "TK.DA.GGM.OData.Resource()"):
        assert client.get(f"{V5}/Document({row['Id']})/{way}").content.startswith(b"PK")


def test_its_other_states_speak_the_words_of_the_platform(client: TestClient) -> None:
    stand_in = TweedeKamerStandIn("http://127.0.0.1:2")
    assert stand_in.full().status_code == 429
    assert stand_in.maintenance().status_code == 503
    client.get(f"{V5}/Fractie")
    assert client.get("/_stand/tweede-kamer").json()["eenheden"] > 0


@given(
    st.dictionaries(
        st.sampled_from(["$filter", "$expand", "$orderby", "$select", "$top", "$skip", "$skiptoken", "$count", "x"]),
        st.text("abcDatumTitelZaak'(),;=$ eqandnot0123456789-/", max_size=40) | st.text(max_size=20),
        max_size=4,
    ),
    st.sampled_from(["Document", "Zaak", "Fractie", "$count", "Document(1)", "Zaak/niets", ""]),
)
def test_odd_questions_are_answered_or_refused_and_never_break_it(options: dict[str, str], path: str) -> None:
    app = TestClient(StandIns([TweedeKamerStandIn("http://127.0.0.1:2")]))
    response = app.get(f"{V5}/{path}", params=options)
    assert response.status_code in {200, 400, 404} or "contains" in options.get("$filter", "")
    if response.status_code == 400:
        assert json.loads(response.text)["error"]["message"]
