"""Claude's export: conversations, projects and memories in JSON files of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrubjay.note_import.imported_note import (
    ImportedNote,
    digest_key,
    first_line,
    parse_timestamp,
    text_value,
)
from scrubjay.note_import.readers.conversations import (
    USER,
    ConversationReader,
    Part,
    Turn,
    code_block,
    conversation_body,
    dated_title,
)
from scrubjay.text.json_values import json_object, json_objects

_TEXTS = frozenset({"text", "voice_note"})
_REASONING = frozenset({"thinking", "redacted_thinking"})
_TOOLS = frozenset({"tool_use", "tool_result"})
_UNSEEN = frozenset({"token_budget", "flag"})
"""Kinds of content with nothing to read in them."""
_NO_MESSAGE = "00000000-0000-4000-8000-000000000000"
"""Id that the first messages name as the one before them."""
_PROJECT = frozenset({"docs", "prompt_template"})
_MEMORIES = frozenset({"conversations_memory", "project_memories"})


def is_claude_record(record: dict[str, Any]) -> bool:
    """Whether an object is a conversation, a project or the memories of Claude."""
    return (
        isinstance(record.get("chat_messages"), list)
        or record.keys() >= _PROJECT
        or bool(_MEMORIES & record.keys())
    )


class ClaudeReader(ConversationReader):
    """Claude's export, as a zip, unpacked, or one of its JSON files alone."""

    program = "Claude"

    def _is_ours(self, record: dict[str, Any]) -> bool:
        return is_claude_record(record)

    def _notes_of(self, record: dict[str, Any]) -> Iterator[ImportedNote]:
        if "chat_messages" in record:
            yield from self._conversation(record)
        elif "docs" in record:
            yield from _project(record)
        else:
            yield from _memories(record)

    def _conversation(self, conversation: dict[str, Any]) -> Iterator[ImportedNote]:
        """The note of a conversation; none if nothing was written in it."""
        turns: list[Turn] = []
        for message in self._current_messages(json_objects(conversation.get("chat_messages"))):
            text = "\n\n".join(filter(None, self._texts(message)))
            speaker = self.program
            if text_value(message, "sender") == "human":
                speaker = USER
            if text:
                turns.append(Turn(speaker, text))
        if not turns:
            self._omitted.add(Part.EMPTY)
            return
        created = parse_timestamp(conversation.get("created_at"))
        title = text_value(conversation, "name").strip() or first_line(turns[0].text)
        fields = {}
        if conversation.get("is_starred") is True:
            fields["starred"] = "true"
        yield ImportedNote(
            key=text_value(conversation, "uuid")
            or digest_key(title, str(created or ""), turns[0].text),
            title=dated_title(title, created),
            body=conversation_body(turns),
            created=created,
            modified=parse_timestamp(conversation.get("updated_at")),
            fields=fields,
        )

    def _current_messages(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The messages without those that were edited or answered again.

        Each names the one before it, except in older exports, which have only one version.
        """
        by_id = {text_value(message, "uuid"): message for message in messages}
        if len(by_id) < len(messages):
            return messages
        # From the last message up; one that comes again would never end.
        path: dict[str, dict[str, Any]] = {}
        message_id = next(reversed(by_id), "")
        while message_id in by_id and message_id not in path:
            path[message_id] = by_id[message_id]
            message_id = text_value(by_id[message_id], "parent_message_uuid")
        # Where the way does not lead to a first message, all of them are shown.
        if message_id != _NO_MESSAGE:
            return messages
        self._omitted.add(Part.VERSION, len(messages) - len(path))
        return [*reversed(path.values())]

    def _texts(self, message: dict[str, Any]) -> Iterator[str]:
        """The texts of a message, and those of the files in it."""
        content = json_objects(message.get("content"))
        for block in content:
            yield self._block(block)
        # Older exports have only this, newer ones repeat the text here.
        if not content:
            yield text_value(message, "text")
        names: set[str] = set()
        for attached in json_objects(message.get("attachments")):
            name = text_value(attached, "file_name")
            text = text_value(attached, "extracted_content")
            names.add(name)
            if text.strip():
                yield f"{_line(name)}\n\n{code_block(text)}".strip()
            else:
                self._omitted.add(Part.FILE)
        # The bytes of these are never in the export; some are in both lists.
        for file in json_objects(message.get("files")):
            name = text_value(file, "file_name")
            if name not in names:
                names.add(name)
                self._omitted.add(Part.FILE)

    def _block(self, block: dict[str, Any]) -> str:
        """The text of a part of a message; empty for any other part, which is counted."""
        kind = text_value(block, "type")
        if kind in _TEXTS:
            return text_value(block, "text")
        if kind in _REASONING:
            self._omitted.add(Part.REASONING)
        elif kind in _TOOLS and text_value(block, "name") == "artifacts":
            self._omitted.add(Part.CANVAS)
        elif kind in _TOOLS:
            self._omitted.add(Part.TOOL)
        elif kind not in _UNSEEN:
            self._omitted.add_unknown(kind or "?")
        return ""


def _project(project: dict[str, Any]) -> Iterator[ImportedNote]:
    """A note with the instructions of a project, and one for each of its texts."""
    name = text_value(project, "name").strip()
    key = text_value(project, "uuid") or digest_key(name)
    created = parse_timestamp(project.get("created_at"))
    texts = [text_value(project, each).strip() for each in ("description", "prompt_template")]
    body = "\n\n".join(filter(None, texts))
    if body:
        yield ImportedNote(
            key=key,
            title=name,
            body=body,
            folder=(name,),
            created=created,
            modified=parse_timestamp(project.get("updated_at")),
        )
    # The texts that were added to the project stand beside it.
    for document in json_objects(project.get("docs")):
        content = text_value(document, "content")
        title = text_value(document, "filename").strip()
        yield ImportedNote(
            key=text_value(document, "uuid") or digest_key(key, title, content),
            title=title.removesuffix(".md") or first_line(content),
            body=content.replace("\r\n", "\n"),
            folder=(name,),
            created=parse_timestamp(document.get("created_at")) or created,
        )


def _memories(record: dict[str, Any]) -> Iterator[ImportedNote]:
    """A note with what Claude remembers of a person, and one for each project."""
    account = text_value(record, "account_uuid")
    texts = {"": record.get("conversations_memory")}
    texts |= json_object(record.get("project_memories"))
    for project, text in texts.items():
        if isinstance(text, str) and text.strip():
            yield ImportedNote(
                key=digest_key("memory", account, project),
                title=f"Memory {project}".strip(),
                body=text,
            )


def _line(name: str) -> str:
    """A line with the name of a file in a conversation."""
    words = " ".join(name.split())
    return words and f"*{words}*"
