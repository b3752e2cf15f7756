"""Conditions on documents in the SQL of LanceDB, with its lists and literals."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator

from scrubjay.records.note_records import Source
from scrubjay.store.index_records import (
    Filters,
    folder_bounds,
    kind_condition,
    local_midnight_ns,
    path_bounds,
)
from scrubjay.store.lancedb.tables import LIST_END
from scrubjay.text.tokenizer import fold


def sql_condition(
    filters: Filters,
    documents_with: Callable[[str], Iterable[int]],
    is_there: Callable[[str], bool],
) -> str:
    """SQL condition on the rows of chunks; empty when all documents are admitted.

    Documents_with gives the numbers of those that match an FTS5 expression, is_there whether any
    row fulfils a condition.
    """
    terms = [*_facts(filters), *_words(filters, documents_with)]
    terms += map(_tagged, filters.tags)
    if filters.begun_tag:
        terms.append(_begun(filters.begun_tag, is_there))
    terms += _paths_and_days(filters)
    # An unknown answer, as to the day of a note without one, is not true either.
    for each in filters.excluded:
        condition = sql_condition(each, documents_with, is_there) or "true"
        terms.append(f"({condition}) is not true")
    if filters.alternatives:
        conditions = (
            sql_condition(each, documents_with, is_there) or "true" for each in filters.alternatives
        )
        terms.append(f"({' or '.join(f'({each})' for each in conditions)})")
    return " and ".join(terms)


def _facts(filters: Filters) -> Iterator[str]:
    """Conditions on what a document is."""
    if filters.sources:
        yield f"source in ({', '.join(map(sql_literal, sorted(filters.sources)))})"
    if filters.kinds:
        kinds = (kind_condition(kind, "source", _ends_with) for kind in filters.kinds)
        yield f"({' or '.join(kinds)})"
    if filters.is_dated:
        yield "day is not null"
    if not filters.has_transcripts:
        yield f"source != {sql_literal(Source.SESSIONS)}"
    if not filters.is_private:
        yield "file_name != 'memory.md'"


def _words(filters: Filters, documents_with: Callable[[str], Iterable[int]]) -> Iterator[str]:
    """Conditions on words that a document must have, or must not.

    A chunk is admitted with its whole document, so a search for the documents comes first.
    """
    if filters.without:
        documents = list(documents_with(filters.without))
        if documents:
            yield f"document not in {sql_number_list(documents)}"
    for words in filters.words:
        documents = list(documents_with(words))
        yield f"document in {sql_number_list(documents)}" if documents else "false"


def _paths_and_days(filters: Filters) -> Iterator[str]:
    """Conditions on where a document is, and of which days."""
    for part in filters.path_parts:
        yield _is_at(*path_bounds(part))
    for part in filters.name_parts:
        yield f"contains(file_name, {sql_literal(part.lower())})"
    for part in filters.folder_parts:
        # What has a slash after it is not in the name of the file.
        yield f"regexp_like(place, {sql_literal(f'{re.escape(fold(part))}.*/')})"
    for title in filters.titles:
        # The tables have no column of titles, so the name of the file tells.
        yield f"contains(file_name, {sql_literal(title.lower())})"
    for folder in filters.folders:
        yield _is_at(*folder_bounds(folder))
    if filters.endings:
        yield f"({' or '.join(map(_ends_with, filters.endings))})"
    if filters.after:
        start = local_midnight_ns(filters.after)
        yield _on_days(f">= {sql_literal(filters.after.isoformat())}", f">= {start}")
    if filters.before:
        end = local_midnight_ns(filters.before, days_later=1)
        yield _on_days(f"<= {sql_literal(filters.before.isoformat())}", f"< {end}")


def _is_at(part: str, last: int) -> str:
    """A condition on a part of a path, and the last position where it may begin."""
    name = "contains" if last == sys.maxsize else "starts_with"
    return f"{name}(place, {sql_literal(part)})"


def _on_days(day: str, moment: str) -> str:
    """The condition on the day of a document, or on its last change where it has none."""
    return f"(day {day} or (day is null and mtime_ns {moment}))"


def _tagged(tag: str) -> str:
    """The condition that a document has a tag, or one below it."""
    whole = sql_literal(f"{LIST_END}{tag}{LIST_END}")
    below = sql_literal(f"{LIST_END}{tag}/")
    return f"(contains(tags, {whole}) or contains(tags, {below}))"


def _begun(tag: str, is_there: Callable[[str], bool]) -> str:
    """The condition for a tag that is still being typed: whole if any has it, otherwise begun."""
    whole = _tagged(tag)
    if is_there(whole):
        return whole
    return f"contains(tags, {sql_literal(LIST_END + tag)})"


def _ends_with(ending: str) -> str:
    return f"ends_with(place, {sql_literal(ending)})"


def sql_literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def sql_number_list(ids: Iterable[int]) -> str:
    """Numbers as SQL writes them after `in`."""
    return f"({', '.join(map(str, ids))})"
