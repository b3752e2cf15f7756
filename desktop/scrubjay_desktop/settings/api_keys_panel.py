"""API keys: typed once, kept in the keychain, tested, never shown again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLineEdit, QMessageBox, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.key_commands import ApiKeys, KeyTest
from scrubjay.errors import ScrubjayError
from scrubjay.platform.keychain import StoredKey
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import join_words, provider_name, translate, translated
from scrubjay_desktop.widgets.banner import NEWS, announce
from scrubjay_desktop.widgets.buttons import SmallButton, dialog_buttons
from scrubjay_desktop.widgets.labels import bold_label, muted_label, plain_label
from scrubjay_desktop.widgets.layouts import DIALOG, NONE, hbox, vbox
from scrubjay_desktop.widgets.message_boxes import consent_question
from scrubjay_desktop.widgets.theme import GRID

T = TypeVar("T")

_OFFERED = ("openai", "gemini", "voyage", "mistral")


class ApiKeysPanel(QWidget):
    """A row for each offered provider and each stored key; only its buttons open the keychain."""

    announced = Signal(str, object)
    """Signal with a sentence, and NEWS or, for a failure, None."""

    def __init__(self, keys: ApiKeys, tasks: Tasks) -> None:
        super().__init__()
        self._keys = keys
        self._tasks = tasks
        self._life = CancelToken()
        self.rows: dict[str, KeyRow] = {}
        state = muted_label(
            self.tr(
                "Scrubjay stores keys in this computer's keychain, never in a file. Scrubjay "
                "opens the keychain only when you click one of these buttons or when a "
                "service needs its key."
            )
        )
        # Both open the keychain, which may ask for a password.
        self.look = SmallButton(self.tr("Look for keys in the keychain"))
        self.look.clicked.connect(self._look)
        self.move_keys = SmallButton(self.tr("Move keys from the settings file to the keychain"))
        self.move_keys.clicked.connect(self._move)
        self.move_keys.setVisible(bool(keys.in_settings()))
        self._column = vbox(spacing=1)
        vbox(state, self._column, hbox(self.look, self.move_keys, 1), on=self, margins=NONE)
        for name in _OFFERED:
            self._add_row(name)

        self.refresh()

    def refresh(self) -> None:
        """Show the stored keys as they are known."""
        self._tasks.watch(self._keys.known(), self._life, done=self.show_keys, failed=self._fail)

    def show_keys(self, stored: Sequence[StoredKey]) -> None:
        """Show the stored keys."""
        # A key that is stored for another address has its own row.
        by_id = {key.id: key for key in stored}
        for name in by_id:
            if name not in self.rows:
                self._add_row(name)
        for name, row in self.rows.items():
            row.show_key(by_id.get(name))
        self.move_keys.setVisible(bool(self._keys.in_settings()))

    def _add_row(self, name: str) -> None:
        key_row = KeyRow(name)
        key_row.set_requested.connect(self._ask)
        key_row.test_requested.connect(self._test)
        key_row.use_requested.connect(self._use)
        key_row.delete_requested.connect(self._delete)
        self.rows[name] = key_row
        self._column.addWidget(key_row)

    def _ask(self, name: str) -> None:
        dialog = KeyDialog(name, self)
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
        self._say(
            name, self.tr("Testing the key for {provider}…").format(provider=provider_name(name))
        )
        self._watch(name, self._keys.test(name), lambda test: self._show_test(name, test))

    def _show_test(self, name: str, test: KeyTest) -> None:
        text = self.tr("The key works. {provider} answered in {ms} ms.")
        self._say(name, text.format(provider=test.provider, ms=round(test.elapsed_ms)))

    def _delete(self, name: str) -> None:
        question = deletion_question(self, name)
        question.accepted.connect(
            lambda: self._watch(name, self._keys.delete(name), lambda _: self.refresh())
        )
        question.open()

    def _use(self, name: str) -> None:
        self._watch(name, self._keys.use(name), lambda _: self.refresh())

    def _look(self) -> None:
        # After this look no key can be unknown.
        def looked(_: object) -> None:
            for row in self.rows.values():
                row.is_known = True
            self.refresh()

        self.look.setEnabled(False)
        self._tasks.watch(
            self._keys.list(),
            self._life,
            done=looked,
            failed=self._fail,
            settled=lambda: self.look.setEnabled(True),
        )

    def _move(self) -> None:
        # Only names are told, and no key is ever shown.
        def moved(providers: tuple[str, ...]) -> None:
            names = join_words([provider_name(provider) for provider in providers])
            self.announced.emit(
                self.tr("These keys were moved to the keychain: {names}.").format(names=names), NEWS
            )
            self.refresh()

        self._tasks.watch(self._keys.move(), self._life, done=moved, failed=self._fail)

    def _watch(self, name: str, future: Future[T], done: Callable[[T], None]) -> None:
        # While something is done with a key nothing else can be, and the focus stays in its row.
        row = self.rows[name]
        focus = self.window().focusWidget()
        row.setEnabled(False)
        row.is_known = True

        def settle() -> None:
            row.setEnabled(True)
            if focus and row.isAncestorOf(focus):
                focus.setFocus()

        self._tasks.watch(
            future,
            self._life,
            done=done,
            failed=lambda error: self._say(name, translated(str(error))),
            settled=settle,
        )

    def _say(self, name: str, sentence: str) -> None:
        self.rows[name].show_sentence(sentence)
        announce(self, sentence)

    def _fail(self, error: ScrubjayError) -> None:
        self.announced.emit(translated(str(error)), None)


class KeyRow(QWidget):
    """One provider: the state of its key, and buttons to set, use, test and delete it."""

    set_requested = Signal(str)
    use_requested = Signal(str)
    test_requested = Signal(str)
    delete_requested = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.is_known = False
        """Whether the key was asked for since the row is there."""
        title = bold_label(provider_name(name))
        self.line = muted_label()
        # The buttons are there from the beginning, and shown as they fit.
        self.put, self.use, self.test, self.delete = (SmallButton() for _ in range(4))
        self.put.clicked.connect(lambda: self.set_requested.emit(name))
        self.use.clicked.connect(lambda: self.use_requested.emit(name))
        self.test.clicked.connect(lambda: self.test_requested.emit(name))
        self.delete.clicked.connect(lambda: self.delete_requested.emit(name))
        words = vbox(title, self.line, hbox(self.use, 1), spacing=0.25)
        parts = ((words, 1), self.put, self.test, self.delete)
        hbox(*parts, on=self, margins=NONE)
        self.show_key(None)

    def show_key(self, key: StoredKey | None) -> None:
        """Show the state of the key."""
        name = provider_name(self._name)
        # Only an offered provider can be used for searching by meaning.
        put = self.tr("Add key…")
        if key is not None:
            put = self.tr("Replace key…")
        self.put.set_text(put, name)
        self.use.set_text(self.tr("Use for search by meaning"), name)
        self.use.setVisible(key is not None and not key.is_used and self._name in _OFFERED)
        self.test.set_text(self.tr("Test"), name)
        self.delete.set_text(self.tr("Delete"), name)
        self.test.setVisible(key is not None)
        self.delete.setVisible(key is not None)
        # Without a look into the keychain nobody knows whether there is a key.
        if key is None:
            text = self.tr("Not checked yet")
            if self.is_known:
                text = self.tr("No key")
            self.line.setText(text)
            return
        self.line.setText(f"{self._kept_words(key)}. {self._use_words(key)}")

    def _kept_words(self, key: StoredKey) -> str:
        text = self.tr("In the keychain")
        if key.is_session_only:
            text = self.tr("Kept until Scrubjay closes")
        if key.tail:
            text = f"{text}: …{key.tail}"
        return text

    def _use_words(self, key: StoredKey) -> str:
        if key.is_used:
            return self.tr("Used for search by meaning.")
        if self._name not in _OFFERED:
            return self.tr(
                "Not used because the settings contain the address of a different service."
            )
        return self.tr("Not used for search by meaning.")

    def show_sentence(self, sentence: str) -> None:
        """Show the outcome of an action."""
        self.line.setText(sentence)


class KeyDialog(QDialog):
    """Asks for a key, which is not shown while it is typed."""

    entered = Signal(str, bool)
    """Signal with the key, and whether it is for this session only."""

    def __init__(self, name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Key for {provider}").format(provider=provider_name(name)))
        self.setMinimumWidth(52 * GRID)
        words = plain_label(
            self.tr("Paste the key. Scrubjay keeps it in the keychain and never shows it again.")
        )
        # Nobody who looks over the shoulder can read the key.
        self.edit = QLineEdit()
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setAccessibleName(self.windowTitle())
        self.session = QCheckBox(self.tr("Keep the key only until &Scrubjay closes"))
        ok = QDialogButtonBox.StandardButton.Ok
        buttons = dialog_buttons(self, ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(ok)
        self.ok.setEnabled(False)
        self.edit.textChanged.connect(lambda text: self.ok.setEnabled(bool(text.strip())))
        parts = (words, self.edit, self.session, buttons)
        vbox(*parts, on=self, margins=DIALOG, spacing=1.5)

    def accept(self) -> None:
        """Announce the key; nothing of it stays in the field."""
        key = self.edit.text().strip()
        self.edit.clear()
        self.entered.emit(key, self.session.isChecked())
        super().accept()


def deletion_question(parent: QWidget, name: str) -> QMessageBox:
    """The question before a key is deleted."""
    # Enter, pressed without reading, keeps the key.
    question = translate("Keys", "Delete the key for {provider}?")
    return consent_question(
        parent,
        translate("Keys", "Delete a key"),
        text=question.format(provider=provider_name(name)),
        details=translate(
            "Keys",
            "Scrubjay cannot restore a deleted key. If you still need the key, "
            "make sure that you have a copy.",
        ),
        yes=translate("Keys", "&Delete"),
        no=translate("Keys", "&Keep"),
    )
