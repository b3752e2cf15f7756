"""Patterns as git reads them."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from scrubjay.config.ignore_patterns import (
    EntryMatcher,
    changed_entries,
    excluded_entries,
    folder_entry,
    folder_label,
    pattern_problem,
    with_former_lines,
    written_patterns,
)
from support import platforms
from support.vault import write_notes

PATHS = (
    "a.md", "keep.md", "drafts/a.md", "drafts/keep.md", "drafts/deep/a.md", "x/drafts/a.md",
    "x/a.tmp.md", "School/Archive/a.md", "x/School/Archive/a.md", "School/b.md", "[old]/a.md",
    "o/a.md", "Ideen/Überblick.md", "a b/c.md", "#x/a.md", "!y.md", "deep/er/est/a.md", "drafts.md",
)  # fmt: skip


def is_excluded(entries: Sequence[str], path: str) -> bool:
    return EntryMatcher(entries).excludes(path)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with all these files, as git sees it."""
    platforms.require("git")
    write_notes(tmp_path, dict.fromkeys(PATHS, "x"))
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def ignored_by_git(repository: Path, patterns: Sequence[str]) -> set[str]:
    write_notes(repository, {".gitignore": "\n".join(patterns) + "\n"})
    named = subprocess.run(
        ["git", "-c", "core.ignorecase=false", "ls-files", "-z", "--others", "--ignored",
         "--exclude-per-directory=.gitignore"],
        cwd=repository, check=True, capture_output=True,
    )  # fmt: skip
    return {name for name in named.stdout.decode().split("\0") if name in PATHS}


def random_pattern(dice: random.Random) -> str:
    """Some of the names of these files, with stars, slashes and negations."""
    names = [
        "drafts",
        "*",
        "**",
        "x",
        "a.md",
        "*.md",
        "d*t*s",
        "deep",
        "School",
        "k?ep.md",
        "[a-d]*",
    ]
    path = "/".join(dice.choice(names) for _ in range(dice.randint(1, 3)))
    return f"{dice.choice(('', '', '!'))}{dice.choice(('', '/'))}{path}{dice.choice(('', '', '/'))}"


@pytest.mark.parametrize(
    "patterns",
    [
        ["drafts"], ["drafts/"], ["/drafts"], ["/drafts/"], ["drafts/**"], ["**/drafts"],
        ["drafts/**", "!drafts/keep.md"], ["drafts/", "!drafts/keep.md"], ["*.tmp.md"],
        ["**/deep/**/est"], ["/**/er/**/*.md"], ["**/d*/**/e*/**"], ["**/**/deep/**/**/a.md"],
        ["School/Archive"], ["/School/Archive/"], ["School/Archive/"], ["*", "!*/", "!**/*.tmp.md"],
        ["*.md", "!keep.md"], ["# drafts", "", "a.md"], ["[old]"], ["\\[old\\]/"], ["/\\[old]/"],
        ["Überblick.md"], ["a b/"], ["/a b/"], ["\\#x/"], ["#x/"], ["\\!y.md"], ["!y.md"],
        ["/drafts/", "!/drafts/"], ["deep/**/est"], ["?.md"], ["drafts*"], ["d[a-z]*"], ["/*"],
        ["/*", "!/School"], ["**"], ["*"], ["**/*"], ["x/**/a.md"],
        ["*", "!*"], ["**/", "!x/"], ["**/drafts/**"], ["!*"], ["/x/**", "!/x/drafts/"],
        ["keep.md", "!keep.md", "keep.md"], ["/**"], ["/**/"], ["/**", "!/School/**"],
        ["*", "!/**"], ["*", "!/*"], ["*", "!/**/"], ["/**/*"], ["**/**/"], ["drafts/**/"],
        ["drafts/**", "!drafts/**/"], ["/drafts/**/"], ["deep/**/", "!deep/er/"], ["x/**/**"],
        ["*a*.md"], ["d*a*t*/"], ["*", "!*/", "!*e*p*.md"], ["?*?*.md"], ["**a**"], ["[[]old*]*"],
        ["d*/*ee*/*.md"], ["*[a-d]*[!x]*s"],
    ],
)  # fmt: skip
def test_patterns_exclude_what_git_ignores(repository: Path, patterns: list[str]) -> None:
    entries = excluded_entries(patterns)
    excluded = {path for path in PATHS if is_excluded(entries, path)}
    assert excluded == ignored_by_git(repository, patterns)
    again = excluded_entries(written_patterns(entries))
    assert again == entries


def test_random_patterns_exclude_what_git_ignores(repository: Path) -> None:
    dice = random.Random(20)
    differences: list[list[str]] = []
    for _ in range(150):
        patterns = [random_pattern(dice) for _ in range(dice.randint(1, 3))]
        entries = excluded_entries(patterns)
        excluded = {path for path in PATHS if is_excluded(entries, path)}
        if excluded != ignored_by_git(repository, patterns):
            differences.append(patterns)
    assert differences == []


@pytest.mark.parametrize("folder", ["Templates", "School/Old stuff", "a b", "Ideen.md"])
def test_a_folder_is_an_entry_by_its_label(folder: str) -> None:
    assert folder_entry(folder) == folder
    assert written_patterns([folder]) == (f"/{folder}/",)
    assert excluded_entries([f"/{folder}/"]) == (folder,)


