"""Arguments of the tools: what agents pass, and how it is checked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Struct
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from scrubjay.errors import QueryError
from scrubjay.messages import msg
from scrubjay.notes.text_edits import EditKind, TextEdit
from scrubjay.records.note_records import PageRequest
from scrubjay.records.page_start import PageStart

_LONGEST_QUERY = 100_000
"""Characters of a query or a message."""
_AT_LEAST_1 = Field(json_schema_extra={"minimum": 1})
"""Limit that agents are told; smaller numbers count as 1."""
_NOTHING = ("", "null", "none", "undefined")
"""Texts that programs and models pass in place of no value, in lower case."""
_NAMED = 10
"""Ignored arguments that a note names."""
_LONGEST_NAME = 40
"""Characters of such a name."""
MOST_NOTES = 10
"""Notes that one call reads."""
EditAction: TypeAlias = Annotated[
    Literal["append", "create", "replace", "set"],
    BeforeValidator(lambda value: value.lower() if isinstance(value, str) else value),
]
Corpus: TypeAlias = Annotated[
    Literal["memory", "sessions", "all"],
    BeforeValidator(lambda value: value.lower() if isinstance(value, str) else value),
]
Kind: TypeAlias = Annotated[
    Literal["note", "pdf", "document", "mail", "picture"],
    BeforeValidator(lambda value: value.lower() if isinstance(value, str) else value),
]
WorkspaceName = Annotated[str | None, Field(description="Name or id of one workspace.")]
SessionKey = Annotated[
    str | None,
    Field(max_length=1000, description="Key of this conversation, if your program gave you one."),
]


class Arguments(BaseModel):
    """Base of all arguments, with camelCase names. All are optional but those without a default."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, coerce_numbers_to_str=True
    )


class Checked(Struct, frozen=True):
    """The arguments of a call."""

    arguments: Arguments
    note: str
    """Arguments that were ignored, and those that there are; empty for none."""


class SearchArguments(Arguments):
    """Arguments of memory_search."""

    query: Annotated[
        str,
        Field(
            max_length=_LONGEST_QUERY,
            description=(
                'What to search for. "phrase", -word, OR, brackets, #tag, title:, folder:, file:, '
                "kind:, after:2026-01-31, before: and in:2025 narrow it; -folder: excludes."
            ),
        ),
    ]
    max_results: Annotated[
        int | None, Field(ge=1, le=1000, description="Maximum number of results.")
    ] = None
    min_score: Annotated[
        float | None, Field(ge=0, le=1, description="Minimum score of a result.")
    ] = None
    corpus: Annotated[
        Corpus | None, Field(description="Notes, conversation transcripts, or both.")
    ] = None
    workspace: WorkspaceName = None
    session_key: SessionKey = None


def _page_start(value: int | str | None) -> int | str | None:
    """The value itself. Raises ValueError where no page begins."""
    # A number may come as one with a point, also in a text.
    if isinstance(value, str):
        value = value.strip().removesuffix(".0")
    try:
        PageStart(value or 1)
    except ValueError as error:
        raise ValueError("Input should be a line number, or the nextFrom of a page") from error
    return value


class GetArguments(Arguments):
    """Arguments of memory_get."""

    path: Annotated[
        Annotated[str, Field(max_length=4096)]
        | Annotated[
            list[Annotated[str, Field(max_length=4096)]], Field(min_length=1, max_length=MOST_NOTES)
        ],
        Field(
            description="Path, title, alias or permalink of a note, with :12 for a line, #Heading "
            "or #^block if wanted. A list of them reads several notes."
        ),
    ]
    from_: Annotated[
        Annotated[int, _AT_LEAST_1] | str | None,
        AfterValidator(_page_start),
        Field(
            alias="from",
            description="First line to read, counting from 1, or the nextFrom of an "
            "earlier answer.",
        ),
    ] = 1
    lines: Annotated[
        Annotated[int, _AT_LEAST_1] | None, Field(description="Number of lines to read.")
    ] = None
    workspace: WorkspaceName = None
    session_key: SessionKey = None

    @property
    def page(self) -> PageRequest:
        """The part of the note that is wanted."""
        start = PageStart(self.from_ or 1)
        return PageRequest(start.line, self.lines, first_column=start.column)


class ListArguments(Arguments):
    """Arguments of memory_list."""

    folder: Annotated[
        str | None, Field(max_length=4096, description="Path of a folder inside the workspace.")
    ] = None
    tag: Annotated[str | None, Field(max_length=200)] = None
    kind: Annotated[Kind | None, Field()] = None
    day: Annotated[dt.date | None, Field(description="Day of the notes, as 2026-01-31.")] = None
    limit: Annotated[int | None, Field(ge=1, le=100)] = None
    cursor: Annotated[
        str | None, Field(max_length=500, description="nextCursor of an earlier answer.")
    ] = None
    workspace: WorkspaceName = None
    session_key: SessionKey = None


class LinksArguments(Arguments):
    """Arguments of memory_links."""

    path: Annotated[
        str, Field(max_length=4096, description="Path, title, alias or permalink of the note.")
    ]
    workspace: WorkspaceName = None
    session_key: SessionKey = None


