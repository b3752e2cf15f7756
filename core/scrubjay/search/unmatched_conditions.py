"""Conditions of a question that no note fulfils, for an answer without results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.records.audience import PERSON
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import Hit, QueryReading, SearchRequest
from scrubjay.search.collection_search import Collection, search_filters
from scrubjay.search.hits import open_hits
from scrubjay.search.notes_by_day import NotesByDay
from scrubjay.search.query.query_parser import ParsedQuery
from scrubjay.store.index_records import ALL_DOCUMENTS, Filters
from scrubjay.text.tokenizer import fold

_OPERATORS = {
    "folders": "folder:",
    "path_parts": "path:",
    "name_parts": "file:",
    "titles": "title:",
    "tags": "#",
}
"""Conditions that each take one value -> their operators."""


class UnmatchedConditions(Struct, frozen=True):
    """The finder of conditions that no note fulfils. For one thread."""

    _notes: NotesByDay

    def explain(
        self, request: SearchRequest, query: ParsedQuery, collections: Sequence[Collection]
    ) -> QueryReading:
        """How a question without results was read, with its conditions that no note fulfils."""
        # What the person or the agent may read at all, whatever the question says.
        admitted = search_filters(request, replace(query, text="", filters=ALL_DOCUMENTS))
        admitted = replace(admitted, after=None, before=None, without="")
        unmatched: list[str] = []
        similar = ""
        for operator, condition in _conditions(query.filters, admitted):
            if self._first(condition, collections):
                continue
            unmatched.append(operator)
            if condition.folders:
                # Of several names with slashes between them, the last one is the folder's own.
                typed = PurePosixPath(*condition.folders).name
                named = self._first(replace(admitted, folder_parts=(typed,)), collections)
                # A folder that was just excluded may still be in the index.
                workspaces = [collection.workspace for collection in collections]
                shown = open_hits(named, workspaces, request.conversation)
                similar = _similar_folder(typed, workspaces, shown)
        return replace(query.reading, unmatched=tuple(unmatched), similar_folder=similar)

    def _first(self, filters: Filters, collections: Sequence[Collection]) -> list[Hit]:
        return self._notes.first(filters, collections, limit=1, audience=PERSON)


def _similar_folder(typed: str, workspaces: Iterable[Workspace], notes: Iterable[Hit]) -> str:
    """The operator for a folder whose name contains the typed one; empty if there is none."""
    # Folders that were added count by their names, others by their paths.
    names = [workspace.name for workspace in workspaces]
    names += chain.from_iterable(PurePosixPath(note.path).parts[:-1] for note in notes)
    key = fold(typed)
    return next((_operator("folder:", name) for name in names if key in fold(name)), "")


def _conditions(filters: Filters, admitted: Filters) -> Iterator[tuple[str, Filters]]:
    """Each condition by itself: as it is typed, and as a filter within what is admitted."""
    for field, operator in _OPERATORS.items():
        values: Iterable[str] = getattr(filters, field)
        for value in values:
            yield _operator(operator, value), replace(admitted, **{field: (value,)})
    if filters.kinds:
        yield f"kind:{','.join(filters.kinds)}", replace(admitted, kinds=filters.kinds)
    if filters.endings:
        endings = ",".join(ending.removeprefix(".") for ending in filters.endings)
        yield f"ext:{endings}", replace(admitted, endings=filters.endings)


def _operator(name: str, value: str) -> str:
    """An operator as it is typed."""
    if " " in value:
        value = f'"{value}"'
    return f"{name}{value}"
