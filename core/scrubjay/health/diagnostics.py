"""A text with technical facts for a bug report, without text of notes and without keys."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

from scrubjay.config.loading import LoadedSettings
from scrubjay.config.page_settings import page_settings
from scrubjay.embedding.selection.provider_factory import cpu_variant_status
from scrubjay.platform.paths import Paths
from scrubjay.records.status_records import EngineStatus, WorkspaceStatus
from scrubjay.text.printable import printable_label
from scrubjay.text.redaction import redact
from scrubjay.version import current_version

_LOG_LINES = 200
_LOG_BYTES = 256 * 1024


def diagnostics(
    paths: Paths, loaded: LoadedSettings, status: EngineStatus, about: Sequence[str] = ()
) -> str:
    """A text to read before it is passed on, with lines about the caller; `~` is the home."""
    local = loaded.settings.memory_search.local
    model = " ".join(filter(None, (status.model.provider, status.model.model)))
    readiness = "ready" if status.model.is_ready else status.model.reason
    # Secrets, paths of the home and invisible characters are taken out of all of it at the end.
    lines = [
        f"Scrubjay {current_version()}, Python {platform.python_version()}, {platform.platform()}",
        *about,
        "",
        f"Model: {model}, {readiness}",
        f"llama.cpp: {cpu_variant_status(local, paths) or 'no local model'}",
        f"Paused: {'yes' if status.is_paused else 'no'}",
        "",
        "Workspaces",
        *(_workspace(number, item) for number, item in enumerate(status.workspaces, start=1)),
        "",
        "Settings that are not as they come",
        *(
            f"  {setting.key} = {setting.value}"
            for setting in page_settings(loaded)
            if setting.value != setting.default
        ),
        "",
        "Problems of the settings file",
        *(f"  {problem.key}: {problem.reason}" for problem in loaded.problems),
        *(f"  {key}: not known" for key in loaded.unknown),
        "",
        f"The last {_LOG_LINES} lines of the logs",
        *_log_lines(paths.logs),
    ]
    text = redact("\n".join(map(printable_label, lines))) + "\n"
    return text.replace(str(Path.home()), "~")


def _workspace(number: int, status: WorkspaceStatus) -> str:
    """The line of a workspace, with a number for its name, which may be that of a person."""
    if status.is_off:
        return f"  {number}: {status.off_reason}"
    fresh = status.freshness
    line = (
        f"  {number}: {status.state}, {fresh.documents} notes, {status.chunks} chunks, "
        f"{fresh.pending} pending, {fresh.unreadable} unreadable, "
        f"{status.progress.percent}% by meaning, index {status.index_bytes} bytes"
    )
    if status.error:
        line += f", {status.error}"
    return line


def _log_lines(folder: Path) -> list[str]:
    """The end of the newest log, of which no line has the text of a note."""
    # A folder that is missing or empty is the same as a log that cannot be read.
    try:
        newest = max(folder.glob("*.log"), key=lambda file: file.stat().st_mtime)
        with newest.open("rb") as file:
            file.seek(max(0, newest.stat().st_size - _LOG_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        return ["  none"]
    return [f"  {line}" for line in lines[-_LOG_LINES:]]
