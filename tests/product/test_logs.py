"""What somebody asks stands in no log line, whatever goes wrong; what does stand there helps an operator."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, NameObject

from besluitbron.logs import configure
from connectors.filetext import file_text
from connectors.kamer_corpus.files import pdf_of
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from tests.product.conftest import Product
from tests.product.test_canary import CANARY, WAYS

pytestmark = pytest.mark.anyio


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """Every line that would be written, at the most talkative level."""
    configure("DEBUG")
    root = logging.getLogger()
    (written_by,) = root.handlers
    found: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(written_by.format(record))

    keep = Keep()
    root.addHandler(keep)
    yield found
    root.removeHandler(keep)
    configure()


@pytest.mark.parametrize(
    "condition", ["goed", "dood", "onzin", pytest.param("vol", marks=pytest.mark.lang), "onderhoud"]
)
async def test_no_question_stands_in_any_log_line(product: Product, lines: list[str], condition: str) -> None:
    """Field report 39: words leaked to telemetry although the code took care of them. Eis 6.5; Eis V13."""
    for platform in ("openbesluitvorming", "rechtspraak"):
        await product.put(platform, condition)
    lines.clear()
    for parameters in (
        {"vraag": CANARY},
        {"vraag": CANARY, "van": CANARY, "organisatie": CANARY},
        {"vraag": CANARY * 200},
    ):
        await product.site.get("/zoeken", params=parameters)
        await product.site.get("/zoeken/stroom", params=parameters | {"wacht": "rechtspraak"})
    for typed in (f"ECLI:NL:HR:2024:{CANARY}", f"https://{CANARY}.example/{CANARY}", f"{CANARY} in Ede"):
        asked = {"vraag": typed, "fractie": CANARY, "platform": ["openbesluitvorming", "rechtspraak"]}
        await product.site.get("/zoeken", params=asked)
    for way in WAYS:
        await product.site.get(way.format(CANARY))
    await product.site.get(f"/nergens?vraag={CANARY}")
    await product.site.get(f"/zoeken?vraag={CANARY}", headers={"Host": f"{CANARY}.example"})
    assert not [line for line in lines if CANARY in line]


@pytest.mark.parametrize("condition", ["goed", "dood", "onzin"])
async def test_no_question_of_a_program_stands_in_any_log_line(
    product: Product, lines: list[str], monkeypatch: pytest.MonkeyPatch, condition: str
) -> None:
    """Eis 6.5."""
    await product.put("rechtspraak", condition)
    lines.clear()
    api = "/api/v1"
    for path in (
        f"{api}/_zoek?vraag={CANARY}",
        f"{api}/_zoek?vraag={CANARY}&van={CANARY}&{CANARY}=1",
        f"{api}/_zoek?vraag={CANARY * 100}",
        f"{api}/organisaties?naam={CANARY}",
        f"{api}/laadstatus?organisatie={CANARY}",
        f"{api}/documenten/rechtspraak:{CANARY}",
        f"{api}/documenten/{CANARY}/delen/1",
        f"{api}/{CANARY}/?vraag={CANARY}",
    ):
        for headers in ({}, {"Accept": "text/event-stream"}):
            answer = await product.site.get(path, headers=headers)
            assert "location" not in answer.headers
            if answer.status_code == 400:
                assert CANARY not in json.dumps([one["reason"] for one in answer.json()["invalidParams"]])

    def breaks(*args: object, **kwargs: object) -> object:
        raise KeyError(CANARY, args, kwargs)

    monkeypatch.setattr("search.api.operations_search.read_parameters", breaks)
    answer = await product.site.get(f"{api}/_zoek?vraag={CANARY}")
    assert answer.status_code == 500
    assert CANARY not in answer.text
    (line,) = [line for line in lines if "api_broken" in line]
    assert json.loads(line)["failure"] == "KeyError"
    assert not [line for line in lines if CANARY in line]


async def test_a_request_is_logged_with_its_id_route_and_status_and_not_with_what_was_read(
    product: Product, lines: list[str]
) -> None:
    answer = await product.site.get("/document/rechtspraak/ECLI:NL:HR:2024:1")
    (line,) = [json.loads(line) for line in lines if "request_answered" in line]
    assert (line["method"], line["status"], line["request_id"]) == ("GET", 404, answer.headers["x-request-id"])
    assert line["route"] == "document/<slug:platform>/<bronid:upstream_id>"
    assert not [text for text in lines if "ECLI" in text]


async def test_what_the_event_loop_says_of_a_fault_is_kept_to_its_kind(lines: list[str]) -> None:
    logging.getLogger("asyncio").error("Task exception was never retrieved: %s", CANARY)
    assert [line for line in lines if "loop_fault" in line and '"level": "error"' in line]
    assert CANARY not in "".join(lines)


async def test_a_fault_of_ours_is_logged_with_kind_and_place_and_without_what_was_asked(
    product: Product, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(self: object, query: object, ask: object) -> object:
        del self, ask
        message = f"{CANARY} in een melding: {query}"
        raise ValueError(message)

    monkeypatch.setattr(OpenBesluitvorming, "search", breaks)
    page = await product.site.get("/zoeken", params={"vraag": CANARY})
    assert page.status_code == 200
    (line,) = [line for line in lines if "connector_broken" in line]
    logged = json.loads(line)
    assert logged["failure"] == "ValueError"
    assert logged["platform"] == "openbesluitvorming"
    assert any("breaks" in place for place in logged["places"])
    assert logged["request_id"] == page.headers["x-request-id"]
    assert CANARY not in "".join(lines)


async def test_a_page_that_breaks_is_a_plain_dutch_500_and_its_log_line_has_no_question(
    product: Product, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eis 7.9."""

    def breaks(*args: object, **kwargs: object) -> object:
        raise KeyError(CANARY, args, kwargs)

    monkeypatch.setattr("search.carried.read_parameters", breaks)
    page = await product.site.get("/zoeken", params={"vraag": CANARY})
    assert page.status_code == 500
    assert "Er ging bij ons iets mis" in page.text
    assert page.headers["content-security-policy"]
    assert [line for line in lines if "KeyError" in line]
    assert CANARY not in "".join(lines)


