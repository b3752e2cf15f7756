"""Schemas and descriptions of the tools, as agents read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mcp_types as types
import msgspec

from scrubjay.answers.answer_json import (
    ContextJson,
    JsonAnswer,
    LinksJson,
    ListJson,
    NotePageJson,
    NotePagesJson,
    SearchJson,
    StatusJson,
    WrittenJson,
)
from scrubjay.mcp_server.tool_arguments import (
    Arguments,
    ContextArguments,
    GetArguments,
    LinksArguments,
    ListArguments,
    SearchArguments,
    StatusArguments,
    WriteArguments,
)

_KEYWORDS = frozenset({"enum", "items", "minimum", "maximum", "maxItems"})
"""Keywords of schemas that agents need to pass an argument which is accepted."""


def _input_schema(arguments: type[Arguments]) -> dict[str, Any]:
    """The JSON Schema of arguments."""
    schema = arguments.model_json_schema(by_alias=True)
    properties = schema["properties"]
    # The tool describes them better than our docstring does.
    compact: dict[str, Any] = {
        "type": "object",
        "properties": {name: _argument_schema(each) for name, each in properties.items()},
    }
    if "required" in schema:
        compact["required"] = schema["required"]
    return compact


def _argument_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of one argument, with the types that it may have side by side.

    Titles and defaults only cost tokens, and so does a part of the schema for each type.
    """
    names: list[str] = []
    merged: dict[str, Any] = {}
    for part in schema.get("anyOf", [schema]):
        names.append(part["type"])
        merged |= {key: value for key, value in part.items() if key in _KEYWORDS}
    # A list of values has to have null in it where that is one of the types.
    if "enum" in merged and "null" in names:
        merged["enum"] = [*merged["enum"], None]
    if "description" in schema:
        merged["description"] = schema["description"]
    kind = names[0] if len(names) == 1 else names
    return {"type": kind, **merged}


def _output_schema(answers: Sequence[type[JsonAnswer]]) -> dict[str, Any]:
    """The JSON Schema of one of some answers, an object at its top, as the protocol wants it.

    It names what each answer has. Fields that only some have are described by their own names.
    """
    # The records of an answer are its schema, so that both never differ.
    _, records = msgspec.json.schema_components(answers)
    schemas = [_always_there(records[answer.__name__]) for answer in answers]
    # Of a tool with two forms of answers, only what both have is required.
    properties: dict[str, Any] = {}
    for schema in schemas:
        properties |= schema
    required = [name for name in properties if all(name in each for each in schemas)]
    if not required:
        return {"type": "object", "properties": properties}
    return {"type": "object", "properties": properties, "required": required}


def _always_there(schema: dict[str, Any]) -> dict[str, Any]:
    """The types of the fields that are required, without those of the objects inside."""
    properties = schema["properties"]
    return {name: {"type": properties[name].get("type", "object")} for name in schema["required"]}


def _tool(
    name: str,
    arguments: type[Arguments],
    answers: Sequence[type[JsonAnswer]],
    *,
    title: str,
    description: str,
    is_read_only: bool = True,
) -> types.Tool:
    return types.Tool(
        name=name,
        title=title,
        description=description,
        input_schema=_input_schema(arguments),
        output_schema=_output_schema(answers),
        annotations=types.ToolAnnotations(
            read_only_hint=is_read_only,
            destructive_hint=not is_read_only,
            idempotent_hint=is_read_only,
            open_world_hint=False,
        ),
    )


# Agents choose a tool by these texts alone: when to call it, what comes back, what to do next.
TOOLS = (
    _tool(
        "memory_search",
        SearchArguments,
        (SearchJson,),
        title="Search the notes",
        description=(
            "Find passages in the user's notes and agent memory by words and meaning. Call it "
            "before answering about earlier work, decisions, dates, people, preferences or "
            "to-dos. A score is the probability that a passage answers the query; those under "
            "uncertain may not. Read more of a note with memory_get. If nothing fits, rephrase."
        ),
    ),
    _tool(
        "memory_get",
        GetArguments,
        (NotePageJson, NotePagesJson),
        title="Read a note",
        description=(
            "Read a note, or up to 10 notes in one call: up to 120 lines from a given line, with"
            " the note's day and hash. Call it with a path from memory_search or memory_list. If"
            " nextFrom is in the answer, pass it as from to read on. report.pdf#p3 is page, slide,"
            " sheet, chapter or message 3. A note that is not there has missing: true."
        ),
    ),
    _tool(
        "memory_list",
        ListArguments,
        (ListJson,),
        title="List notes",
        description=(
            "List notes with path, title and day, last changed first, and the folders that hold "
            "them. Call it to see what exists or what is new; to answer a question, call "
            "memory_search. Pass nextCursor as cursor for more."
        ),
    ),
    _tool(
        "memory_links",
        LinksArguments,
        (LinksJson,),
        title="Related notes",
        description=(
            "List notes that link to a note, that it links to, or that share its subject or "
            "day, each with the reason. Call it after memory_get to follow a subject."
        ),
    ),
    _tool(
        "memory_context",
        ContextArguments,
        (ContextJson,),
        title="Recall for a message",
        description=(
            "Quote what the notes say about the user's message, with sources. Call it once at "
            "the start of a turn; for your own questions, call memory_search. results say where "
            "each quotation is, for memory_get. If context is empty, as after a greeting, just "
            "answer."
        ),
    ),
    _tool(
        "memory_status",
        StatusArguments,
        (StatusJson,),
        title="State of the index",
        description=(
            "List the workspaces: how many notes each has, how much of it is indexed, and what "
            "you may do there. Call it to get the name of a workspace, or before you tell the "
            "user that something is not in the notes."
        ),
    ),
    _tool(
        "memory_write",
        WriteArguments,
        (WrittenJson,),
        title="Remember something",
        description=(
            "Write down what should be remembered: append to today's note or another one, "
            "create a note, replace a passage, or set a property. state is written or proposed; "
            "if proposed, tell the user that the change waits for review."
        ),
        is_read_only=False,
    ),
)
