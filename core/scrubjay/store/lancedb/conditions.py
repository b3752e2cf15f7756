"""Conditions on documents, as LanceDB writes them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from scrubjay.documents.document_kinds import CONVERSATION, NOTE, endings_of
from scrubjay.records.note_records import Source
from scrubjay.store.lancedb.tables import LIST_END, id_list, literal
from scrubjay.store.rows import Filters, local_midnight_ns, path_bounds


def condition(
    filters: Filters,
    documents_with: Callable[[str], Iterable[int]],
    is_there: Callable[[str], bool],
) -> str:
    """SQL condition on the rows of chunks; empty when all documents are admitted.

    Documents_with gives the numbers of those that match an FTS5 expression, is_there whether any
    row fulfils a condition.
    """
    terms: list[str] = []
    if filters.sources:
        terms.append(f"source in ({', '.join(map(literal, sorted(filters.sources)))})")
    if filters.kinds:
        terms.append(f"({' or '.join(map(_of_kind, filters.kinds))})")
    if filters.is_dated:
        terms.append("day is not null")
    if not filters.is_private:
        terms.append("file_name != 'memory.md'")
    if filters.without and (documents := list(documents_with(filters.without))):
        terms.append(f"document not in {id_list(documents)}")
    for words in filters.words:
        documents = list(documents_with(words))
        terms.append(f"document in {id_list(documents)}" if documents else "false")
    terms += map(_tagged, filters.tags)
    if tag := filters.begun_tag:
        begun = f"contains(tags, {literal(LIST_END + tag)})"
        terms.append(_tagged(tag) if is_there(_tagged(tag)) else begun)
    for part in filters.path_parts:
        lowered, last = path_bounds(part)
        name = "contains" if last == sys.maxsize else "starts_with"
        terms.append(f"{name}(place, {literal(lowered)})")
    if filters.after:
        start = local_midnight_ns(filters.after)
        terms.append(_on_days(">=", filters.after.isoformat(), f">= {start}"))
    if filters.before:
        end = local_midnight_ns(filters.before, days_later=1)
        terms.append(_on_days("<=", filters.before.isoformat(), f"< {end}"))
    return " and ".join(terms)


def _on_days(sign: str, day: str, moment: str) -> str:
    return f"(day {sign} {literal(day)} or (day is null and mtime_ns {moment}))"


def _tagged(tag: str) -> str:
    whole, below = literal(f"{LIST_END}{tag}{LIST_END}"), literal(f"{LIST_END}{tag}/")
    return f"(contains(tags, {whole}) or contains(tags, {below}))"


def _of_kind(kind: str) -> str:
    spoken = f"source = '{Source.SESSIONS}'"
    if kind == CONVERSATION:
        return spoken
    endings = endings_of("" if kind == NOTE else kind)
    named = " or ".join(f"ends_with(place, {literal(ending)})" for ending in endings)
    return f"not ({spoken} or {named})" if kind == NOTE else f"({named})"
