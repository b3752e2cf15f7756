"""Pictures in folders: found by what is written on them, where a person let them be read."""

from __future__ import annotations

import io
import os
import zipfile
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from PIL.TiffImagePlugin import AppendingTiffWriter

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.documents.document_cache import DocumentCache
from scrubjay.documents.picture_converter import PictureConverter, picture_key
from scrubjay.documents.picture_texts import MOST_KEPT
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused
from scrubjay.index.picture_count import count_pictures
from scrubjay.index.picture_pauses import ON_BATTERY
from scrubjay.mcp_server.authorization import caller_named
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.records.audience import AGENT, PERSON
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.records.picture_text import PictureLine, PictureText
from scrubjay.records.search_modes import Mode
from support.battery import discharge
from support.document_makers import pdf, word
from support.pictures import encoded, landscape, page
from support.vault import TIMEOUT, NewEngine, ask, write_notes
from support.waiting import wait_until

BOARD = ("Sprint goals", "Migrate the ledger to Lisbon", "Invite the auditors")
LETTER = ("Dear neighbours", "The chimney sweep comes on Thursday")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = write_notes(
        tmp_path / "school",
        {
            "plan.md": "# Plan\n\nBuy chalk.\n\n![[whiteboard.png]]\n",
            "other.md": "# Other\n\nTea.\n",
        },
    )
    (root / "whiteboard.png").write_bytes(encoded(page(BOARD)))
    (root / "letter.jpg").write_bytes(encoded(page(LETTER), "JPEG"))
    (root / "hills.jpg").write_bytes(encoded(landscape(600, 400), "JPEG"))
    (root / "icon.png").write_bytes(encoded(page(("Lisbon",), width=100).resize((64, 64))))
    # What has just changed is looked at again in any case.
    for file in root.iterdir():
        os.utime(file, (1_700_000_000, 1_700_000_000))
    return root


def scan(*pages: tuple[str, ...]) -> bytes:
    """A PDF file whose pages are pictures."""
    pictures = [page(lines, size=34, width=1100) for lines in pages]
    target = io.BytesIO()
    pictures[0].save(target, "PDF", save_all=True, append_images=pictures[1:])
    return target.getvalue()


def scanned_tiff(*pages: tuple[str, ...]) -> bytes:
    """A TIFF file as scanners write it, with a small copy after each page."""
    pictures = [page(lines, size=34, width=1100) for lines in pages]
    target = io.BytesIO()
    with AppendingTiffWriter(target) as writer:
        for picture in pictures:
            for stored, kind in ((picture, 0), (picture.resize((220, 60)), 1)):
                stored.save(writer, "TIFF", compression="tiff_lzw", tiffinfo={254: kind})
                writer.newFrame()
    return target.getvalue()


def added(engine: Engine, root: Path, **changes: bool) -> Workspace:
    """The workspace of a folder once it was read with pictures."""
    workspace = engine.add_workspace(root).result(TIMEOUT)
    return read(engine, replace(workspace, pictures=True, **changes))


def read(engine: Engine, workspace: Workspace) -> Workspace:
    engine.folders.change(workspace).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    return workspace


def run_on_battery(engine: Engine, workspace: Workspace, tmp_path: Path) -> Path:
    """Let the computer of an engine run on its battery, whose entry is the result."""
    passes = engine._parts.index._passes  # noqa: SLF001
    opened = engine._parts.registry.local(workspace.id)  # noqa: SLF001
    passes._sources(opened).pauses._supplies = tmp_path / "supplies"  # noqa: SLF001
    return discharge(tmp_path / "supplies")


def paths(engine: Engine, query: str) -> list[str]:
    return [hit.path for hit in ask(engine, query, mode=Mode.LEXICAL).hits]


