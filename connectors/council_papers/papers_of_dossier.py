"""The papers of one dossier as Markdown: proposal, letter, written questions with their answer, motion, amendment."""

from __future__ import annotations

from datetime import timedelta

from connectors.council_papers.dossiers import Dossier
from connectors.council_papers.markdown import bullets, heading, numbered, pages, paragraph, table
from connectors.council_papers.papers import Form
from connectors.council_papers.wording import draw, long_date, sentences, upper_first, without_article

Pages = tuple[str, ...]
QuestionsAndAnswers = list[tuple[str, str]]
_PROPOSED, _LETTER, _QUESTIONS, _ANSWER = (timedelta(days=days) for days in (21, 20, 40, 9))
_ASKED_IN_COMMITTEE = 0.4
_MOREOVER = ("De fractie stelt vast dat", "Daar komt bij dat")


def proposal(dossier: Dossier) -> Pages:
    """A proposal to decide: what, why, what against it, what it costs, how it goes on."""
    words, topic = dossier.wording, dossier.topic
    facts = words.some(topic.background, 5)
    blocks = [
        heading(f"{dossier.form_word(Form.PROPOSAL)} {dossier.title}", 1),
        _facts_table(dossier),
        heading("Voorgesteld besluit"),
        words.sentence("{Raad} [wordt|worden] gevraagd om te besluiten:"),
        numbered(dossier.decisions),
        heading("Aanleiding"),
        paragraph([*words.general("aanleiding", 2), *facts[:3]]),
        paragraph(facts[3:]),
        heading("Beoogd effect"),
        paragraph(words.general("effect", 2)),
        heading("Argumenten"),
        *_with_headings(words.pairs(topic.arguments, 4), "1"),
        heading("Kanttekeningen"),
        *_with_headings(words.pairs(topic.risks, 2), "2"),
        heading("Overwogen alternatieven"),
        paragraph(words.general("alternatieven", 2)),
        heading("Financiën"),
        paragraph(words.some(topic.finance, 3)),
        heading("Participatie en communicatie"),
        paragraph([*words.general("participatie", 3), *words.general("communicatie", 2)]),
        heading("Uitvoering en planning"),
        paragraph(words.general("uitvoering", 2)),
        _planning(dossier),
        heading("Juridische toets en evaluatie"),
        paragraph([*words.general("juridisch", 2), *words.general("evaluatie", 2)]),
        *_asked_in_committee(dossier),
        f"{dossier.body.name}, {long_date(dossier.moment - _PROPOSED)}",
        dossier.sender,
    ]
    return pages(blocks)


def _asked_in_committee(dossier: Dossier) -> list[str]:
    """In some proposals, what the committee asked before and what the answer was."""
    if dossier.dice.random() > _ASKED_IN_COMMITTEE:
        return []
    blocks = [heading("Vragen uit de commissie")]
    for question, reply in ask(dossier):
        blocks += [f"**{question}**", reply]
    return blocks


def _facts_table(dossier: Dossier) -> str:
    words = dossier.wording
    terms = draw(dossier.dice, dossier.topic.terms, 7)
    rows = [
        ("Onderwerp", dossier.title),
        ("Portefeuille", upper_first(without_article(words.words["wethouder"]))),
        ("Behandeling", long_date(dossier.moment)),
        ("Trefwoorden", ", ".join(dict.fromkeys([dossier.topic.terms[0], *terms]))),
    ]
    return table(("Gegeven", "Inhoud"), rows)


def _planning(dossier: Dossier) -> str:
    words = dossier.wording
    steps = (
        ("Besluit", long_date(dossier.moment)),
        ("Start van de uitvoering", words.fill("{maand} {jaar1}")),
        ("Tussenbericht", words.fill("december {jaar1}")),
        ("Afronding en evaluatie", words.fill("eind {jaar}")),
    )
    return table(("Stap", "Wanneer"), steps)


def _with_headings(found: list[tuple[str, str]], chapter: str) -> list[str]:
    blocks: list[str] = []
    for place, (head, text) in enumerate(found, 1):
        blocks += [heading(f"{chapter}.{place} {head}", 3), text]
    return blocks


