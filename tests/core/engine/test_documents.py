"""Documents beside notes: found with their place, read by page, left out where not wanted."""

from __future__ import annotations

import datetime as dt
import json
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON, Audience
from scrubjay.records.journal_records import ChangeKind
from scrubjay.records.note_records import NoteAddress, PageRequest, Workspace
from scrubjay.records.page_picture import PageWanted
from scrubjay.records.search_modes import Mode
from support.document_makers import SAMPLES, letter, mailbox, pdf, word
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, ask, found, write_notes

PAGES = ["Roses and tulips", "", "The boiler valve was replaced in spring", "Plums"]


def added(engine: Engine, root: Path) -> Workspace:
    """The workspace of a folder once it was read."""
    workspace = engine.add_workspace(root).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    return workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = write_notes(tmp_path / "school", {"plan.md": "# Plan\n\nBuy chalk.\n"})
    (root / "manual.pdf").write_bytes(pdf(PAGES, title="House manual"))
    (root / "letter.docx").write_bytes(word("# Invitation", "The party begins at noon"))
    return root


def test_a_new_folder_of_notes_has_its_documents_read(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    assert workspace.documents
    [hit] = ask(engine, "boiler valve", mode=Mode.LEXICAL).hits
    assert (hit.path, hit.title, hit.part) == ("manual.pdf", "House manual", 3)
    assert hit.citation == "manual.pdf#p3"
    [hit] = ask(engine, "party noon", mode=Mode.LEXICAL).hits
    assert (hit.path, hit.part) == ("letter.docx", None)
    assert "letter.docx#L" in hit.citation


def test_pages_are_read_by_their_number(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    page = engine.notes.page(NoteAddress(workspace.id, "manual.pdf#p3")).result(TIMEOUT)
    assert page.text.strip() == f"# Page 3\n\n{PAGES[2]}"
    assert page.path == "manual.pdf"
    rest = PageRequest(page.first_line + 2, 1)
    assert (
        engine.notes.page(NoteAddress(workspace.id, "manual.pdf#p3"), rest).result(TIMEOUT).text
        == PAGES[2]
    )
    with pytest.raises(NoteRefused, match="no text in part #p2"):
        engine.notes.page(NoteAddress(workspace.id, "manual.pdf#p2")).result(TIMEOUT)
    assert "Plums" in engine.notes.read(NoteAddress(workspace.id, "manual.pdf")).result(TIMEOUT)


def test_a_page_is_drawn_with_what_was_found_on_it(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    workspace = added(engine, folder)

    def drawn(path: str):
        wanted = PageWanted(3, 300, ("boiler", "valve"), "The boiler valve was replaced")
        return engine.notes.draw_page(
            NoteAddress(workspace.id, path), wanted, CancelToken()
        ).result(TIMEOUT)

    picture = drawn("manual.pdf")
    assert (picture.page, picture.pages, picture.width) == (3, 4, 300)
    assert [len(picture.words), len(picture.passage)] == [2, 1]
    assert picture.text.strip() == PAGES[2]
    (folder / "manual.pdf").write_bytes(b"%PDF of which nothing is left")
    with pytest.raises(
        NoteRefused, match=r"manual.pdf cannot be shown. The file is damaged or is not a valid"
    ):
        drawn("manual.pdf")
    (folder / "manual.pdf").unlink()
    with pytest.raises(NoteRefused, match="The note was deleted or moved"):
        drawn("manual.pdf")
    with pytest.raises(NoteRefused, match="not one of the notes"):
        drawn("../other.pdf")


def test_each_engine_draws_pages_with_a_process_of_its_own(
    new_engine: NewEngine, folder: Path, tmp_path: Path
) -> None:
    def draw(engine: Engine, workspace: Workspace) -> int:
        wanted = PageWanted(3, 300)
        drawing = engine.notes.draw_page(
            NoteAddress(workspace.id, "manual.pdf"), wanted, CancelToken()
        )
        drawing.result(TIMEOUT)
        process = engine._parts.page_client.child.process  # noqa: SLF001
        assert process is not None
        return process.pid

    one = new_engine()
    first = added(one, folder)
    with closing(Engine(Paths.under(tmp_path / "other"), provider=WordProvider())) as other:
        own = draw(one, first)
        assert draw(other, added(other, folder)) != own
    assert draw(one, first) == own


def test_each_engine_reads_documents_with_a_process_of_its_own(
    new_engine: NewEngine, folder: Path, tmp_path: Path
) -> None:
    def child(engine: Engine) -> int:
        process = engine._parts.converter.child.process  # noqa: SLF001
        assert process is not None
        assert process.poll() is None
        return process.pid

    one, paths = new_engine(), Paths.under(tmp_path / "other")
    with closing(Engine(paths, provider=WordProvider())) as other:
        adding = [engine.add_workspace(folder).result(TIMEOUT) for engine in (one, other)]
        passes = [
            engine.refresh(workspace)
            for engine, workspace in zip((one, other), adding, strict=True)
        ]
        for each in passes:
            each.result(TIMEOUT)
        own = child(one)
        assert child(other) != own
        assert found(other, "boiler valve") == found(one, "boiler valve") == ["manual.pdf"]
        assert len(list((paths.cache / "documents").iterdir())) == 2
    assert other._parts.converter.child.process is None  # noqa: SLF001
    assert child(one) == own
    (folder / "menu.docx").write_bytes(word("# Menu", "Soup"))
    one.refresh().result(TIMEOUT)
    assert found(one, "soup") == ["menu.docx"]


def test_no_document_is_read_by_an_engine_that_has_none(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine()
    workspace = added(engine, write_notes(tmp_path / "plain", {"plan.md": "Buy chalk."}))
    assert "chalk" in engine.notes.read(NoteAddress(workspace.id, "plan.md")).result(TIMEOUT)
    assert engine._parts.converter.child.process is None  # noqa: SLF001


def test_without_the_tick_documents_are_neither_found_nor_read(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    engine.folders.change(replace(workspace, documents=False)).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    assert not ask(engine, "boiler valve", mode=Mode.LEXICAL).hits
    with pytest.raises(NoteRefused):
        engine.notes.page(NoteAddress(workspace.id, "manual.pdf")).result(TIMEOUT)
    [status] = engine.current_status().result(TIMEOUT).workspaces
    assert any(".pdf" in each.reason for each in status.skipped)


def test_documents_are_counted_by_kind(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    counts = engine.folders.note_counts(workspace).result(TIMEOUT)
    assert (counts.notes, counts.documents) == (1, {".pdf": 1, ".docx": 1})


def test_folders_with_documents_alone_are_counted_also_when_excluded(
    new_engine: NewEngine, folder: Path
) -> None:
    write_notes(folder, {"Correo/2026/one.pdf": pdf(["A zebra"]), "Correo/two.pdf": pdf(["A gnu"])})
    engine = new_engine()
    workspace = added(engine, folder)
    for left_out, pdfs in (((), 3), (("Correo/2026",), 2), (("Correo",), 1)):
        excluding = replace(workspace, left_out=left_out)
        counts = engine.folders.note_counts(excluding).result(TIMEOUT)
        assert counts.document_folders == {"Correo": 2, "Correo/2026": 1}
        assert (counts.subfolders, counts.documents[".pdf"]) == ({}, pdfs)


def test_an_agents_memory_stays_markdown(new_engine: NewEngine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "agent", {"MEMORY.md": "# Memory\n", "memory/2026-01-02.md": "x"})
    (root / "memory" / "paper.pdf").write_bytes(pdf(["apricot"]))
    engine = new_engine()
    assert not added(engine, root).documents
    assert not ask(engine, "apricot", mode=Mode.LEXICAL).hits


def test_what_cannot_be_read_is_listed_with_its_reason(new_engine: NewEngine, folder: Path) -> None:
    (folder / "secret.pdf").write_bytes(pdf(["x"], password="key"))
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 nothing")
    engine = new_engine()
    added(engine, folder)
    [status] = engine.current_status().result(TIMEOUT).workspaces
    reasons = {each.path: each.reason for each in status.skipped}
    assert reasons["secret.pdf"] == "The document is protected with a password."
    assert reasons["broken.docx"] == "The file is damaged or is not a valid .docx file."


def test_a_document_that_loses_its_text_is_not_found_any_more(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    (folder / "manual.pdf").write_bytes(b"nothing")
    engine.refresh(workspace).result(TIMEOUT)
    assert not ask(engine, "boiler valve", mode=Mode.LEXICAL).hits


def test_texts_outlive_the_index_and_are_not_made_again(
    new_engine: NewEngine, folder: Path, paths: Paths
) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    texts = {file: file.stat().st_ino for file in (paths.cache / "documents").iterdir()}
    assert len(texts) == 2
    engine.refresh(workspace, force=True).result(TIMEOUT)
    assert {file: file.stat().st_ino for file in (paths.cache / "documents").iterdir()} == texts


@pytest.mark.parametrize("ending", SAMPLES)
def test_every_kind_is_found(new_engine: NewEngine, tmp_path: Path, ending: str) -> None:
    root = write_notes(tmp_path / "all", {"plan.md": "# Plan\n"})
    (root / f"one{ending}").write_bytes(SAMPLES[ending]("apricot jam for Emma"))
    engine = new_engine()
    added(engine, root)
    assert found(engine, "apricot jam") == [f"one{ending}"]
    [hit] = ask(engine, "apricot jam", mode=Mode.LEXICAL).hits
    parts = {".pdf": 2, ".epub": 2, ".mbox": 2}
    parts |= dict.fromkeys((".pptx", ".pptm", ".odp", ".xlsx", ".xlsm", ".ods"), 1)
    assert hit.part == parts.get(ending)


def test_the_place_is_that_of_the_line(new_engine: NewEngine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "mail", {"plan.md": "# Plan\n"})
    letters = [letter(f"About {word}", f"We met {word} there") for word in ("Ana", "Ben", "Cleo")]
    (root / "mail.mbox").write_bytes(mailbox(*letters))
    engine = new_engine()
    added(engine, root)
    for number, name in enumerate(("Ana", "Ben", "Cleo"), start=1):
        assert ask(engine, f"met {name}", mode=Mode.LEXICAL).hits[0].part == number


@pytest.mark.limits(many_documents=2)
def test_many_documents_are_not_read_unasked(new_engine: NewEngine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "many", {"plan.md": "# Plan\n"})
    for number in range(2):
        (root / f"{number}.pdf").write_bytes(pdf(["apricot"]))
    workspace: Workspace = added(new_engine(), root)
    assert not workspace.documents


@pytest.mark.parametrize("audience", [PERSON, AGENT])
def test_a_long_manual_leaves_places_to_notes(
    new_engine: NewEngine, tmp_path: Path, audience: Audience
) -> None:
    texts = {f"{n}.md": f"# Day {n}\n\nThat day we talked about the boiler\n" for n in range(4)}
    root = write_notes(tmp_path / "house", texts)
    page = "\n".join(["Boiler. The boiler of the boiler room."] * 40)
    (root / "manual.pdf").write_bytes(pdf([f"{page} Part {n}." for n in range(300)]))
    engine = new_engine()
    added(engine, root)
    answer = ask(engine, "boiler", mode=Mode.LEXICAL, audience=audience, max_results=8)
    paths = [hit.path for hit in answer.hits]
    assert {f"{n}.md" for n in range(4)} <= {*paths}
    assert paths.count("manual.pdf") == (1 if audience is PERSON else 3)


def test_a_kind_narrows_a_question(new_engine: NewEngine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "mixed", {"plan.md": "# Plan\n\nApricot\n"})
    for name in ("a.pdf", "b.DOCX", "c.eml"):
        (root / name).write_bytes(SAMPLES[name[1:].lower()]("Apricot"))
    engine = new_engine()
    added(engine, root)
    for kind, path in (("note", "plan.md"), ("pdf", "a.pdf"), ("document", "b.DOCX")):
        assert found(engine, f"kind:{kind} apricot") == [path]
    assert set(found(engine, "kind:mail KIND:PDF apricot")) == {"a.pdf", "c.eml"}
    assert found(engine, "kind:conversation apricot") == []


def test_documents_are_in_the_history_once_they_change(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    added(engine, folder)
    before = dt.datetime.now().astimezone() - dt.timedelta(minutes=30)
    assert not engine.journal.changes(before).result(TIMEOUT).changes
    (folder / "letter.docx").write_bytes(word("# Invitation", "The party begins at eight"))
    (folder / "new.docx").write_bytes(word("# Menu", "Soup"))
    engine.refresh().result(TIMEOUT)
    changes = engine.journal.changes(before).result(TIMEOUT).changes
    assert {(each.path, each.kind) for each in changes} == {
        ("letter.docx", ChangeKind.CHANGED),
        ("new.docx", ChangeKind.ADDED),
    }
    for each in changes:
        written = (folder / each.path).stat().st_mtime
        assert abs(each.moment.timestamp() - written) < 0.001


def test_documents_of_a_folder_that_gets_them_later_are_no_changes(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    engine.folders.change(replace(workspace, documents=False)).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    before = dt.datetime.now().astimezone() - dt.timedelta(minutes=30)
    engine.folders.change(replace(workspace, documents=True)).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    assert found(engine, "boiler valve") == ["manual.pdf"]
    assert not engine.journal.changes(before).result(TIMEOUT).changes


def test_a_canvas_is_a_note_also_where_documents_are_not_read(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    nodes = [{"type": "text", "text": "The trombone is at the repair shop."}]
    boards = {
        "plan.md": "# Plan\n",
        "Band.canvas": json.dumps({"nodes": nodes}),
        "Bills.base": "views:\n  - name: Unpaid invoices\n",
        "Hall.excalidraw": json.dumps({"elements": [{"text": "stage entrance"}]}),
    }
    engine = new_engine()
    workspace = added(engine, write_notes(tmp_path / "band", boards))
    assert not workspace.documents
    for words, path in [
        ("trombone", "Band.canvas"),
        ("unpaid invoices", "Bills.base"),
        ("stage entrance", "Hall.excalidraw"),
        ("trombone kind:note", "Band.canvas"),
    ]:
        [hit] = ask(engine, words, mode=Mode.LEXICAL).hits
        assert hit.path == path
        page = engine.notes.page(NoteAddress(workspace.id, path)).result(TIMEOUT)
        assert hit.snippet.text.strip() in page.text
    assert engine.health.check().result(TIMEOUT).notes == 1