def test_a_picture_is_found_by_its_words_as_the_note_that_shows_it(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    [hit] = ask(engine, "migrate ledger", mode=Mode.LEXICAL).hits
    assert (hit.path, hit.kind, hit.citation) == ("whiteboard.png", "picture", "whiteboard.png")
    assert hit.shown_in is not None
    assert (hit.shown_in.path, hit.shown_in.title, hit.shown_in.line) == ("plan.md", "Plan", 5)
    [hit] = ask(engine, "chimney sweep", mode=Mode.LEXICAL).hits
    assert (hit.path, hit.shown_in) == ("letter.jpg", None)
    text = engine.notes.picture_text(NoteAddress(workspace.id, "whiteboard.png")).result(TIMEOUT)
    assert text is not None
    assert [line.text for line in text.lines] == list(BOARD)


def test_all_pages_of_a_tiff_file_are_read_and_cited(new_engine: NewEngine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "office", {"note.md": "Tea.\n"})
    (root / "scan.tiff").write_bytes(scanned_tiff(BOARD, LETTER))
    (root / "single.tif").write_bytes(scanned_tiff(("Seventeen blue herons",)))
    engine = new_engine()
    workspace = added(engine, root)
    [first] = ask(engine, "migrate ledger", mode=Mode.LEXICAL).hits
    [later] = ask(engine, "chimney sweep", mode=Mode.LEXICAL).hits
    [single] = ask(engine, "blue herons", mode=Mode.LEXICAL).hits
    assert (first.citation, single.citation) == ("scan.tiff#p1", "single.tif")
    assert (later.kind, later.citation) == ("picture", "scan.tiff#p3")
    address = NoteAddress(workspace.id, "scan.tiff")
    lines = {}
    for number in (0, 1, 2, 3):
        text = engine.notes.picture_text(address, number).result(TIMEOUT)
        lines[number] = text and tuple(line.text for line in text.lines)
    assert lines == {0: BOARD, 1: BOARD, 2: None, 3: LETTER}


def test_a_note_that_is_closed_is_not_named_with_its_picture(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    picture = "![[whiteboard.png]]\n"
    root = write_notes(
        tmp_path / "school", {"MEMORY.md": f"# Secrets\n\n{picture}", "plan.md": picture}
    )
    (root / "whiteboard.png").write_bytes(encoded(page(BOARD)))
    engine = new_engine()
    workspace = added(engine, root)
    # The index keeps what is excluded from now on.
    engine.pause()

    def named(session_key: str = "") -> str:
        """The note that an agent is told, in a search and by its tool."""
        conversation = Conversation(session_key)
        [hit] = ask(engine, "migrate ledger", conversation=conversation, is_typing=True).hits
        assert hit.path == "whiteboard.png"
        agent = caller_named("hermes", "hermes", known_as="hermes")
        asked = {"query": "migrate ledger", "session_key": session_key}
        reply = MemoryTools(engine).call("memory_search", asked, agent, CancelToken())
        note = ""
        if hit.shown_in:
            note = hit.shown_in.path
        assert reply.structured["results"][0].get("shownIn", "") == note
        return note

    group = "agent:main:telegram:group:42"
    assert named(group) == "plan.md"
    engine.folders.change(replace(workspace, left_out=("**/plan.md",))).result(TIMEOUT)
    assert (named(), named(group)) == ("MEMORY.md", "")


def test_pictures_are_read_only_where_a_person_chose_it(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    workspace = engine.add_workspace(folder).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    assert paths(engine, "migrate ledger") == []
    with pytest.raises(NoteRefused):
        engine.notes.page(NoteAddress(workspace.id, "whiteboard.png")).result(TIMEOUT)
    read(engine, replace(workspace, pictures=True))
    assert paths(engine, "migrate ledger") == ["whiteboard.png"]
    shown = engine.notes.page(NoteAddress(workspace.id, "whiteboard.png")).result(TIMEOUT)
    assert shown.text.split("\n") == list(BOARD)
    read(engine, replace(workspace, pictures=False))
    assert paths(engine, "migrate ledger") == []


def test_pictures_without_text_are_neither_listed_nor_read_again(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    workspace = added(engine, folder)
    [status] = engine.status().workspaces
    assert status.freshness.documents == 4
    assert status.skipped == ()
    assert status.pictures.waiting == 0
    assert "hills.jpg" not in [note.path for note in engine.notes.recent(20).result(TIMEOUT)]
    [report] = engine.refresh(workspace).result(TIMEOUT)
    assert (report.unchanged, report.changed, report.pictures_left) == (6, 0, 0)


def test_a_scanned_page_is_found_by_its_number(new_engine: NewEngine, folder: Path) -> None:
    (folder / "scan.pdf").write_bytes(scan(("Rental agreement",), ("The deposit is 940 euros",)))
    (folder / "plain.pdf").write_bytes(pdf(["Roses and tulips"]))
    engine = new_engine()
    workspace = engine.add_workspace(folder).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    count = engine.folders.count_pictures(workspace, CancelToken()).result(TIMEOUT)
    assert (count.pictures, count.scans) == (3, 1)
    assert count.seconds == 5 * 2.0
    read(engine, replace(workspace, pictures=True))
    [hit] = ask(engine, "deposit", mode=Mode.LEXICAL).hits
    assert (hit.path, hit.citation, hit.kind) == ("scan.pdf", "scan.pdf#p2", "pdf")
    assert paths(engine, "tulips") == ["plain.pdf"]
    address = NoteAddress(workspace.id, "scan.pdf")
    text = engine.notes.picture_text(address, 2).result(TIMEOUT)
    assert text is not None
    assert [line.text for line in text.lines] == ["The deposit is 940 euros"]
    assert engine.notes.picture_text(address, 3).result(TIMEOUT) is None
    page = engine.notes.page(NoteAddress(workspace.id, "scan.pdf#p2")).result(TIMEOUT)
    assert "deposit is 940" in page.text
    assert "Rental" not in page.text


def counted(engine: Engine, workspace: Workspace) -> tuple[int, int, float, int]:
    count = engine.folders.count_pictures(workspace, CancelToken()).result(TIMEOUT)
    return count.pictures, count.scans, count.seconds, count.kept


def test_scans_are_counted_by_their_pages_before_there_is_an_index(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    root = write_notes(tmp_path / "notes", {"a.md": "# Tea\n\nGreen.\n"})
    (root / "scan.pdf").write_bytes(scan(("Rent",), ("Deposit",), ("Keys",)))
    (root / "partly.pdf").write_bytes(pdf(["Roses and tulips", "", "Plums", ""]))
    (root / "plain.pdf").write_bytes(pdf(["Roses and tulips"]))
    (root / "broken.pdf").write_bytes(b"%PDF-1.7" + b"no" * 3000)
    engine = new_engine()
    workspace = engine.add_workspace(root).result(TIMEOUT)
    assert counted(engine, workspace) == (0, 2, 5 * 2.0, 0)


def test_what_was_read_before_is_not_counted_again(new_engine: NewEngine, folder: Path) -> None:
    (folder / "scan.pdf").write_bytes(scan(("Rental agreement",), ("The deposit is 940 euros",)))
    engine = new_engine()
    workspace = added(engine, folder, documents=True)
    assert counted(engine, workspace) == (0, 0, 0.0, 4)
    read(engine, replace(workspace, pictures=False))
    (folder / "another.png").write_bytes(encoded(page(("Another page",))))
    pictures, scans, seconds, kept = counted(engine, workspace)
    assert (pictures, scans, kept) == (1, 0, 4)
    assert seconds == engine._parts.picture_texts.seconds_each  # noqa: SLF001


def test_what_there_is_no_time_to_look_into_counts_as_the_rest_does(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    root = write_notes(tmp_path / "notes", {"a.md": "# Tea\n\nGreen.\n"})
    for number in range(6):
        (root / f"{number}.pdf").write_bytes(scan((f"Rent {number}",), ("Deposit",)))
    engine = new_engine()
    workspace = engine.add_workspace(root).result(TIMEOUT)
    texts = engine._parts.picture_texts  # noqa: SLF001
    count = count_pictures(
        workspace,
        texts,
        PictureConverter(engine._parts.converter, texts),  # noqa: SLF001
        io_timeout=IoTimeout(TIMEOUT),
        cancel=CancelToken(),
        most_seconds=0.0,
    )
    assert (count.scans, count.seconds) == (6, 12 * 2.0)


def test_a_deleted_index_needs_no_second_reading(new_engine: NewEngine, folder: Path) -> None:
    (folder / "scan.pdf").write_bytes(scan(("The deposit is 940 euros",)))
    engine = new_engine()
    workspace = added(engine, folder, documents=True)
    assert paths(engine, "deposit") == ["scan.pdf"]
    engine.folders.remove(workspace).result(TIMEOUT)
    texts = engine._parts.picture_texts  # noqa: SLF001
    reader = texts._reader  # noqa: SLF001
    assert reader is not None
    reader.read = reader.read_pixels = None  # type: ignore[method-assign, assignment]
    added(engine, folder, documents=True)
    assert paths(engine, "deposit") == ["scan.pdf"]
    assert paths(engine, "migrate ledger") == ["whiteboard.png"]


def keep(engine: Engine, data: bytes, *lines: tuple[str, float]) -> None:
    """Keep a text of a picture as if it had been read."""
    corners = (0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0)
    text = PictureText(tuple(PictureLine(words, sure, corners) for words, sure in lines), 900, 600)
    folder = engine.paths.state / "pictures"
    answer = ("text", msgspec.json.encode(text).decode())
    DocumentCache(folder, MOST_KEPT).keep(picture_key(data), answer)


@pytest.mark.parametrize(
    "embedded", ["![[board.png]]", "![](img/board.png)", "![b](<img/board.png>)"]
)
@pytest.mark.parametrize("is_note_better", [True, False])
def test_a_note_and_its_picture_are_one_hit(
    new_engine: NewEngine, tmp_path: Path, embedded: str, is_note_better: bool
) -> None:
    engine = new_engine()
    note = "# Chimney sweep\n\nThe chimney sweep comes."
    drawn = "A chimney sweep, and 17 other trades of old"
    if not is_note_better:
        note, drawn = "# Trades\n\nOf old, a chimney, and a sweep.", "Chimney sweep"
    root = write_notes(tmp_path / "notes", {"a.md": f"{note}\n\n{embedded}\n", "b.md": "# Tea\n"})
    (root / "img").mkdir()
    data = b"a picture" * 300
    (root / "img" / "board.png").write_bytes(data)
    keep(engine, data, (drawn, 1.0))
    added(engine, root)
    for audience in (AGENT, PERSON):
        answer = ask(engine, "chimney sweep", Mode.LEXICAL, audience=audience, min_score=0.0)
        [hit] = (*answer.hits, *answer.uncertain)
        assert (hit.kind == "picture") is not is_note_better
        if is_note_better:
            assert (hit.path, hit.pictures) == ("a.md", ("img/board.png",))
        else:
            assert hit.shown_in is not None
            assert hit.shown_in.path == "a.md"


def test_what_was_read_for_sure_comes_first(new_engine: NewEngine, tmp_path: Path) -> None:
    engine = new_engine()
    root = write_notes(tmp_path / "notes", {"a.md": "# Tea\n\nGreen.\n"})
    for name, sure in (("clear.png", 0.99), ("blurred.png", 0.5)):
        data = name.encode() * 200
        (root / name).write_bytes(data)
        keep(engine, data, ("The chimney sweep comes on Thursday", sure))
    added(engine, root)
    first, second = ask(engine, "chimney sweep", mode=Mode.LEXICAL).hits
    assert (first.path, second.path) == ("clear.png", "blurred.png")
    assert second.snippet.text.endswith("(?)")
    assert second.score < first.score


def test_a_word_read_with_a_wrong_letter_is_found(new_engine: NewEngine, tmp_path: Path) -> None:
    engine = new_engine()
    root = write_notes(tmp_path / "notes", {"a.md": "# Tea\n\nGreen.\n"})
    data = b"a picture" * 300
    (root / "note.png").write_bytes(data)
    keep(engine, data, ("Mr Okafur tunes the piano", 0.7))
    added(engine, root)
    assert paths(engine, "tuner Okafor") == ["note.png"]


@pytest.mark.parametrize(
    ("read_as", "query"),
    [
        ("The chimnay is swept on Thursday", "chimney"),
        ("Thrce doors are closed", "three doors"),
        ("A rnodern kitchen", "modern"),
        ("Morning gyrnnastics", "gymnastics"),
        ("The bum cleanses", "burn"),
        ("0il for the 1amp", "oil"),
        ("0il for the 1amp", "lamp"),
        ("Dass of 1998", "class"),
        ("Bring the n0teb00k", "notebook"),
        ("La chimemea esta rota", "la chimenea está rota"),
        ("Mr Bums is here", "Burns"),
        ("Account 37O4 OO44", "3704"),
    ],
)
def test_a_common_word_that_was_misread_is_found(
    new_engine: NewEngine, tmp_path: Path, read_as: str, query: str
) -> None:
    engine = new_engine()
    root = write_notes(tmp_path / "notes", {"a.md": "# Tea\n\nGreen.\n"})
    data = b"a picture" * 300
    (root / "note.png").write_bytes(data)
    keep(engine, data, (read_as, 0.9))
    added(engine, root)
    for audience in (AGENT, PERSON):
        answer = ask(engine, query, Mode.LEXICAL, audience=audience)
        assert [hit.path for hit in answer.hits] == ["note.png"]


def test_a_misread_word_is_found_beside_notes_with_the_right_one(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine()
    root = write_notes(tmp_path / "notes", {"a.md": "# House\n\nA modern kitchen.\n"})
    data = b"a picture" * 300
    (root / "note.png").write_bytes(data)
    keep(engine, data, ("A rnodern kitchen", 0.9))
    added(engine, root)
    assert {*paths(engine, "modern kitchen")} == {"a.md", "note.png"}


def test_words_that_were_typed_are_not_taken_for_misread_ones(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine()
    notes = {"a.md": "# Chimnay\n\nMr Chimnay has a modem. Kim.\n"}
    root = write_notes(tmp_path / "notes", notes)
    data = b"a picture" * 300
    (root / "note.png").write_bytes(data)
    keep(engine, data, ("Mr Chimnay, Martina, harbour", 0.9))
    added(engine, root)
    for query in ("chimney", "modern", "marina", "labour"):
        assert paths(engine, query) == []


def test_pictures_leave_half_of_the_places_to_notes(new_engine: NewEngine, tmp_path: Path) -> None:
    engine = new_engine()
    notes = {f"{n}.md": f"# Visit {n}\n\nHe swept the chimney {n} times.\n" for n in range(12)}
    root = write_notes(tmp_path / "notes", notes)
    for number in range(30):
        data = f"picture {number} ".encode() * 300
        (root / f"{number}.png").write_bytes(data)
        keep(engine, data, (f"chimney chimney {number}", 1.0), ("the chimney", 1.0))
    added(engine, root)
    for audience in (AGENT, PERSON):
        answer = ask(
            engine, "chimney", Mode.LEXICAL, audience=audience, max_results=10, min_score=0.0
        )
        kinds = [hit.kind for hit in answer.hits]
        assert (len(kinds), kinds.count("picture")) == (10, 5)
    alone = ask(engine, "chimney kind:picture", Mode.LEXICAL, max_results=10, min_score=0.0)
    assert [hit.kind for hit in alone.hits] == ["picture"] * 10


def test_many_pictures_that_match_better_leave_notes_among_the_candidates(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine()
    long = "The garden, the roof and the cellar were visited, too. " * 12
    notes = {f"{n}.md": f"# Visit {n}\n\n{long}He swept the chimney.\n" for n in range(12)}
    root = write_notes(tmp_path / "notes", notes)
    for number in range(200):
        data = f"picture {number} ".encode() * 300
        (root / f"{number}.png").write_bytes(data)
        keep(engine, data, (f"chimney chimney chimney {number}", 1.0))
    added(engine, root)
    for audience in (AGENT, PERSON):
        answer = ask(
            engine, "chimney", Mode.LEXICAL, audience=audience, max_results=10, min_score=0.0
        )
        assert [hit.kind for hit in answer.hits].count("picture") == 5


def test_a_damaged_picture_is_told_and_holds_up_no_other(
    new_engine: NewEngine, folder: Path
) -> None:
    (folder / "broken.png").write_bytes(encoded(page(LETTER))[:900])
    engine = new_engine()
    added(engine, folder)
    [status] = engine.status().workspaces
    assert [file.path for file in status.skipped] == ["broken.png"]
    assert status.skipped[0].is_problem
    assert paths(engine, "migrate ledger") == ["whiteboard.png"]


@pytest.mark.needs("Linux")
def test_pictures_wait_for_power_and_go_on_with_it(
    new_engine: NewEngine, folder: Path, tmp_path: Path
) -> None:
    engine = new_engine()
    workspace = engine.add_workspace(folder).result(TIMEOUT)
    battery = run_on_battery(engine, workspace, tmp_path)
    engine.folders.change(replace(workspace, pictures=True)).result(TIMEOUT)
    [report] = engine.refresh(workspace).result(TIMEOUT)
    assert (report.pictures_left, report.pictures_paused) == (4, ON_BATTERY)
    [status] = engine.status().workspaces
    assert (status.pictures.waiting, status.pictures.paused) == (4, ON_BATTERY)
    # One of them is an icon, which takes no time.
    assert status.pictures.seconds_left == 3 * 2.0
    (battery / "status").write_text("Charging\n")
    [report] = engine.refresh(workspace).result(TIMEOUT)
    assert (report.pictures_left, report.pictures_paused) == (0, "")
    assert paths(engine, "migrate ledger") == ["whiteboard.png"]


def test_a_document_that_is_read_by_force_does_not_wait_for_power(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    root = write_notes(tmp_path / "mail", {"note.md": "Tea.\n"})
    letter = EmailMessage()
    letter.set_content("Apricots")
    letter.add_attachment(encoded(page(BOARD)), maintype="image", subtype="png", filename="b.png")
    (root / "letter.eml").write_bytes(letter.as_bytes())
    os.utime(root / "letter.eml", (1_700_000_000, 1_700_000_000))
    engine = new_engine()
    workspace = added(engine, root, documents=True)
    assert paths(engine, "migrate ledger") == ["letter.eml"]
    engine.pause()
    run_on_battery(engine, workspace, tmp_path)
    # As old and as large as before.
    (root / "letter.eml").write_bytes(letter.as_bytes().replace(b"Apricots", b"Cherries"))
    os.utime(root / "letter.eml", (1_700_000_000, 1_700_000_000))
    engine.refresh(workspace, force=True).result(TIMEOUT)
    assert paths(engine, "cherries") == ["letter.eml"]


@pytest.mark.needs("Linux")
def test_the_time_left_counts_the_pages_of_scans(
    new_engine: NewEngine, folder: Path, tmp_path: Path
) -> None:
    (folder / "scan.pdf").write_bytes(scan(*((f"Page {n}",) for n in range(5))))
    engine = new_engine()
    workspace = engine.add_workspace(folder).result(TIMEOUT)
    run_on_battery(engine, workspace, tmp_path)
    engine.folders.change(replace(workspace, pictures=True, documents=True)).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    [status] = engine.status().workspaces
    # Five pages and three pictures; an icon takes no time.
    assert (status.pictures.waiting, status.pictures.seconds_left) == (5, 8 * 2.0)


def test_pictures_in_documents_and_html_are_found(new_engine: NewEngine, tmp_path: Path) -> None:
    engine = new_engine()
    note = "# Trip\n\nTea.\n\n<img width=300 src='img/the%20map.png'>\n"
    root = write_notes(tmp_path / "notes", {"trip.md": note})
    (root / "img").mkdir()
    inside = encoded(page(BOARD))
    target = io.BytesIO(word("Minutes"))
    with zipfile.ZipFile(target, "a") as package:
        package.writestr("word/media/image1.png", inside)
    (root / "minutes.docx").write_bytes(target.getvalue())
    shown = b"the map" * 400
    (root / "img" / "the map.png").write_bytes(shown)
    keep(engine, inside, ("Migrate the ledger", 1.0))
    keep(engine, shown, ("Harbour and lighthouse", 1.0))
    workspace = added(engine, root, documents=True)
    [hit] = ask(engine, "migrate ledger", mode=Mode.LEXICAL).hits
    assert (hit.path, hit.heading) == ("minutes.docx", "Picture image1.png")
    [hit] = ask(engine, "lighthouse", mode=Mode.LEXICAL).hits
    assert hit.shown_in is not None
    assert (hit.path, hit.shown_in.path, hit.shown_in.line) == ("img/the map.png", "trip.md", 5)
    read(engine, replace(workspace, pictures=False))
    assert paths(engine, "migrate ledger") == []
    assert paths(engine, "minutes") == ["minutes.docx"]


def test_a_search_does_not_wait_for_pictures(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    workspace = engine.add_workspace(folder).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    engine.folders.change(replace(workspace, pictures=True)).result(TIMEOUT)
    answer = ask(engine, "chalk", mode=Mode.LEXICAL)
    assert [hit.path for hit in answer.hits] == ["plan.md"]
    assert answer.freshness.pending == 0


def test_pictures_that_were_left_are_read_after_a_restart(
    new_engine: NewEngine, folder: Path, tmp_path: Path
) -> None:
    engine = new_engine()
    workspace = engine.add_workspace(folder).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    engine.folders.change(replace(workspace, pictures=True)).result(TIMEOUT)
    passing = engine.refresh(workspace)
    texts = engine.paths.state / "pictures"
    # What is half written has a name that begins with a dot.
    whole = "[!.]*"
    wait_until(lambda: any(texts.glob(whole)))
    engine.close()
    assert passing.exception(TIMEOUT) is not None
    kept = {*texts.glob(whole)}
    assert 1 <= len(kept) < 4
    after = new_engine()
    after.refresh(workspace).result(TIMEOUT)
    assert paths(after, "migrate ledger") == ["whiteboard.png"]
    assert kept < {*texts.glob(whole)}