def letter(dossier: Dossier) -> Pages:
    """A letter that informs."""
    words, topic = dossier.wording, dossier.topic
    facts = words.some(topic.background, 6)
    blocks = [
        heading(f"{dossier.form_word(Form.LETTER)} {dossier.title}", 1),
        words.sentence("Aan: {raad} van {naam}"),
        f"Datum: {long_date(dossier.moment - _LETTER)}",
        words.sentence("Betreft: {onderwerp}"),
        heading("Waarom deze brief"),
        paragraph([*words.general("brief_opening", 1), *facts[:2]]),
        heading("Stand van zaken"),
        paragraph(words.general("brief_stand", 3)),
        paragraph(facts[2:]),
        heading("Wat vinden wij belangrijk"),
        *(f"**{head}.** {text}" for head, text in words.pairs(topic.arguments, 3)),
        heading("Aandachtspunten en kosten"),
        *(f"{head}. {text}" for head, text in words.pairs(topic.risks, 2)),
        paragraph(words.some(topic.finance, 1)),
        heading("Hoe gaat het verder"),
        paragraph(words.general("brief_vervolg", 3)),
        paragraph(words.general("brief_slot", 2)),
        "Met vriendelijke groet,",
        dossier.sender,
    ]
    return pages(blocks)


def ask(dossier: Dossier) -> QuestionsAndAnswers:
    """The questions of a dossier, each with the answer it will get."""
    words = dossier.wording
    return [*words.pairs(dossier.topic.questions, 3), *words.general_pairs("vragen_algemeen", 4)]


def questions(dossier: Dossier, asked: QuestionsAndAnswers, party: str) -> Pages:
    """Written questions of one party."""
    words, topic = dossier.wording, dossier.topic
    extra = {"partij": party}
    blocks = [
        heading(f"Schriftelijke vragen over {words.words['onderwerp']}", 1),
        words.sentence("Aan: {college} van {naam}"),
        f"Van: de fractie van {party}",
        f"Datum: {long_date(dossier.moment - _QUESTIONS)}",
        heading("Inleiding"),
        paragraph([*words.general("vragen_inleiding", 3, extra), *words.some(topic.background, 6)]),
        paragraph(
            words.sentence(f"{start} {clause}.")
            for start, clause in zip(_MOREOVER, draw(dossier.dice, topic.considerations, 2), strict=True)
        ),
        paragraph(f"{head}: dat is een zorg. {text}" for head, text in words.pairs(topic.risks, 1)),
        words.sentence("Daarom vraagt de fractie van {partij} {college} om de volgende vragen te beantwoorden.", extra),
        heading("Vragen"),
        "\n".join(f"{place}. {question}" for place, (question, _) in enumerate(asked, 1)),
        heading("Toelichting"),
        paragraph(words.general("vragen_toelichting", 3) + words.some(topic.finance, 1)),
        "De fractie ontvangt de antwoorden graag binnen dertig dagen, zoals het reglement van orde voorschrijft.",
        f"De fractie van {party}",
    ]
    return pages(blocks)


def answer(dossier: Dossier, asked: QuestionsAndAnswers, party: str) -> Pages:
    """The answer to written questions, question by question."""
    words, topic = dossier.wording, dossier.topic
    extra = {"partij": party, "datum": long_date(dossier.moment - _QUESTIONS)}
    blocks = [
        heading(f"Beantwoording schriftelijke vragen over {words.words['onderwerp']}", 1),
        words.sentence("Aan: de fractie van {partij}", extra),
        f"Datum: {long_date(dossier.moment - _ANSWER)}",
        paragraph(words.general("antwoord_inleiding", 3, extra)),
        heading("Achtergrond"),
        paragraph(words.some(topic.background, 4)),
        heading("Vragen en antwoorden"),
    ]
    reasons = words.pairs(topic.arguments, len(topic.arguments))
    for place, (question, reply) in enumerate(asked, 1):
        more = f" {_whole(reasons[place])}" if place < len(reasons) else ""
        blocks += [f"**Vraag {place}**: {question}", f"**Antwoord {place}**: {reply}{more}"]
    blocks += [paragraph(words.general("antwoord_slot", 2)), dossier.sender]
    return pages(blocks)


