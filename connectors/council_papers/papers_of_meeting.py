"""The papers of a whole meeting as Markdown: agenda, list of decisions, report. They tell the same votes as the motions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from connectors.council_papers.dossiers import Dossier
from connectors.council_papers.markdown import bullets, heading, numbered, pages, paragraph, table
from connectors.council_papers.papers import Form, Motion, Result
from connectors.council_papers.wording import Wording, clock, draw, long_date, sentences

Pages = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One subject as a meeting treated it. ``number`` is its place on the agenda."""

    number: int
    dossier: Dossier
    motions: tuple[Motion, ...]

    @property
    def is_amended(self) -> bool:
        """Whether an amendment was adopted, so that another decision was taken than was proposed."""
        return any(motion.is_amendment and motion.result is Result.ADOPTED for motion in self.motions)


@dataclass(frozen=True, slots=True)
class Sitting:
    """What the papers of a meeting need to know of it. ``name`` is the name of the meeting without its date."""

    name: str
    start: datetime
    end: datetime
    points: tuple[Point, ...]

    @property
    def words(self) -> Wording:
        """The words of its first subject, for sentences about no subject in particular."""
        return self.points[0].dossier.wording

    @property
    def closing(self) -> dict[str, str]:
        """The slots about time."""
        return {"tijd": clock(self.start), "eindtijd": clock(self.end), "datum": long_date(self.start)}


def agenda(sitting: Sitting) -> Pages:
    """The agenda as a paper."""
    words = sitting.words
    general = words.general("agenda_algemeen", 9)
    blocks = [
        heading(f"Agenda {sitting.name} {long_date(sitting.start)}", 1),
        table(
            ("Gegeven", "Inhoud"),
            [
                ("Aanvang", f"{clock(sitting.start)} uur"),
                ("Verwacht einde", f"{clock(sitting.end)} uur"),
                ("Plaats", "Vergaderzaal, ook live te volgen"),
            ],
        ),
        paragraph(general[:5]),
        heading("Opening en vaste punten"),
        numbered(("Opening en vaststelling van de agenda", "Mededelingen", "Ingekomen stukken", "Hamerstukken")),
        heading("Ingekomen stukken"),
        _incoming(sitting),
        heading("Bespreekstukken"),
    ]
    for point in sitting.points:
        blocks += _announced(point)
    blocks += [
        heading("Sluiting"),
        paragraph(general[5:]),
        sitting.points[0].dossier.chair,
    ]
    return pages(blocks)


def _announced(point: Point) -> list[str]:
    dossier = point.dossier
    words = dossier.wording
    facts = words.some(dossier.topic.background, 3)
    made = [
        heading(f"{point.number}. {dossier.title}", 3),
        paragraph([*words.general("agenda_toelichting", 2), *facts]),
        "Gevraagd besluit:",
        numbered(dossier.decisions),
    ]
    if point.motions:
        made.append(f"Aangekondigd: {', '.join(motion.name for motion in point.motions)}.")
    return made


def _incoming(sitting: Sitting) -> str:
    words = sitting.words
    chosen = draw(sitting.points[-1].dossier.dice, sentences("ingekomen"), 4)
    return numbered(words.sentence(line) for line in chosen)


def decisions(sitting: Sitting) -> Pages:
    """The list of decisions."""
    words = sitting.words
    blocks = [
        heading(f"Besluitenlijst {sitting.name} {long_date(sitting.start)}", 1),
        paragraph(words.general("besluiten_inleiding", 4)),
        heading("1. Opening en vaststelling van de agenda"),
        paragraph(words.general("verslag_opening", 2, sitting.closing)),
        heading("2. Mededelingen"),
        paragraph(words.general("mededelingen", 2)),
        heading("3. Ingekomen stukken"),
        _incoming(sitting),
        heading("4. Hamerstukken"),
        "Er zijn geen hamerstukken.",
    ]
    for point in sitting.points:
        blocks += _decided(point)
    blocks += [
        heading("Rondvraag"),
        paragraph(words.general("rondvraag", 1)),
        heading("Sluiting"),
        paragraph(words.general("sluiting", 1, sitting.closing)),
        sitting.points[0].dossier.chair,
    ]
    return pages(blocks)


