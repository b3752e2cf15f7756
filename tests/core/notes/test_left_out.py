"""A folder that was left out stays closed, however its name is spelled."""

from __future__ import annotations

import json
import threading
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.config.ignore_patterns import excluded_entries
from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import NoteRefused
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.server import list_memory_files
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.notes.note_files import as_listed, is_within
from scrubjay.notes.note_pages import file_inside, memory_get
from scrubjay.notes.scan import Exclusions, scan_folder
from scrubjay.platform.paths import Paths
from scrubjay.qmd.collections import workspace_collections
from scrubjay.qmd.results import parse_hits
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.registry import Registry
from support.case_blind import case_blind
from support.counting import Calls
from support.vault import TIMEOUT, NewEngine, write_notes

__all__ = ["case_blind"]

CODE = "the safe code is 4711"
NOTES: dict[str, str | bytes] = {
    "garden.md": "# Garden\n\nThe safe is behind the shed.\n",
    "private/secret.md": f"# Secret\n\n{CODE}\n",
    "private/deep/secret.md": f"# Deep\n\n{CODE}\n",
}
SPELLINGS = [
    "private/secret.md",
    "Private/secret.md",
    "PRIVATE/SECRET.md",
    "pRIVATE/deep/Secret.md",
    "private/Deep/secret.md",
]


def folding(place: Path) -> tuple[int, str]:
    """Folders as Windows and macOS tell them apart."""
    parts = (part.rstrip(". ") for part in place.parts)
    return 0, unicodedata.normalize("NFC", "/".join(parts)).casefold()


@pytest.mark.parametrize(
    "path",
    [
        "private/secret.md",
        "Private/secret.md",
        "PRIVATE",
        "private./secret.md",
        "private /deep/secret.md",
        unicodedata.normalize("NFD", "café/secret.md"),
        unicodedata.normalize("NFC", "CAFÉ/secret.md"),
        "work/Old/secret.md",
    ],
)
def test_no_spelling_opens_it_where_the_system_ignores_it(path: str) -> None:
    root = Path("/notes")
    closed = [root / folder for folder in ("private", "café", "work/old")]
    assert is_within(root, path, closed, folding)


@pytest.mark.parametrize("path", ["garden.md", "privately/a.md", "work/a.md", "old/a.md", "caf/a"])
def test_what_is_beside_it_stays_open(path: str) -> None:
    root = Path("/notes")
    closed = [root / folder for folder in ("private", "café", "work/old")]
    assert not is_within(root, path, closed, folding)


def test_where_case_counts_another_folder_is_another_folder(tmp_path: Path) -> None:
    root = write_notes(tmp_path, NOTES)
    (root / "Private").mkdir(exist_ok=True)
    if (root / "Private").samefile(root / "private"):
        pytest.skip("this file system ignores case")
    write_notes(root, {"Private/open.md": "open\n"})
    assert memory_get(root, (), "Private/open.md", left_out=("private",)).text == "open"
    assert set(scan_folder(root, layout="notes", left_out=("private",)).files) == {
        "garden.md",
        "Private/open.md",
    }


@pytest.mark.parametrize("path", SPELLINGS)
def test_a_page_of_it_is_refused_in_each_spelling(case_blind: Path, path: str) -> None:
    root = write_notes(case_blind, NOTES)
    assert CODE in memory_get(root, (), path).text
    with pytest.raises(NoteRefused, match="excluded"):
        memory_get(root, (), path, left_out=("private",))
    with pytest.raises(NoteRefused, match="excluded"):
        file_inside(root, path, Workspace("n", "N", root, "notes", ("private",)))


def test_settings_may_spell_it_in_another_way(case_blind: Path) -> None:
    root = write_notes(case_blind, NOTES)
    found = scan_folder(root, layout="notes", left_out=("PRIVATE",))
    assert set(found.files) == {"garden.md"}
    assert [skipped.reason for skipped in found.skipped] == ["You excluded this folder."]
    with pytest.raises(NoteRefused):
        memory_get(root, (), "private/secret.md", left_out=("PRIVATE",))


def test_an_agents_memory_leaves_folders_out_too(tmp_path: Path) -> None:
    root = write_notes(tmp_path, {"MEMORY.md": "# M\n", "memory/private/secret.md": CODE})
    assert set(scan_folder(root, layout="agent", left_out=("memory/private",)).files) == {
        "MEMORY.md"
    }


