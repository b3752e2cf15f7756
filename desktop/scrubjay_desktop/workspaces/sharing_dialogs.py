"""The dialog that asks for a shared memory, and the questions before one is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QWidget,
)

from scrubjay.errors import QueryError
from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import PublishState, SharedPlace
from scrubjay.sharing.places import missing_package, parse_storage_options
from scrubjay_desktop.text.formatting import abbreviate_home, join_words, translate, translated
from scrubjay_desktop.text.sharing_sentences import publication_progress_line, who_reads
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import SmallButton, dialog_buttons
from scrubjay_desktop.widgets.labels import muted_label, plain_label, progress_bar
from scrubjay_desktop.widgets.layouts import DIALOG, NONE, Part, hbox, vbox
from scrubjay_desktop.widgets.message_boxes import open_where_it_was, question_box
from scrubjay_desktop.widgets.theme import GRID

_WIDTH = 68 * GRID
"""Pixels of the dialog."""
_EXAMPLES = {"s3": "aws_region=eu-central-1", "db": "region=us-east-1"}
"""Examples of options by the scheme of an address."""


class ChosenPlace(Struct, frozen=True):
    """What was entered about a shared memory."""

    uri: str
    options: Mapping[str, str]
    name: str
    """Name of the folder there."""
    key: str
    """Key of the storage; empty for the one that is there already, or for none."""


class _Words(Struct, frozen=True):
    """What the dialog says about itself."""

    title: str
    introduction: str
    button: str


class PlaceDialog(QDialog):
    """Asks where a shared memory is. It stays open until what was begun has ended."""

    confirmed = Signal(object)
    """Signal with a ChosenPlace."""

    def __init__(self, places: QSettings, parent: QWidget, folder: Workspace | None = None) -> None:
        """A folder is to be shared there; without one, the memory is to be searched."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._places = places
        self._folder = folder
        self._total = 0
        """Number of notes that were still to be published, at most."""
        self.place, self.name, self.options, self.key = (QLineEdit() for _ in range(4))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.browse = SmallButton(self.tr("&Browse…"))
        self.browse.clicked.connect(self._choose)
        self.key_line = muted_label("", -1)
        self.warning = plain_label()
        self.message = plain_label()
        self.progress = progress_bar(self.tr("Notes published so far"))
        self._build()
        for field in (self.place, self.name, self.options, self.key):
            field.textChanged.connect(self._show_fitting)
        self._show_fitting()
        # Without the part that reads shared memories nothing can be entered.
        missing = missing_package()
        if missing:
            self._form.setEnabled(False)
            self._say(translated(missing), is_trouble=True)

    def start(self) -> None:
        """Show that what was asked for has begun, with all that was entered."""
        # While something is under way, nothing can be entered, and closing lets it continue.
        self._total = 0
        self._form.setEnabled(False)
        self.go.setEnabled(False)
        self.progress.setRange(0, 0)
        self.progress.show()
        self._cancel.setText(self.tr("&Close"))
        self._cancel.setFocus()
        self.show_progress(None)

    def show_progress(self, publication: PublishState | None) -> None:
        """Show how far a publication has come; None before it has begun."""
        if self._folder is None:
            self._say(self.tr("Checking the shared memory…"))
            return
        pending = publication.pending if publication else 0
        # The number falls while notes are published, and rises when more are changed.
        self._total = max(self._total, pending)
        self.progress.setRange(0, self._total)
        self.progress.setValue(self._total - pending)
        goes_on = self.tr("Publishing continues after you close this window.")
        self._say(f"{publication_progress_line(publication)}. {goes_on}".replace("….", "…"))

    def show_failure(self, sentence: str) -> None:
        """Show why it came to nothing; all that was entered can be changed."""
        self._form.setEnabled(True)
        self.progress.hide()
        self._cancel.setText(self.tr("Cancel"))
        self._show_fitting()
        self._say(sentence, is_trouble=True)
        self.place.setFocus()
        self.go.setDefault(True)

    def _build(self) -> None:
        words = self._words()
        self.setWindowTitle(words.title)
        # Fields that only a storage needs are a part of the form that can be hidden.
        self._form = QWidget()
        self._storage = QWidget()
        self.place.setPlaceholderText(self.tr("A folder that others can open, or s3://…"))
        options = _labelled(self.tr("&Storage options"), self.options)
        key = _labelled(self.tr("&Key"), self.key)
        inner = vbox(*options, *key, self.key_line, on=self._storage, margins=NONE, spacing=0.75)
        where = hbox((self.place, 1), self.browse, spacing=1)
        # The name there is asked for only where a folder is to be shared.
        parts: list[Part] = [_labelled(self.tr("&Location"), self.place)[0], where]
        if self._folder:
            self.name.setText(self._folder.name)
            parts += _labelled(self.tr("&Name that others see"), self.name)
        middle = vbox(*parts, self._storage, on=self._form, margins=NONE, spacing=0.75)
        # Below the form are what is wrong or under way, and the buttons.
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.go = buttons.addButton(words.button, QDialogButtonBox.ButtonRole.ActionRole)
        self.go.setDefault(True)
        self.go.clicked.connect(self._confirm)
        self._cancel = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        texts = (self.warning, self.message, self.progress)
        parts = [muted_label(words.introduction), self._form, *texts, 1, buttons]
        outer = vbox(*parts, on=self, margins=DIALOG, spacing=1.5)
        self._layouts = (inner, middle, outer)
        self.warning.setVisible(self._folder is not None)
        self.message.hide()
        self.progress.hide()
        self.setMinimumWidth(_WIDTH)
        self.resize(_WIDTH, 0)

    def _words(self) -> _Words:
        if self._folder is None:
            return _Words(
                title=self.tr("Add a shared memory"),
                introduction=self.tr(
                    "Scrubjay will search your own folders and those that others share in this "
                    "memory. You can read the shared notes, but you cannot change them."
                ),
                button=self.tr("&Add"),
            )
        return _Words(
            title=self.tr("Share “{name}”").format(name=self._folder.name),
            introduction=self.tr(
                "Scrubjay publishes what it has read in this folder, now and after each "
                "change, so that other computers can search the notes. Your notes stay where "
                "they are."
            ),
            button=self.tr("&Share"),
        )

    def _show_fitting(self) -> None:
        """Show what this kind of place needs, and whether enough was entered."""
        uri = self.place.text().strip()
        self.warning.setText(who_reads(uri))
        self.message.hide()
        # A storage asks for a key, and a folder for none.
        key = SharedPlace(uri).key_id
        self._storage.setVisible(bool(key))
        if key:
            self._show_storage(key)
        self._fit()
        is_named = self._folder is None or bool(self.name.text().strip())
        self.go.setEnabled(bool(uri) and is_named and self._form.isEnabled())

    def _show_storage(self, key: str) -> None:
        """Say what the options and the key look like that have this name."""
        scheme = key.partition(":")[0]
        example = self.tr("For example: {options}").format(options=_EXAMPLES.get(scheme, ""))
        if scheme not in _EXAMPLES:
            example = ""
        self.options.setPlaceholderText(example)
        form = self.tr("Key ID, a colon and the secret")
        self.key.setPlaceholderText(form if scheme == "s3" else "")
        # The key itself goes to the keychain, and never into the settings.
        line = self.tr(
            "Ask the person who set up this storage for the options and the key. Scrubjay "
            "stores the key in this computer's keychain as {name}. You can find the key "
            "in the settings under “Service keys”. If the keychain already contains the "
            "key, leave this field empty."
        )
        self.key_line.setText(line.format(name=key))

    def _confirm(self) -> None:
        # What was entered for a storage does not count once the address is another one.
        options: Mapping[str, str] = {}
        key = ""
        if not self._storage.isHidden():
            key = self.key.text().strip()
            try:
                options = parse_storage_options(self.options.text())
            except QueryError as error:
                self._say(translated(str(error)), is_trouble=True)
                self.options.setFocus()
                return
        place = ChosenPlace(
            uri=self.place.text().strip(), options=options, name=self.name.text().strip(), key=key
        )
        self.confirmed.emit(place)

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a folder that others can open"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.place.setText)
        open_where_it_was(dialog, self._places, "shared")

    def _say(self, sentence: str, *, is_trouble: bool = False) -> None:
        role = QPalette.ColorRole.WindowText
        if is_trouble:
            role = QPalette.ColorRole.BrightText
        self.message.setForegroundRole(role)
        if self.message.isHidden() or sentence != self.message.text():
            self.message.setText(sentence)
            self.message.show()
            announce(self, sentence)
            self._fit()

    def _fit(self) -> None:
        """Be as high as what is shown needs."""
        for layout in self._layouts:
            layout.activate()
        self.resize(self.width(), layout.totalHeightForWidth(self.width()))


