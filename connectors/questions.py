"""What every platform does with a question before it plans its calls: refuse what is foreign, say what it leaves to us."""

from __future__ import annotations

from connectors.exceptions import NotSupportedError, OperatorError, Unsupported
from connectors.records import Filter, Group, Hit, Kind, Note, NoteCode, Query, Sort


def refuse_what_is_foreign(platform: str, query: Query, kinds: frozenset[Kind]) -> None:
    """Raise ``NotSupportedError`` for operators, for none but kinds that ``platform`` lacks, for none but bodies it lacks.

    ``kinds`` are those that it can hold. A question of which a part can be answered is answered in part.
    """
    if query.text.operators:
        raise OperatorError(platform, query.text.operators)
    if query.kinds and not query.kinds & kinds:
        raise NotSupportedError(platform, Unsupported.NO_SUCH_KIND, (Filter.KIND,))
    if query.organisations and not any(body.key_at(platform) for body in query.organisations):
        raise NotSupportedError(platform, Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,))


def refuse_foreign_groups(platform: str, query: Query, groups: frozenset[Group]) -> None:
    """Raise ``NotSupportedError`` where a party or a committee is asked of a platform that has no such: all else is no answer.

    ``groups`` are those by which its search can choose.
    """
    if any(group not in groups for group, _ in query.groups):
        raise NotSupportedError(platform, Unsupported.NO_SUCH_GROUP)


def not_here(platform: str, query: Query) -> tuple[Note, ...]:
    """A note with the names of asked bodies that ``platform`` does not have, when there are any."""
    names = tuple(body.name for body in query.organisations if body.key_at(platform) is None)
    return (Note(NoteCode.ORGANISATIONS_NOT_HERE, names),) if names else ()


def sort_of(query: Query, *, has_words: bool) -> Sort:
    """The order in which a platform is asked: without words that it looks for, relevance has no meaning."""
    return Sort.NEWEST if query.sort is Sort.RELEVANCE and not has_words else query.sort


def notes_on(
    query: Query, sort: Sort, *, own: tuple[Filter, ...] = (), too_many: tuple[int, int] | None = None
) -> tuple[Note, ...]:
    """What is said of the way a question is asked.

    ``sort`` is the order that is asked, ``own`` the filters that we apply; ``too_many`` how many organisations were asked, and
    the most that the platform takes, when that is fewer.
    """
    notes = []
    if too_many:
        notes.append(Note(NoteCode.TOO_MANY_ORGANISATIONS, tuple(map(str, too_many))))
    if own:
        notes.append(Note(NoteCode.FILTERED_BY_US, tuple(one.value for one in own)))
    if sort is not query.sort:
        notes.append(Note(NoteCode.SORTED_BY_DATE))
    return tuple(notes)


def in_period(query: Query, hit: Hit) -> bool:
    """Whether a hit shows a day of the asked period; one without a date is in none."""
    if not query.has_period:
        return True
    if hit.date is None:
        return False
    after_start = query.date_from is None or query.date_from <= hit.date.day
    return after_start and (query.date_until is None or hit.date.day <= query.date_until)
