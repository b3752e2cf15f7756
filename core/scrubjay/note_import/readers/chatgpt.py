"""ChatGPT's export: conversations as trees of messages, in one or several JSON files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from scrubjay.note_import.export_files import Entries
from scrubjay.note_import.imported_note import (
    Attachment,
    ImportedNote,
    digest_key,
    file_link,
    first_line,
    parse_timestamp,
    text_list,
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

_FILE_ID = re.compile(r"file[-_][A-Za-z0-9]+")
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")
"""A mark that only ChatGPT's own page shows as a link."""
_REASONING = frozenset({"thoughts", "reasoning_recap"})
_HIDDEN = frozenset({"user_editable_context", "model_editable_context"})
"""Kinds of content with instructions and memories, which the page does not show."""
_VOICE = ("audio_asset_pointer", "real_time_user_audio_video_asset_pointer")


def is_chatgpt_record(record: dict[str, Any]) -> bool:
    """Whether an object is a conversation of ChatGPT."""
    return isinstance(record.get("mapping"), dict)


class ChatGptReader(ConversationReader):
    """ChatGPT's export, as a zip, unpacked, or its `conversations.json` alone."""

    program = "ChatGPT"

    def __init__(self, entries: Entries, names: tuple[str, ...]) -> None:
        super().__init__(entries, names)
        self._files: dict[str, str] = {}
        """Id of each uploaded or generated file -> its name in the export."""
        for name in entries.names:
            match = _FILE_ID.match(posixpath.basename(name))
            if match is not None:
                self._files.setdefault(match[0], name)

    def _is_ours(self, record: dict[str, Any]) -> bool:
        return is_chatgpt_record(record)

    def _notes_of(self, record: dict[str, Any]) -> Iterator[ImportedNote]:
        """The note of a conversation; none if nothing was written in it."""
        attachments: dict[str, Attachment] = {}
        turns: list[Turn] = []
        for message in self._shown_messages(json_object(record.get("mapping")), record):
            turns += self._turns(message, attachments)
        if not turns:
            self._omitted.add(Part.EMPTY)
            return
        created = parse_timestamp(record.get("create_time"))
        title = text_value(record, "title").strip() or first_line(turns[0].text)
        own_id = text_value(record, "conversation_id") or text_value(record, "id")
        yield ImportedNote(
            key=own_id or digest_key(title, str(created or ""), turns[0].text),
            title=dated_title(title, created),
            body=conversation_body(turns),
            created=created,
            modified=parse_timestamp(record.get("update_time")),
            attachments=tuple(attachments.values()),
            fields=_fields(record),
        )

    def _shown_messages(
        self, mapping: dict[str, Any], conversation: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """The messages from the first to the last one that the page shows."""
        node_id = text_value(conversation, "current_node")
        if node_id not in mapping:
            node_id = _last_leaf(mapping)
        # From the last message up; a node that comes again would never end.
        path: dict[str, dict[str, Any]] = {}
        while node_id in mapping and node_id not in path:
            node = json_object(mapping[node_id])
            path[node_id] = json_object(node.get("message"))
            node_id = text_value(node, "parent")
        for other_id, node in mapping.items():
            if other_id not in path and _is_said(json_object(json_object(node).get("message"))):
                self._omitted.add(Part.VERSION)
        return [message for message in reversed(path.values()) if message]

    def _turns(self, message: dict[str, Any], attachments: dict[str, Attachment]) -> Iterator[Turn]:
        """What a message says; none if it is hidden, or for a tool."""
        content = json_object(message.get("content"))
        kind = text_value(content, "content_type")
        role = text_value(json_object(message.get("author")), "role")
        hidden = _omitted_part(message, kind, role)
        if hidden is not None:
            # Most hidden messages are empty.
            if _has_text(content):
                self._omitted.add(hidden)
            return
        # A tool draws pictures; whatever else it returns is for the assistant alone.
        parts: list[str] = []
        if role != "tool":
            parts = [_without_marks(text, message) for text in self._content(content, kind)]
        elif not any(map(_is_picture, json_objects(content.get("parts")))):
            self._omitted.add(Part.TOOL)
            return
        parts += self._files_of(message, content, attachments)
        text = "\n\n".join(filter(None, parts))
        if not text:
            return
        speaker = self.program
        if role == "user":
            speaker = USER
        yield Turn(speaker, text)

    def _content(self, content: dict[str, Any], kind: str) -> list[str]:
        """The texts of a message, without its pictures and files."""
        if kind == "code":
            return [code_block(text_value(content, "text"), text_value(content, "language"))]
        if kind not in ("text", "multimodal_text", ""):
            self._omitted.add_unknown(kind)
            return []
        # Texts stand beside pictures, sound and whatever comes next.
        texts: list[str] = []
        listed = content.get("parts")
        if not isinstance(listed, list):
            return [text_value(content, "text")]
        for part in listed:
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, dict):
                texts.append(self._part(part))
        return texts

    def _part(self, part: dict[str, Any]) -> str:
        """The text of a part that is not only text."""
        kind = text_value(part, "content_type")
        if kind in _VOICE:
            self._omitted.add(Part.VOICE)
        elif kind == "audio_transcription":
            return text_value(part, "text")
        elif not _is_picture(part):
            self._omitted.add_unknown(kind or "?")
        return ""

    def _files_of(
        self, message: dict[str, Any], content: dict[str, Any], attachments: dict[str, Attachment]
    ) -> list[str]:
        """Links to the pictures and files of a message that are in the export."""
        files: dict[str, str] = {}
        pictures = {
            text_value(part, "asset_pointer")
            for part in json_objects(content.get("parts"))
            if _is_picture(part)
        }
        for pointer in sorted(pictures):
            match = _FILE_ID.search(pointer.partition("://")[2])
            file_id = pointer
            if match is not None:
                file_id = match[0]
            files[file_id] = ""
        # A picture may be in both lists; only this one has its name.
        for attached in json_objects(json_object(message.get("metadata")).get("attachments")):
            files[text_value(attached, "id")] = text_value(attached, "name")
        links: list[str] = []
        for file_id, name in files.items():
            file = self._files.get(file_id)
            if file is None:
                self._omitted.add(Part.FILE)
                continue
            attachments[file] = self._entries.attachment(file, file, name)
            links.append(_link(file, name))
        return links


