"""What an agent may read, and everything it may not."""

from __future__ import annotations

import itertools
import os
import sys
import unicodedata
import urllib.parse
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import NoteRefused
from scrubjay.notes.note_pages import PAGE_CHARACTERS, PAGE_LINES, memory_get
from scrubjay.notes.scan import scan_folder
from scrubjay.records.note_records import PageRequest
from support import platforms
from support.vault import write_notes

SECRET = "the secret outside"


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """An agent's workspace, with secrets in and around it."""
    write_notes(
        tmp_path,
        {
            "secret.md": SECRET,
            "memory/secret.md": SECRET,
            "agent/secret.md": SECRET,
            "agent/src/secret.md": SECRET,
            "agent/memory/secret.txt": SECRET,
            "agent/memory/.hidden.md": "# Hidden\n",
            "agent/memory/.old/day.md": "# Old\n",
            "agent/memory/.dreams/secret.md": SECRET,
            "agent/.git/secret.md": SECRET,
            "agent/MEMORY.md": "# Curated\n",
            "agent/DREAMS.md": "# Dreams\n",
            "agent/memory/2026-02-01.md": "# Daily\n",
            "agent/memory/projects/jay.md": "# Jay\n",
        },
    )
    root = tmp_path / "agent"
    platforms.make_link(root / "memory/link.md", tmp_path / "secret.md")
    platforms.make_link(root / "memory/folder", tmp_path / "memory")
    platforms.make_link(root / "memory/up", tmp_path)
    (root / "memory/folder.md").mkdir()
    platforms.make_pipe(root / "memory/pipe.md")
    return root


def test_a_name_is_read_however_its_letters_are_stored(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "학점/Café.md")
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_text("the menu\n", encoding="utf-8")
    assert memory_get(tmp_path, (), "학점/Café.md").text == "the menu"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("MEMORY.md", "# Curated"),
        ("DREAMS.md", "# Dreams"),
        ("memory/2026-02-01.md", "# Daily"),
        ("memory/projects/jay.md", "# Jay"),
        ("memory/.hidden.md", "# Hidden"),
        ("memory/.old/day.md", "# Old"),
    ],
)
def test_memory_is_read(agent: Path, path: str, text: str) -> None:
    page = memory_get(agent, (), path)
    assert (page.path, page.text, page.first_line, page.line_count) == (path, text, 1, 1)
    assert not page.is_truncated


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("memory.md", marks=pytest.mark.needs("letter case")),
        "memory/2026-02-02.md",
        "memory/no/such.md",
    ],
)
def test_a_missing_note_is_an_empty_page(agent: Path, path: str) -> None:
    page = memory_get(agent, (), path)
    assert (page.text, page.line_count, page.next_line) == ("", 0, None)


def escapes() -> list[str]:
    """Ways out that people and models have tried, in every spelling."""
    ups = ["..", "../..", "memory/..", "memory/../..", "./..", "memory/./..", "memory//.."]
    targets = ["secret.md", "memory/secret.md", "agent/secret.md", "src/secret.md"]
    plain = [f"{up}/{target}" for up, target in itertools.product(ups, targets)]
    spelled = [
        spelling(path)
        for path in plain
        for spelling in (
            lambda path: path.replace("/", "\\"),
            lambda path: urllib.parse.quote(path, safe=""),
            lambda path: path.replace("..", "．．"),
            lambda path: path.replace("/", "//"),
            lambda path: f"/{path}",
            lambda path: f"memory/{path}",
        )
    ]
    others = [
        "",
        ".",
        "..",
        "/",
        "memory",
        "memory/",
        "/etc/passwd",
        "/etc/hosts.md",
        "~/secret.md",
        "~root/secret.md",
        "$HOME/secret.md",
        "secret.md",
        "src/secret.md",
        ".git/secret.md",
        "memory/secret.txt",
        "memory/.dreams/secret.md",
        "memory/.DREAMS/secret.md",
        "memory/.dreams./secret.md",
        "memory/.dreams /secret.md",
        "memory/link.md",
        "memory/folder/secret.md",
        "memory/up/secret.md",
        "memory/up/agent/MEMORY.md",
        "memory/folder.md",
        "memory/pipe.md",
        "memory/2026-02-01.md/",
        "memory/2026-02-01.md\0",
        "memory/2026-02-01.md\0.md",
        "MEMORY.md/../../secret.md",
        "C:\\secret.md",
        "C:/secret.md",
        "c:secret.md",
        "\\\\host\\share\\secret.md",
        "//host/share/secret.md",
        "file:///etc/hosts.md",
        "memory/2026-02-01.md:stream.md",
        "memory/\ud800.md/../../secret.md",
        "x" * 5000 + ".md",
        "memory/" + "../" * 500 + "secret.md",
    ]
    return [*plain, *spelled, *others]