class ContextArguments(Arguments):
    """Arguments of memory_context."""

    message: Annotated[
        str, Field(max_length=_LONGEST_QUERY, description="The user's whole message.")
    ]
    session_key: SessionKey = None


class StatusArguments(Arguments):
    """Arguments of memory_status."""

    details: Annotated[
        bool | None, Field(description="Also list paths, settings and skipped files.")
    ] = None


class WriteArguments(Arguments):
    """Arguments of memory_write."""

    text: Annotated[str, Field(max_length=16_000, description="Markdown text to write.")]
    path: Annotated[
        str | None, Field(max_length=4096, description="Note to change. Default: today's note.")
    ] = None
    action: Annotated[
        EditAction | None,
        Field(
            description="append (default) at the end of the note, or of the section under heading; "
            "create a note at path; replace the passage; set the front-matter property."
        ),
    ] = None
    heading: Annotated[str | None, Field(max_length=1000)] = None
    passage: Annotated[
        str | None, Field(max_length=16_000, description="Exact text that occurs once.")
    ] = None
    property_: Annotated[str | None, Field(alias="property", max_length=80)] = None
    if_hash: Annotated[
        str | None,
        Field(
            max_length=64,
            description="hash from memory_get; needed to replace or set. If the note has changed "
            "since, nothing is written and you get its new text.",
        ),
    ] = None
    workspace: WorkspaceName = None
    session_key: SessionKey = None

    @property
    def edit(self) -> TextEdit:
        """The change that is wanted. Raises QueryError for an argument of another action."""
        # Without an action, the argument that only one of them has says which is meant.
        special = {
            "heading": (EditKind.APPEND, self.heading),
            "passage": (EditKind.REPLACE, self.passage),
            "property": (EditKind.SET, self.property_),
        }
        needed = {name: kind for name, (kind, value) in special.items() if value}
        kind = EditKind(self.action or next(iter(needed.values()), EditKind.APPEND))
        for name, other in needed.items():
            if other is not kind:
                raise QueryError(
                    msg("The argument {name} needs action {action}", name=name, action=other),
                    msg("Nothing was written."),
                    hint="Pass that action, or leave out the argument.",
                )
        return TextEdit(
            kind,
            self.text,
            heading=self.heading or "",
            passage=self.passage or "",
            property_name=self.property_ or "",
        )


def checked_arguments(name: str, model: type[Arguments], arguments: dict[str, Any]) -> Checked:
    """The arguments of a call. Raises QueryError, which names those that are wrong.

    Programs add arguments of their own, and models fill in what they leave out: unknown ones are
    ignored, and null or a blank text for one that is optional is as if it was not passed. A list
    with one value stands for the value, and names may be written as other programs write them.
    """
    # What is passed is told apart first: arguments of the tool, and those of other programs.
    fields = {
        _folded_name(name): (field.alias or name, field)
        for name, field in model.model_fields.items()
    }
    given: dict[str, Any] = {}
    unknown: list[str] = []
    for key, written in arguments.items():
        name_here, field = fields.get(_folded_name(key), ("", None))
        if field is None:
            unknown.append(key)
            continue
        value = _single_value(written)
        # The name itself counts before another spelling of it.
        is_new = name_here not in given or key == name_here
        if is_new and not _is_omitted(value, is_optional=not field.is_required()):
            given[name_here] = value
    note = _ignored(model, unknown)
    try:
        return Checked(model.model_validate(given), note)
    except ValidationError as invalid:
        # A few of them are enough for the agent to correct itself.
        wrong = "; ".join(
            f"{'.'.join(map(str, error['loc'])) or 'arguments'}: {error['msg']}"
            for error in invalid.errors(include_url=False, include_input=False)[:5]
        )
        raise QueryError(
            msg("{name} was called with invalid arguments", name=name),
            msg("{wrong}.", wrong=wrong),
            hint=note,
        ) from None


def _folded_name(name: str) -> str:
    """The name of an argument as it is compared: as one word, in lower case."""
    return name.replace("_", "").replace("-", "").lower()


def _single_value(value: Any) -> Any:
    """The value itself, or the one in a list; None for an empty list or object."""
    # Deeper lists than one in the other are a mistake that the agent has to see.
    for _ in range(2):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
    if value in ([], {}):
        return None
    return value


def _is_omitted(value: Any, *, is_optional: bool) -> bool:
    """Whether a value stands for none."""
    is_blank = isinstance(value, str) and value.strip().lower() in _NOTHING
    return value is None or (is_optional and is_blank)


def _ignored(model: type[Arguments], unknown: Sequence[str]) -> str:
    """A sentence with the arguments that a tool does not have, and those that it has."""
    if not unknown:
        return ""
    # A few names, cut, since they come from a program that may send anything.
    names = [field.alias or name for name, field in model.model_fields.items()]
    ignored = [key[:_LONGEST_NAME] for key in unknown[:_NAMED]]
    return (
        f"Ignored, because this tool has no such arguments: {', '.join(ignored)}. "
        f"It takes only {', '.join(names)}."
    )
