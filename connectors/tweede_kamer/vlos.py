"""The report of a meeting as VLOS XML: passages per activity and per speech (section 6).

Two namespaces are in use, so elements are read by their local names. Times in it carry no zone: none is shown.
"""

from __future__ import annotations

from typing import Final

from lxml import etree

from connectors.bodies import xml_root
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.records import Passage
from connectors.tweede_kamer.answers import KEY, resource
from connectors.xml_elements import local

_SKIPPED: Final = frozenset({"sprekers", "spreker", "zaken", "markeertijdbegin", "markeertijdeind", "parlisid"})
_MOST_PASSAGES: Final = 2_000


def report_passages(answer: Answer, upstream_id: str) -> tuple[Passage, ...]:
    """The text of a report. Raises ``GoneError`` where there is none, ``NotAnAnswerError`` for what is no report."""
    root = xml_root(KEY, resource(answer, upstream_id))
    names = {local(root)} | {local(child) for child in root}
    if "vergadering" not in names:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "vergadering")
    return tuple(Passage(at, "\n".join(lines), heading) for at, (heading, lines) in enumerate(_parts(root), 1))


def _parts(root: etree._Element) -> list[tuple[str, list[str]]]:
    parts: list[tuple[str, list[str]]] = [("", [])]
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        name = local(element)
        if name in _SKIPPED:
            walker.skip_subtree()
        elif name in {"activiteit", "activiteitdeel"}:
            heading = _heading(element)
            if heading and heading != parts[-1][0]:
                parts.append((heading, []))
        elif name in {"alinea", "alineaitem"} and (name == "alineaitem" or not len(element)):
            walker.skip_subtree()
            if text := " ".join("".join(element.itertext("*")).split()):
                parts[-1][1].append(text)
        if len(parts) > _MOST_PASSAGES:
            raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "passages")
    return [part for part in parts if part[1]]


def _heading(element: etree._Element) -> str:
    """What an activity is about: its subject, else its title."""
    found = {
        local(child): " ".join((child.text or "").split())
        for child in element
        if local(child) in {"onderwerp", "titel"}
    }
    return found.get("onderwerp") or found.get("titel", "")