def test_the_folder_of_an_agents_memory_itself_is_left_out(tmp_path: Path) -> None:
    root = write_notes(tmp_path, {"MEMORY.md": "# M\n", "memory/2024-01-01.md": CODE})
    found = scan_folder(root, layout="agent", left_out=("memory",))
    assert set(found.files) == {"MEMORY.md"}
    assert [skipped.reason for skipped in found.skipped] == ["You excluded this folder."]


@pytest.mark.parametrize("extra", ["private", "PRIVATE", "Private/deep", *SPELLINGS])
@pytest.mark.parametrize("left_out", ["private", "PRIVATE", "priv*/"])
def test_an_additional_path_does_not_lead_into_it(
    case_blind: Path, extra: str, left_out: str
) -> None:
    root = write_notes(case_blind, NOTES)
    found = scan_folder(root, [extra], layout="notes", left_out=(left_out,))
    assert set(found.files) == {"garden.md"}


ELSEWHERE: dict[str, str | bytes] = {"a.md": CODE, "drafts/b.md": CODE, "x.tmp.md": CODE}


@pytest.mark.parametrize(
    ("patterns", "read"),
    [
        # A slash before a wildcard ties a pattern to the folder of the workspace.
        (["/*"], {"library/a.md", "library/drafts/b.md", "library/x.tmp.md"}),
        (
            ["/*", "!/keep.md"],
            {"keep.md", "library/a.md", "library/drafts/b.md", "library/x.tmp.md"},
        ),
        (["/*/"], {"keep.md", "library/a.md", "library/drafts/b.md", "library/x.tmp.md"}),
        (["/**"], {"library/a.md", "library/drafts/b.md", "library/x.tmp.md"}),
        (["*/*.md"], {"keep.md", "library/drafts/b.md"}),
        (["*/drafts/*.md"], {"keep.md", "drafts/c.md", "library/a.md", "library/x.tmp.md"}),
        (["/**/drafts"], {"keep.md", "library/a.md", "library/x.tmp.md"}),
        (
            ["/l*/"],
            {"keep.md", "drafts/c.md", "library/a.md", "library/drafts/b.md", "library/x.tmp.md"},
        ),
        # Others are about names at any depth, wherever they are.
        (["*.tmp.md", "drafts/"], {"keep.md", "library/a.md"}),
        (["**/drafts/**"], {"keep.md", "library/a.md", "library/x.tmp.md"}),
        (["*"], set()),
        # The name by which results have the folder is that of the folder itself.
        (["/library/drafts/"], {"keep.md", "drafts/c.md", "library/a.md", "library/x.tmp.md"}),
        (["/library/*.tmp.md"], {"keep.md", "drafts/c.md", "library/a.md", "library/drafts/b.md"}),
    ],
)
def test_patterns_are_tied_to_the_folder_of_the_workspace(
    tmp_path: Path, patterns: list[str], read: set[str]
) -> None:
    library = write_notes(tmp_path / "elsewhere/library", ELSEWHERE)
    root = write_notes(tmp_path / "notes", {"keep.md": CODE, "drafts/c.md": CODE})
    extra = [str(library)]
    entries = excluded_entries(patterns)
    found = scan_folder(root, extra, layout="notes", left_out=entries)
    assert set(found.files) == read
    # A page is there for exactly those.
    for label in ("keep.md", "drafts/c.md", *(f"library/{name}" for name in ELSEWHERE)):
        if label in read:
            assert CODE in memory_get(root, extra, label, left_out=entries).text
        else:
            with pytest.raises(NoteRefused):
                memory_get(root, extra, label, left_out=entries)


@pytest.mark.parametrize("pattern", ["/*", "/N*/"])
def test_a_note_that_is_not_there_yet_is_not_elsewhere(tmp_path: Path, pattern: str) -> None:
    library = write_notes(tmp_path / "elsewhere/library", ELSEWHERE)
    exclusions = Exclusions(tmp_path / "notes", excluded_entries([pattern]), [str(library)])
    assert exclusions.holds_written("New/a.md")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("extra", [(), ("P\u00eache",), ("P\u00eache/secret.md",)])
