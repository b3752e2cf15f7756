"""A global key on Wayland: asked for at the desktop's portal, which asks the person.

jeepney speaks D-Bus on Qt's event loop: QtDBus cannot send `a(sa{sv})`, and nothing has to poll.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    MatchRule,
    Message,
    MessageType,
    message_bus,
    new_method_call,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from PySide6.QtCore import QObject, QSocketNotifier, Qt
from PySide6.QtGui import QKeySequence

from scrubjay_desktop.platform.hotkey.hotkey import (
    COMMAND,
    HotkeyRefused,
    keysym_name,
    single_combination,
)
from scrubjay_desktop.text.formatting import translate

log = logging.getLogger("scrubjay.desktop")

_PATH = "/org/freedesktop/portal/desktop"
_BUS = "org.freedesktop.portal.Desktop"
_SHORTCUTS = DBusAddress(_PATH, _BUS, "org.freedesktop.portal.GlobalShortcuts")
_REQUEST = "org.freedesktop.portal.Request"
_SESSION = "org.freedesktop.portal.Session"
_ID = "quick-search"
_MODIFIERS = {
    Qt.KeyboardModifier.ControlModifier: "CTRL",
    Qt.KeyboardModifier.AltModifier: "ALT",
    Qt.KeyboardModifier.ShiftModifier: "SHIFT",
    Qt.KeyboardModifier.MetaModifier: "LOGO",
}

_Refused = Callable[[HotkeyRefused], None]


class PortalHotkey(QObject):
    """Asks for one shortcut; the desktop may give another key than the one that was asked for."""

    def __init__(self, connection: DBusConnection) -> None:
        super().__init__()
        self._bus = connection
        self._is_closed = False
        self.session = ""
        """Object path of the session; empty while no key is asked for."""
        self._pressed: Callable[[], None] = _nothing
        self._refused: _Refused = _nothing_refused
        # Calls wait for a reply by their number, and for an answer by its path.
        self._replies: dict[int, Callable[[Message], None]] = {}
        self._requests: dict[str, Callable[[int, dict[str, Any]], None]] = {}
        for rule in (
            MatchRule(type="signal", interface=_REQUEST, member="Response"),
            MatchRule(type="signal", interface=_SHORTCUTS.interface, member="Activated"),
        ):
            self._bus.send(message_bus.AddMatch(rule))
        self._notifier = QSocketNotifier(self._bus.sock.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._read)

    @classmethod
    def connected(cls) -> PortalHotkey | None:
        """The hotkey on the session bus; None without one. Whether it has a portal shows when it is
        asked.
        """
        try:
            return cls(open_dbus_connection("SESSION"))
        # jeepney passes on all errors of socket and login.
        except Exception:
            log.info("No session bus: no key can be asked for", exc_info=True)
            return None

    @property
    def unavailable(self) -> str:
        """Always empty: the portal refuses only when it is asked."""
        return ""

    def bind(self, keys: QKeySequence, pressed: Callable[[], None], refused: _Refused) -> None:
        """Ask for these keys in place of earlier ones. Raises HotkeyRefused for useless ones."""
        trigger = portal_trigger(keys)
        # The former session ends, and its key with it.
        self.release()
        self._pressed = pressed
        self._refused = refused
        options = {"session_handle_token": ("s", _token())}
        self._ask(
            "CreateSession",
            "a{sv}",
            body=(options,),
            then=lambda code, got: self._begun(code, got, trigger),
        )

    def release(self) -> None:
        """Give up the keys."""
        # All is forgotten before the session is closed: an answer may still come in.
        session = self.session
        self.session = ""
        self._pressed = _nothing
        self._refused = _nothing_refused
        self._requests.clear()
        if session:
            closing = DBusAddress(session, _BUS, _SESSION)
            self._bus.send(new_method_call(closing, "Close"))

    def close(self) -> None:
        """Leave the bus; the desktop ends the session with it."""
        if not self._is_closed:
            self.release()
            self._is_closed = True
            self._notifier.setEnabled(False)
            self._bus.close()

    def _begun(self, code: int, got: dict[str, Any], trigger: str) -> None:
        # Code 0 is success, 1 a refusal by the user, 2 anything else.
        if code or "session_handle" not in got:
            self._fail()
            return
        self.session = str(got["session_handle"][1])
        description = translate("Hotkey", "Search your notes")
        facts = {"description": ("s", description), "preferred_trigger": ("s", trigger)}
        body = (self.session, [(_ID, facts)], "")
        self._ask("BindShortcuts", "oa(sa{sv})s", body=body, then=self._bound)

    def _bound(self, code: int, _got: dict[str, Any]) -> None:
        if code:
            self._fail()

    def _fail(self) -> None:
        # The function that is told has to be read before releasing forgets it.
        refused = self._refused
        self.release()
        sentence = translate(
            "Hotkey", "Your desktop environment did not assign a shortcut to Scrubjay"
        )
        hint = translate(
            "Hotkey",
            "In the keyboard settings of your computer, assign a shortcut to the "
            "command “{command}”.",
        )
        refused(HotkeyRefused(sentence, hint=hint.format(command=COMMAND)))

    def _ask(
        self,
        method: str,
        signature: str,
        body: tuple[Any, ...],
        then: Callable[[int, dict[str, Any]], None],
    ) -> None:
        """Call the portal; it answers later, with a signal at its own path."""
        # A call that has nothing but options already brings them along.
        token = _token()
        options: dict[str, Any] = {"handle_token": ("s", token)}
        if signature == "a{sv}":
            whole: tuple[Any, ...] = ({**body[0], **options},)
        else:
            whole = (*body, options)
            signature = f"{signature}a{{sv}}"
        # Known before the call returns, because the answer may come first.
        name = self._bus.unique_name.removeprefix(":").replace(".", "_")
        self._requests[f"{_PATH}/request/{name}/{token}"] = then
        serial = next(self._bus.outgoing_serial)
        message = new_method_call(_SHORTCUTS, method, signature=signature, body=whole)
        self._replies[serial] = lambda reply: self._replied(reply, then)
        self._bus.send(message, serial=serial)

    def _replied(self, reply: Message, then: Callable[[int, dict[str, Any]], None]) -> None:
        if reply.header.message_type is MessageType.error:
            log.info("The portal refuses: %s", reply.header.fields.get(HeaderFields.error_name))
            self._fail()
            return
        # Old portals choose their own path.
        self._requests.setdefault(str(reply.body[0]), then)

    def _read(self) -> None:
        while True:
            try:
                message = self._bus.receive(timeout=0)
            except TimeoutError:
                return
            except (OSError, EOFError):
                # The bus has gone, and the session with it.
                self._notifier.setEnabled(False)
                return
            self._take(message)

    def _take(self, message: Message) -> None:
        fields = message.header.fields
        # Replies belong to calls by their number, answers of the user by their path.
        match message.header.message_type:
            case MessageType.method_return | MessageType.error:
                serial = fields.get(HeaderFields.reply_serial, -1)
                then = self._replies.pop(serial, None)
                if then:
                    then(message)
            case MessageType.signal if fields.get(HeaderFields.member) == "Response":
                answer = self._requests.pop(str(fields.get(HeaderFields.path)), None)
                if answer:
                    answer(int(message.body[0]), dict(message.body[1]))
            case MessageType.signal if fields.get(HeaderFields.member) == "Activated":
                if message.body[:2] == (self.session, _ID):
                    self._pressed()


def portal_trigger(keys: QKeySequence) -> str:
    """Keys as the portal writes them: `CTRL+ALT+space`. Raises HotkeyRefused."""
    combination = single_combination(keys)
    modifiers = combination.keyboardModifiers()
    names = [name for modifier, name in _MODIFIERS.items() if modifiers & modifier]
    return "+".join([*names, keysym_name(combination.key())])


def _token() -> str:
    return f"scrubjay{secrets.token_hex(4)}"


def _nothing() -> None:
    """Do nothing, before a key is bound."""


def _nothing_refused(_refusal: HotkeyRefused) -> None:
    """Do nothing, before a key is asked for."""
