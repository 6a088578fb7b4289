"""The pages of the stand-in as HTML: what stands on them is the platform's (section 4, samples), the frame is our own."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any, Final

from lxml import etree

from connectors.kamer_corpus.files import pages_of
from connectors.kamer_corpus.rows import DOCX, Store, report_text, text_of
from connectors.opentk.standin_items import MEMBER, OpenDocument, Row, local, plain
from connectors.opentk.standin_votes import decisions

_FRAME: Final = """<!DOCTYPE html>
<html>
  <head>
    <title>{title}</title>
    <meta charset="utf-8">
    <meta property='og:title' content='{title}'>
    <meta property='og:description' content='{title}'>
    <meta property='og:type' content='article'>
    <meta name="viewport" content="width=device-width, initial-scale=1">
  </head>
  <body>
    <div>
      <header class="container"><a href="index.html">overzicht</a> <a href="search.html">zoeken</a></header>
      <main class="container">
{main}
      </main>
    </div>
    <footer class="container"><small>proefmodus</small></footer>
  </body>
</html>
"""
_PREVIEW: Final = (
    '<div style="max-width: 50em;">\n  <h4>Preview document (🔗 <a href="getraw/{number}">origineel</a>)</h4>\n  <hr/>\n'
    "{text}\n</div>"
)
_PANDOC: Final = """<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="" xml:lang="">
<head>
  <meta charset="utf-8" />
  <meta name="generator" content="pandoc" />
  <title>document</title>
