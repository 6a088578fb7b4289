"""What ``controleer_citaat`` answers about papers of which a page is not here."""

from __future__ import annotations

import pytest

from assistants.opening import Opened
from assistants.tool import Visit
from assistants.tools.checking import CHECK
from connectors.moments import now
from connectors.records import Document, Passage
from search.references import Located
from tests.assistants.tools.test_citing import document
from tests.assistants.tools.test_locating import visit

pytestmark = pytest.mark.anyio
SENTENCE = "De raad stelt het krediet beschikbaar."


async def answered(paper: Document, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    async def opened(located: Located, visit: Visit) -> Opened:
        return Opened(paper, now())

    monkeypatch.setattr("assistants.tools.checking.opened", opened)
    outcome = await CHECK.run({"id": "rechtspraak:ECLI:NL:HR:2024:1", "citaat": SENTENCE}, visit())
    return outcome.data["uitkomst"], outcome.data["uitleg"]


async def test_a_sentence_over_a_page_that_is_missing_cannot_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages 1 and 3 hold text, page 2 is a scan."""
    outcome, why = await answered(document("De raad stelt het", "", "krediet beschikbaar."), monkeypatch)
    assert outcome == "niet te controleren"
    assert "bladzijden overslaan" in why


async def test_a_sentence_over_a_page_that_is_empty_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("De raad stelt het", "", "krediet beschikbaar.")
    paper = document(passages=tuple(Passage(at, text, is_page=True) for at, text in enumerate(texts, 1)))
    assert await answered(paper, monkeypatch) == (
        "ja",
        "De zin staat letterlijk in het stuk: van pagina 1 tot in pagina 3.",
    )
