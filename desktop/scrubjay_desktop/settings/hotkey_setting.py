"""The key that opens the popup: the user's choice, and whether the desktop grants it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence

from scrubjay_desktop.platform.hotkey.hotkey import Hotkey, HotkeyRefused, native_text
from scrubjay_desktop.settings.preferences import Preferences


class HotkeySetting(QObject):
    """Binds the chosen key, and tells the outcome in words."""

    pressed = Signal()
    """Signal that the key was pressed, in any program."""
    changed = Signal(QKeySequence)
    """Signal with the key that works from now on."""
    refused = Signal(str)
    """Signal that the chosen key is no longer available; emitted once for each key."""

    def __init__(
        self, hotkey: Hotkey, preferences: Preferences, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._hotkey = hotkey
        self._preferences = preferences
        self._problem = ""

    @property
    def keys(self) -> QKeySequence:
        """The chosen key; empty for none."""
        form = QKeySequence.SequenceFormat.PortableText
        return QKeySequence.fromString(self._preferences.quick_keys, form)

    @property
    def working_keys(self) -> QKeySequence:
        """The key that works now; empty for none."""
        if self._problem or not self.can_choose:
            return QKeySequence()
        return self.keys

    @property
    def can_choose(self) -> bool:
        """Whether this desktop gives keys to apps at all."""
        return not self._hotkey.unavailable

    @property
    def sentence(self) -> str:
        """The state of the key in words."""
        # The first of these that is true says what there is to know.
        if not self.can_choose:
            return self._hotkey.unavailable
        if self._problem:
            return self._problem
        if self.keys.isEmpty():
            return self.tr("Quick search has no keyboard shortcut.")
        sentence = self.tr("Press {keys} to open quick search from any program.")
        return sentence.format(keys=native_text(self.keys))

    def begin(self) -> None:
        """Bind the key that was chosen before."""
        if not self.can_choose:
            return
        self._bind()
        self._tell_once()

    def choose(self, keys: QKeySequence) -> None:
        """Bind another key, or none."""
        self._preferences.quick_keys = keys.toString(QKeySequence.SequenceFormat.PortableText)
        self._bind()

    def close(self) -> None:
        """Release the key."""
        self._hotkey.release()

    def _bind(self) -> None:
        self._problem = ""
        # The desktop may refuse at once, or later through the last argument.
        try:
            if self.keys.isEmpty():
                self._hotkey.release()
            else:
                self._hotkey.bind(self.keys, self.pressed.emit, self._refuse)
        except HotkeyRefused as refusal:
            self._problem = str(refusal)
        self.changed.emit(self.working_keys)

    def _refuse(self, refusal: HotkeyRefused) -> None:
        """Show a refusal that came later than `bind` returned."""
        self._problem = str(refusal)
        self.changed.emit(self.working_keys)
        self._tell_once()

    def _tell_once(self) -> None:
        # A refusal that was told at an earlier start is known.
        chosen = self._preferences.quick_keys
        if self._problem and self._preferences.refused_keys != chosen:
            self._preferences.refused_keys = chosen
            self.refused.emit(self._problem)