</head>
<body>
{body}
</body>
</html>
"""
_FROM_PDF: Final = """<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" lang="" xml:lang="">
<head>
<title></title>
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8"/>
<meta name="generator" content="pdftohtml 0.36"/>
</head>
<body bgcolor="#A0A0A0" vlink="blue" link="blue">
{body}
</body>
</html>
"""


def framed(title: str, main: str) -> str:
    """A page of the site."""
    return _FRAME.format(title=escape(title), main=main)


def error_page(status: int, reason: str, moment: int) -> str:
    """The page of every answer of 400 and above since October 2025 (section 6)."""
    words = f"Error {status} {reason} @ {moment}"
    main = (
        f'<hr>\n<H1>Storing</H1>\n<p>(toelichting)</p>\n<div style="color: red;">\n<center>\n{words}\n</center>\n</div>'
    )
    return framed("Error – OpenTK", main)


def has_preview(held: Store, row: Row) -> bool:
    """Whether a paper shows its text on its page: with an official edition or made in Word; a PDF shows a frame alone."""
    return bool(held.links.get(("Document", row["Id"], "HuidigeDocumentVersie"))) or row["ContentType"] == DOCX


def document_page(held: Store, row: Row) -> str:
    """The page of a paper."""
    number = row["DocumentNummer"]
    head = f"  <h2>{_text(row['Onderwerp'])}</h2>\n  <h4>{_text(row['Titel'])}</h4>\n  <p><em>{_text(row['Soort'])}</em></p>"
    day, changed = local(row["Datum"])[:10], local(row["GewijzigdOp"])
    parts = [
        f"<hblock>\n{head}\n</hblock>",
        f"<p>Nummer: <b>{number}</b>, datum: <b>{day}</b>, bijgewerkt: <b>{changed}</b>, versie: 1</p>",
        f'<p><a href="getraw/{number}">Directe link naar document</a>{_official(held, row)}.</p>',
        *(_case_of_paper(held, case) for case in _linked(held, "Document", row, "Zaak")),
    ]
    if has_preview(held, row):
        parts.append(_PREVIEW.format(number=number, text=_paragraphs(text_of(held, row["Id"]))))
    else:
        parts.append(f"<iframe width='95%' height='1024' src='./getdoc/{number}'></iframe>")
    return framed(plain(row["Onderwerp"]), "\n".join(parts))


def text_page(held: Store, row: Row, pages: list[str] | None) -> str:
    """The text of a paper as HTML: of a Word file by paragraph, of a PDF by page (``pages``: those of a made one)."""
    if has_preview(held, row):
        return _PANDOC.format(body=_paragraphs(text_of(held, row["Id"])))
    texts = pages if pages is not None else list(pages_of(text_of(held, row["Id"])))
    return _FROM_PDF.format(body="\n".join(_pdf_page(at, text) for at, text in enumerate(texts, 1)))


def case_page(held: Store, row: Row) -> str:
    """The page of a case with its papers and votes."""
    actors = _linked(held, "Zaak", row, "ZaakActor")
    papers = [one for one in _linked(held, "Zaak", row, "Document") if one["DocumentNummer"] and not one["Verwijderd"]]
    appreciation = plain(row["Kabinetsappreciatie"])
    head = f"  <h2>{_text(row['Titel'])}</h2>\n  <h3>{_text(row['Onderwerp'])}</h3>\n  <p>{_text(row['Soort'])}</p>"
    parts = [
        f"<hgroup>\n{head}\n</hgroup>",
        f"<h4>Zaak {row['Nummer']}, gestart op {local(row['GestartOp'])[:10]} <span></span></h4>",
        f"<p>Kabinetsappreciatie: {_text(appreciation)}</p>" if appreciation else "",
        f"<h4>Betrokkenen</h4>\n{_list(_actor(one) for one in actors)}",
        f"<h4>Documenten</h4>\n{_list(_paper(one) for one in papers)}",
        "<h4>Agendapunten</h4>\n<ul>\n</ul>",
        f"<h4>Besluiten</h4>\n{_list(_decision(one) for one in decisions(held, row))}",
    ]
    return framed(f"Zaak {row['Nummer']}", "\n".join(filter(None, parts)))


def commitment_page(held: Store, row: Row) -> str:
    """The page of a commitment."""
    activity = next(iter(_linked(held, "Toezegging", row, "Activiteit")), None)
    during = (
        f', <a href="activiteit.html?nummer={activity["Nummer"]}">{_text(activity["Onderwerp"])}</a>'
        if activity
        else ""
    )
    main = (
        f"<h4>Toezegging {row['Nummer']}</h4>\n<p>{_text(row['Tekst'])}</p>\n"
        f"<p>Datum {local(row['Aanmaakdatum'])[:10]}, status {_text(row['Status'])}{during}</p>"
    )
    return framed(f"Toezegging {row['Nummer']}", main)


def report_page(row: Row) -> str:
    """The page of the one real report, its parts as the platform writes them."""
    title = plain(row["Titel"])
    root = etree.fromstring(report_text().encode())
    sections = []
    for activity in root.iter("{*}activiteit"):
        head = " ".join((activity.findtext("{*}onderwerp") or activity.findtext("{*}titel") or "").split())
        lines = (" ".join("".join(one.itertext()).split()) for one in activity.iter("{*}alineaitem"))
        text = "".join(f'<div class="alinea"><p>{escape(line)}</p></div>' for line in lines if line)
        if text:
            sections.append(
                f'<section class="activiteit"><h2>{escape(head)}</h2><section class="tekst">{text}</section></section>'
            )
    main = (
        f"<h5>Datum {local(row['Datum'])[:10]}. Laatste update: 2014-10-16 02:00</h5>\n<h5>{_text(row['Zaal'])}</h5>\n"
        f'<h6>Tussenpublicatie / Ongecorrigeerd</h6>\n<div style="max-width: 50em;"><h1>{escape(title)}</h1>'
        f"{''.join(sections)}</div>"
    )
    return framed(title, main)


def open_page(document: OpenDocument) -> str:
    """The page of a document of open.overheid.nl."""
    main = (
        f"<hgroup>\n<h1>{escape(document.title)}</h1>\n<h4>{escape(document.maker)} (via open.overheid.nl)</h4>\n</hgroup>\n"
        f"<p>Openbaarmakingsdatum: {document.day}, laatste wijziging: {document.day}T18:02:11Z, "
        f'<a href="https://open.overheid.nl/details/{document.id}">Pagina op open.overheid.nl</a></p>\n'
        f"<iframe width='95%' height='1024' src='./getrawoo/{document.id}'></iframe>"
    )
    return framed(document.title, main)


def person_page(number: str, day: str, text: str) -> str:
    """The page of the one made member, with the one made gift."""
    main = (
        "<h3>Anna Voorbeeld (proefmodus)</h3>\n<details open>\n<summary>Geschenken</summary>\n<table>\n"
        "<thead><tr><th>Datum</th><th>Bijgewerkt</th><th>Omschrijving</th></tr></thead>\n"
        f'<tbody><tr id="{number}"><td>{day}</td><td>{day}</td><td>{escape(text)}</td></tr></tbody>\n</table>\n</details>'
    )
    return framed("Anna Voorbeeld", main)


def committees_page(rows: Iterable[tuple[Row, str, str]]) -> str:
    """The committees with abbreviation and newest activity: busy ones first."""
    parts: dict[bool, list[str]] = {True: [], False: []}
    for row, short, newest in rows:
        cells = f"<td>{escape(short)}</td>\n      <td>{newest}</td>"
        link = f'<a href="commissie.html?id={row["Id"]}">{_text(row["NaamNL"])}</a>'
        parts[newest >= "2023-01-01"].append(f"    <tr>\n      <td>{link}</td>\n      {cells}\n    </tr>")
    head = "<thead><tr><th>Commissie</th><th>Afkorting</th><th>Nieuwste activiteit</th></tr></thead>"
    tables = (f"<h5>{name}</h5>\n{_table(head, parts[busy])}" for name, busy in (("Actief", True), ("Slapend", False)))
    return framed("commissies.html", "<h4>Commissies</h4>\n" + "\n".join(tables))


def members_page(seats: Iterable[tuple[str, str, str, str]]) -> str:
    """The members as fractie, place, number and name, and an empty seat."""
    rows = [
        f"      <tr>\n\t<td> {escape(fractie)} </td>\n\t<td> {place} </td>\n\t<td>  </td>\n"
        f'\t<td><a href="persoon.html?nummer={number}"> {escape(name)}</a></td>\n      </tr>'
        for fractie, place, number, name in seats
    ]
    rows.append("      <tr>\n\t<td> VVD </td>\n\t<td> 3 </td>\n\t<td>  </td>\n\t<td>Vacature</td>\n      </tr>")
    head = "<thead><tr><th>Partij</th><th>Positie</th><th>Titels</th><th>Naam</th></tr></thead>"
    return framed("kamerleden.html", f"<h4>Tweede Kamerleden (en eventuele vacatures)</h4>\n{_table(head, rows)}")


def _table(head: str, rows: list[str]) -> str:
    body = "\n".join(rows)
    return f'<table class="striped">\n  {head}\n  <tbody>\n{body}\n  </tbody>\n</table>'


def _official(held: Store, row: Row) -> str:
    version = next(iter(_linked(held, "Document", row, "HuidigeDocumentVersie")), None)
    name = plain(version["ExterneIdentifier"]) if version else ""
    if not name:
        return ""
    return f', <a href="https://zoek.officielebekendmakingen.nl/{escape(name)}.html">officiële HTML versie</a> ({escape(name)})'


def _case_of_paper(held: Store, case: Row) -> str:
    number = case["Nummer"]
    actors = (
        f"{_text(one['Relatie'])}: {_text(one['ActorNaam'])}{_after_comma(one['Functie'])}"
        for one in _linked(held, "Zaak", case, "ZaakActor")
    )
    return f'<p>Onderdeel van zaak <a href="zaak.html?nummer={number}">{number}</a>:</p>\n{_list(actors)}'


def _actor(row: Row) -> str:
    link = f'<a href="persoon.html?nummer={MEMBER}">{_text(row["ActorNaam"])}</a>'
    return f"{_text(row['Relatie'])}: {_text(row['Functie'])} {link}"


def _paper(row: Row) -> str:
    link = f'<a href="document.html?nummer={row["DocumentNummer"]}">{_text(row["Onderwerp"])}</a>'
    return f"<span>{local(row['Datum'])[:10]}</span>: {link} ({_text(row['Soort'])})"


def _decision(found: dict[str, Any]) -> str:
    lines = [
        f"{label} {found[label][0]}: {escape(' | '.join(found[label][1]))}"
        for label in ("Voor", "Tegen", "Niet deelgenomen")
        if label in found
    ]
    below = f"\n{_list(iter(lines))}" if lines else ""
    return f"<span>{found['day']} 00:00</span> ⇒ {escape(found['text'])} ({escape(found['status'])}){below}"


def _linked(held: Store, entity: str, row: Row, navigation: str) -> list[Row]:
    target = "DocumentVersie" if navigation == "HuidigeDocumentVersie" else navigation
    table = held.tables.get(target, {})
    return [table[guid] for guid in held.links.get((entity, row["Id"], navigation), ()) if guid in table]


def _list(items: Iterable[str]) -> str:
    return "<ul>\n" + "".join(f"  <li>{item}</li>\n" for item in items) + "</ul>"


def _paragraphs(text: str) -> str:
    return "\n".join(f"<p>{escape(line)}</p>" for line in text.split("\n") if line.strip())


def _pdf_page(number: int, text: str) -> str:
    lines = "".join(f"{escape(line).replace(' ', '&#160;')}<br/>\n" for line in text.split("\n") if line)
    return f"<a name={number}></a>{lines}<hr/>"


def _after_comma(value: Any) -> str:
    return f", {_text(value)}" if value else ""


def _text(value: Any) -> str:
    return escape(plain(value))
