"""The description of the API: by the rules, true to what is answered, and hard to surprise."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.conf import settings as product_settings
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from pytest_django import Settings
from schemathesis.checks import CHECKS
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode

from besluitbron.running.layout import PROJECT
from search.api import parameters
from search.api.version import VERSION
from tests.product.conftest import Product
from tests.support.description import faults, operations
from throttling.incoming_rules import DoorRules, IncomingRules, Rate

pytestmark = pytest.mark.anyio
FOLDER = PROJECT / "tests" / "beschrijving"
NODE = Path(sys.executable).parent / "node"
LONG = 120.0
MOMENTS = {
    *("tijdstip", "opgehaald", "gemaakt", "verwachteStart", "laatstGelukt", "nieuwsteStuk"),
    *("gevraagdOp", "terugkomen", "klaarOp", "bewaardTot", "gemeldOp"),
}
PLENTY = Rate(100_000)


async def described(product: Product) -> dict[str, Any]:
    answer = await product.site.get("/api/v1/openapi.json")
    found: dict[str, Any] = answer.json()
    return found


async def test_the_description_names_who_made_it_under_what_licence_and_where_it_is(product: Product) -> None:
    found = await described(product)
    assert re.fullmatch(r"3\.1\.\d+", found["openapi"])
    assert found["info"]["version"] == VERSION
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    assert set(found["info"]["contact"]) == {"name", "url", "email"}
    assert found["info"]["license"]["identifier"] == "EUPL-1.2"
    (server,) = found["servers"]
    assert server["url"] == f"http://localhost:8000/api/v{VERSION.partition('.')[0]}"


async def test_every_operation_has_one_id_words_a_tag_an_example_and_its_failures(product: Product) -> None:
    """Eis A5."""
    found = await described(product)
    tags = {tag["name"]: tag["description"] for tag in found["tags"]}
    counted = Counter(one["operationId"] for methods in found["paths"].values() for one in methods.values())
    assert set(counted.values()) == {1}
    assert set(counted) == {
        *("zoek", "document", "delen", "deel", "organisaties", "organisatie"),
        *("platforms", "platform", "limieten", "laadstatus", "rapport", "rapportstukken"),
        *("rapportaanvraag", "rapportannulering", "foutmelding"),
    }
    for operation_id, (path, operation) in operations(found).items():
        assert re.fullmatch(r"(/(_?[a-z-]+|\{[a-z]+\}))+", path)
        assert operation["summary"]
        assert operation["description"].endswith(".")
        assert [tags[tag] for tag in operation["tags"]]
        assert {"400", "406", "429", "500"} <= set(operation["responses"])
        for status, answer in operation["responses"].items():
            assert "API-Version" in answer["headers"]
            assert answer["description"].endswith(".")
            assert ("content" in answer) is (status not in {"204", "304"})
            for content in answer.get("content", {}).values():
                assert "example" in content, (operation_id, status)
        for parameter in operation["parameters"]:
            assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", parameter["name"])
            assert parameter["description"].endswith(".")
            assert "example" in parameter


async def test_every_example_fits_the_form_it_is_an_example_of(product: Product) -> None:
    found = await described(product)
    for operation_id, (_, operation) in operations(found).items():
        for status, answer in operation["responses"].items():
            if "content" not in answer:
                continue
            media = "application/json" if status.startswith("2") else "application/problem+json"
            assert faults(found, operation_id, answer["content"][media]["example"], status) == []


async def test_days_and_moments_are_described_as_such(product: Product) -> None:
    found = await described(product)
    days, moments = 0, 0
    for form in found["components"]["schemas"].values():
        for name, member in form["properties"].items():
            if name == "datum" or name.endswith("Datum") or name.startswith("geldig"):
                days += 1
                assert member["format"] == "date", name
            if name in MOMENTS:
                moments += 1
                assert member["format"] == "date-time", name
    assert (days > 5, moments > 5) == (True, True)


def test_the_longest_question_is_that_of_the_setting() -> None:
    assert parameters.MOST_CHARACTERS == product_settings.QUESTION_MAX_CHARACTERS


async def lint(description: dict[str, Any], folder: Path) -> list[dict[str, Any]]:
    """What the linter finds. ``./check`` installs it (``besluitbron.running.checks``)."""
    assert (FOLDER / "node_modules" / ".besluitbron").is_file(), "./check installeert de linter"
    read, written = folder / "openapi.json", folder / "gevonden.json"
    await asyncio.to_thread(read.write_text, json.dumps(description), "utf-8")
    linter = "node_modules/@stoplight/spectral-cli/dist/index.js"
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), linter, "lint", "--quiet", "-r", "regels.yaml", "-f", "json", "-o", str(written), str(read)),
        cwd=FOLDER,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(LONG):
            said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert written.is_file(), said.decode()
    found: list[dict[str, Any]] = json.loads(await asyncio.to_thread(written.read_text, "utf-8"))
    return found


async def test_the_linter_finds_nothing_in_the_description(product: Product, tmp_path: Path) -> None:
    """Eis 6.6. Eis A1."""
    assert await lint(await described(product), tmp_path) == []


async def test_the_linter_does_find_what_breaks_a_rule(product: Product, tmp_path: Path) -> None:
    """Eis A1."""
    found = await described(product)
    path, operation = operations(found)["zoek"]
    found["openapi"] = "2.0.0"
    del found["info"]["contact"]["email"]
    found["info"]["version"] = "1.0"
    found["servers"][0]["url"] = "https://voorbeeld.nl/api"
    found["paths"]["/Zoek_dingen/"] = found["paths"].pop(path)
    operation["parameters"][0]["name"] = "mijn_vraag"
    del operation["responses"]["200"]["headers"]["API-Version"]
    del operation["responses"]["400"]
    operation["responses"]["404"] = {"description": "Weg.", "content": {"text/html": {}}}
    forms = found["components"]["schemas"]
    del forms["Treffer"]["properties"]["datum"]["format"]
    forms["Bezit"]["properties"]["eersteDatum"]["format"] = "date-time"
    assert {one["code"] for one in await lint(found, tmp_path)} >= {
        "adr-doc-openapi",
        "adr-doc-openapi-contact",
        "adr-semver",
        "adr-uri-version",
        "adr-path-segments-kebab-case",
        "adr-no-trailing-slash",
        "adr-query-keys-camel-case",
        "adr-version-header",
        "adr-invalid-input",
        "adr-problem-details",
        "adr-date-omit-time-portion",
        "adr-date-is-a-day",
    }


def throw(address: str, description: dict[str, Any], examples: int, modes: list[GenerationMode]) -> Counter[int]:
    """Ask the API whatever the description allows, and what it does not, and check each answer. Gives the statuses seen."""
    schema = schemathesis.openapi.from_dict(description)
    schema.config.generation.update(modes=modes)
    seen = Counter[int]()
    # A question may be well-formed and still mean nothing: a body that nobody knows, days in the wrong order.
    checks = [CHECKS.get_one(name) for name in sorted(CHECKS.get_all_names()) if name != "positive_data_acceptance"]
    for outcome in schema.get_all_operations():
        assert isinstance(outcome, Ok)
        operation = outcome.ok()
        for mode in modes:

            @settings(
                max_examples=examples,
                derandomize=True,
                database=None,
                deadline=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def ask(case: Any) -> None:
                answer = case.call(base_url=f"{address}/api/v1")
                seen[answer.status_code] += 1
                case.validate_response(answer, checks=checks)

            try:
                ask()
            except FailureGroup as failure:  # no Exception: it would take the event loop's runner along
                raise AssertionError(str(failure)) from None
            except (
                Unsatisfiable
            ):  # without parameters, or with an id that may be anything, nothing can be asked wrongly
                assert mode is GenerationMode.NEGATIVE
                assert not list(operation.query)
    return seen


@pytest.fixture
def unlimited(settings: Settings) -> None:
    settings.INCOMING_RULES = IncomingRules(process=PLENTY, api=DoorRules(PLENTY, PLENTY))


async def thrown(product: Product, examples: int) -> Counter[int]:
    description = await described(product)
    modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
    return await asyncio.to_thread(throw, str(product.site.base_url).rstrip("/"), description, examples, modes)


@pytest.mark.django_db(transaction=True)
async def test_whatever_is_asked_the_answer_is_one_that_is_described(unlimited: None, product: Product) -> None:
    """Eis A5."""
    seen = await thrown(product, 4)
    assert {200, 400} <= set(seen)
    assert seen[500] == 0


@pytest.mark.lang
@pytest.mark.django_db(transaction=True)
async def test_whatever_is_asked_for_long_the_answer_is_one_that_is_described(
    unlimited: None, product: Product
) -> None:
    assert (await thrown(product, 40))[500] == 0


async def test_the_description_knows_no_parameters(product: Product) -> None:
    refused = await product.site.get("/api/v1/openapi.json", params={"x": "1"})
    assert refused.status_code == 400
    assert refused.headers["content-type"] == "application/problem+json"