def test_the_form_of_its_accents_opens_no_folder(
    tmp_path: Path, form: Literal["NFC", "NFD"], extra: Sequence[str]
) -> None:
    name = unicodedata.normalize(form, "P\u00eache")
    root = write_notes(tmp_path, {"garden.md": CODE, f"{name}/secret.md": CODE})
    left_out = ("Pe\u0302che" if form == "NFC" else "P\u00eache",)
    extra = [unicodedata.normalize(form, each) for each in extra]
    for layout in ("notes", "agent"):
        found = scan_folder(root, extra, layout=layout, left_out=left_out)
        assert {*found.files} <= {"garden.md"}
    with pytest.raises(NoteRefused):
        memory_get(root, (), f"{name}/secret.md", left_out=left_out)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_agents_get_it_by_no_door(
    case_blind: Path, new_engine: NewEngine, paths: Paths, spelling: str
) -> None:
    root = write_notes(case_blind, NOTES)
    entry = {"id": "n", "path": str(root), "layout": "notes", "leftOut": ["Private"]}
    text = json.dumps({"workspaces": [entry], "memorySearch": {"provider": "none"}})
    write_notes(paths.config_file.parent, {paths.config_file.name: text})
    engine = new_engine()
    tools, caller = MemoryTools(engine), Caller("test", "Test")
    shown = repr(tools.call("memory_get", {"path": spelling}, caller, CancelToken()).structured)
    assert "excluded" in shown
    assert CODE not in shown
    with pytest.raises(NoteRefused):
        tools.read(NoteAddress(WorkspaceId("n"), spelling), caller, CancelToken())
    shown = repr(tools.call("memory_search", {"query": "safe code"}, caller, CancelToken()))
    assert "garden.md" in shown
    assert CODE not in shown


def test_the_list_of_resources_does_not_name_it(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    root = write_notes(tmp_path / "notes", NOTES)
    entry = {"id": "n", "path": str(root), "layout": "notes", "leftOut": ["private"]}
    write_notes(
        paths.config_file.parent, {paths.config_file.name: json.dumps({"workspaces": [entry]})}
    )
    engine = new_engine()
    notes = list_memory_files(
        engine, engine.workspaces(), io_timeouts=IoTimeouts(TIMEOUT), cancel=CancelToken()
    )
    assert [note.label for _, note in notes] == ["garden.md"]


def test_qmd_answers_with_nothing_of_it(tmp_path: Path) -> None:
    root = write_notes(tmp_path / "notes", NOTES)
    workspace = Workspace("n", "N", root, "notes", ("private",))
    files = ["qmd://notes/garden.md", "qmd://notes/private/secret.md"]
    printed = json.dumps([{"file": file, "score": 0.5, "snippet": CODE} for file in files])
    found = parse_hits(
        printed, workspace, workspace_collections(root, QmdSettings(), None, "notes")
    )
    assert [hit.path for hit in found] == ["garden.md"]


def test_a_folder_of_the_list_is_known_in_each_spelling(case_blind: Path, paths: Paths) -> None:
    root = write_notes(case_blind / "notes", NOTES)
    registry = Registry(paths)
    inner = registry.add(root.parent / "NOTES" / "Private")
    assert inner.root == root / "private"
    assert registry.add(root).record.left_out == ("private",)


def test_a_path_is_spelled_as_its_folders_list_it(case_blind: Path) -> None:
    write_notes(case_blind, NOTES)
    assert as_listed(case_blind / "PRIVATE" / "Deep") == case_blind / "private" / "deep"
    assert as_listed(case_blind / "Gone" / "Deep") == case_blind / "Gone" / "Deep"


def calls_of_looks(exclusions: Exclusions) -> int:
    """Calls for looking at ten notes, after a first look."""
    counts: list[int] = []

    def look() -> None:
        for _ in range(2):
            assert not any(exclusions.holds_note(f"New/{number}.md") for number in range(10))
            counts.append(calls.taken())

    calls = Calls()
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    threading.setprofile(None)
    return counts[1]


def test_a_note_costs_no_look_at_each_excluded_folder(tmp_path: Path) -> None:
    folders = [f"Old {number}" for number in range(30)]
    write_notes(tmp_path, {f"{folder}/a.md": "x" for folder in folders})
    many = calls_of_looks(Exclusions(tmp_path, folders))
    assert many <= calls_of_looks(Exclusions(tmp_path, folders[:1]))