def _labelled(text: str, field: QLineEdit) -> list[QWidget]:
    """A field below its name, which leads to it by a letter."""
    label = QLabel(text, textFormat=Qt.TextFormat.PlainText)
    label.setBuddy(field)
    # Nearer to its own field than to the one above.
    label.setContentsMargins(0, GRID // 2, 0, 0)
    field.setAccessibleName(text.replace("&", ""))
    return [label, field]


def unshare_question(workspace: Workspace, place: str, parent: QWidget) -> QMessageBox:
    """The question before a folder is no longer published; `keep` leaves to others what is
    there.
    """
    details = translate(
        "Sharing",
        "You can delete the published notes at {place} so that others can "
        "no longer find them, or keep them as they are now. Your own notes "
        "will not change.",
    )
    box = question_box(
        parent,
        translate("Sharing", "Stop sharing a folder"),
        text=translate("Sharing", "Stop sharing “{name}”?").format(name=workspace.name),
        details=details.format(place=abbreviate_home(place)),
    )
    # Both buttons end the sharing, and only one deletes.
    delete = translate("Sharing", "&Delete published notes")
    box.addButton(delete, QMessageBox.ButtonRole.AcceptRole).setObjectName("delete")
    keep = translate("Sharing", "&Keep published notes")
    box.addButton(keep, QMessageBox.ButtonRole.AcceptRole).setObjectName("keep")
    _refuse_by_default(box)
    return box


def drop_question(place: str, names: Sequence[str], parent: QWidget) -> QMessageBox:
    """The question before a shared memory is no longer searched."""
    text = translate("Sharing", "You will no longer find notes from {names}.")
    details = ""
    if names:
        details = text.format(names=join_words([*names]))
    stays = translate(
        "Sharing",
        "The shared notes will not be deleted, and you can add the shared memory again later.",
    )
    box = question_box(
        parent,
        translate("Sharing", "Stop searching a shared memory"),
        text=translate("Sharing", "Stop searching {place}?").format(place=abbreviate_home(place)),
        details=f"{details} {stays}".strip(),
    )
    drop = translate("Sharing", "Stop &searching")
    box.addButton(drop, QMessageBox.ButtonRole.AcceptRole).setObjectName("drop")
    _refuse_by_default(box)
    return box


def _refuse_by_default(box: QMessageBox) -> None:
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setEscapeButton(cancel)
    box.setDefaultButton(cancel)
