"""Patterns in gitignore syntax, with which a person excludes notes.

What is excluded from a workspace is one list. A folder is in it by its label, as in `School/Old`.
Any other entry is a pattern, written so that it is never mistaken for a label.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from scrubjay.messages import msg

if TYPE_CHECKING:
    from pathspec.pattern import RegexPattern

_FOLDER = re.compile(r"/((?:[^*?\[\]\\]|\\.)+)/")
"""Pattern of one folder, by its whole label."""
_SPECIAL = re.compile(r"[*?\[\]\\]")
"""Special characters of patterns, which have a backslash before them in a label."""
_WILDCARD = re.compile(r"(?<!\\)[*?\[]")
"""Character that stands for others."""
_ANYWHERE = "**/"
"""Beginning of a pattern for a name at any depth; one without any slash means the same."""
_EVERYTHING = re.compile(r"^(!?)(?:/?(?:\*\*/)*\*\*|/?(?:\*\*/)+\*|\*)(/?)$")
"""Pattern of everything, which the library does not match as a whole."""
_BELOW = re.compile(r"/\*\*(/?)$")
"""End of a pattern for what is in a folder, or for the folders in it, but not for it itself."""
_CLASS = re.compile(r"(?<!\\)\[[!^]?\]?[^\]/]*\[[:.=]")
"""Beginning of a class such as `[[:alpha:]]`, which the library reads as single letters."""
_STAR = "[^/]*"
"""A star as a regular expression of the library has it."""
_ANY_DEPTH = re.compile(r"(\(\?:\.\+/\)\?|\(\?:/\.\+\)\?/)")
"""Two stars for folders as the library has them, before all names or between two of them."""


def folder_entry(label: str) -> str:
    """The entry of a folder."""
    if _is_plain(label):
        return label
    escaped = _SPECIAL.sub(r"\\\g<0>", label)
    return f"/{escaped}/"


def folder_label(entry: str) -> str:
    """The label of the folder that an entry excludes as a whole; empty for other patterns."""
    if _is_plain(entry):
        return entry
    folder = _FOLDER.fullmatch(entry)
    if folder is None:
        return ""
    return re.sub(r"\\(.)", r"\1", folder[1])


def excluded_entries(patterns: Iterable[str]) -> tuple[str, ...]:
    """The entries for patterns that are written as in a .gitignore file."""
    lines = (line for line in patterns if line.strip() and not line.startswith("#"))
    return tuple(_entry(line) for line in lines)


def _entry(pattern: str) -> str:
    label = folder_label(pattern)
    if label and label != pattern:
        return folder_entry(label)
    # A bare name would read like the label of a folder.
    if not _is_plain(pattern):
        return pattern
    if "/" in pattern:
        return f"/{pattern}"
    return f"{_ANYWHERE}{pattern}"


def written_patterns(entries: Iterable[str]) -> tuple[str, ...]:
    """The patterns of entries as a person writes them."""
    return tuple(_written(entry) for entry in entries)


def _written(entry: str) -> str:
    if _is_plain(entry):
        return f"/{entry}/"
    name = entry.removeprefix(_ANYWHERE)
    if name and "/" not in name and _is_plain(name):
        return name
    return entry


def _is_plain(entry: str) -> bool:
    """Whether an entry is the label of a folder as it is, as opposed to a pattern."""
    is_marked = entry.startswith(("/", "!", "#")) or entry.endswith(("/", " "))
    return not is_marked and _SPECIAL.search(entry) is None


def excluded_folders(entries: Iterable[str], matcher: EntryMatcher) -> tuple[str, ...]:
    """The labels of the folders that are excluded as a whole, unless a later pattern reads them.

    The matcher is that of the entries.
    """
    labels = filter(None, map(folder_label, entries))
    return tuple(label for label in labels if matcher.excludes(label, is_folder=True))


def changed_entries(
    entries: Sequence[str],
    patterns: Iterable[str],
    *,
    read: Collection[str],
    excluded: Iterable[str],
) -> tuple[str, ...]:
    """The entries after a person typed patterns and chose folders, each by its label.

    Read are folders that were excluded before. What did not change keeps its place, since a later
    pattern may bring a folder back.
    """
    kept = [entry for entry in entries if folder_label(entry) not in read]
    typed = excluded_entries(patterns)
    if typed != tuple(entry for entry in entries if not folder_label(entry)):
        # A folder that an old pattern brought back is read, whatever the new patterns are.
        former = EntryMatcher(entries)
        folders = (entry for entry in kept if folder_label(entry))
        kept = [
            *typed,
            *(each for each in folders if former.excludes(folder_label(each), is_folder=True)),
        ]
    # Last, where no pattern brings them back, come the folders that are not excluded yet.
    matcher = EntryMatcher(kept)
    added = [label for label in excluded if not matcher.excludes(label, is_folder=True)]
    moved = frozenset(added)
    others = (entry for entry in kept if folder_label(entry) not in moved)
    return (*others, *map(folder_entry, added))


def pattern_problem(patterns: Iterable[str]) -> str:
    """A sentence about the first pattern that cannot be used; empty if all can."""
    for pattern in patterns:
        try:
            _rules((pattern,))
        except ValueError:
            return msg(
                "The pattern {pattern} cannot be used. Check its brackets, and remove any "
                "backslash at its end.",
                pattern=repr(pattern),
            )
    return ""


def usable_patterns(patterns: Iterable[str]) -> tuple[str, ...]:
    """The patterns that can be used."""
    return tuple(pattern for pattern in patterns if not pattern_problem((pattern,)))


def with_former_lines(patterns: Iterable[str], former: Iterable[str]) -> tuple[str, ...]:
    """Patterns with the comments of a former list, and with its lines that cannot be used.

    Each stands above the pattern that followed it, or at the end where that one is gone.
    """
    above: dict[str, list[str]] = {}
    waiting: list[str] = []
    for line in former:
        used = written_patterns(excluded_entries(usable_patterns([line])))
        if not used:
            waiting.append(line)
            continue
        above.setdefault(used[0], []).extend(waiting)
        waiting = []
    # What is left has lost its pattern.
    lines: list[str] = []
    for pattern in patterns:
        lines += [*above.pop(pattern, ()), pattern]
    return (*lines, *chain.from_iterable(above.values()), *waiting)


class EntryMatcher:
    """Tells which files and folders some entries exclude."""

    def __init__(self, entries: Sequence[str]) -> None:
        # A folder is looked up by its label, unless a later pattern may bring it back.
        last = max((at for at, each in enumerate(entries) if each.startswith("!")), default=-1)
        # The form of accents depends on the drive.
        labels = filter(_is_plain, entries[last + 1 :])
        self._folders = frozenset(unicodedata.normalize("NFC", each) for each in labels)
        others = (each for each in entries[last + 1 :] if not _is_plain(each))
        self._rules = _rules(written_patterns((*entries[: last + 1], *others)))
        self._elsewhere = tuple(rule for rule in self._rules if not rule.is_at_root)
        self.has_patterns = bool(self._rules)
        """Whether there are patterns besides the labels of folders."""

    def excludes(self, label: str, *, is_folder: bool = False, is_elsewhere: bool = False) -> bool:
        """Whether a file or folder, or a folder around it, is excluded.

        As in git, nothing below an excluded folder comes back by a later pattern. What is elsewhere
        belongs to an additional folder, which is not in the folder of the patterns.
        """
        rules = self._rules
        if is_elsewhere:
            rules = self._elsewhere
        own = unicodedata.normalize("NFC", f"{label}/" if is_folder else label)
        above = [own[:at] for at, sign in enumerate(own) if sign == "/"]
        if not self._folders.isdisjoint(above):
            return True
        if not rules:
            return False
        if any(_is_named(rules, f"{folder}/") for folder in above):
            return True
        return not is_folder and _is_named(rules, own)


def _is_named(rules: Sequence[_Rule], path: str) -> bool:
    """Whether the last rule for a path itself excludes it; that of a folder ends with a slash."""
    for rule in reversed(rules):
        match = rule.regex.match(path)
        # A rule for a folder matches the beginning of what is in it, too.
        if match and match.end() == len(path):
            return rule.excludes
    return False


class _Rule(NamedTuple):
    """A compiled pattern."""

    regex: re.Pattern[str]
    excludes: bool
    is_at_root: bool
    """Whether it begins with a wildcard for what is directly in the folder of the patterns."""


@lru_cache(maxsize=64)
def _rules(patterns: tuple[str, ...]) -> tuple[_Rule, ...]:
    """The compiled patterns that match anything. Raises ValueError for one that is malformed."""
    # Most folders have no patterns, and the first search would wait for the library.
    if not patterns:
        return ()
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    lines = [unicodedata.normalize("NFC", pattern) for pattern in patterns]
    # For the library, such a pattern also matches the folder itself; for git, it does not.
    whole = (_EVERYTHING.sub(r"\1?*\2", _BELOW.sub(r"/**/*\1", line)) for line in lines)
    try:
        # Python warns of brackets that it may read in another way one day.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            compiled = [GitIgnoreSpecPattern(line) for line in whole]
            rules = [
                _rule(each, is_at_root=_is_at_root(line))
                for line, each in zip(lines, compiled, strict=True)
                if each.regex and each.include is not None
            ]
    except re.error as error:
        raise ValueError(error) from error
    # It drops a bracket without an end, as if the line were blank.
    for line, each in zip(lines, compiled, strict=True):
        is_dropped = each.include is None and line.strip() not in ("", "/")
        is_read_otherwise = is_dropped or _CLASS.search(line)
        if is_read_otherwise and not line.startswith("#"):
            raise ValueError(line)
    return tuple(rules)


def _is_at_root(pattern: str) -> bool:
    """Whether a pattern begins with a slash and a wildcard for what is directly in the folder.

    A pattern such as `*/private/*.md` goes on to close additional folders, too.
    """
    path = pattern.removeprefix("!")
    names = path.removeprefix("/")
    if names == path or names.startswith(_ANYWHERE):
        return False
    return _WILDCARD.search(names.partition("/")[0]) is not None


def _rule(pattern: RegexPattern, *, is_at_root: bool) -> _Rule:
    """A compiled pattern in which each star is tried in one way, so that no path takes long.

    Of what stands between two stars, the first place is as good as any later one.
    """
    assert pattern.regex is not None
    first, *rest = _ANY_DEPTH.split(pattern.regex.pattern)
    parts = [_one_way(first)]
    # Each pair of stars, and the names after it.
    for at in range(0, len(rest), 2):
        folders = r"(?:/[^/]+)"
        slash = "/"
        if rest[at].endswith("/)?"):
            folders = r"(?:[^/]+/)"
            slash = ""
        names = slash + _one_way(rest[at + 1])
        if at + 2 < len(rest):
            parts.append(f"(?>{folders}*?{names}(?=/))")
        else:
            parts.append(f"{folders}*{names}")
    return _Rule(re.compile("".join(parts)), excludes=bool(pattern.include), is_at_root=is_at_root)


def _one_way(names: str) -> str:
    """A regular expression of names in which each star is tried in one way."""
    first, *pieces = names.split(_STAR)
    parts = [first]
    for piece in pieces[:-1]:
        if "/" in piece.replace("[^/]", ""):
            parts.append(f"{_STAR}{piece}")
        else:
            parts.append(f"(?>{_STAR}?{piece})")
    # The last star of a name has to reach its end.
    parts += [f"{_STAR}{piece}" for piece in pieces[-1:]]
    return "".join(parts)