def _link(file: str, name: str) -> str:
    """A link to an attachment: a picture is shown, any other file is named."""
    shown = name or posixpath.basename(file)
    if shown.lower().endswith((".png", ".jpg", ".jpeg", ".webp", ".gif")):
        return f"![]({file_link(file)})"
    words = re.sub(r"[\[\]\\\n]", " ", shown)
    return f"[{words}]({file_link(file)})"


def _omitted_part(message: dict[str, Any], kind: str, role: str) -> Part | None:
    """The reason why a whole message is not in the note; None if it is."""
    metadata = json_object(message.get("metadata"))
    recipient = text_value(message, "recipient") or "all"
    if kind in _REASONING:
        return Part.REASONING
    if recipient.startswith("canmore."):
        return Part.CANVAS
    if recipient != "all":
        return Part.TOOL
    if metadata.get("is_visually_hidden_from_conversation") is True or kind in _HIDDEN:
        return Part.HIDDEN
    if role not in ("user", "assistant", "tool"):
        return Part.HIDDEN
    return None


def _without_marks(text: str, message: dict[str, Any]) -> str:
    """A text in which links of the web replace the marks that stand for them."""
    if "\ue200" not in text:
        return text
    references = json_objects(json_object(message.get("metadata")).get("content_references"))
    links = {text_value(each, "matched_text"): text_value(each, "alt") for each in references}
    return _CITATION.sub(lambda match: links.get(match[0], ""), text)


def _has_text(content: dict[str, Any]) -> bool:
    """Whether a content has anything in it beside its kind."""
    return any(
        value not in (None, "", [], {}, [""])
        for name, value in content.items()
        if name not in ("content_type", "language")
    )


def _is_said(message: dict[str, Any]) -> bool:
    """Whether a message is one that the page would show as text."""
    content = json_object(message.get("content"))
    kind = text_value(content, "content_type")
    role = text_value(json_object(message.get("author")), "role")
    return (
        role in ("user", "assistant")
        and _omitted_part(message, kind, role) is None
        and _has_text(content)
    )


def _is_picture(part: dict[str, Any]) -> bool:
    return text_value(part, "content_type") == "image_asset_pointer"


def _last_leaf(mapping: dict[str, Any]) -> str:
    """The id of the message at the end of the newest branch: the last child of the last child."""
    # A damaged tree may have several roots, of which the first is taken.
    roots = [
        key
        for key, node in mapping.items()
        if text_value(json_object(node), "parent") not in mapping
    ]
    if not roots:
        return ""
    node_id = roots[0]
    seen: set[str] = set()
    while node_id not in seen:
        seen.add(node_id)
        children = text_list(json_object(mapping[node_id]), "children")
        if children and children[-1] in mapping:
            node_id = children[-1]
    return node_id


def _fields(conversation: dict[str, Any]) -> dict[str, str]:
    """Lines of the front matter besides."""
    fields = {}
    if conversation.get("is_archived") is True:
        fields["archived"] = "true"
    if conversation.get("is_starred") is True:
        fields["starred"] = "true"
    return fields
