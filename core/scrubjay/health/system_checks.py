"""Checks of the indexes, settings, model, keychain and disk."""

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

_RECENT = dt.timedelta(minutes=2)
_MIN_FREE = 500 * 2**20
"""Bytes. A rebuilt index stands beside the old one until it is complete."""


def check_workspace(
    status: WorkspaceStatus, *, is_there: bool, is_silent: bool
) -> Iterator[Finding]:
    """Findings about the folder of a workspace and its index."""
    workspace = status.workspace
    id_, named = workspace.id, {"workspace": workspace.name}
    if is_silent or not is_there:
        kind = FindingKind.FOLDER_SILENT if is_silent else FindingKind.FOLDER_GONE
        yield Finding(kind, Severity.TROUBLE, named, id_, str(workspace.root))
        return
    if status.error:
        values = {**named, "reason": status.error}
        yield Finding(FindingKind.INDEX_TROUBLE, Severity.TROUBLE, values, id_, fix=Fix.REBUILD)
        return
    checked, pending = status.freshness.checked_at, status.freshness.pending
    # Changes that were found a moment ago are indexed now or soon.
    is_recent = checked is not None and dt.datetime.now().astimezone() - checked < _RECENT
    if pending and not is_recent:
        behind: Values = {**named, "pending": pending}
        yield Finding(FindingKind.INDEX_BEHIND, Severity.NOTICE, behind, id_, fix=Fix.REFRESH)


def check_search(
    loaded: LoadedSettings, status: EngineStatus, library: ModelLibrary
) -> Iterator[Finding]:
    """Findings about the settings file, the model, leftovers of downloads and QMD."""
    for problem in loaded.problems:
        values: Values = {"key": problem.key or "config.json5", "reason": problem.reason}
        yield Finding(FindingKind.SETTING, Severity.ATTENTION, values)
    reason = _model_trouble(status, library)
    if reason and loaded.settings.memory_search.provider != "none":
        yield Finding(FindingKind.MODEL, Severity.ATTENTION, {"reason": reason})
    if sizes := library.leftover_sizes():
        values = {"files": len(sizes), "size": max(1, sum(sizes) // 10**6)}
        yield Finding(FindingKind.LEFTOVERS, Severity.NOTICE, values, fix=Fix.CLEAN)
    if reason := status.backend.reason or status.backend.note:
        yield Finding(FindingKind.QMD, Severity.ATTENTION, {"reason": reason})


def _model_trouble(status: EngineStatus, library: ModelLibrary) -> str:
    used = [model for model in library.list() if model.is_used]
    for model in used:
        if model.state is not ModelState.READY:
            return model.reason or msg("{name} is not on this computer.", name=model.name)
    # A local model starts when it is needed; a remote one is known after its first use.
    is_silent = used or status.model.is_ready or status.model.provider == "none"
    return "" if is_silent else status.model.reason


def check_keychain(loaded: LoadedSettings, keychain: Keychain) -> Iterator[Finding]:
    """Findings about the keychain, if the settings choose a provider that needs a key."""
    search = loaded.settings.memory_search
    chosen = {search.provider, search.fallback}
    if not any(name in SERVICES and SERVICES[name].key_variable for name in chosen):
        return
    try:
        keychain.names(patience_s=5)
    except KeychainUnavailable as error:
        yield Finding(FindingKind.KEYCHAIN, Severity.ATTENTION, {"reason": str(error)})


def check_disk(folder: Path) -> Iterator[Finding]:
    """A finding if there is little room for the index to grow."""
    existing = next((path for path in (folder, *folder.parents) if path.is_dir()), None)
    if existing is None:
        return
    free = shutil.disk_usage(existing).free
    if free < _MIN_FREE:
        severity = Severity.TROUBLE if free < _MIN_FREE // 10 else Severity.ATTENTION
        yield Finding(FindingKind.DISK_FULL, severity, {"free": free // 10**6})


def check_watches(folders: int, limit_file: Path = LIMIT_FILE) -> Iterator[Finding]:
    """A finding if Linux allows fewer watches than there are folders."""
    if sys.platform != "linux":
        return
    limit = watch_limit(limit_file)
    if limit is not None and folders > limit:
        values = {"limit": limit, "folders": folders}
        yield Finding(FindingKind.WATCH_LIMIT, Severity.NOTICE, values)