def motion(dossier: Dossier, title: str, parties: tuple[str, ...]) -> Pages:
    """A motion: what is so, what is weighed, what is asked."""
    words, topic = dossier.wording, dossier.topic
    weighed = [words.fill(clause) for clause in draw(dossier.dice, topic.considerations, 5)]
    general = [words.fill(clause) for clause in draw(dossier.dice, sentences("motie_overwegingen"), 2)]
    asked = [words.fill(clause) for clause in draw(dossier.dice, topic.requests, 3)]
    asked += [words.fill(clause) for clause in draw(dossier.dice, sentences("motie_verzoeken"), 2)]
    blocks = [
        heading(title, 1),
        words.sentence("{Raad} van {naam}, bijeen op {datum},", {"datum": long_date(dossier.moment)}),
        "gehoord de beraadslaging,",
        heading("Constaterende dat"),
        _clauses(weighed[:2]),
        heading("Overwegende dat"),
        _clauses([*weighed[2:], *general]),
        heading(words.fill("Verzoekt {college}")),
        _clauses(asked, last=";"),
        words.fill("en [gaat|gaan] over tot de orde van de dag."),
        heading("Toelichting"),
        paragraph([*words.general("motie_toelichting", 4), *words.some(topic.background, 5)]),
        paragraph(_whole(reason) for reason in words.pairs(topic.arguments, 2)),
        heading("Dekking"),
        paragraph(words.general("motie_dekking", 1)),
        paragraph([f"Ingediend door de {_fractions(parties)}."]),
    ]
    return pages(blocks)


def amendment(dossier: Dossier, title: str, parties: tuple[str, ...]) -> Pages:
    """An amendment: which decision changes, and into what."""
    words, topic = dossier.wording, dossier.topic
    changed = dossier.dice.randrange(1, len(dossier.decisions))
    asked = [words.fill(clause) for clause in draw(dossier.dice, topic.requests, 2)]
    weighed = [words.fill(clause) for clause in draw(dossier.dice, topic.considerations, 4)]
    blocks = [
        heading(title, 1),
        words.sentence("{Raad} van {naam}, bijeen op {datum},", {"datum": long_date(dossier.moment)}),
        f"besprekende het voorstel {dossier.title},",
        heading("Overwegende dat"),
        _clauses(weighed),
        heading("Besluit het voorstel als volgt te wijzigen"),
        paragraph(
            [f"Beslispunt {changed + 1}, dat luidt: “{dossier.decisions[changed]}”, wordt aangevuld met de woorden:"]
        ),
        paragraph([f"“en daarbij {asked[0]}”."]),
        paragraph(["Na het laatste beslispunt wordt een nieuw punt toegevoegd, dat luidt:"]),
        paragraph([words.fill(f"“{{college}} op te dragen {asked[1]}”.")]),
        heading("Toelichting"),
        paragraph([*words.general("amendement_toelichting", 4), *words.some(topic.background, 6)]),
        paragraph(_whole(reason) for reason in words.pairs(topic.arguments, 3)),
        heading("Financiële gevolgen"),
        paragraph([*words.general("motie_dekking", 1), *words.some(topic.finance, 1)]),
        paragraph([f"Ingediend door de {_fractions(parties)}."]),
    ]
    return pages(blocks)


def _clauses(found: list[str], last: str = ".") -> str:
    """The clauses as a list. ``last`` ends the last one: a semicolon where the sentence goes on after the list."""
    return bullets(f"{clause}{last if place == len(found) else ';'}" for place, clause in enumerate(found, 1))


def _whole(reason: tuple[str, str]) -> str:
    """An argument in running text: what explains a heading cannot be read without it."""
    return f"{reason[0]}. {reason[1]}"


def _fractions(parties: tuple[str, ...]) -> str:
    if len(parties) == 1:
        return f"fractie van {parties[0]}"
    return f"fracties van {', '.join(parties[:-1])} en {parties[-1]}"
