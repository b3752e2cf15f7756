"""The menu of a folder on the list, and the questions and choices that its entries lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path, PurePosixPath

from msgspec.structs import replace
from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QMenu,
    QMessageBox,
    QRadioButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from scrubjay.config.ignore_patterns import (
    EntryMatcher,
    changed_entries,
    folder_label,
    written_patterns,
)
from scrubjay.records.note_records import MovedFolder, NoteCounts, Workspace
from scrubjay.records.status_records import WorkspaceStatus
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_note_count,
    format_number,
    join_words,
    translate,
)
from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import DIALOG, vbox
from scrubjay_desktop.widgets.message_boxes import question_box
from scrubjay_desktop.widgets.theme import GRID
from scrubjay_desktop.workspaces.patterns_field import PatternsField
from scrubjay_desktop.workspaces.pictures_tick import PicturesTick

_PATH = Qt.ItemDataRole.UserRole
_WAS_READ = Qt.ItemDataRole.UserRole + 1
"""Role of whether a folder had its tick when the dialog was opened."""
_IS_MATCHED = Qt.ItemDataRole.UserRole + 2
"""Role of whether a pattern excludes a folder, which no tick can bring back."""


def folder_menu(
    status: WorkspaceStatus,
    requested: SignalInstance,
    parent: QWidget,
    *,
    is_published: bool = False,
) -> QMenu:
    """The actions for a folder; the signal gets the name of one, and the folder's status."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    # Entries that make no sense now are hidden, so that the others keep their letters.
    entries = _entries()
    if status.workspace.memory_uri:
        entries = _entries_of_shared()
    hidden = {"locate": not status.away, "share": is_published}
    hidden |= dict.fromkeys(("publish", "unshare"), not is_published)
    for name, text in entries:
        action = menu.addAction(text)
        action.setObjectName(name)
        action.triggered.connect(lambda _=False, name=name: requested.emit(name, status))
        action.setVisible(not hidden.get(name))
        action.setEnabled(name not in ("choose", "describe") or not status.away)
    return menu


def _entries() -> tuple[tuple[str, str], ...]:
    return (
        ("locate", translate("Workspaces", "&Locate the folder…")),
        ("refresh", translate("Workspaces", "&Check for changes")),
        ("choose", translate("Workspaces", "Choose which notes Scrubjay &reads…")),
        ("describe", translate("Workspaces", "Descr&ibe for agents…")),
        ("problems", translate("Workspaces", "Files &not searched…")),
        ("rebuild", translate("Workspaces", "Read &everything again")),
        ("reveal", translate("Workspaces", "&Show in file manager")),
        ("rename", translate("Workspaces", "Re&name…")),
        ("share", translate("Workspaces", "Share this fol&der…")),
        ("publish", translate("Workspaces", "&Publish now")),
        ("unshare", translate("Workspaces", "St&op sharing…")),
        ("forget", translate("Workspaces", "&Forget…")),
    )


def _entries_of_shared() -> tuple[tuple[str, str], ...]:
    """The entries for a folder of another computer, which can only be searched."""
    return (
        ("look", translate("Workspaces", "&Check for changes")),
        ("drop", translate("Workspaces", "Stop &searching…")),
    )


