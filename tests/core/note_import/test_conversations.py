"""Importing conversations with ChatGPT and Claude: one dated note for each, with its speakers."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.note_import.export_process import open_export
from scrubjay.note_import.imported_note import ExportRefused, ImportedNote, Obstacle
from scrubjay.note_import.json_elements import json_elements
from scrubjay.note_import.note_import import NoteImport
from scrubjay.note_import.readers.conversations import close_code, code_block
from support.exports import (
    chatgpt,
    chatgpt_conversation,
    chatgpt_message,
    claude,
    claude_message,
    zipped,
)


def read(export: Path) -> tuple[str, dict[str, ImportedNote], dict[str, str]]:
    """The program of an export, its notes by title, and why anything else is not imported."""
    with open_export(export, CancelToken(), has_attachments=True) as opened:
        parts = [*opened.notes()]
    notes = {part.title: part for part in parts if isinstance(part, ImportedNote)}
    reasons = {str(part.what): str(part.reason) for part in parts if isinstance(part, Obstacle)}
    return opened.program, notes, reasons


def alone(folder: Path, value: Any, name: str = "conversations.json") -> Path:
    """A JSON file without an archive around it."""
    text = value if isinstance(value, str) else json.dumps(value)
    (folder / name).write_text(text, "utf-8")
    return folder / name


def test_a_conversation_of_chatgpt_is_a_note(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    plan = note_import.plan(chatgpt(tmp_path), target).result()
    assert {str(part.what): str(part.reason) for part in plan.obstacles} == {
        "user.json": "Scrubjay does not import account data, feedback or settings.",
        "2 tool calls and results": "Scrubjay imports only what you and the assistant wrote to "
        "each other.",
        "1 message of other versions": "If a message was edited or an answer was generated "
        "again, only the version that was last shown is imported.",
        "1 conversation": "Scrubjay does not import conversations without text.",
    }
    note_import.apply(plan).result()
    assert sorted(file.name for file in target.glob("*.md")) == [
        "2024-03-01 Bread the plan.md",
        "2024-03-01 Rye.md",
    ]
    assert (target / "2024-03-01 Bread the plan.md").read_text("utf-8") == (
        '---\ntitle: "2024-03-01 Bread: the plan?"\ncreated: 2024-03-01 10:00:00+00:00\n'
        "updated: 2024-03-02 10:00:00+00:00\nimported-from: chatgpt c-1\n---\n\n"
        "**You:**\n\nHow do I bake?\n\n**ChatGPT:**\n\nLike this:\n\n```python\nbake()\n```\n\n"
        "**You:**\n\nThis oven?\n\n![oven](<attachments/oven.png>)\n\n**ChatGPT:**\n\nYes.\n"
    )


def test_conversations_projects_and_memories_of_claude_are_notes(tmp_path: Path) -> None:
    program, notes, reasons = read(claude(tmp_path))
    assert program == "Claude"
    assert notes["2025-04-05 Flour / types"].body == (
        "**You:**\n\nWhich flour?\n\n*recipe.txt*\n\n````\nflour\n```\nwater\n```\n````\n\n"
        "**Claude:**\n\nUse rye."
    )
    assert notes["2024-01-02 Hello"].body == "**You:**\n\nHello\n\n**Claude:**\n\nHi"
    assert notes["Bakery"].body == "My shop\n\nBe short."
    assert (notes["Prices"].folder, notes["Prices"].body) == (("Bakery",), "Rye: 4")
    assert notes["Memory"].body == "Bakes bread."
    assert [*reasons] == [
        "users.json",
        "1 tool call or result",
        "1 passage of the assistant's reasoning",
        "1 message of other versions",
        "1 change to a canvas or artifact",
        "1 picture or file",
        '1 part of the kind "hologram"',
    ]


@pytest.mark.parametrize(
    "layout",
    [
        {"conversations.json": 2},
        {"Export/conversations-000.json": 1, "Export/conversations-001.json": 1},
        {"conversations (1).json": 2},
    ],
)
@pytest.mark.parametrize("form", ["zip", "folder"])
def test_conversations_in_several_files_are_all_found(
    layout: dict[str, int], form: str, tmp_path: Path
) -> None:
    texts = iter("ab")
    files = {
        name: json.dumps([one_question(next(texts)) for _ in range(count)])
        for name, count in layout.items()
    }
    export = zipped(tmp_path / "e.zip", files)
    if form == "folder":
        export = tmp_path / "unpacked"
        zipfile.ZipFile(tmp_path / "e.zip").extractall(export)
    program, notes, _ = read(export)
    assert (program, [note.body for note in notes.values()]) == (
        "ChatGPT", ["**You:**\n\na", "**You:**\n\nb"],
    )  # fmt: skip


def one_question(text: str) -> dict[str, object]:
    return chatgpt_conversation(text, {"q": (None, chatgpt_message("user", text))}, title=text)


def chat(*messages: object) -> list[dict[str, object]]:
    return [{"uuid": "k", "name": "Chat", "chat_messages": messages}]


@pytest.mark.parametrize("value", [
    [one_question("a")], {"conversations": [one_question("a")]}, one_question("a"),
    "\ufeff \n" + json.dumps([one_question("a")]), chat(claude_message("m", "human", "a")),
    chat({"sender": "human", "text": "a"}),
])  # fmt: skip
@pytest.mark.parametrize("name", ["conversations.json", "my chats.json"])
def test_a_json_file_alone_is_an_export(value: object, name: str, tmp_path: Path) -> None:
    _, notes, reasons = read(alone(tmp_path, value, name))
    assert ([note.body for note in notes.values()], reasons) == (["**You:**\n\na"], {})


def hidden(**metadata: object) -> dict[str, object]:
    return chatgpt_message("user", "secret", metadata=metadata)


def content(kind: str, **more: object) -> dict[str, object]:
    return {"content_type": kind, **more}


VOICE = content("multimodal_text", parts=[
    content("audio_transcription", text="Spoken"), content("audio_asset_pointer"),
])  # fmt: skip


@pytest.mark.parametrize(("message", "shown", "omitted"), [
    (hidden(is_visually_hidden_from_conversation=True), "", "1 hidden message"),
    (chatgpt_message("system", "Be nice"), "", "1 hidden message"),
    (chatgpt_message("user", content("user_editable_context", user_profile="x")), "",
     "1 hidden message"),
    (chatgpt_message("assistant", content("thoughts", thoughts=[{"content": "x"}])), "",
     "1 passage of the assistant's reasoning"),
    (chatgpt_message("assistant", "{}", recipient="canmore.create_textdoc"), "",
     "1 change to a canvas or artifact"),
    (chatgpt_message("assistant", content("code", language="python", text="f()")),
     "**ChatGPT:**\n\n```python\nf()\n```", ""),
    (chatgpt_message("user", VOICE), "**You:**\n\nSpoken", "1 voice recording"),
    (chatgpt_message("user", content("multimodal_text", parts=["x", content("smell")])),
     "**You:**\n\nx", '1 part of the kind "smell"'),
    (chatgpt_message("assistant", content("dance", text="x")), "", '1 part of the kind "dance"'),
    (chatgpt_message("user", content("multimodal_text", parts=[
        "x", content("image_asset_pointer", asset_pointer="sediment://file_00ab")])),
     "**You:**\n\nx", "1 picture or file"),
])  # fmt: skip
def test_what_is_omitted_is_counted(
    message: dict[str, object], shown: str, omitted: str, tmp_path: Path
) -> None:
    messages = {"first": (None, message), "end": ("first", chatgpt_message("assistant", "End"))}
    _, notes, reasons = read(alone(tmp_path, [chatgpt_conversation("c", messages)]))
    (note,) = notes.values()
    assert note.body.replace("**ChatGPT:**\n\nEnd", "").replace("\n\nEnd", "").strip() == shown
    assert [*reasons] == [omitted] * bool(omitted)


@pytest.mark.parametrize("mapping", [
    {"a": {"parent": "b", "children": ["b"]}, "b": {"parent": "a", "children": ["a"]}},
    {"a": {"parent": ["x"], "children": [["y"], 1]}}, {"a": None}, {"a": {"message": "x"}},
    {"a": {"message": {"author": 1, "content": [], "metadata": 3, "recipient": {}}}},
    {"a": {"message": {"author": {"role": "user"}, "content": {"parts": [None, 1, [], {}]}}}},
])  # fmt: skip
@pytest.mark.parametrize("current", ["a", None, 7, ["a"]])
def test_a_tree_that_is_none_ends(mapping: object, current: object, tmp_path: Path) -> None:
    odd = {"mapping": mapping, "current_node": current, "title": 3, "create_time": "soon"}
    _, notes, _ = read(alone(tmp_path, [odd, one_question("a")]))
    assert [*notes] == ["2024-03-01 a"]


def test_without_a_current_message_the_newest_branch_is_kept(tmp_path: Path) -> None:
    messages = {
        "q": (None, chatgpt_message("user", "q")),
        "old": ("q", chatgpt_message("assistant", "old")),
        "new": ("q", chatgpt_message("assistant", "new")),
    }
    odd = {**chatgpt_conversation("c", messages), "current_node": None}
    _, notes, _ = read(alone(tmp_path, [odd]))
    assert [note.body for note in notes.values()] == ["**You:**\n\nq\n\n**ChatGPT:**\n\nnew"]


@pytest.mark.parametrize("parents", [("", "m9"), ("m2", "m1")])
def test_messages_without_a_first_one_are_all_kept(
    parents: tuple[str, str], tmp_path: Path
) -> None:
    messages = [
        claude_message("m1", "human", "a", parents[0] or "m8"),
        claude_message("m2", "assistant", "b", parents[1]),
    ]
    _, notes, reasons = read(alone(tmp_path, chat(*messages)))
    assert [note.body for note in notes.values()] == ["**You:**\n\na\n\n**Claude:**\n\nb"]
    assert not reasons


def test_conversations_before_a_damage_are_kept(tmp_path: Path) -> None:
    text = json.dumps([one_question("a"), one_question("b")])
    _, notes, reasons = read(alone(tmp_path, text[:-40]))
    assert [*notes] == ["2024-03-01 a"]
    assert reasons == {"conversations.json": "conversations.json is damaged"}


@pytest.mark.parametrize(("name", "text", "sentence"), [
    ("conversations.json", "[]", "is not an export that Scrubjay can read"),
    ("conversations.json", '[{"a": 1}]', "is not an export that Scrubjay can read"),
    ("Journal.json", '{"b": []}', "is not an export that Scrubjay can read"),
    ("notes.txt", "hello", "is not an export that Scrubjay can read"),
    ("conversations.json", '[{"a":', "is damaged"),
    ("conversations.json", "[" * 200_000, "is damaged"),
    ("notes.zip", "hello", "is damaged"),
])  # fmt: skip
def test_a_file_of_no_known_kind_says_so(
    name: str, text: str, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ExportRefused, match=sentence):
        read(alone(tmp_path, text, name))


def test_only_a_part_of_a_large_file_is_in_memory() -> None:
    element = json.dumps({"text": "x" * 1000, "é😀": [1, 2.5, None]}, ensure_ascii=False).encode()
    stream = io.BytesIO(b"[" + b" ,\n".join([element] * 20_000) + b"]")
    elements = json_elements(stream)
    assert next(elements) == json.loads(element)
    assert stream.tell() <= 2**20
    assert sum(1 for _ in elements) == 19_999


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_letters_and_numbers_may_be_cut_anywhere(size: int) -> None:
    class Slow(io.BytesIO):
        def read(self, most: int | None = -1) -> bytes:
            return super().read(min(most or 0, size))

    values = [{"é😀": "\\u00e9"}, 12345, "a]b,", [True, [None]], -1.5e3]
    assert [*json_elements(Slow(json.dumps(values, ensure_ascii=False).encode()))] == values


@pytest.mark.parametrize("text", ["", "[1 2]", "[1,", "[1,]", '["a', '[{"a" 1}]', "[1]x"[:2]])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        list(json_elements(io.BytesIO(text.encode())))


def test_an_element_without_end_is_refused() -> None:
    with pytest.raises(ValueError, match="no end"):
        list(json_elements(io.BytesIO(b'["' + b"x" * 2**23), most=2**21))


@pytest.mark.parametrize(("text", "closed"), [
    ("a", "a"), ("```\na\n```", "```\na\n```"), ("```\na", "```\na\n```"),
    ("````\n```\na", "````\n```\na\n````"), ("~~~\n```\na", "~~~\n```\na\n~~~"),
    ("``` a ``` b", "``` a ``` b"), ("```\na\n``` b", "```\na\n``` b\n```"),
])  # fmt: skip
def test_an_open_block_of_code_ends_before_the_next_speaker(text: str, closed: str) -> None:
    assert close_code(text) == closed


def test_a_block_of_code_may_contain_blocks() -> None:
    assert code_block("```\na\n```", "c++\n") == "````c++\n```\na\n```\n````"


@pytest.mark.parametrize("program", ["chatgpt", "claude"])
def test_conversations_without_an_id_are_known_again_beside_others_of_their_title(
    note_import: NoteImport, tmp_path: Path, target: Path, program: str
) -> None:
    def exported(name: str, *words: str) -> Path:
        made: list[dict[str, Any]] = []
        for text in words:
            if program == "chatgpt":
                nodes = {"a": (None, chatgpt_message("user", text))}
                conversation = chatgpt_conversation("", nodes, "Garden")
            else:
                message = claude_message("m", "human", text)
                conversation = {"name": "Garden", "chat_messages": [message]}
            made.append(conversation)
        return alone(tmp_path, made, f"{name}.json")

    note_import.apply(note_import.plan(exported("first", "newts"), target).result()).result()
    # The next export has a new conversation before the one that is there.
    plan = note_import.plan(exported("second", "frogs", "newts"), target).result()
    assert (len(plan.labels), len(plan.known)) == (1, 1)
    note_import.apply(plan).result()
    texts = "".join(file.read_text("utf-8") for file in target.glob("*.md"))
    assert (texts.count("newts"), texts.count("frogs")) == (1, 1)
