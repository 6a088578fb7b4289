"""The text of a publication: from XML where there is one, else from HTML, else from the PDF (field report 23)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from connectors.calls import Answer, Ask
from connectors.exceptions import ConnectorError, Defect, GoneError, NotAnAnswerError, OverLimitError, RefusedError
from connectors.filetext import file_text
from connectors.kept_text import FileText
from connectors.officiele_bekendmakingen.documents import without_text
from connectors.officiele_bekendmakingen.elements import KEY
from connectors.officiele_bekendmakingen.failures import require_answer
from connectors.officiele_bekendmakingen.links import file_path
from connectors.officiele_bekendmakingen.parse_files import parse_html, parse_xml
from connectors.officiele_bekendmakingen.parse_search import Record
from connectors.officiele_bekendmakingen.requests import file_call
from connectors.reading import slow
from connectors.records import Note, Passage, TextState

Parse = Callable[[Answer, str], tuple[Passage, ...]]
Read = tuple[tuple[Passage, ...], tuple[TextState, tuple[Note, ...]]]
_MARKED_UP: Final[tuple[tuple[str, Parse], ...]] = (("xml", parse_xml), ("html", parse_html))
_FULL: Final = (TextState.FULL, ())
_NOT_THERE: Final = frozenset({404, 410})


async def text_of(record: Record, ask: Ask) -> Read:
    """The passages of a record, how much of its text they are, and what there is to say.

    One form that cannot be read does not cost the others; when none gave text and one failed, that failure is raised, because
    nobody knows then whether there is any. Raises ``WithdrawnError`` for a publication that was withdrawn.
    """
    failure: ConnectorError | None = None
    for manifestation, parse in _MARKED_UP:
        try:
            passages = await _marked_up(record, manifestation, parse, ask)
        except (NotAnAnswerError, RefusedError) as error:
            if _says_stop(error):
                raise
            failure = failure or error
            continue
        if passages:
            return passages, _FULL
    try:
        found = await _from_pdf(record, ask)
    except (NotAnAnswerError, RefusedError) as error:
        raise failure or error from error
    if found is not None:
        return found
    if failure is not None:
        raise failure
    return (), without_text()


def _says_stop(error: ConnectorError) -> bool:
    """Whether the platform wants no further call now."""
    return isinstance(error, OverLimitError) or getattr(error, "defect", None) is Defect.MAINTENANCE


async def _marked_up(record: Record, manifestation: str, parse: Parse, ask: Ask) -> tuple[Passage, ...]:
    path = file_path(record, manifestation)
    if path is None:
        return ()
    return (await ask(file_call(path), parse, record.identifier)).value


async def _from_pdf(record: Record, ask: Ask) -> Read | None:
    path = file_path(record, "pdf")
    if path is None:
        return None
    try:
        found = (await ask(file_call(path), _pdf, record.identifier)).value
    except GoneError:
        return None
    return found.passages, (found.state, found.notes)


@slow
def _pdf(answer: Answer, identifier: str) -> FileText:
    """The text of a PDF. Raises ``GoneError`` when there is none."""
    if answer.status in _NOT_THERE:
        raise GoneError(KEY, identifier)
    require_answer(answer)
    return file_text(KEY, answer.body)
