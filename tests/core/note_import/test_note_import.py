"""Bringing notes over from exports: plan, writing, running again, undo."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.events import NoteImportProgressed
from scrubjay.note_import.imported_note import ExportRefused
from scrubjay.note_import.note_import import NoteImport
from scrubjay.notes.note_links import LinkTargets, find_links
from support.exports import (
    EXPORTS,
    PNG,
    bear,
    day_one,
    enex,
    enex_note,
    evernote,
    joplin_item,
    keep,
    notion,
    notion_html,
    simplenote,
    tarred,
    web_archive,
    zipped,
)
from support.vault import tree_digest

Make = Callable[[Path, Mapping[str, str]], Path]


def brought(notes: NoteImport, export: Path, target: Path) -> dict[str, str]:
    """The text of each Markdown file after an import."""
    result = notes.apply(notes.plan(export, target).result()).result()
    assert not result.failed
    return {
        file.relative_to(target).as_posix(): file.read_text("utf-8")
        for file in target.rglob("*.md")
    }


def contents(folder: Path) -> dict[str, bytes | None]:
    """The bytes of all files, and None for folders."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def body(text: str) -> str:
    return text.split("---\n", 2)[2].strip()


@pytest.fixture(params=EXPORTS)
def export(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "exports").mkdir()
    return EXPORTS[request.param](tmp_path / "exports")


def test_the_export_is_read_only(export: Path, note_import: NoteImport, target: Path) -> None:
    before = tree_digest(export.parent)
    brought(note_import, export, target)
    assert tree_digest(export.parent) == before


def test_running_again_adds_nothing(export: Path, note_import: NoteImport, target: Path) -> None:
    texts = brought(note_import, export, target)
    assert len(texts) >= 2
    before = tree_digest(target)
    plan = note_import.plan(export, target).result()
    assert (len(plan.labels), len(plan.known), plan.attachments) == (0, len(texts), 0)
    note_import.apply(plan).result()
    assert tree_digest(target) == before


def test_undo_gives_the_folder_back(export: Path, note_import: NoteImport, target: Path) -> None:
    target.mkdir()
    (target / "Oven.md").write_text("mine\n")
    (target / "attachments").mkdir()
    before = contents(target)
    brought(note_import, export, target)
    taken = note_import.undo().result()
    assert not taken.changed
    assert contents(target) == before
    assert (target / "attachments").is_dir()


def test_links_lead_to_files(export: Path, note_import: NoteImport, target: Path) -> None:
    texts = brought(note_import, export, target)
    files = [file.relative_to(target).as_posix() for file in target.rglob("*") if file.is_file()]
    targets = LinkTargets(files)
    for label, text in texts.items():
        assert "scrubjay-" not in text
        for link in find_links(text.splitlines()):
            assert targets.follow(link, label), link


def test_front_matter_is_yaml(export: Path, note_import: NoteImport, target: Path) -> None:
    for text in brought(note_import, export, target).values():
        fields = yaml.safe_load(text.split("---\n")[1])
        assert isinstance(fields["title"], str)
        assert isinstance(fields.get("tags", []), list)