def forget_question(status: WorkspaceStatus, parent: QWidget) -> QMessageBox:
    """A question before a workspace is forgotten, which tells that the notes stay."""
    workspace = status.workspace
    details = translate(
        "Workspaces",
        "Scrubjay will delete its search index for this folder. Your notes "
        "in {folder} will not change.",
    )
    box = question_box(
        parent,
        translate("Workspaces", "Forget a folder"),
        text=translate("Workspaces", "Forget “{name}”?").format(name=workspace.name),
        details=details.format(folder=abbreviate_home(workspace.root)),
    )
    # Enter, pressed without reading, keeps the folder.
    forget = box.addButton(translate("Workspaces", "&Forget"), QMessageBox.ButtonRole.AcceptRole)
    keep = box.addButton(translate("Workspaces", "&Keep"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    forget.setObjectName("forget")
    return box


def moved_question(
    workspace: Workspace, moved: MovedFolder, look_elsewhere: Callable[[], object], parent: QWidget
) -> QMessageBox:
    """The question whether a folder is now at another place, with a button for yet another."""
    text = translate("Workspaces", "Has “{name}” moved to {folder}?")
    known = translate(
        "Workspaces",
        "The new folder contains {known} of the {total} notes from the previous folder.",
    )
    if not moved.is_likely:
        known += " " + translate(
            "Workspaces", "If the new folder contains different notes, add it as a separate folder."
        )
    box = question_box(
        parent,
        translate("Workspaces", "Locate the folder…"),
        text=text.format(name=workspace.name, folder=abbreviate_home(moved.root)),
        details=known.format(known=format_number(moved.known), total=format_number(moved.notes)),
    )
    # The button for another folder neither accepts nor cancels.
    yes = box.addButton(translate("Workspaces", "&Yes"), QMessageBox.ButtonRole.AcceptRole)
    other = translate("Workspaces", "&Another folder…")
    box.addButton(other, QMessageBox.ButtonRole.DestructiveRole).clicked.connect(look_elsewhere)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setEscapeButton(cancel)
    box.setDefaultButton(yes if moved.is_likely else cancel)
    return box


def documents_label(counts: Mapping[str, int]) -> str:
    """`Also read 12 PDFs and 3 Word files`, most of a kind first."""
    names = {
        ".pdf": translate("Workspaces", "{n} {n:PDF|PDFs}"),
        ".docx": translate("Workspaces", "{n} Word {n:file|files}"),
        ".pptx": translate("Workspaces", "{n} {n:presentation|presentations}"),
        ".xlsx": translate("Workspaces", "{n} {n:spreadsheet|spreadsheets}"),
        ".epub": translate("Workspaces", "{n} {n:book|books}"),
    }
    # Kinds without a name of their own are counted together.
    known = Counter({end: counts[end] for end in names if end in counts})
    pieces = [names[end].format(n=format_number(count)) for end, count in known.most_common()]
    rest = sum(counts.values()) - known.total()
    if rest:
        others = translate("Workspaces", "{n} other {n:document|documents}")
        pieces.append(others.format(n=format_number(rest)))
    if not pieces:
        return translate("Workspaces", "Also read &documents, such as PDF and Word files")
    return translate("Workspaces", "Also read {documents}").format(documents=join_words(pieces))


def _content(count: int, documents: int) -> str:
    """`3 notes`, `2 documents`, or `3 notes and 2 documents` of a folder."""
    pieces = [format_note_count(count)]
    if documents:
        named = translate("Workspaces", "{n} {n:document|documents}").format(
            n=format_number(documents)
        )
        pieces = [*pieces, named] if count else [named]
    return join_words(pieces)


class FolderTree(QTreeWidget):
    """Folders with a tick each, and what is in them."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setColumnCount(2)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setAccessibleName(self.tr("Folders that Scrubjay reads"))


class ReadNotesDialog(QDialog):
    """Which notes of a folder are read: all, without some of them, or an agent's memory."""

    def __init__(
        self, workspace: Workspace, counts: NoteCounts, parent: QWidget, own: Collection[Path] = ()
    ) -> None:
        """An agent's memory can be chosen where there is one; own are folders read by themselves,
        which cannot be chosen here.
        """
        super().__init__(parent)
        self._workspace = workspace
        self._entries = tuple(workspace.left_out)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(
            self.tr("Notes that Scrubjay reads in “{name}”").format(name=workspace.name)
        )
        # The choice of the layout, with the numbers of notes that each would read.
        all_notes = self.tr("All {n} notes in the &folder").format(n=format_number(counts.notes))
        memory = self.tr("Only an &agent's memory (MEMORY.md and memory/): {notes}")
        self.notes = QRadioButton(all_notes)
        self.agent = QRadioButton(memory.format(notes=format_note_count(counts.memory)))
        is_agent = workspace.layout == "agent"
        self.agent.setChecked(is_agent)
        self.notes.setChecked(not is_agent)
        # A tick for each folder, where there are any.
        has_folders = bool(counts.subfolders or counts.document_folders or self._entries)
        ticks = muted_label(self.tr("Notes in folders without a check mark are not searched."))
        if not has_folders:
            ticks.setText(self.tr("This folder has no subfolders to exclude."))
        self.tree = FolderTree()
        # Documents are chosen by one tick for all kinds.
        self.documents = QCheckBox(documents_label(counts.documents))
        self.documents.setChecked(workspace.documents)
        self.pictures = PicturesTick(is_read=workspace.pictures, with_scans=workspace.documents)
        self.documents.toggled.connect(self.pictures.show_scans)
        self.hidden = QCheckBox(
            self.tr("Also read {notes} in folders whose names &begin with a dot").format(
                notes=format_note_count(counts.hidden)
            )
        )
        self.hidden.setChecked(workspace.hidden_folders)
        self.named = QCheckBox(
            self.tr("&Search this folder only when it is chosen or named in the search")
        )
        self.named.setChecked(workspace.searched == "named")
        self._fill(counts, own)
        self.tree.itemChanged.connect(_enable_below)
        patterns = [entry for entry in self._entries if not folder_label(entry)]
        self.patterns = PatternsField(written_patterns(patterns), counts.notes)
        kinds = QDialogButtonBox.StandardButton
        buttons = dialog_buttons(self, kinds.Ok | kinds.Cancel)
        self.patterns.checked.connect(buttons.button(kinds.Ok).setEnabled)
        choices = (self.notes, self.agent, self.documents, self.pictures, self.hidden)
        parts = (*choices, ticks, (self.tree, 100), self.patterns, self.named, 1, buttons)
        vbox(*parts, on=self, margins=DIALOG, spacing=1)
        # Hidden here: what is shown or hidden before it has its place flashes.
        for button in (self.notes, self.agent):
            button.setHidden(not (is_agent or counts.memory))
        # What is chosen for all notes makes no sense for an agent's memory.
        has_documents = bool(counts.documents or workspace.documents)
        self._show_for_notes(ticks)
        self._show_for_notes(self.tree, is_needed=has_folders)
        self._show_for_notes(self.documents, is_needed=has_documents)
        self._show_for_notes(self.pictures)
        self._show_for_notes(self.hidden, is_needed=bool(counts.hidden or workspace.hidden_folders))
        self._show_for_notes(self.patterns)
        self._has_folders = has_folders
        self.notes.toggled.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """Be high where folders are shown, and otherwise only as high as the choices need."""
        height = 0
        if self._has_folders and self.notes.isChecked():
            height = 60 * GRID
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.resize(60 * GRID, height)

    def done(self, result: int) -> None:  # noqa: D102
        self.patterns.stop()
        self.pictures.counting.cancel()
        super().done(result)

    def _show_for_notes(self, widget: QWidget, *, is_needed: bool = True) -> None:
        """Show a widget while all notes are chosen, if it is needed at all."""
        widget.setHidden(self.agent.isChecked() or not is_needed)
        if is_needed:
            self.notes.toggled.connect(widget.setVisible)

    @property
    def chosen(self) -> Workspace:
        """The workspace with the layout and the excluded folders that were chosen."""
        layout = "agent" if self.agent.isChecked() else "notes"
        # Only ticks that a person changed change anything. A folder in an excluded one has none of
        # its own.
        items = self.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        ticked = [item for item in items if _is_ticked(item) and not item.data(0, _WAS_READ)]
        unticked = [item for item in items if not item.isDisabled() and not _is_ticked(item)]
        left_out = changed_entries(
            self._entries,
            self.patterns.patterns,
            read={item.data(0, _PATH) for item in ticked},
            excluded=[item.data(0, _PATH) for item in unticked],
        )
        documents = self.documents.isChecked() and layout == "notes"
        return replace(
            self._workspace,
            layout=layout,
            left_out=left_out,
            documents=documents,
            pictures=self.pictures.is_ticked and layout == "notes",
            hidden_folders=self.hidden.isChecked() and layout == "notes",
            searched="named" if self.named.isChecked() else "always",
        )

    def _fill(self, counts: NoteCounts, own: Collection[Path]) -> None:
        items: dict[str, QTreeWidgetItem] = {}
        # Excluded folders stay choosable when they are empty or gone for now, below those around.
        left_out = {*filter(None, map(folder_label, self._entries))}
        around = (str(above) for label in left_out for above in PurePosixPath(label).parents)
        paths = {*counts.subfolders, *counts.document_folders, *left_out, *around} - {"."}
        matcher = EntryMatcher(self._entries)
        patterns = EntryMatcher([entry for entry in self._entries if not folder_label(entry)])
        for path in sorted(paths, key=str.casefold):
            above, _, name = path.rpartition("/")
            content = _content(counts.subfolders.get(path, 0), counts.document_folders.get(path, 0))
            item = QTreeWidgetItem(items.get(above, self.tree), [name, content])
            # In an excluded folder, the tick is the one that it would have without that.
            is_read = path not in left_out
            is_matched = False
            if not (above and matcher.excludes(above, is_folder=True)):
                is_read = not matcher.excludes(path, is_folder=True)
                is_matched = patterns.excludes(path, is_folder=True)
            state = Qt.CheckState.Unchecked
            if is_read:
                state = Qt.CheckState.Checked
            item.setCheckState(0, state)
            item.setData(0, _PATH, path)
            item.setData(0, _WAS_READ, is_read)
            item.setData(0, _IS_MATCHED, is_matched)
            items[path] = item
            item.setHidden(self._workspace.root / path in own)
            if is_matched:
                item.setDisabled(True)
                item.setToolTip(0, self.tr("A pattern excludes this folder."))
        for item in items.values():
            _enable_below(item)
        self.tree.expandAll()


def _is_ticked(item: QTreeWidgetItem) -> bool:
    return item.checkState(0) is Qt.CheckState.Checked


def _enable_below(item: QTreeWidgetItem) -> None:
    """Let no folder be chosen that is in an excluded one."""
    is_read = not item.isDisabled() and _is_ticked(item)
    for row in range(item.childCount()):
        below = item.child(row)
        is_open = is_read and not (below and below.data(0, _IS_MATCHED))
        if below and below.isDisabled() is is_open:
            below.setDisabled(not is_open)
            _enable_below(below)
