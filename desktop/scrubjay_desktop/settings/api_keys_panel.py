"""API keys: typed once, kept in the keychain, tested, never shown again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLineEdit, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.api_keys import ApiKeys, KeyTest
from scrubjay.errors import KeychainUnavailable, ScrubjayError
from scrubjay.platform.keychain import StoredKey
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import listed, provider_name, translated
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import SmallButton, dialog_buttons
from scrubjay_desktop.widgets.labels import bold_label, muted_label, plain_label
from scrubjay_desktop.widgets.layouts import NONE, PAGE, hbox, vbox
from scrubjay_desktop.widgets.theme import GRID

T = TypeVar("T")

_OFFERED = ("openai", "gemini", "voyage", "mistral")


class ApiKeysPanel(QWidget):
    """A row for each offered provider, and for each stored key once the panel is visible."""

    announced = Signal(str)

    def __init__(self, keys: ApiKeys, tasks: Tasks) -> None:
        super().__init__()
        self._keys = keys
        self._tasks = tasks
        self._life = CancelToken()
        self._is_session_only = False
        self._is_loaded = False
        self.rows: dict[str, KeyRow] = {}
        self.state = muted_label(self.tr("Asking the keychain"))
        self.move_keys = SmallButton(self.tr("Move keys from the settings file to the keychain"))
        self.move_keys.clicked.connect(self._move)
        self.move_keys.setVisible(bool(keys.in_settings()))
        self._column = vbox(spacing=1)
        move = (self.move_keys, Qt.AlignmentFlag.AlignLeft)
        vbox(self.state, self._column, move, on=self, margins=NONE)
        for name in _OFFERED:
            self._add_row(name)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        super().paintEvent(event)
        # A locked keychain asks for a password: not before the keys are visible.
        if not self._is_loaded:
            self._is_loaded = True
            QTimer.singleShot(0, self, self.refresh)

    def refresh(self) -> None:
        """Load the stored keys. A locked keychain asks the user first."""
        self._tasks.watch(
            self._keys.list(), self._life, done=self.show_keys, failed=self._keychain_failed
        )

    def show_keys(self, stored: Sequence[StoredKey]) -> None:
        """Show the stored keys."""
        self._is_session_only = False
        self.state.setText(
            self.tr("Keys are kept in the keychain of this computer, and never in a file.")
        )
        self._show_rows(stored)
        self.move_keys.setVisible(bool(self._keys.in_settings()))

    def _show_rows(self, stored: Sequence[StoredKey]) -> None:
        by_id = {key.id: key for key in stored}
        for name in by_id:
            if name not in self.rows:
                self._add_row(name)
        for name, row in self.rows.items():
            row.show_key(by_id.get(name))

    def _add_row(self, name: str) -> None:
        key_row = KeyRow(name)
        key_row.set_requested.connect(self._ask)
        key_row.test_requested.connect(self._test)
        key_row.delete_requested.connect(self._delete)
        self.rows[name] = key_row
        self._column.addWidget(key_row)

    def _ask(self, name: str) -> None:
        dialog = KeyDialog(name, self, is_session_only=self._is_session_only)
        dialog.entered.connect(lambda key, session: self._set(name, key, is_session_only=session))
        dialog.open()

    def _set(self, name: str, key: str, *, is_session_only: bool) -> None:
        try:
            future = self._keys.set(name, key, session_only=is_session_only)
        except ScrubjayError as error:
            self._say(name, translated(str(error)))
            return
        self._watch(name, future, lambda _: self.refresh())

    def _test(self, name: str) -> None:
        self._say(name, self.tr("Asking {provider}").format(provider=provider_name(name)))
        self._watch(name, self._keys.test(name), lambda test: self._show_test(name, test))

    def _show_test(self, name: str, test: KeyTest) -> None:
        text = self.tr("It works: {provider} answered in {ms} ms.")
        self._say(name, text.format(provider=test.provider, ms=round(test.elapsed_ms)))

    def _delete(self, name: str) -> None:
        self._watch(name, self._keys.delete(name), lambda _: self.refresh())

    def _move(self) -> None:
        def moved(providers: tuple[str, ...]) -> None:
            names = listed([provider_name(provider) for provider in providers])
            self.announced.emit(self.tr("Moved to the keychain: {names}.").format(names=names))
            self.refresh()

        self._tasks.watch(self._keys.move(), self._life, done=moved, failed=self._keychain_failed)

    def _watch(self, name: str, future: Future[T], done: Callable[[T], None]) -> None:
        row = self.rows[name]
        row.setEnabled(False)

        def fail(error: ScrubjayError) -> None:
            if isinstance(error, KeychainUnavailable):
                self._keychain_failed(error)
            self._say(name, translated(str(error)))

        self._tasks.watch(
            future, self._life, done=done, failed=fail, settled=lambda: row.setEnabled(True)
        )

    def _say(self, name: str, sentence: str) -> None:
        self.rows[name].show_sentence(sentence)
        announce(self, sentence)

    def _keychain_failed(self, error: ScrubjayError) -> None:
        self._is_session_only = True
        self.state.setText(translated(str(error)))
        self._show_rows(self._keys.of_session())
        announce(self, translated(str(error)))


class KeyRow(QWidget):
    """One provider: the state of its key, and buttons to set, test and delete it."""

    set_requested = Signal(str)
    test_requested = Signal(str)
    delete_requested = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        title = bold_label(provider_name(name))
        self.line = muted_label()
        self.put, self.test, self.delete = SmallButton(), SmallButton(), SmallButton()
        self.put.clicked.connect(lambda: self.set_requested.emit(name))
        self.test.clicked.connect(lambda: self.test_requested.emit(name))
        self.delete.clicked.connect(lambda: self.delete_requested.emit(name))
        words = vbox(title, self.line, spacing=0.25)
        hbox((words, 1), self.put, self.test, self.delete, on=self, margins=NONE)
        self.show_key(None)

    def show_key(self, key: StoredKey | None) -> None:
        """Show the state of the key."""
        name = provider_name(self._name)
        self.put.set_text(self.tr("Replace…") if key else self.tr("Set…"), name)
        self.test.set_text(self.tr("Test"), name)
        self.delete.set_text(self.tr("Delete"), name)
        self.test.setVisible(key is not None)
        self.delete.setVisible(key is not None)
        if key is None:
            self.line.setText(self.tr("No key"))
            return
        text = (
            self.tr("Kept for this session") if key.is_session_only else self.tr("In the keychain")
        )
        self.line.setText(f"{text}: …{key.tail}" if key.tail else text)

    def show_sentence(self, sentence: str) -> None:
        """Show the outcome of an action."""
        self.line.setText(sentence)


class KeyDialog(QDialog):
    """Asks for a key, which is not shown while it is typed."""

    entered = Signal(str, bool)
    """The key, and whether it is for this session only."""

    def __init__(self, name: str, parent: QWidget | None, *, is_session_only: bool) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Key for {provider}").format(provider=provider_name(name)))
        self.setMinimumWidth(52 * GRID)
        if is_session_only:
            text = self.tr("Paste the key. It is forgotten when Scrubjay ends, and never shown.")
        else:
            text = self.tr("Paste the key. It is kept in the keychain and never shown again.")
        words = plain_label(text)
        self.edit = QLineEdit()
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setAccessibleName(self.windowTitle())
        self.session = QCheckBox(self.tr("For this &session only"))
        self.session.setChecked(is_session_only)
        self.session.setEnabled(not is_session_only)
        ok = QDialogButtonBox.StandardButton.Ok
        buttons = dialog_buttons(self, ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(ok)
        self.ok.setEnabled(False)
        self.edit.textChanged.connect(lambda text: self.ok.setEnabled(bool(text.strip())))
        vbox(words, self.edit, self.session, buttons, on=self, margins=PAGE, spacing=2)

    def accept(self) -> None:
        """Announce the key; nothing of it stays in the field."""
        key = self.edit.text().strip()
        self.edit.clear()
        self.entered.emit(key, self.session.isChecked())
        super().accept()
