"""Patterns as git reads them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from scrubjay.config.ignore_patterns import (
    EntryMatcher,
    excluded_entries,
    folder_entry,
    folder_label,
    pattern_problem,
    written_patterns,
)
from support.vault import write_notes

PATHS = (
    "a.md", "keep.md", "drafts/a.md", "drafts/keep.md", "drafts/deep/a.md", "x/drafts/a.md",
    "x/a.tmp.md", "School/Archive/a.md", "x/School/Archive/a.md", "School/b.md", "[old]/a.md",
    "o/a.md", "Ideen/Überblick.md", "a b/c.md", "#x/a.md", "!y.md", "deep/er/est/a.md", "drafts.md",
)  # fmt: skip


def is_excluded(entries: Sequence[str], path: str) -> bool:
    return EntryMatcher(entries).excludes(path)


@pytest.mark.parametrize(
    "patterns",
    [
        ["drafts"], ["drafts/"], ["/drafts"], ["/drafts/"], ["drafts/**"], ["**/drafts"],
        ["drafts/**", "!drafts/keep.md"], ["drafts/", "!drafts/keep.md"], ["*.tmp.md"],
        ["School/Archive"], ["/School/Archive/"], ["School/Archive/"], ["*", "!*/", "!**/*.tmp.md"],
        ["*.md", "!keep.md"], ["# drafts", "", "a.md"], ["[old]"], ["\\[old\\]/"], ["/\\[old]/"],
        ["Überblick.md"], ["a b/"], ["/a b/"], ["\\#x/"], ["#x/"], ["\\!y.md"], ["!y.md"],
        ["/drafts/", "!/drafts/"], ["deep/**/est"], ["?.md"], ["drafts*"], ["d[a-z]*"], ["/*"],
        ["/*", "!/School"], ["**"], ["*"], ["**/*"], ["x/**/a.md"],
        ["*", "!*"], ["**/", "!x/"], ["**/drafts/**"], ["!*"], ["/x/**", "!/x/drafts/"],
        ["keep.md", "!keep.md", "keep.md"],
    ],
)  # fmt: skip
def test_patterns_exclude_what_git_ignores(tmp_path: Path, patterns: list[str]) -> None:
    write_notes(tmp_path, dict.fromkeys(PATHS, "x"))
    write_notes(tmp_path, {".gitignore": "\n".join(patterns) + "\n"})
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    named = subprocess.run(
        ["git", "-c", "core.ignorecase=false", "ls-files", "-z", "--others", "--ignored",
         "--exclude-per-directory=.gitignore"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    ignored = {name for name in named.stdout.decode().split("\0") if name in PATHS}
    entries = excluded_entries(patterns)
    assert {path for path in PATHS if is_excluded(entries, path)} == ignored
    again = excluded_entries(written_patterns(entries))
    assert again == entries


@pytest.mark.parametrize("folder", ["Templates", "School/Old stuff", "a b", "Ideen.md"])
def test_a_folder_is_an_entry_by_its_label(folder: str) -> None:
    assert folder_entry(folder) == folder
    assert written_patterns([folder]) == (f"/{folder}/",)
    assert excluded_entries([f"/{folder}/"]) == (folder,)


@pytest.mark.parametrize("folder", ["[old]", "!x", "#x", "a*b", "What?/b", "back\\slash"])
def test_a_folder_whose_name_reads_like_a_pattern_is_that_folder(folder: str) -> None:
    entry = folder_entry(folder)
    assert entry != folder
    assert folder_label(entry) == folder
    assert excluded_entries(written_patterns([entry])) == (entry,)
    assert is_excluded([entry], f"{folder}/a.md")
    assert not is_excluded([entry], "o/a.md")


@pytest.mark.parametrize("pattern", ["!", "a\\", "[z-a].md"])
def test_a_pattern_that_cannot_be_used_is_told(pattern: str) -> None:
    assert repr(pattern) in pattern_problem(["a.md", pattern])
    assert pattern_problem(["a.md", "[", "((", "***", "/"]) == ""


def test_the_form_of_accents_makes_no_difference() -> None:
    assert is_excluded(excluded_entries(["U\u0308ber.md"]), "x/\u00dcber.md")
    assert is_excluded(excluded_entries(["\u00dcber.md"]), "x/U\u0308ber.md")


def test_thousands_of_folders_are_looked_up_at_once() -> None:
    folders = [f"folder{number}" for number in range(8_000)]
    matcher = EntryMatcher([*folders, "*.tmp.md"])
    assert sum(matcher.excludes(f"{folder}/deep/a.md") for folder in folders) == 8_000
    assert not any(matcher.excludes(f"x{folder}/deep/a.md") for folder in folders)
