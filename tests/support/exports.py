"""Exports of notes as other programs write them, made anew for each test."""

# ruff: noqa: E501

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_MD5 = hashlib.md5(PNG, usedforsecurity=False).hexdigest()


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with tarfile.open(path, "w") as archive:
        for name, data in files.items():
            content = data.encode() if isinstance(data, str) else data
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def enex_note(title: str, content: str, more: str = "", created: str = "20240301T101500Z") -> str:
    return f"""<note><title>{title}</title><content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>{content}</en-note>]]></content><created>{created}</created><updated>20240302T080000Z</updated>{more}</note>"""


def enex(*notes: str) -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20240701T000000Z" application="Evernote" version="10.94.2">
{"".join(notes)}</en-export>"""


def evernote(folder: Path) -> Path:
    picture = base64.b64encode(PNG).decode()
    first = enex_note(
        "Bread: the plan?",
        f"<div>Knead <b>ten minutes</b>.&nbsp;</div><div><en-todo checked='true'/>Buy rye</div>"
        f'<div><en-media hash="{_MD5}" type="image/png"/></div>'
        '<div>See <a href="evernote:///view/1/s1/aa/aa/">Oven</a></div>',
        "<tag>baking</tag><tag>slow food</tag><note-attributes><author>Ana</author>"
        "<source-url>https://example.org/rye</source-url></note-attributes>"
        f'<resource><data encoding="base64">\n{picture}\n</data><mime>image/png</mime>'
        "<resource-attributes><file-name>crust.png</file-name></resource-attributes></resource>",
    )
    path = folder / "Kitchen.enex"
    path.write_text(enex(first, enex_note("Oven", "<div>Hot</div>")))
    return path


_ROOT = "Home 0123456789abcdef0123456789abcdef"
_SUB = "Garden 11112222333344445555666677778888"
_BASE = "Plants 99998888777766665555444433332222"


def notion(folder: Path) -> Path:
    sub = f"{_ROOT}/{_SUB}.md".replace(" ", "%20")
    return zipped(
        folder / "Notion.zip",
        {
            f"{_ROOT}.md": f"# Home\n\nStart at [the garden]({sub}).\n",
            f"{_ROOT}/{_SUB}.md": "# Garden\n\nCreated: March 3, 2023 10:00 AM\nTags: green, out\n"
            "Status: Open\n\nRoses.\n\n![map](Garden%2011112222333344445555666677778888/map.png)\n",
            f"{_ROOT}/{_SUB}/map.png": PNG,
            f"{_ROOT}/{_BASE}.csv": "Name,Height\nRose,90\n",
            f"{_ROOT}/{_BASE}_all.csv": "Name,Height\nRose,90\nMint|x,30\n",
        },
    )


def notion_html(folder: Path) -> Path:
    page = '<html><head><title>Home</title><style>p{}</style></head><body><article id="x" class="page">'
    return zipped(
        folder / "Notion html.zip",
        {
            f"{_ROOT}.html": f'{page}<h1>Home</h1><p>To <a href="{_SUB}.html">there</a></p>',
            f"{_SUB}.html": "<title>Garden</title><p>Roses</p>",
        },
    )


def notion_parts(folder: Path) -> Path:
    inner = notion(folder).read_bytes()
    return zipped(folder / "Export.zip", {"Export-1a2b-Part-1.zip": inner})


def keep(folder: Path) -> Path:
    note = {
        "color": "DEFAULT", "isTrashed": False, "isPinned": True, "isArchived": False,
        "textContent": "Milk and acorns", "title": "Shop",
        "userEditedTimestampUsec": 1709287200000000, "createdTimestampUsec": 1709280000000000,
        "labels": [{"name": "errands"}],
        "attachments": [{"filePath": "abc.jpeg", "mimetype": "image/jpeg"}],
        "annotations": [{"url": "https://example.org/x", "title": "Page"}],
    }  # fmt: skip
    checks = note | {
        "title": "", "attachments": [], "labels": [], "annotations": [],
        "listContent": [{"text": "Pay rent", "isChecked": True}, {"text": "Call", "isChecked": False}],
        "textContent": "",
    }  # fmt: skip
    return zipped(
        folder / "takeout-2024.zip",
        {
            "Takeout/Keep/Shop.json": json.dumps(note),
            "Takeout/Keep/Shop.html": "<html></html>",
            "Takeout/Keep/abc.jpg": PNG,
            "Takeout/Keep/2024-03.json": json.dumps(checks),
            "Takeout/Keep/Old.json": json.dumps(note | {"isTrashed": True, "title": "Old"}),
            "Takeout/Keep/Labels.txt": "errands\n",
            "Takeout/archive_browser.html": "<html></html>",
        },
    )


def joplin_item(title: str, body: str, **fields: str) -> str:
    lines = "\n".join(f"{key}: {value}" for key, value in fields.items())
    return "\n\n".join(filter(None, (title, body, lines)))


def joplin(folder: Path) -> Path:
    note, other, notebook, inner = "a" * 32, "b" * 32, "c" * 32, "d" * 32
    picture, tag = "e" * 32, "f" * 32
    times = {"created_time": "2023-05-06T07:08:09.000Z", "updated_time": "2023-05-07T00:00:00.000Z"}
    return tarred(
        folder / "all.jex",
        {
            f"{note}.md": joplin_item(
                "Walk", f"To [the lake](:/{other}).\n\n![p](:/{picture})", id=note,
                parent_id=inner, **times, type_="1",
            ),
            f"{other}.md": joplin_item("Lake", "Cold", id=other, parent_id=notebook, **times, type_="1"),
            f"{notebook}.md": joplin_item("Trips", "", id=notebook, parent_id="", type_="2"),
            f"{inner}.md": joplin_item("North", "", id=inner, parent_id=notebook, type_="2"),
            f"{picture}.md": joplin_item("shore.png", "", id=picture, mime="image/png", type_="4"),
            f"{tag}.md": joplin_item("outside", "", id=tag, type_="5"),
            "1" * 32 + ".md": joplin_item("", "", id="1" * 32, note_id=note, tag_id=tag, type_="6"),
            "2" * 32 + ".md": joplin_item("", "", id="2" * 32, encryption_applied="1", type_="1"),
            f"resources/{picture}.png": PNG,
        },
    )  # fmt: skip


def simplenote(folder: Path) -> Path:
    notes = [
        {"id": "n1", "content": "# Ideas\r\nSee [that](simplenote://note/n2)\r\n", "tags": ["draft"],
         "creationDate": "2022-01-02T03:04:05.000Z", "lastModified": "2022-02-02T03:04:05.000Z",
         "markdown": True},
        {"id": "n2", "content": "That\n\nbody", "creationDate": "2022-01-03T03:04:05.000Z"},
    ]  # fmt: skip
    export = {"activeNotes": notes, "trashedNotes": [{"id": "n3", "content": "Gone"}]}
    return zipped(
        folder / "notes.zip",
        {"source/notes.json": json.dumps(export), "Ideas.txt": "# Ideas", "trash/Gone.txt": "Gone"},
    )


def day_one(folder: Path) -> Path:
    entry = {
        "uuid": "ABC0", "creationDate": "2023-08-09T10:11:12Z", "modifiedDate": "2023-08-10T10:11:12Z",
        "text": "# Up the hill\n\nGood\\.\n\n![](dayone-moment://FF01)\n[then](dayone://view?entryId=ABC1)",
        "tags": ["hike"], "location": {"placeName": "Mont", "country": "France"},
        "photos": [{"identifier": "FF01", "md5": _MD5, "type": "jpeg"}], "starred": True,
    }  # fmt: skip
    other = {"uuid": "ABC1", "creationDate": "2023-08-11T10:11:12Z", "text": "Down"}
    return zipped(
        folder / "dayone.zip",
        {
            "Journal.json": json.dumps({"metadata": {"version": "1.0"}, "entries": [entry, other]}),
            f"photos/{_MD5}.jpeg": PNG,
        },
    )


def bear(folder: Path) -> Path:
    def info(key: str, **more: object) -> str:
        own = {"uniqueIdentifier": key, "creationDate": "2021-01-01T00:00:00Z", **more}
        return json.dumps(
            {"version": 2, "type": "net.daringfireball.markdown", "net.shinyfrog.bear": own}
        )

    return zipped(
        folder / "Bear.bear2bk",
        {
            "Backup/One.textbundle/text.md": "# One: first\n#tag\n\n![](assets/a%20b.png) [[Two]]\n"
            "[go](bear://x-callback-url/open-note?id=K2)\n",
            "Backup/One.textbundle/info.json": info("K1"),
            "Backup/One.textbundle/assets/a b.png": PNG,
            "Backup/Two.textbundle/text.md": "# Two\n[[One: first]]\n",
            "Backup/Two.textbundle/info.json": info("K2"),
            "Backup/Old.textbundle/text.md": "# Old\n",
            "Backup/Old.textbundle/info.json": info("K3", trashed=1),
        },
    )


def pages(folder: Path) -> Path:
    root = folder / "Apple export"
    (root / "Recipes" / "images").mkdir(parents=True)
    data = base64.b64encode(PNG).decode()
    (root / "Recipes" / "Soup.html").write_text(
        '<html><head><title>Soup</title><meta name="created" content="2020-05-06T07:08:00.0000000">'
        f'</head><body><h1>Soup</h1><div>Hot</div><img src="images/p.png"><img src="data:image/png;base64,{data}">'
        '<a href="../Index.html">all</a></body></html>'
    )
    (root / "Recipes" / "images" / "p.png").write_bytes(PNG)
    (root / "Index.html").write_text("<title>All</title><ul class='to-do'><li>x</li></ul>")
    return root


def web_archive(folder: Path) -> Path:
    """As OneNote writes a page."""
    path = folder / "Meeting.mht"
    data = base64.encodebytes(PNG).decode()
    path.write_text(
        'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="=_b"\n\n--=_b\n'
        "Content-Location: file:///C:/D3AB/Meeting.htm\nContent-Transfer-Encoding: quoted-printable\n"
        'Content-Type: text/html; charset="utf-8"\n\n<html><head><title>Meeting</title></head><body>'
        '<p>Caf=C3=A9 at nine</p><img src=3D"Meeting_files/image001.png"></body></html>\n\n--=_b\n'
        "Content-Location: file:///C:/D3AB/Meeting_files/image001.png\n"
        f"Content-Transfer-Encoding: base64\nContent-Type: image/png\n\n{data}\n--=_b--\n"
    )
    return path


def chatgpt_message(role: str, content: object, **more: object) -> dict[str, object]:
    """A message; a text stands for its content."""
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    return {
        "author": {"role": role},
        "content": content,
        "recipient": "all",
        "metadata": {},
        **more,
    }


def chatgpt_conversation(
    key: str,
    messages: Mapping[str, tuple[str | None, object]],
    title: str | None = "Bread: the plan?",
) -> dict[str, object]:
    """A conversation of nodes by id, each with its parent and its message; the last one is shown."""
    mapping = {
        each: {
            "id": each, "parent": parent, "message": message,
            "children": [child for child, (own, _) in messages.items() if own == each],
        }
        for each, (parent, message) in messages.items()
    }  # fmt: skip
    return {
        "title": title, "create_time": 1709287200.5, "update_time": 1709373600.0, "mapping": mapping,
        "current_node": [*messages][-1] if messages else None, "conversation_id": key, "id": key,
    }  # fmt: skip


def chatgpt(folder: Path) -> Path:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1"}
    oven = chatgpt_message(
        "user", {"content_type": "multimodal_text", "parts": [picture, "This oven?"]},
        metadata={"attachments": [{"id": "file-Ab1", "name": "oven.png"}]},
    )  # fmt: skip
    first = {
        "root": (None, None),
        "system": ("root", chatgpt_message("system", "")),
        "question": ("system", chatgpt_message("user", "How do I bake?")),
        "old": ("question", chatgpt_message("assistant", "Ask a baker.")),
        "answer": ("question", chatgpt_message("assistant", "Like this:\n\n```python\nbake()\n")),
        "oven": ("answer", oven),
        "call": ("oven", chatgpt_message("assistant", "{}", recipient="web.run")),
        "result": ("call", chatgpt_message("tool", {"content_type": "sonic_webpage", "text": "x"})),
        "end": ("result", chatgpt_message("assistant", "Yes\ue200cite\ue202turn0\ue201.")),
    }
    second = {"one": (None, chatgpt_message("user", "# Rye\nor wheat?"))}
    conversations = [
        chatgpt_conversation("c-1", first),
        chatgpt_conversation("c-2", second, title=None),
        chatgpt_conversation("c-3", {}),
    ]
    return zipped(
        folder / "chatgpt.zip",
        {
            "conversations.json": json.dumps(conversations), "user.json": json.dumps({"email": "a@b"}),
            "chat.html": "<html></html>", "file-Ab1-oven.png": PNG,
        },
    )  # fmt: skip


def claude_message(
    key: str, sender: str, text: str, parent: str = "", **more: object
) -> dict[str, object]:
    """A message of a current export; without a parent it is the first one."""
    return {
        "uuid": key, "sender": sender, "text": text, "content": [{"type": "text", "text": text}],
        "parent_message_uuid": parent or "00000000-0000-4000-8000-000000000000", **more,
    }  # fmt: skip


def claude(folder: Path) -> Path:
    thinking = [
        {"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Use rye."},
        {"type": "tool_use", "name": "artifacts", "input": {}}, {"type": "tool_use", "name": "web_search"},
        {"type": "hologram"},
    ]  # fmt: skip
    pasted = {"file_name": "recipe.txt", "extracted_content": "flour\n```\nwater\n```"}
    messages = [
        claude_message("m1", "human", "Which flour?", attachments=[pasted], files=[{"file_name": "a.png"}]),
        claude_message("m2", "assistant", "Wheat.", "m1"),
        claude_message("m3", "assistant", "Use rye.", "m1", content=thinking),
    ]  # fmt: skip
    older = [
        {"uuid": "o1", "sender": "human", "text": "Hello"},
        {"uuid": "o2", "sender": "assistant", "text": "Hi"},
    ]
    conversations = [
        {"uuid": "k1", "name": "Flour / types", "created_at": "2025-04-05T23:30:00.123456Z",
         "updated_at": "2025-04-06T08:00:00Z", "chat_messages": messages},
        {"uuid": "k2", "name": "", "created_at": "2024-01-02T03:04:05Z", "chat_messages": older},
    ]  # fmt: skip
    project = {"uuid": "p1", "name": "Bakery", "description": "My shop", "prompt_template": "Be short.",
               "docs": [{"uuid": "d1", "filename": "Prices.md", "content": "Rye: 4"}]}  # fmt: skip
    memories = [
        {"conversations_memory": "Bakes bread.", "project_memories": {}, "account_uuid": "a"}
    ]
    return zipped(
        folder / "claude.zip",
        {
            "conversations.json": json.dumps(conversations), "projects.json": json.dumps([project]),
            "memories.json": json.dumps(memories), "users.json": json.dumps([{"full_name": "Ana"}]),
        },
    )  # fmt: skip


EXPORTS: dict[str, Callable[[Path], Path]] = {
    "Evernote": evernote, "Notion": notion, "Notion HTML": notion_html, "Notion parts": notion_parts,
    "Google Keep": keep, "Joplin": joplin, "Simplenote": simplenote, "Day One": day_one,
    "Bear": bear, "Web pages": pages, "ChatGPT": chatgpt, "Claude": claude,
}  # fmt: skip
"""Maker of an export for each program and form."""
