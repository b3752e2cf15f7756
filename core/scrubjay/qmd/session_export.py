"""Conversations as Markdown files, for QMD."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from pathlib import Path

from scrubjay.notes.transcripts import SUFFIX, is_transcript_name, read_transcript
from scrubjay.platform.atomic_write import replace_bytes

_DAY_S = 86_400


def export_sessions(folders: Iterable[Path], target: Path, retention_days: int | None) -> None:
    """Bring target up to date: one file for each transcript, none for those that are too old.

    Target belongs to Scrubjay alone: other Markdown files in it are deleted. Secrets are blanked
    out. What cannot be read is left as it is. May raise OSError.
    """
    target.mkdir(parents=True, exist_ok=True)
    oldest = time.time() - retention_days * _DAY_S if retention_days else 0.0
    wanted: set[str] = set()
    for source in _transcripts(folders):
        name = f"{source.name[: -len(SUFFIX)]}.md"
        with contextlib.suppress(OSError):
            changed = source.stat().st_mtime
            if name not in wanted and changed >= oldest:
                wanted.add(name)
                _export(source, target / name, changed)
    for file in target.glob("*.md"):
        if file.name not in wanted:
            file.unlink(missing_ok=True)


def _transcripts(folders: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for folder in folders:
        with contextlib.suppress(OSError):  # most agents have one of the usual places only
            listed = sorted(folder.iterdir())
            found += [
                one
                for one in listed
                if is_transcript_name(one.name) and not one.is_symlink() and one.is_file()
            ]
    return found


def _export(source: Path, target: Path, changed: float) -> None:
    with contextlib.suppress(FileNotFoundError):
        if target.stat().st_mtime >= changed:
            return
    said = read_transcript(source.read_bytes())
    lines = [line for line in said.text.split("\n") if line]
    text = "\n\n".join([f"# {said.title or source.stem}", *lines])
    replace_bytes(target, f"{text}\n".encode(), 0o600)
