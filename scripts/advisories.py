"""Lists known security advisories for the locked packages, from a dump of the OSV database.

Usage: python scripts/advisories.py DUMP. The dump is a folder or a zip of OSV records (JSON), as
published for each ecosystem. Exits with 1 if an advisory concerns a locked version, and with 2
if the dump cannot be read. Nothing is downloaded.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from scrubjay.text.printable import printable_label

ROOT = Path(__file__).resolve().parents[1]
LOCKS = (ROOT / "requirements.lock", ROOT / "requirements-team.lock")
_ECOSYSTEM = "PyPI"
_COMPARABLE = ("ECOSYSTEM", "SEMVER")
"""Kinds of ranges with versions; those of GIT have commits."""
_FIRST = "0"
_EXIT_FOUND = 1
_EXIT_UNREADABLE = 2


class DumpUnreadable(Exception):
    """The dump is not there, or is not one."""


class Event(Struct, frozen=True):
    """A point of a range; one of the fields is set."""

    introduced: str | None = None
    """First version that is affected; "0" for all before the next point."""
    fixed: str | None = None
    last_affected: str | None = None
    limit: str | None = None


class Range(Struct, frozen=True):
    """Versions from one point to the next."""

    type: str
    events: tuple[Event, ...] = ()


class Package(Struct, frozen=True):
    """A package of some ecosystem."""

    ecosystem: str
    name: str


class Affected(Struct, frozen=True):
    """Versions of a package, in ranges, as a list, or both."""

    package: Package | None = None
    ranges: tuple[Range, ...] | None = None
    versions: tuple[str, ...] | None = None


class Record(Struct, frozen=True):
    """An advisory, as far as it matters here."""

    id: str
    aliases: tuple[str, ...] | None = None
    withdrawn: str | None = None
    summary: str | None = None
    affected: tuple[Affected, ...] | None = None

    @property
    def names(self) -> frozenset[str]:
        """Its id, and those of the same advisory elsewhere."""
        return frozenset({self.id, *(self.aliases or ())})


class Pin(Struct, frozen=True, order=True):
    """A version that lock files name."""

    name: str
    version: str
    locks: tuple[str, ...]
    """Names of those files."""


class Finding(Struct, frozen=True, order=True):
    """An advisory that concerns a locked version, under all its names."""

    pin: Pin
    names: tuple[str, ...]
    summary: str = ""
    fixed: tuple[str, ...] = ()
    """Versions without it."""

    def __str__(self) -> str:
        pin = self.pin
        words = [f"{pin.name} {pin.version} ({', '.join(pin.locks)}): {', '.join(self.names)}"]
        if self.summary:
            words.append(self.summary)
        if self.fixed:
            words.append(f"fixed in {', '.join(self.fixed)}")
        return printable_label("; ".join(words))


def pins(locks: Iterable[Path]) -> list[Pin]:
    """The versions of lock files; a package may have several, for different systems."""
    named: dict[tuple[str, str], set[str]] = {}
    for lock in locks:
        for line in lock.read_text("utf-8").splitlines():
            if line.startswith((" ", "#")) or "==" not in line:
                continue
            requirement = Requirement(line.rstrip("\\ "))
            for specifier in requirement.specifier:
                key = (canonicalize_name(requirement.name), specifier.version)
                named.setdefault(key, set()).add(lock.name)
    return [Pin(name, version, tuple(sorted(files))) for (name, version), files in named.items()]


def records(dump: Path) -> Iterator[Record]:
    """The advisories of a dump. Raises DumpUnreadable."""
    count = 0
    try:
        for name, content in _files(dump):
            count += 1
            yield _decoded(name, content)
    except (OSError, zipfile.BadZipFile) as error:
        raise DumpUnreadable(f"{dump} cannot be read: {error}") from error
    if count == 0:
        raise DumpUnreadable(f"{dump} has no records (*.json).")


def _decoded(name: str, content: bytes) -> Record:
    try:
        return msgspec.json.decode(content, type=Record)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DumpUnreadable(f"{name} is not an OSV record: {error}") from error


def _files(dump: Path) -> Iterator[tuple[str, bytes]]:
    if dump.is_dir():
        for file in sorted(dump.rglob("*.json")):
            yield str(file), file.read_bytes()
        return
    with zipfile.ZipFile(dump) as archive:
        for name in archive.namelist():
            if name.endswith(".json"):
                yield name, archive.read(name)


def concerns(affected: Affected, version: str) -> bool:
    """Whether a version is affected. One that cannot be compared counts as affected."""
    locked = Version(version)
    if any(_is_same(listed, locked) for listed in affected.versions or ()):
        return True
    comparable = [each for each in affected.ranges or () if each.type in _COMPARABLE]
    try:
        return any(_is_within(each, locked) for each in comparable)
    except InvalidVersion:
        return True


def _is_same(listed: str, locked: Version) -> bool:
    try:
        return Version(listed) == locked
    except InvalidVersion:
        return False


def _is_within(affected: Range, locked: Version) -> bool:
    """Whether a version lies in a range, as the schema of OSV defines it."""
    limits = [event.limit for event in affected.events if event.limit]
    if limits and not any(limit == "*" or locked < Version(limit) for limit in limits):
        return False
    is_within = False
    for point, event in sorted(_points(affected.events), key=lambda each: each[0]):
        if event.introduced is not None:
            is_within = is_within or locked >= point
        elif event.fixed is not None:
            is_within = is_within and locked < point
        else:
            is_within = is_within and locked <= point
    return is_within


def _points(events: Iterable[Event]) -> Iterator[tuple[Version, Event]]:
    for event in events:
        text = event.introduced or event.fixed or event.last_affected
        if text == _FIRST:
            # Below every version, also 0.dev0 and 0a1.
            yield Version("0.dev0"), event
        elif text is not None:
            yield Version(text), event


def findings(advisories: Iterable[Record], locked: Sequence[Pin]) -> list[Finding]:
    """Advisories that concern locked versions; the same one under several names counts once."""
    by_name: dict[str, list[Pin]] = {}
    for pin in locked:
        by_name.setdefault(pin.name, []).append(pin)
    hits: dict[Pin, list[Record]] = {}
    for record in advisories:
        if record.withdrawn:
            continue
        for pin in sorted(set(_concerned(record, by_name))):
            hits.setdefault(pin, []).append(record)
    return sorted(
        _merged(pin, same) for pin, found in hits.items() for same in _same_advisories(found)
    )


def _concerned(record: Record, by_name: Mapping[str, list[Pin]]) -> Iterator[Pin]:
    for affected in record.affected or ():
        for pin in by_name.get(_package_name(affected), ()):
            if concerns(affected, pin.version):
                yield pin


def _package_name(affected: Affected) -> str:
    """Name of the Python package; blank for one of another ecosystem."""
    package = affected.package
    # What follows a colon is a part of the ecosystem.
    if package is None or package.ecosystem.partition(":")[0] != _ECOSYSTEM:
        return ""
    return canonicalize_name(package.name)


def _same_advisories(found: Sequence[Record]) -> list[list[Record]]:
    """Groups of records that share a name, directly or through another one."""
    groups: list[list[Record]] = []
    for record in found:
        same = [group for group in groups if any(record.names & other.names for other in group)]
        groups = [group for group in groups if group not in same]
        groups.append([*(other for group in same for other in group), record])
    return groups


def _merged(pin: Pin, same: Sequence[Record]) -> Finding:
    names = sorted({name for record in same for name in record.names})
    summary = next((record.summary for record in same if record.summary), "")
    fixed = {
        event.fixed
        for record in same
        for affected in record.affected or ()
        if _package_name(affected) == pin.name
        for each in affected.ranges or ()
        if each.type in _COMPARABLE
        for event in each.events
        if event.fixed
    }
    return Finding(pin, tuple(names), summary, tuple(sorted(fixed)))


def main(arguments: Sequence[str], locks: Sequence[Path] = LOCKS) -> int:
    """Print what is found; the result is the exit code."""
    if len(arguments) != 1 or not arguments[0]:
        print("Name a folder or zip of OSV records: make advisories OSV=PATH", file=sys.stderr)
        return _EXIT_UNREADABLE
    locked = pins(locks)
    try:
        found = findings(records(Path(arguments[0])), locked)
    except DumpUnreadable as error:
        print(printable_label(str(error)), file=sys.stderr)
        return _EXIT_UNREADABLE
    for finding in found:
        print(finding)
    print(f"Advisories found for the {len(locked)} locked versions: {len(found)}.")
    return _EXIT_FOUND if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