async def test_what_is_looked_for_in_a_document_stands_in_no_log_line(product: Product, lines: list[str]) -> None:
    """Field report 39."""
    page = await product.site.get("/zoeken", params={"vraag": "motie", "platform": "tweede-kamer", "soort": "motie"})
    (address, *_) = re.findall(r'href="(/document/[^"?#]+)"', page.text)
    lines.clear()
    for condition in ("goed", "dood"):
        await product.put("opentk", condition)
        answer = await product.site.get(address, params={"in-stuk": CANARY, "elders": "ja"})
        assert CANARY in answer.text
    assert not [line for line in lines if CANARY in line]
    assert CANARY not in (await product.site.get("/metrics")).text
    assert CANARY not in (await product.site.get("/status", params={"vraag": CANARY})).text


async def test_nothing_of_a_damaged_document_stands_in_any_log_line(lines: list[str]) -> None:
    """The library that reads PDFs quotes in its warnings what it could not read."""
    reader, writer = PdfReader(io.BytesIO(pdf_of(["Een pagina"]))), PdfWriter()
    writer.append(reader)
    table = DecodedStreamObject()
    table.set_data(f"begincmap\n1 beginbfrange\n<{CANARY}> <0> <0041>\nendbfrange\nendcmap".encode())
    fonts = writer.pages[0]["/Resources"]["/Font"]  # type: ignore[index]
    next(iter(fonts.values())).get_object()[NameObject("/ToUnicode")] = writer._add_object(table)
    kept = io.BytesIO()
    writer.write(kept)
    lines.clear()
    assert file_text("p", kept.getvalue()).pages_in_all == 1
    assert not [line for line in lines if CANARY in line or "pypdf" in line]
