"""The state of the app as the tray and the status line show it: a sentence and an icon."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from scrubjay.records.status_records import EngineStatus, IndexState, WorkspaceStatus
from scrubjay_desktop.text.formatting import (
    format_clock,
    format_note_count,
    format_number,
    translate,
    translated,
)
from scrubjay_desktop.text.status_sentences import (
    busy_workspace,
    failure_reason,
    pictures_sentence,
    progress_sentence,
)
from scrubjay_desktop.widgets.icons import pixmap

_HALF = 128
"""Lightness between black and white."""
_UNSEEN = (IndexState.NEVER, IndexState.WAITING)


class AppState(StrEnum):
    """States of the app, worst first. The value is the name of the icon."""

    ATTENTION = "tray-attention"
    ERROR = "tray-error"
    MODEL = "tray-model"
    INDEXING = "tray-indexing"
    PAUSED = "tray-paused"
    READY = "tray-ready"


def app_state(status: EngineStatus) -> AppState:
    """The worst thing that is true now."""
    # What the person has to do something about comes before what the app does.
    if not _watched(status):
        return AppState.ATTENTION
    if any(map(failure_reason, _watched(status))):
        return AppState.ERROR
    if status.is_paused:
        return AppState.PAUSED
    busy = busy_workspace(status)
    if busy is None:
        return AppState.READY
    if busy.progress.is_learning:
        return AppState.MODEL
    return AppState.INDEXING


def status_sentence(status: EngineStatus) -> str:
    """One sentence for the status line, the tray menu and the tooltip."""
    match app_state(status):
        case AppState.ATTENTION:
            return translate("Status", "Add a folder of notes to begin")
        case AppState.ERROR:
            failed = next(filter(failure_reason, _watched(status)))
            # The line is short: what can still be done stands on the folder's card.
            reason = translated(failed.away) or failure_reason(failed)
            return f"{failed.workspace.name}: {reason}"
        case AppState.PAUSED if status.is_for_battery:
            return translate("Status", "Paused while the computer is on battery power")
        case AppState.PAUSED if status.paused_until is not None:
            until = format_clock(status.paused_until)
            return translate("Status", "Paused until {time}").format(time=until)
        case AppState.PAUSED:
            return translate("Status", "Paused until you resume reading")
        case AppState.READY if status.reader is not None and not status.reader.is_ready:
            return translated(status.reader.reason)
        case AppState.READY:
            return _ready_sentence(status)
    # With several folders the sentence names the one that is read.
    busy = busy_workspace(status)
    if busy is None:
        return ""
    sentence = progress_sentence(busy.progress, paused=busy.pictures.paused)
    if len(status.workspaces) == 1:
        return sentence[:1].upper() + sentence[1:]
    return f"{busy.workspace.name}: {sentence}"


def _watched(status: EngineStatus) -> Sequence[WorkspaceStatus]:
    """The folders of this computer; where there are none, those that others share."""
    return status.workspaces or status.shared


def tray_tooltip(status: EngineStatus) -> str:
    """The tooltip of the tray, which begins with the name of the app, because trays show many."""
    return translate("Status", "Scrubjay: {sentence}").format(sentence=status_sentence(status))


def tray_icon(name: str, color: QColor) -> QIcon:
    """A state's shape in the sizes that trays ask for.

    A panel may be dark while the app is light, so the shape has an edge of the opposite
    lightness; macOS colours the shape itself (`isTemplate` in Apple's documentation of NSImage).
    """
    icon = QIcon()
    is_mask = sys.platform == "darwin"
    # The sizes that trays of all platforms ask for.
    for size in (16, 22, 24, 32, 44, 48, 64):
        if is_mask:
            icon.addPixmap(pixmap(name, color, size))
        else:
            icon.addPixmap(_edged(name, color, size))
    icon.setIsMask(is_mask)
    return icon


def _edged(name: str, color: QColor, size: int) -> QPixmap:
    edge = QColor("white" if color.lightness() < _HALF else "black")
    width = max(1, round(size / 24))
    # The edge needs room on all sides, since some shapes reach the end of their file.
    inner = size - 2 * width
    around = pixmap(name, edge, inner)
    # The shape is drawn around itself in the other lightness, and then in its own.
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    for x in (0, width, 2 * width):
        for y in (0, width, 2 * width):
            painter.drawPixmap(x, y, around)
    painter.drawPixmap(width, width, pixmap(name, color, inner))
    painter.end()
    return picture


def _ready_sentence(status: EngineStatus) -> str:
    searched = [workspace for workspace in status.workspaces if not workspace.is_off]
    if status.workspaces and not searched:
        return translate("Status", "Search is turned off in the settings")
    count = sum(workspace.freshness.documents for workspace in searched)
    if not status.workspaces:
        count = sum(workspace.freshness.documents for workspace in status.shared)
        shared = translate("Status", "{n} shared {n:note|notes} can be searched")
        return shared.format(n=format_number(count))
    # Before the first look at a folder nothing is known about it.
    unseen = [workspace for workspace in searched if workspace.state in _UNSEEN]
    if unseen and count == 0:
        return translate("Status", "Looking for changes")
    pending = sum(workspace.freshness.pending for workspace in searched)
    if pending:
        sentence = translate("Status", "{count}, {pending} not read yet")
        return sentence.format(count=format_note_count(count), pending=format_number(pending))
    if unseen:
        sentence = translate("Status", "{count}, {n} {n:folder|folders} not read yet")
        return sentence.format(count=format_note_count(count), n=format_number(len(unseen)))
    pictures = pictures_sentence(searched)
    if pictures:
        return f"{format_note_count(count)}, {pictures}"
    unreadable = sum(workspace.freshness.unreadable for workspace in searched)
    if unreadable:
        sentence = translate("Status", "{count}, {n} could not be read")
        return sentence.format(count=format_note_count(count), n=format_number(unreadable))
    # Search by meaning that is wanted and not ready is worth a word.
    found = [each.freshness for each in searched if each.freshness.documents]
    is_learned = all(freshness.embedded >= 1 for freshness in found)
    if status.model.provider == "none" or (status.model.is_ready and is_learned):
        sentence = translate("Status", "{n} {n:note is|notes are} up to date")
    elif status.model.is_ready:
        sentence = translate(
            "Status", "{n} {n:note is|notes are} up to date, some passages searchable by words only"
        )
    else:
        sentence = translate(
            "Status", "{n} {n:note is|notes are} up to date but searchable by words only"
        )
    return sentence.format(n=format_number(count))