@pytest.mark.parametrize(
    ("entries", "patterns", "read", "excluded", "changed"),
    [
        # What did not change keeps its place.
        (("A", "!/A/"), ["!/A/"], [], [], ("A", "!/A/")),
        (("/*", "!/A/", "A"), ["/*", "!/A/"], [], ["A"], ("/*", "!/A/", "A")),
        (("B", "!*", "C"), ["!*"], ["C"], [], ("B", "!*")),
        # A tick wins over the patterns.
        (("A", "!/A/"), ["!/A/"], [], ["A"], ("!/A/", "A")),
        (("A", "!/A/", "B"), ["!/A/"], [], ["B", "C"], ("A", "!/A/", "B", "C")),
        (("A", "!/B/"), ["!/A/"], [], ["A"], ("!/A/", "A")),
        # A folder that a pattern brought back is read, also when that pattern goes.
        (("A", "!/A/", "B"), [], [], ["B"], ("B",)),
        (("A", "!/A/"), ["!/A/", "*.txt"], [], [], ("!/A/", "*.txt")),
        ((), ["# mine", "a.md", "/A/"], [], ["[B]"], ("**/a.md", "A", r"/\[B\]/")),
    ],
)
def test_chosen_folders_and_typed_patterns_become_entries(
    entries: tuple[str, ...],
    patterns: list[str],
    read: list[str],
    excluded: list[str],
    changed: tuple[str, ...],
) -> None:
    assert changed_entries(entries, patterns, read=read, excluded=excluded) == changed


@pytest.mark.parametrize("folder", ["[old]", "!x", "#x", "a*b", "What?/b", "back\\slash"])
def test_a_folder_whose_name_reads_like_a_pattern_is_that_folder(folder: str) -> None:
    entry = folder_entry(folder)
    assert entry != folder
    assert folder_label(entry) == folder
    assert excluded_entries(written_patterns([entry])) == (entry,)
    assert is_excluded([entry], f"{folder}/a.md")
    assert not is_excluded([entry], "o/a.md")


@pytest.mark.parametrize(
    "pattern",
    ["!", "a\\", "[z-a].md", "[", "[abc", "x[/]", "[[:alpha:]]1.md", "![^[:digit:]]", "[a[=b=]]"],
)
def test_a_pattern_that_cannot_be_used_is_told(pattern: str) -> None:
    assert repr(pattern) in pattern_problem(["a.md", pattern])


def test_other_patterns_can_be_used(recwarn: pytest.WarningsRecorder) -> None:
    patterns = [
        "a.md",
        "((",
        "***",
        "/",
        "# [notes",
        "# [[:alpha:]]",
        "",
        "\\[[:x]",
        "[[]a]",
        "[+--]",
        "a\\ ",
        "[]x]",
    ]
    assert pattern_problem(patterns) == ""
    assert not recwarn.list


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("*-*-*-*-*-*-*-*.tmp.md", "-" * 240),
        ("*a*a*a*a*a*a*a*b.md", "a" * 240),
        ("*?*a?*?*a?*?*b", "a" * 240),
        ("x/*a*a*a*a*a*a/*a*a*a*a*a*b", f"x/{'a' * 200}/{'a' * 200}"),
        ("**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/b", "a/" * 100 + "c"),
        ("x/**/a*/**/*a/**/a*a/**/?/**/a/**/a/", "x/" + "a/" * 100 + "c"),
        ("/**/*/**/*/**/*/**/*/**/*/**/*/**/b", "a/" * 100 + "c"),
        ("/a/**/*a*a/**/*a*a/**/*a*a/**/*a*a/**/b.md", "a/" + f"{'a' * 30}/" * 40 + "c"),
    ],
)
def test_many_stars_cost_little_even_where_a_path_nearly_matches(pattern: str, name: str) -> None:
    """Trying each star in each place would take longer than any test run."""
    matcher = EntryMatcher(excluded_entries([pattern]))
    assert not any(matcher.excludes(name) for _ in range(20))


@pytest.mark.parametrize(
    ("former", "patterns", "lines"),
    [
        (["# mine", "[z-a]", "secret.md"], ["secret.md"], ["# mine", "[z-a]", "secret.md"]),
        (["a", "# of b", "b"], ["b", "c"], ["# of b", "b", "c"]),
        (["# of a", "a", "b", "# end"], ["b"], ["b", "# of a", "# end"]),
        (["[abc"], [], ["[abc"]),
        ([], ["/School/"], ["/School/"]),
    ],
)
def test_comments_and_lines_that_cannot_be_used_stay(
    former: list[str], patterns: list[str], lines: list[str]
) -> None:
    assert with_former_lines(patterns, former) == tuple(lines)


def test_the_form_of_accents_makes_no_difference() -> None:
    assert is_excluded(excluded_entries(["U\u0308ber.md"]), "x/\u00dcber.md")
    assert is_excluded(excluded_entries(["\u00dcber.md"]), "x/U\u0308ber.md")


def test_thousands_of_folders_are_looked_up_at_once() -> None:
    folders = [f"folder{number}" for number in range(8_000)]
    matcher = EntryMatcher([*folders, "*.tmp.md"])
    assert sum(matcher.excludes(f"{folder}/deep/a.md") for folder in folders) == 8_000
    assert not any(matcher.excludes(f"x{folder}/deep/a.md") for folder in folders)
