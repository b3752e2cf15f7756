"""Which files belong to a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled
from scrubjay.notes.scan import (
    Scan,
    detect_layout,
    is_agent_workspace,
    labelled_extra_paths,
    scan_folder,
)
from scrubjay.notes.unavailable_folders import TOO_LONG
from scrubjay.platform.path_limit import PathLimit
from scrubjay.records.note_records import Source
from scrubjay.text.printable import printable_label
from support.vault import write_notes

NOTE = "text\n"


def labels(root: Path, *extra: str) -> set[str]:
    return set(scan_folder(root, extra).files)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["MEMORY.md", "memory/a.md"], {"MEMORY.md", "memory/a.md"}),
        (["memory.md"], {"memory.md"}),
        (["MEMORY.md", "memory.md"], {"MEMORY.md"}),
        (["memory/MEMORY.md"], {"memory/MEMORY.md"}),
        (["memory/2026-02-01.md", "README.md"], {"memory/2026-02-01.md"}),
        (["MEMORY.md", "DREAMS.md"], {"MEMORY.md", "DREAMS.md"}),
        (["MEMORY.md", "src/x.md", "NOTES.md"], {"MEMORY.md"}),
        (["MEMORY.md", "memory/.dreams/x.md"], {"MEMORY.md"}),
        (["MEMORY.md", "memory/deep/er/x.md"], {"MEMORY.md", "memory/deep/er/x.md"}),
    ],
)
def test_an_agents_memory(tmp_path: Path, files: list[str], found: set[str]) -> None:
    write_notes(tmp_path, dict.fromkeys(files, NOTE))
    assert is_agent_workspace(tmp_path)
    assert labels(tmp_path) == found
    assert {file.source for file in scan_folder(tmp_path).files.values()} == {Source.MEMORY}


@pytest.mark.parametrize(
    "files",
    [
        ["AGENTS.md", "SOUL.md", "USER.md"],
        ["SOUL.md"],
        ["AGENTS.md", "memory/thoughts.md"],
        ["AGENTS.md", "HEARTBEAT.md", "skills/mail/SKILL.md", ".git/x.md"],
        ["AGENTS.md", "SOUL.md", "BOOT.md", "canvas/index.html"],
    ],
)
def test_a_new_workspace_of_an_agent_has_only_the_files_of_its_program(
    tmp_path: Path, files: list[str]
) -> None:
    write_notes(tmp_path, dict.fromkeys(files, NOTE))
    assert detect_layout(tmp_path) == "agent"
    assert labels(tmp_path) == {name for name in files if name.startswith("memory/")}


@pytest.mark.parametrize(
    "files", [["AGENTS.md"], ["AGENTS.md", "README.md"], ["USER.md", "Poems/sea.md"], ["soul.md"]]
)
def test_one_file_for_agents_makes_no_workspace_of_an_agent(
    tmp_path: Path, files: list[str]
) -> None:
    write_notes(tmp_path, dict.fromkeys(files, NOTE))
    assert detect_layout(tmp_path) == "notes"
    assert labels(tmp_path) == set(files)


@pytest.mark.parametrize(
    "files", [["a.md"], ["memory/thoughts.md", "b.md"], ["notes/MEMORY.md"], []]
)
def test_a_plain_folder_is_all_notes(tmp_path: Path, files: list[str]) -> None:
    write_notes(tmp_path, dict.fromkeys(files, NOTE))
    assert not is_agent_workspace(tmp_path)
    assert labels(tmp_path) == set(files)


def test_folders_of_machines_are_not_entered(tmp_path: Path) -> None:
    names = [".git", "node_modules", ".venv", "venv", ".tox", "__pycache__", ".obsidian", ".trash"]
    write_notes(tmp_path, {f"deep/{name}/x.md": NOTE for name in names})
    write_notes(tmp_path, {"deep/venvs/x.md": NOTE, "x.txt": NOTE, "x.md.bak": NOTE, "Y.MD": NOTE})
    found = scan_folder(tmp_path)
    assert set(found.files) == {"deep/venvs/x.md", "Y.MD", "x.txt"}
    assert found.skipped == []


@pytest.mark.wine_fault("it resolves no path above 260 letters")
def test_folders_nest_deeper_than_calls(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(300):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "x.md").write_text(NOTE)
    assert len(scan_folder(tmp_path).files) == 1


def test_extra_paths_are_files_or_folders_anywhere(tmp_path: Path) -> None:
    write_notes(
        tmp_path,
        {
            "agent/MEMORY.md": NOTE,
            "agent/docs/a.md": NOTE,
            "library/b.md": NOTE,
            "library/deep/c.md": NOTE,
            "one/d.md": NOTE,
            "one/e.md": NOTE,
        },
    )
    found = scan_folder(tmp_path / "agent", ["docs", str(tmp_path / "library"), "../one/d.md"])
    assert {label: file.source for label, file in found.files.items()} == {
        "MEMORY.md": Source.MEMORY,
        "docs/a.md": Source.EXTRA,
        "library/b.md": Source.EXTRA,
        "library/deep/c.md": Source.EXTRA,
        "d.md": Source.EXTRA,
    }


def test_extra_folders_of_the_same_name_do_not_collide(tmp_path: Path) -> None:
    write_notes(tmp_path, {"agent/MEMORY.md": NOTE, "a/docs/x.md": NOTE, "b/docs/x.md": NOTE})
    root = tmp_path / "agent"
    assert labels(root, "../a/docs", "../b/docs") == {"MEMORY.md", "docs/x.md", "docs (2)/x.md"}


def test_an_extra_folder_called_like_one_of_the_workspace_does_not_collide(tmp_path: Path) -> None:
    write_notes(tmp_path, {"agent/memory/2026-01-01.md": NOTE, "b/memory/2026-01-01.md": NOTE})
    found = labels(tmp_path / "agent", "../b/memory")
    assert found == {"memory/2026-01-01.md", "memory (2)/2026-01-01.md"}


def test_extra_paths_are_trimmed_expanded_and_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write_notes(tmp_path, {"library/x.md": NOTE})
    given = ["~/library", f" {tmp_path}/library/ ", f"{tmp_path}/./library", "", "   "]
    assert labelled_extra_paths(tmp_path, given) == [("library", tmp_path / "library")]


@pytest.mark.parametrize(
    "missing",
    [
        "nowhere",
        "/nowhere/at/all",
        "~no-such-user/notes",
        # Windows has a reason of its own for it.
        pytest.param("x" * 5000, marks=pytest.mark.needs("long paths")),
        "\ud800",
        "a/\udcff/b",
    ],
)
def test_extra_paths_that_lead_nowhere_are_listed(tmp_path: Path, missing: str) -> None:
    [skipped] = scan_folder(tmp_path, [missing]).skipped
    assert (skipped.reason, skipped.is_problem) == (
        "This additional folder or file does not exist.",
        True,
    )
    skipped.path.encode()


@pytest.mark.needs("links")
def test_odd_extra_paths_are_listed_and_the_rest_is_read(tmp_path: Path) -> None:
    root = write_notes(tmp_path / "agent", {"MEMORY.md": NOTE})
    write_notes(tmp_path, {"real/x.md": NOTE, "text.txt": NOTE})
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    extra = ["../linked", "../text.txt", "../loop", "../real", "bad\0name"]
    found = scan_folder(root, extra)
    assert set(found.files) == {"MEMORY.md", "real/x.md"}
    assert {one.path: one.reason for one in found.skipped} == {
        "../loop": "This additional folder or file does not exist.",
        "linked": "This is only a link to a file or folder. "
        "Add the folder that contains the original instead.",
        "text.txt": "This additional file is not searched, because its name does not end in .md.",
    }


def test_two_thousand_extra_paths(tmp_path: Path) -> None:
    write_notes(tmp_path, {f"extra/{n}/docs/x.md": NOTE for n in range(300)})
    extra = [f"extra/{n}/docs" for n in range(300)] + [f"missing/{n}" for n in range(1700)]
    root = write_notes(tmp_path / "agent", {"MEMORY.md": NOTE})
    found = scan_folder(root, [f"../{path}" for path in extra])
    assert (len(found.files), len(found.skipped)) == (301, 1700)


@pytest.mark.parametrize("letter", ["a", "ñ", "😀"])
def test_paths_that_windows_does_not_open_are_told(tmp_path: Path, letter: str) -> None:
    # Windows counts such a letter twice.
    name = letter * (48 // len(letter.encode("utf-16-le")))
    shorter, longer = (f"{name}{end}.md" for end in ("", "x"))
    root = write_notes(tmp_path, {shorter: NOTE, longer: NOTE, f"{name}/a.md": NOTE})
    limit = PathLimit(len(str(root)) + len("/") + 24 + len(".md"))
    found = scan_folder(root, path_limit=limit)
    assert set(found.files) == {shorter}
    assert {(skip.path, skip.reason) for skip in found.skipped} == {
        (longer, TOO_LONG),
        (f"{name}/", TOO_LONG),
    }
    # They may well be there, so the index keeps what it knows of them.
    assert not found.is_certain(longer)
    assert not found.is_certain(f"{name}/a.md")


def test_a_folder_that_windows_does_not_list_is_told(tmp_path: Path) -> None:
    write_notes(tmp_path, {"a.md": NOTE})
    found = scan_folder(tmp_path, path_limit=PathLimit(len(str(tmp_path)) + 1))
    assert (found.files, found.away) == ({}, TOO_LONG)


def test_an_additional_path_that_windows_does_not_open_is_told(tmp_path: Path) -> None:
    root = write_notes(tmp_path, {"a.md": NOTE, f"{'b' * 90}.md": NOTE})
    limit = PathLimit(len(str(root)) + 20)
    found = scan_folder(root, [f"{'b' * 90}.md"], layout="agent", path_limit=limit)
    assert {skip.reason for skip in found.skipped} == {TOO_LONG}


def test_the_root_as_its_own_extra_path_changes_nothing(tmp_path: Path) -> None:
    write_notes(tmp_path, {"a.md": NOTE, "deep/b.md": NOTE})
    assert labels(tmp_path, ".", "deep", "a.md", str(tmp_path)) == {"a.md", "deep/b.md"}


def test_nothing_is_certain_when_the_root_is_gone(tmp_path: Path) -> None:
    found = scan_folder(tmp_path / "gone")
    assert not found.is_certain("a.md")
    assert found.skipped[0].is_problem


@pytest.mark.parametrize(
    ("unread", "label", "is_certain"),
    [
        ("deep/er/", "deep/er/a/b.md", False),
        ("deep/er", "deep/er/a.md", False),
        ("a.md", "a.md", False),
        ("", "a.md", False),
        ("a.md", "a.md.txt", True),
        ("deep/er/", "deep/a.md", True),
        ("deep/er/", "deep/erring/a.md", True),
    ],
)
def test_what_is_in_an_unreadable_folder_is_not_gone(
    unread: str, label: str, *, is_certain: bool
) -> None:
    assert Scan(unread={unread}).is_certain(label) == is_certain


def test_nothing_is_certain_when_the_root_is_moved_during_the_scan(tmp_path: Path) -> None:
    root, names = tmp_path / "notes", [f"{number % 3}/{number}.md" for number in range(600)]
    write_notes(root, dict.fromkeys(names, "words\n"))

    class Mover(CancelToken):
        """Moves the folder when the scan asks whether to go on."""

        def check(self) -> None:
            if root.exists():
                root.rename(tmp_path / "elsewhere")

    found = scan_folder(root, cancel=Mover())
    assert 0 < len(found.files) < len(names)
    assert not [name for name in names if name not in found.files and found.is_certain(name)]


def test_a_scan_can_be_called_off(tmp_path: Path) -> None:
    write_notes(tmp_path, {f"{n}.md": NOTE for n in range(600)})
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        scan_folder(tmp_path, cancel=cancel)


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("plain.md", "plain.md"),
        ("two\nlines\t\x1b[31m.md", "two?lines??[31m.md"),
        ("caf\udce9.md", "caf\ufffd.md"),
        ("広い\u3000名.md", "広い\u3000名.md"),
        ("👩\u200d👧.md", "👩\u200d👧.md"),
        ("right\u202eleft.md", "right?left.md"),
    ],
)
def test_labels_for_terminals(label: str, shown: str) -> None:
    assert printable_label(label) == shown


@given(st.text(st.characters()))
def test_any_label_can_be_shown_on_one_line(label: str) -> None:
    shown = printable_label(label)
    shown.encode()
    assert len(shown.splitlines()) <= 1
    assert len(shown) == len(label)


def test_plain_texts_are_notes_of_a_person_and_not_of_an_agent(tmp_path: Path) -> None:
    texts = {f"a.{kind}" for kind in ("txt", "markdown", "mdx", "ORG", "rst", "adoc", "tex")}
    write_notes(tmp_path, dict.fromkeys((*texts, "a.md", "a.py"), "Words.\n"))
    assert set(scan_folder(tmp_path).files) == {*texts, "a.md"}
    write_notes(tmp_path, dict.fromkeys(("MEMORY.md", "memory/2026-11-02.txt"), "Words.\n"))
    agents = scan_folder(tmp_path, ["a.org", "a.md"], layout="agent")
    assert set(agents.files) == {"MEMORY.md", "a.md"}


def test_what_macos_writes_beside_notes_is_no_note(tmp_path: Path) -> None:
    write_notes(tmp_path, dict.fromkeys(("a.md", "sub/b.md"), NOTE))
    for name in ("._a.md", "sub/._b.md", "._c.pdf"):
        (tmp_path / name).write_bytes(b"\0\5\x16\7\0\2\0\0Mac OS X")
    result = scan_folder(tmp_path)
    assert (set(result.files), result.skipped) == ({"a.md", "sub/b.md"}, [])


HIDDEN = (".github/n.md", ".stversions/deep/n.md", "sub/.hidden/n.md", ".obsidian/n.md")
"""Notes in folders whose names begin with a dot."""


def test_hidden_folders_are_searched_only_where_that_is_wanted(tmp_path: Path) -> None:
    root = write_notes(tmp_path / ".notes", dict.fromkeys((*HIDDEN, "sub/n.md"), "text"))
    result = scan_folder(root)
    # The folder itself may have such a name: a person chose it.
    assert set(result.files) == {"sub/n.md"}
    [told] = result.skipped
    assert (told.path, told.is_problem) == (".github, .stversions, sub/.hidden", False)
    assert told.reason == "3 folders are not searched, because their names begin with a dot."
    wanted = scan_folder(root, hidden_folders=True)
    assert set(wanted.files) == {"sub/n.md", *HIDDEN[:3]}
    assert wanted.skipped == []


def test_what_programs_build_is_not_searched(tmp_path: Path) -> None:
    made = ("app/build/n.md", "app/vendor/dep/README.md", "app/node_modules/dep/README.md")
    own = ("app/README.md", "house/build/plan.md", "vendor/offers.md")
    write_notes(tmp_path, dict.fromkeys((*made, *own, "app/setup.py", "app/go.mod"), "text"))
    assert set(scan_folder(tmp_path).files) == {*own}


def test_pictures_that_nothing_decodes_are_told_in_one_sentence(tmp_path: Path) -> None:
    write_notes(tmp_path, {"a.md": "a", "b.png": "", "c.HEIC": "", "d.avif": "", "e.svg": ""})
    result = scan_folder(tmp_path, layout="notes", pictures=True)
    assert {*result.files} == {"a.md", "b.png", "c.HEIC"}
    [told] = result.skipped
    assert (told.path, told.is_problem) == ("*.avif, *.svg", False)
    assert told.reason == "2 pictures are not searched."


def test_pictures_among_notes_are_told(tmp_path: Path) -> None:
    names = ("trip.md", "board.png", "photos/kites.JPG", "photos/plan.jpg", "photos/raw.xyz")
    write_notes(tmp_path, dict.fromkeys(names, "text"))
    [pictures] = scan_folder(tmp_path).skipped
    assert (pictures.path, pictures.is_problem) == ("*.jpg, *.png", False)
    assert pictures.reason == "3 pictures are not searched."
    (tmp_path / "board.png").unlink()
    (tmp_path / "photos" / "plan.jpg").unlink()
    assert scan_folder(tmp_path).skipped[0].reason == "1 picture is not searched."


def test_files_that_are_no_notes_are_counted_by_their_kind(tmp_path: Path) -> None:
    names = ("a.md", "b.doc", "c.DOC", "sub/d.pdf", "e.docx", "photo.jpg", "code.py", ".hidden.doc")
    write_notes(tmp_path, dict.fromkeys(names, "Words.\n"))
    result = scan_folder(tmp_path)
    assert set(result.files) == {"a.md"}
    [pictures, others] = result.skipped
    assert pictures.reason == "1 picture is not searched."
    assert others.reason == "5 files are not searched: 3 .doc, 1 .docx, 1 .pdf."
    assert others.is_kind
    assert not others.is_problem


def test_all_files_are_counted_in_a_folder_without_notes(tmp_path: Path) -> None:
    write_notes(tmp_path, dict.fromkeys(("a.doc", "b.png", "c.PNG", "Makefile"), "Words.\n"))
    [others] = scan_folder(tmp_path).skipped
    assert others.reason == "3 files are not searched: 2 .png, 1 .doc."
    write_notes(tmp_path, {f"{number}.k{number}": "Words.\n" for number in range(9)})
    [others] = scan_folder(tmp_path).skipped
    assert others.reason.startswith("12 files are not searched: 2 .png, 1 .doc,")
    assert others.reason.endswith(", ….")


def test_files_that_programs_leave_beside_notes_are_quietly_no_notes(tmp_path: Path) -> None:
    left = (".#plan.md", "#plan.md#", ".~lock.plan.md#", "._plan.md", "~$plan.docx")
    former = ("logseq/bak/pages/plan.md", "logseq/version-files/plan.md", ".recycle/plan.md")
    own = {"plan.md", "bak/plan.md", "# ideas.md", "~plan.md", "~$plan.md", "work/logseq/bak/a.md"}
    write_notes(tmp_path, dict.fromkeys((*left, *former, *own, "logseq/config.edn"), "text"))
    result = scan_folder(tmp_path, documents=True)
    assert set(result.files) == own
    assert result.skipped == []