def _decided(point: Point) -> list[str]:
    dossier = point.dossier
    words = dossier.wording
    made = [
        heading(f"{point.number}. {dossier.form_word(Form.PROPOSAL)} {dossier.title}"),
        paragraph(words.some(dossier.topic.background, 2)),
        words.sentence("{Raad} [besluit|besluiten] zonder stemming:"),
        numbered(dossier.decisions),
        *(["Het aangenomen amendement maakt deel uit van dit besluit."] if point.is_amended else []),
    ]
    if point.motions:
        made += [heading("Moties en amendementen", 3), _votes_table(point.motions)]
        made += [told(motion) for motion in point.motions]
    made += [heading("Toezeggingen", 3), bullets(words.general("toezeggingen", 2))]
    return made


def _votes_table(motions: Sequence[Motion]) -> str:
    rows = [
        (
            motion.name,
            str(motion.in_favour) if motion.votes else "–",
            str(motion.against) if motion.votes else "–",
            motion.result,
        )
        for motion in motions
    ]
    return table(("Voorstel", "Voor", "Tegen", "Uitslag"), rows)


def told(motion: Motion) -> str:
    """One paragraph on what became of a motion."""
    name = motion.name
    if motion.result is Result.HELD_OVER:
        return f"“{name}” is door de indieners aangehouden en komt in een volgende vergadering terug."
    if motion.result is Result.WITHDRAWN:
        return f"“{name}” is na een toezegging door de indieners ingetrokken."
    told_so = f"“{name}” is {motion.result} met {motion.in_favour} stemmen voor en {motion.against} tegen."
    sides = [
        f" {label}: {', '.join(names)}."
        for label, names in (
            ("Voor", motion.parties_that_voted(in_favour=True)),
            ("Tegen", motion.parties_that_voted(in_favour=False)),
        )
        if names
    ]
    return told_so + "".join(sides)


def report(sitting: Sitting) -> Pages:
    """The report: who said what, by party and role."""
    words = sitting.words
    blocks = [
        heading(f"Verslag {sitting.name} {long_date(sitting.start)}", 1),
        heading("1. Opening"),
        paragraph(words.general("verslag_opening", 3, sitting.closing)),
        heading("2. Mededelingen"),
        paragraph(words.general("mededelingen", 2)),
        heading("3. Insprekers"),
        paragraph(words.general("verslag_inspreker", 3)),
        heading("4. Hamerstukken"),
        "Er zijn geen hamerstukken.",
    ]
    blocks += chain.from_iterable(_debated(point) for point in sitting.points)
    blocks += [
        heading("Rondvraag"),
        paragraph(words.general("rondvraag", 2)),
        heading("Sluiting"),
        paragraph(words.general("sluiting", 1, sitting.closing)),
        sitting.points[0].dossier.chair,
    ]
    return pages(blocks)


def _debated(point: Point) -> list[str]:
    dossier = point.dossier
    words, topic = dossier.wording, dossier.topic
    parties = [party.name for party in dossier.body.parties]
    said = [*topic.debate, *draw(dossier.dice, sentences("verslag_debat"), 4)]
    dossier.dice.shuffle(said)
    first = [f"De fractie van {party} {words.fill(text)}." for party, text in zip(parties, said, strict=False)]
    overwegingen = draw(dossier.dice, topic.considerations, 3)
    replies = [
        words.sentence(template, {"overweging": words.fill(clause)})
        for template, clause in zip(draw(dossier.dice, sentences("verslag_antwoord"), 3), overwegingen, strict=True)
    ]
    made = [
        heading(f"{point.number}. {dossier.title}"),
        paragraph([*words.general("agenda_toelichting", 1), *words.some(topic.background, 2)]),
        heading("Eerste termijn", 3),
        *first,
        paragraph([*replies, *(f"{head}. {text}" for head, text in words.pairs(topic.arguments, 2))]),
        heading("Tweede termijn", 3),
        paragraph(words.general("verslag_tweede_termijn", 2)),
    ]
    made += [told(motion) for motion in point.motions]
    proposal = "het gewijzigde voorstel" if point.is_amended else "het voorstel"
    made.append(words.sentence(f"{{Raad}} [besluit|besluiten] overeenkomstig {proposal}."))
    return made
