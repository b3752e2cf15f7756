"""Looks at what is around the notes: indexes, settings, model, keychain, disk."""

from __future__ import annotations

import datetime as dt
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from scrubjay.config.loading import LoadedSettings
from scrubjay.embedding.remote.services import SERVICES
from scrubjay.errors import KeychainUnavailable
from scrubjay.health.findings import Finding, FindingKind, Fix, Severity, Values
from scrubjay.messages import msg
from scrubjay.models.library.model_library import ModelLibrary
from scrubjay.notes.inotify_limits import LIMIT_FILE, watch_limit
from scrubjay.platform.keychain import Keychain
from scrubjay.records.model_records import ModelState
from scrubjay.records.search_records import EngineStatus, WorkspaceStatus

_A_MOMENT = dt.timedelta(minutes=2)
_LITTLE_SPACE = 500 * 2**20
"""Bytes. An index that is built anew stands beside the old one until it is complete."""


def check_workspace(
    status: WorkspaceStatus, *, is_there: bool, is_silent: bool
) -> Iterator[Finding]:
    """The folder of a workspace, as it was found just now, and its index."""
    one = status.workspace
    named = {"workspace": one.name}
    if is_silent:
        yield Finding(FindingKind.FOLDER_SILENT, Severity.TROUBLE, named, one.id, str(one.root))
        return
    if not is_there:
        yield Finding(FindingKind.FOLDER_GONE, Severity.TROUBLE, named, one.id, str(one.root))
        return
    if status.error:
        values = {**named, "reason": status.error}
        yield Finding(FindingKind.INDEX_TROUBLE, Severity.TROUBLE, values, one.id, fix=Fix.REBUILD)
    elif (pending := status.freshness.pending) and not _was_looked_at(status):
        behind: Values = {**named, "pending": pending}
        yield Finding(FindingKind.INDEX_BEHIND, Severity.NOTICE, behind, one.id, fix=Fix.REFRESH)


def _was_looked_at(status: WorkspaceStatus) -> bool:
    """What was saved a moment ago is being read, or will be at once."""
    checked = status.freshness.checked_at
    return checked is not None and dt.datetime.now().astimezone() - checked < _A_MOMENT


def check_settings(loaded: LoadedSettings) -> Iterator[Finding]:
    """What is wrong in the settings file."""
    for problem in loaded.problems:
        values = {"key": problem.key or "config.json5", "reason": problem.reason}
        yield Finding(FindingKind.SETTING, Severity.ATTENTION, values)


def check_model(
    loaded: LoadedSettings, status: EngineStatus, library: ModelLibrary
) -> Iterator[Finding]:
    """Whether notes can be searched by meaning, and what downloads left behind."""
    reason = _model_trouble(status, library)
    if reason and loaded.settings.memory_search.provider != "none":
        yield Finding(FindingKind.MODEL, Severity.ATTENTION, {"reason": reason})
    sizes = library.leftover_sizes()
    if sizes:
        values = {"files": len(sizes), "size": max(1, sum(sizes) // 10**6)}
        yield Finding(FindingKind.LEFTOVERS, Severity.NOTICE, values, fix=Fix.CLEAN)


def _model_trouble(status: EngineStatus, library: ModelLibrary) -> str:
    used = [one for one in library.list() if one.is_used]
    broken = [one for one in used if one.state is not ModelState.READY]
    if broken:
        return broken[0].reason or msg("{name} is not on this computer.", name=broken[0].name)
    # A local model that is here is only asleep; one elsewhere is known once it was asked.
    is_silent = used or status.model.is_ready or status.model.provider == "none"
    return "" if is_silent else status.model.reason


def check_backend(status: EngineStatus) -> Iterator[Finding]:
    """Whether the program that the settings chose for searching does search."""
    if reason := status.backend.reason or status.backend.note:
        yield Finding(FindingKind.QMD, Severity.ATTENTION, {"reason": reason})


def check_keychain(loaded: LoadedSettings, keychain: Keychain) -> Iterator[Finding]:
    """Only for those who chose a provider that needs a key: others need no keychain."""
    search = loaded.settings.memory_search
    chosen = {search.provider, search.fallback}
    if not any(one in SERVICES and SERVICES[one].key_variable for one in chosen):
        return
    try:
        keychain.names(patience_s=5)
    except KeychainUnavailable as error:
        yield Finding(FindingKind.KEYCHAIN, Severity.ATTENTION, {"reason": str(error)})


def check_disk(folder: Path) -> Iterator[Finding]:
    """Whether there is room for the index to grow."""
    existing = next((one for one in (folder, *folder.parents) if one.is_dir()), None)
    if existing is None:
        return
    free = shutil.disk_usage(existing).free
    if free < _LITTLE_SPACE:
        severity = Severity.TROUBLE if free < _LITTLE_SPACE // 10 else Severity.ATTENTION
        yield Finding(FindingKind.DISK_FULL, severity, {"free": free // 10**6})


def check_watches(folders: int, limit_file: Path = LIMIT_FILE) -> Iterator[Finding]:
    """Linux: every folder takes one of a limited number of watches."""
    if sys.platform != "linux":
        return
    limit = watch_limit(limit_file)
    if limit is not None and folders > limit:
        values = {"limit": limit, "folders": folders}
        yield Finding(FindingKind.WATCH_LIMIT, Severity.NOTICE, values)