def test_attachments_keep_their_bytes(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    texts = brought(note_import, evernote(tmp_path), target)
    assert (target / "attachments" / "crust.png").read_bytes() == PNG
    assert body(texts["Bread the plan.md"]) == (
        "Knead **ten minutes**.\n- [x] Buy rye\n\n![crust](<attachments/crust.png>)\n"
        "See [Oven](<Oven.md>)"
    )


def test_a_page_of_onenote_comes_with_its_pictures(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    texts = brought(note_import, web_archive(tmp_path), target)
    text = "Café at nine\n\n![image001](<attachments/image001.png>)"
    assert body(texts["Meeting.md"]) == text
    assert (target / "attachments" / "image001.png").read_bytes() == PNG


def test_the_folder_of_keep_itself_is_read(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    with zipfile.ZipFile(keep(tmp_path)) as archive:
        archive.extractall(tmp_path / "unpacked")
    folder = tmp_path / "unpacked" / "Takeout" / "Keep"
    assert len(brought(note_import, folder, target)) == 2


@pytest.mark.parametrize("made", [notion, notion_html, keep, simplenote, day_one, bear])
def test_an_unpacked_export_gives_the_same_notes(
    note_import: NoteImport, tmp_path: Path, target: Path, made: Callable[[Path], Path]
) -> None:
    export = made(tmp_path)
    with zipfile.ZipFile(export) as archive:
        archive.extractall(tmp_path / "unpacked")
    packed = brought(note_import, export, target)
    assert brought(note_import, tmp_path / "unpacked", tmp_path / "again") == packed


def test_a_plan_counts_and_writes_nothing(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    plan = note_import.plan(keep(tmp_path), target).result()
    assert (plan.program, len(plan.labels), plan.attachments, plan.tags) == ("Google Keep", 2, 1, 1)
    assert [str(each.reason) for each in plan.obstacles] == ["The note is in the trash."]
    assert not target.exists()


def test_only_new_notes_are_added_even_when_others_were_moved(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = tmp_path / "n.enex"
    export.write_text(enex(enex_note("One", "a")))
    brought(note_import, export, target)
    (target / "Archive").mkdir()
    (target / "One.md").rename(target / "Archive" / "First.md")
    moved = target.rename(tmp_path / "elsewhere")
    export.write_text(
        enex(
            enex_note("One", "a"),
            enex_note("Two", "see <a href='evernote:///view/1/1/1/1/'>One</a>"),
        )
    )
    texts = brought(note_import, export, moved)
    assert sorted(texts) == ["Archive/First.md", "Two.md"]
    assert body(texts["Two.md"]) == "see [One](<Archive/First.md>)"


def _renamed_evernote(folder: Path, title: str) -> Path:
    notes = enex_note(title, "Knead for ten minutes"), enex_note("Oven", "Hot on one side")
    (folder / "n.enex").write_text(enex(*notes))
    return folder / "n.enex"


def _renamed_by_guid(folder: Path, title: str) -> Path:
    text = f"<div>Other words of {title}</div>"
    notes = enex_note(title, text, "<guid>1-2-3</guid>"), enex_note("Oven", "Hot on one side")
    (folder / "n.enex").write_text(enex(*notes))
    return folder / "n.enex"


def _renamed_keep(folder: Path, title: str) -> Path:
    note = {
        "isTrashed": False, "isArchived": False, "textContent": "Milk and acorns", "title": title,
        "userEditedTimestampUsec": 1709287200000000, "createdTimestampUsec": 1709280000000000,
    }  # fmt: skip
    other = note | {"title": "Other", "textContent": "Pay the rent"}
    return zipped(
        folder / "takeout.zip",
        {
            f"Takeout/Keep/{title}.json": json.dumps(note),
            "Takeout/Keep/Other.json": json.dumps(other),
        },
    )


def _renamed_notion(folder: Path, title: str) -> Path:
    pages = {f"{title} {'a1' * 16}.md": f"# {title}\n", f"Other {'b2' * 16}.md": "# Other\n"}
    return zipped(folder / "Notion.zip", pages)


def _renamed_joplin(folder: Path, title: str) -> Path:
    items = {"a" * 32: title, "b" * 32: "Other"}
    return tarred(
        folder / "all.jex",
        {f"{key}.md": joplin_item(text, "", id=key, type_="1") for key, text in items.items()},
    )


def _renamed_bear(folder: Path, title: str) -> Path:
    info = {"net.shinyfrog.bear": {"uniqueIdentifier": "K1"}}
    other = {"net.shinyfrog.bear": {"uniqueIdentifier": "K2"}}
    return zipped(
        folder / "Bear.bear2bk",
        {
            f"B/{title}.textbundle/text.md": f"# {title}\n",
            f"B/{title}.textbundle/info.json": json.dumps(info),
            "B/Other.textbundle/text.md": "# Other\n",
            "B/Other.textbundle/info.json": json.dumps(other),
        },
    )


@pytest.mark.parametrize(
    "made",
    [
        _renamed_evernote, _renamed_by_guid, _renamed_keep, _renamed_notion, _renamed_joplin,
        _renamed_bear,
    ],
)  # fmt: skip
def test_a_note_with_a_new_title_is_not_brought_twice(
    note_import: NoteImport, tmp_path: Path, target: Path, made: Callable[[Path, str], Path]
) -> None:
    before = brought(note_import, made(tmp_path, "Bread"), target)
    assert len(before) == 2
    plan = note_import.plan(made(tmp_path, "Rolls"), target).result()
    assert (plan.labels, len(plan.known), plan.attachments) == ({}, 2, 0)
    assert brought(note_import, made(tmp_path, "Rolls"), target) == before


def test_a_note_of_the_same_second_with_another_text_is_a_new_one(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = tmp_path / "n.enex"
    export.write_text(enex(enex_note("Bread", "Knead for ten minutes")))
    brought(note_import, export, target)
    other = enex_note("Tyres", "Pump them up before summer")
    export.write_text(enex(other))
    assert set(brought(note_import, export, target)) == {"Bread.md", "Tyres.md"}
    twin = enex_note("Twin", "Knead for ten minutes")
    export.write_text(enex(enex_note("Bread", "Knead for ten minutes"), other, twin))
    assert "Twin.md" in brought(note_import, export, target)


def test_changed_notes_stay_and_are_named(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    brought(note_import, evernote(tmp_path), target)
    (target / "Oven.md").write_text("mine now")
    assert note_import.undo().result().changed == ("Oven.md",)
    assert [file.name for file in target.iterdir()] == ["Oven.md"]


def test_a_file_of_the_user_is_never_written_over(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    plan = note_import.plan(evernote(tmp_path), target).result()
    target.mkdir()
    (target / "Oven.md").write_text("mine")
    result = note_import.apply(plan).result()
    assert [(each.what, str(each.reason)) for each in result.failed] == [
        ("Oven", "The file already exists")
    ]
    assert (target / "Oven.md").read_text() == "mine"


def test_titles_that_are_alike_get_numbers(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = tmp_path / "n.enex"
    titles = ("Same", "same", "Same", "CON", "a/../b", ".hidden", "x" * 300, "")
    export.write_text(enex(*(enex_note(title, f"text {at}") for at, title in enumerate(titles))))
    texts = brought(note_import, export, target)
    assert len(texts) == len(titles)
    assert {"Same.md", "same 2.md", "Same 3.md", "_CON.md", "a .. b.md", "hidden.md"} <= set(texts)


def test_the_folder_is_searched_until_it_is_taken_back(
    note_import: NoteImport, engine: Engine, tmp_path: Path, target: Path
) -> None:
    brought(note_import, evernote(tmp_path), target)
    assert [each.root for each in engine.workspaces()] == [target]
    note_import.undo().result()
    assert not engine.workspaces()
    assert not target.exists()
    with pytest.raises(ScrubjayError, match="nothing to undo"):
        note_import.undo().result()


def test_a_cancelled_import_can_be_taken_back(
    note_import: NoteImport, engine: Engine, tmp_path: Path, target: Path
) -> None:
    export = tmp_path / "n.enex"
    export.write_text(enex(*(enex_note(f"Note {at}", "x") for at in range(100))))
    token = CancelToken()
    engine.events.subscribe(lambda event: token.cancel(), NoteImportProgressed)
    with pytest.raises(Cancelled):
        note_import.apply(note_import.plan(export, target).result(), token).result()
    assert 0 < len(list(target.iterdir())) < 100
    note_import.undo().result()
    assert not target.exists()


def test_tasks_of_evernote_come_after_the_text_of_their_note(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    tasks = "".join(
        f"<task><title>{title}</title><created>20200101T000000Z</created>"
        f"<taskStatus>{status}</taskStatus><dueDate>{due}</dueDate></task>"
        for title, status, due in [
            ("Call the roofer", "open", "20200301T100000Z"),
            ("Buy slates", "completed", ""),
        ]
    )
    export = tmp_path / "n.enex"
    export.write_text(enex(enex_note("Roof", "It leaks.", tasks)))
    texts = brought(note_import, export, target)
    assert "created: 2024-03-01" in texts["Roof.md"]
    assert body(texts["Roof.md"]) == (
        "It leaks.\n\n- [ ] Call the roofer (due 2020-03-01)\n- [x] Buy slates"
    )


HOSTILE_XML = """<?xml version="1.0"?><!DOCTYPE en-export [<!ENTITY a "x"><!ENTITY b SYSTEM "file:///etc/passwd">]>
<en-export><note><title>&a;&b;</title><content>y</content></note></en-export>"""


def test_entities_are_refused(note_import: NoteImport, tmp_path: Path, target: Path) -> None:
    export = tmp_path / "n.enex"
    export.write_text(HOSTILE_XML)
    plan = note_import.plan(export, target).result()
    assert not plan.labels
    assert len(plan.obstacles) == 1


def test_the_encoding_that_an_export_declares_does_not_count(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = tmp_path / "n.enex"
    export.write_text(enex(enex_note("Señal", "é")).replace("UTF-8", "UTFa8", 1), "utf-8")
    assert list(brought(note_import, export, target)) == ["Señal.md"]


def test_nothing_is_written_outside_of_the_target(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    evil = "../../../evil"
    item = joplin_item(evil, f"![](:/{'b' * 32})", id="a" * 32, parent_id="c" * 32, type_="1")
    export = tarred(
        tmp_path / "evil.jex",
        {
            "a" * 32 + ".md": item,
            "b" * 32 + ".md": joplin_item(f"{evil}.png", "", id="b" * 32, type_="4"),
            "c" * 32 + ".md": joplin_item("..", "", id="c" * 32, parent_id="c" * 32, type_="2"),
            f"{evil}/resources/{'b' * 32}.png": PNG,
        },
    )

    def outside() -> dict[str, bytes | None]:
        return {
            path: data
            for path, data in contents(tmp_path).items()
            if path.split("/")[0] not in (target.name, "home")
        }

    before = outside()
    brought(note_import, export, target)
    assert outside() == before
    assert len(list(target.rglob("evil.*"))) == 2


@pytest.mark.needs("links")
def test_a_link_in_the_target_is_not_followed(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = keep(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    target.mkdir()
    (target / "attachments").symlink_to(outside)
    result = note_import.apply(note_import.plan(export, target).result()).result()
    assert len(result.failed) == 1
    assert not list(outside.iterdir())


def test_links_in_an_archive_are_passed_over(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = keep(tmp_path)
    with zipfile.ZipFile(export, "a") as archive:
        info = zipfile.ZipInfo("Takeout/Keep/link.json")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    assert "1 file" in [
        str(each.what) for each in note_import.plan(export, target).result().obstacles
    ]


NAMES = [
    "/abs/Pear.md", "//server/share/Pear.md", r"\\server\share\Pear.md", r"C:\notes\Pear.md",
    "c:/Pear.md", r"\\?\C:\Pear.md", "a/../../../Pear.md", r"..\..\Pear.md", "./Pear.md",
    "a//b/Pear.md", "NUL/Pear.md", "CON/Pear.md", "COM1/aux/Pear.md", "a\x01b/Pear.md",
]  # fmt: skip
NAMELESS = ["/", "..", "../..", "C:/", "//", "."]


@pytest.mark.parametrize("make", [zipped, tarred])
@pytest.mark.parametrize("name", NAMES)
def test_a_member_of_any_name_is_brought_over(
    note_import: NoteImport, tmp_path: Path, target: Path, name: str, make: Make
) -> None:
    files = {f"Apple {'0' * 32}.md": "# Apple\n\nred", name: "# Pear\n\ngreen"}
    outside = {path.name for path in tmp_path.iterdir()} | {"e.zip", "home", target.name}
    texts = brought(note_import, make(tmp_path / "e.zip", files), target)
    assert sorted(body(text) for text in texts.values()) == ["green", "red"]
    assert {path.name for path in tmp_path.iterdir()} == outside


@pytest.mark.parametrize("make", [zipped, tarred])
@pytest.mark.parametrize("name", NAMELESS)
def test_a_member_without_a_name_is_passed_over(
    note_import: NoteImport, tmp_path: Path, target: Path, name: str, make: Make
) -> None:
    files = {f"Apple {'0' * 32}.md": "# Apple\n\nred", name: "# Pear\n\ngreen"}
    assert list(brought(note_import, make(tmp_path / "e.zip", files), target)) == ["Apple.md"]


def test_a_zero_in_the_name_of_a_member_ends_it(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = zipped(tmp_path / "e.zip", {"Apple.md": "red", "Xear.md": "green", "Plum.mdX": "blue"})
    data = export.read_bytes()
    export.write_bytes(data.replace(b"Xear.md", b"\0ear.md").replace(b"mdX", b"md\0"))
    texts = brought(note_import, export, target)
    assert sorted(map(body, texts.values())) == ["blue", "red"]


def test_members_that_have_one_name_in_the_end_are_all_brought_over(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = zipped(tmp_path / "e.zip", {"a.md": "1", "/a.md": "2", "./a.md": "3", "../a.md": "4"})
    texts = brought(note_import, export, target)
    assert sorted(map(body, texts.values())) == ["1", "2", "3", "4"]


def test_a_zip_bomb_ends_in_a_sentence(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    many = {f"Takeout/Keep/{at}.json": b" " * 15_000_000 for at in range(24)}
    export = zipped(tmp_path / "bomb.zip", many)
    plan = note_import.plan(export, target).result()
    assert any("too large when unpacked" in str(each.reason) for each in plan.obstacles)


@pytest.mark.parametrize("name", ["nothing.zip", "a.txt", "empty.zip", "short.jex", "folder"])
def test_what_is_no_export_is_said_so(
    note_import: NoteImport, tmp_path: Path, target: Path, name: str
) -> None:
    if name == "folder":
        (tmp_path / name).mkdir()
        (tmp_path / name / "note.md").write_text("x")
    elif name == "empty.zip":
        zipped(tmp_path / name, {})
    elif name != "nothing.zip":
        (tmp_path / name).write_text("short")
    with pytest.raises(ExportRefused):
        note_import.plan(tmp_path / name, target).result()


@pytest.mark.soak
def test_damaged_exports_raise_nothing_unexpected(
    export: Path, note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    rounds = 1_000 if os.environ.get("SCRUBJAY_SOAK") else 30
    if export.is_dir():
        export = next(export.rglob("*.html"))
    data, dice = export.read_bytes(), random.Random(export.name)
    broken = tmp_path / f"broken{export.suffix}"
    for _ in range(rounds):
        spoiled = bytearray(data)
        for _ in range(dice.randint(1, 12)):
            spoiled[dice.randrange(len(spoiled))] = dice.randrange(256)
        broken.write_bytes(spoiled[: dice.choice([len(spoiled), dice.randrange(len(spoiled))])])
        with contextlib.suppress(ScrubjayError):
            note_import.apply(note_import.plan(broken, target).result()).result()
        shutil.rmtree(target, ignore_errors=True)


def test_attachments_that_an_export_lacks_are_counted_in_the_plan(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = tmp_path / "n.enex"
    lost = "".join(f'<en-media hash="{digit * 32}" type="image/png"/>' for digit in "ab")
    export.write_text(enex(enex_note("Pond", f"<div>newts {lost}</div>")))
    [obstacle] = note_import.plan(export, target).result().obstacles
    assert obstacle.what == "Pond"
    assert obstacle.reason == "2 attachments of the note are not in the export."


def test_files_of_notion_are_imported_with_their_pages_or_counted(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    page = "# Pond\n\nFiles: Pond/net%20list.zip, https://example.org/a.pdf\nDone: Yes\n\nNewts\n"
    files = {"net list.zip": "zip", "lost.zip": "zip", "b.mp4": "mp4", ".DS_Store": "x"}
    contents = {f"Pond/{name}": content for name, content in files.items()}
    export = zipped(tmp_path / "Notion.zip", {f"Pond {'a1' * 16}.md": page, **contents})
    plan = note_import.plan(export, target).result()
    [obstacle] = plan.obstacles
    assert sorted(obstacle.what.split(", ")) == ["b.mp4", "lost.zip"]
    assert obstacle.reason == "2 files not linked from any page are not imported."
    texts = brought(note_import, export, target)
    assert body(texts["Pond.md"]).startswith(
        "Files: [net list.zip](<attachments/net list.zip>), https://example.org/a.pdf  \nDone: Yes"
    )
    assert (target / "attachments/net list.zip").read_text() == "zip"


def test_encrypted_passages_of_evernote_are_marked_and_named_in_the_plan(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    export = tmp_path / "n.enex"
    secret = '<en-crypt hint="dog" cipher="AES" length="128">RU5DMKYJBTGK0hQ=</en-crypt>'
    export.write_text(enex(enex_note("Safe", f"<div>left {secret} right {secret}</div>")))
    [obstacle] = note_import.plan(export, target).result().obstacles
    assert obstacle.what == "Safe"
    assert obstacle.reason.startswith("2 encrypted passages of the note cannot be imported.")
    mark = "[encrypted in Evernote]"
    assert body(brought(note_import, export, target)["Safe.md"]).replace("\\", "") == (
        f"left {mark} right {mark}"
    )