def test_there_are_many_ways_to_try() -> None:
    assert len(set(escapes())) >= 200


@pytest.mark.parametrize("path", escapes())
def test_no_way_leads_out(agent: Path, path: str) -> None:
    try:
        page = memory_get(agent, (), path)
    except NoteRefused:
        return
    # What only looks like a way out is a note that is not there.
    assert (page.text, page.line_count) == ("", 0)


@given(st.lists(st.sampled_from(["..", ".", "memory", "secret.md", "/", "\\", "up", "", "~"])))
def test_no_combination_leads_out(tmp_path_factory: pytest.TempPathFactory, parts) -> None:
    base = tmp_path_factory.getbasetemp() / "ways-out"
    if not base.exists():
        write_notes(base, {"secret.md": SECRET, "agent/memory/2026-01-01.md": "fine"})
        write_notes(base, {"agent/secret.md": SECRET})
        platforms.make_link(base / "agent/memory/up", base)
    try:
        page = memory_get(base / "agent", (), "/".join(parts))
    except NoteRefused:
        return
    assert page.text == ""


@pytest.mark.needs("links")
def test_a_refused_file_is_not_even_opened(agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []

    def watched(path: object, *arguments: object, **options: object) -> int:
        opened.append(path)
        raise AssertionError(path)

    monkeypatch.setattr(os, "open", watched)
    for path in ("../secret.md", "secret.md", "memory/link.md", "memory/folder/secret.md"):
        with pytest.raises(NoteRefused):
            memory_get(agent, (), path)
    assert opened == []


def test_a_plain_folder_gives_all_its_notes(tmp_path: Path) -> None:
    root = write_notes(
        tmp_path / "notes", {"a.md": "A", "deep/b.md": "B", ".obsidian/c.md": SECRET}
    )
    assert memory_get(root, (), "a.md").text == "A"
    assert memory_get(root, (), "deep/b.md").text == "B"
    with pytest.raises(NoteRefused):
        memory_get(root, (), ".obsidian/c.md")


@pytest.mark.skipif(os.name == "nt", reason="no file name has a colon there")
def test_a_time_in_a_name_hides_no_note(tmp_path: Path) -> None:
    write_notes(tmp_path, {"Meeting 10:30.md": "Ten people.\n"})
    assert memory_get(tmp_path, (), "Meeting 10:30.md").text == "Ten people."


def test_extra_paths_are_read_by_their_labels(agent: Path, tmp_path: Path) -> None:
    library = write_notes(tmp_path / "library", {"deep/zoo.md": "Zoo", ".git/x.md": SECRET})
    single = write_notes(tmp_path / "one", {"single.md": "Single", "other.md": SECRET})
    extra = [str(library), str(single / "single.md"), "src"]
    assert memory_get(agent, extra, "library/deep/zoo.md").text == "Zoo"
    assert memory_get(agent, extra, "single.md").text == "Single"
    assert memory_get(agent, extra, "src/secret.md").text == SECRET
    for path in ("library/../secret.md", "other.md", "library/.git/x.md", "library"):
        with pytest.raises(NoteRefused):
            memory_get(agent, extra, path)


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("./memory/2026-02-01.md", "memory/2026-02-01.md"),
        ("././MEMORY.md", "MEMORY.md"),
        ("{tmp}/agent/MEMORY.md", "MEMORY.md"),
        ("~/agent/memory/projects/jay.md", "memory/projects/jay.md"),
        ("{tmp}/one/single.md", "single.md"),
        ("~/one/single.md", "single.md"),
        ("../one/single.md", "single.md"),
        ("{tmp}/library/deep/zoo.md", "library/deep/zoo.md"),
        ("~/library/deep/zoo.md", "library/deep/zoo.md"),
        ("../library/deep/zoo.md", "library/deep/zoo.md"),
        ("../library/./deep/zoo.md", "library/deep/zoo.md"),
    ],
)
def test_a_path_is_read_as_the_settings_or_an_agent_write_it(
    agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, label: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    write_notes(tmp_path, {"library/deep/zoo.md": "Zoo", "one/single.md": "Single"})
    extra = ["~/library", "../one/single.md"]
    page = memory_get(agent, extra, path.format(tmp=tmp_path))
    assert (page.path, page.is_missing) == (label, False)


@pytest.mark.parametrize(
    "path",
    [
        "{tmp}/one/other.md",
        "~/secret.md",
        "../secret.md",
        "../agent/MEMORY.md",
        "../library/../secret.md",
        "{tmp}/library/../secret.md",
        "{tmp}/library/.git/x.md",
        pytest.param("{tmp}/library/link.md", marks=pytest.mark.needs("links")),
        "{tmp}/agent/src/secret.md",
        pytest.param("{tmp}/agent/memory/link.md", marks=pytest.mark.needs("links")),
        "{tmp}/agent",
        "{tmp}/library",
        "./secret.md",
        "./../secret.md",
    ],
)
def test_no_other_path_is_read_however_it_is_written(
    agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    library = write_notes(tmp_path / "library", {".git/x.md": SECRET})
    write_notes(tmp_path / "one", {"single.md": "Single", "other.md": SECRET})
    platforms.make_link(library / "link.md", tmp_path / "secret.md")
    with pytest.raises(NoteRefused):
        memory_get(agent, ["~/library", "../one/single.md"], path.format(tmp=tmp_path))


@pytest.mark.parametrize("hidden_folders", [False, True])
def test_of_an_extra_folder_what_is_indexed_is_read_and_nothing_else(
    agent: Path, tmp_path: Path, hidden_folders: bool
) -> None:
    library = write_notes(
        tmp_path / "library",
        {"zoo.md": "Zoo", ".hidden.md": "Zoo", "a/.private/x.md": "Zoo", ".git/x.md": "Zoo"},
    )
    own = write_notes(agent / ".notes", {"x.md": "Zoo", ".below/x.md": "Zoo"})
    extra = [str(library), str(own)]
    indexed = scan_folder(agent, extra, hidden_folders=hidden_folders).files
    for folder, label in ((library, "library"), (own, ".notes")):
        for file in folder.rglob("*.md"):
            path = f"{label}/{file.relative_to(folder).as_posix()}"
            try:
                page = memory_get(agent, extra, path, hidden_folders=hidden_folders)
            except NoteRefused:
                assert path not in indexed
            else:
                assert (page.text, path in indexed) == ("Zoo", True)


@pytest.mark.needs("links")
def test_an_extra_path_that_is_a_link_is_not_followed(agent: Path, tmp_path: Path) -> None:
    write_notes(tmp_path / "real", {"zoo.md": "Zoo"})
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    with pytest.raises(NoteRefused):
        memory_get(agent, [str(tmp_path / "linked")], "linked/zoo.md")


def test_an_extra_folder_never_hides_the_memory(agent: Path, tmp_path: Path) -> None:
    elsewhere = write_notes(tmp_path / "else/memory", {"2026-02-01.md": "Not mine"})
    page = memory_get(agent, [str(elsewhere)], "memory/2026-02-01.md")
    assert page.text == "# Daily"
    assert memory_get(agent, [str(elsewhere)], "memory (2)/2026-02-01.md").text == "Not mine"


@pytest.mark.parametrize(
    ("first_line", "count", "lines", "next_line"),
    [
        (1, None, (1, 120), 121),
        (121, None, (121, 240), 241),
        (241, None, (241, 300), None),
        (300, None, (300, 300), None),
        (301, None, None, None),
        (10, 3, (10, 12), 13),
        (298, 3, (298, 300), None),
        (-5, 1, (1, 1), 2),
        (1, 9999, (1, 120), 121),
    ],
)
def test_pages(
    agent: Path,
    first_line: int,
    count: int | None,
    lines: tuple[int, int] | None,
    next_line: int | None,
) -> None:
    write_notes(agent, {"memory/long.md": "".join(f"line {n}\n" for n in range(1, 301))})
    page = memory_get(agent, (), "memory/long.md", PageRequest(first_line, count))
    expected = [f"line {n}" for n in range(lines[0], lines[1] + 1)] if lines else []
    assert page.text == "\n".join(expected)
    assert (page.line_count, page.next_line) == (len(expected), next_line)
    assert page.is_truncated is (next_line is not None)


@pytest.mark.parametrize("longest", [0, PAGE_CHARACTERS - 1, PAGE_CHARACTERS, 50_000])
def test_pages_together_are_the_note(agent: Path, longest: int) -> None:
    lines = [f"line {n} " + "x" * (n % 700) for n in range(900)]
    for number in (0, 450, 451, 899):
        lines[number] += "".join(chr(ord("a") + at % 26) for at in range(longest))
    write_notes(agent, {"memory/long.md": "\n".join(lines)})
    read = ""
    following: int | None = 1
    column = 1
    while following is not None:
        request = PageRequest(following, first_column=column)
        page = memory_get(agent, (), "memory/long.md", request)
        assert page.line_count <= PAGE_LINES
        assert len(page.text) <= PAGE_CHARACTERS
        # The rest of a line belongs to its beginning.
        read += page.text if column > 1 or not read else f"\n{page.text}"
        following = page.next_line
        column = page.next_column
    assert read.split("\n") == lines


def test_nothing_is_left_of_a_line_beyond_its_end(agent: Path) -> None:
    write_notes(agent, {"memory/a.md": "one\ntwo\n"})
    page = memory_get(agent, (), "memory/a.md", PageRequest(1, first_column=9))
    assert (page.text, page.line_count, page.next_line) == ("\ntwo", 2, None)
    assert memory_get(agent, (), "memory/a.md", PageRequest(9, first_column=9)).text == ""


def test_a_line_that_is_longer_than_a_page_is_cut(agent: Path) -> None:
    write_notes(agent, {"memory/long.md": "x" * 50_000 + "\nafter"})
    page = memory_get(agent, (), "memory/long.md")
    assert (len(page.text), page.is_truncated) == (PAGE_CHARACTERS, True)
    assert (page.next_line, page.next_column) == (1, PAGE_CHARACTERS + 1)


@pytest.mark.skipif(sys.platform == "win32", reason="there the file would take its whole room")
def test_of_a_huge_file_only_the_page_is_read(agent: Path) -> None:
    file = agent / "memory/huge.md"
    file.write_text("first\nsecond\n", encoding="utf-8")
    os.truncate(file, 2**40)  # more than any memory holds
    page = memory_get(agent, (), "memory/huge.md", PageRequest(line_count=2))
    assert (page.text, page.next_line) == ("first\nsecond", 3)


def test_a_note_that_is_not_long_comes_whole(agent: Path) -> None:
    lines = [f"line {number}" for number in range(1000)]
    write_notes(agent, {"memory/long.md": "\n".join(lines)})
    page = memory_get(agent, (), "memory/long.md", PageRequest(is_whole=True))
    assert (page.text.split("\n"), page.next_line) == (lines, None)
    write_notes(agent, {"memory/longer.md": "a\n" * 200_000})
    page = memory_get(agent, (), "memory/longer.md", PageRequest(is_whole=True))
    assert (page.line_count, page.is_truncated) == (100_000, True)


def test_a_page_holds_nothing_that_nobody_sees(agent: Path) -> None:
    write_notes(agent, {"memory/odd.md": "apricot \x1b[2J\u202e\r\nnext\r\n"})
    page = memory_get(agent, (), "memory/odd.md")
    assert (page.text, page.line_count) == ("apricot [2J\nnext", 2)


def test_what_is_no_text_is_refused_with_its_reason(agent: Path) -> None:
    write_notes(agent, {"memory/bad.md": b"\xff\xfe\xfd"})
    with pytest.raises(NoteRefused, match="an old program"):
        memory_get(agent, (), "memory/bad.md")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no case to get wrong")
def test_notes_with_a_loud_ending_are_notes_too(agent: Path) -> None:
    write_notes(agent, {"memory/LOUD.MD": "# Loud\n"})
    assert memory_get(agent, (), "memory/LOUD.MD").text == "# Loud"


def test_what_is_indexed_is_read_and_nothing_else(agent: Path) -> None:
    indexed = set(scan_folder(agent).files)
    assert "memory/.hidden.md" in indexed
    for file in agent.rglob("*.md"):
        path = file.relative_to(agent).as_posix()
        try:
            is_read = memory_get(agent, (), path).line_count > 0
        except NoteRefused:
            is_read = False
        assert is_read == (path in indexed), path


@pytest.mark.parametrize("second", [-1, -(10**9), 0, 4 * 10**9])
def test_a_note_of_any_time_has_its_digest_and_its_time(tmp_path: Path, second: int) -> None:
    write_notes(tmp_path, {"memory/a.md": "Hello.\n"})
    os.utime(tmp_path / "memory/a.md", (second, second))
    page = memory_get(tmp_path, (), "memory/a.md", PageRequest(has_facts=True))
    assert page.facts.digest
    assert page.facts.modified is not None
    assert page.facts.modified.timestamp() == second
