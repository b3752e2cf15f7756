"""Reads an app as a screen reader does, over AT-SPI."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from unittest import mock

from support.vault import TIMEOUT

if sys.platform == "linux":
    from jeepney import DBusAddress, MatchRule, Message, new_method_call
    from jeepney.bus_messages import message_bus
    from jeepney.io.blocking import DBusConnection, open_dbus_connection

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_SHOWING = 1 << 25
_FOCUSABLE = 1 << 11
_EVENT = "org.a11y.atspi.Event.Object"
_SELECTED = 1 << 23
_ROOT = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")


@dataclass(frozen=True)
class Node:
    """One thing that a screen reader can tell about."""

    role: str
    name: str
    description: str
    is_focusable: bool
    is_chosen: bool
    """One of several, such as a tab or a row."""
    reference: tuple[str, str] = ("", "")
    """Where it is found on the bus."""


class ScreenReader:
    """A connection to the accessibility bus of a session."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        with mock.patch.dict(os.environ, environ):
            session = open_dbus_connection("SESSION")
        launcher = DBusAddress("/org/a11y/bus", bus_name="org.a11y.Bus", interface="org.a11y.Bus")
        reply = session.send_and_get_reply(new_method_call(launcher, "GetAddress"), timeout=TIMEOUT)
        session.close()
        self._bus: DBusConnection = open_dbus_connection(reply.body[0])

    def close(self) -> None:
        """Disconnect."""
        self._bus.close()

    def nodes(self, app: str = "scrubjay") -> list[Node]:
        """Everything that an app shows now; of several of that name, the one started last."""
        for reference in reversed(self._children(_ROOT)):
            with contextlib.suppress(LookupError):  # one may be going just now
                if self._property(reference, "Name").casefold() == app:
                    return list(self._walk(reference))
        return []

    def names(self, role: str) -> list[str]:
        """The names of all nodes of a role."""
        return [node.name for node in self.nodes() if node.role == role]

    @contextlib.contextmanager
    def listening(self) -> Iterator[Callable[[], list[str]]]:
        """What apps ask a screen reader to say, from now on; the yielded call gives all of it."""
        heard: deque[Message] = deque()
        rule = MatchRule(type="signal", interface=_EVENT, member="Announcement")
        registry = DBusAddress(
            "/org/a11y/atspi/registry",
            bus_name="org.a11y.atspi.Registry",
            interface="org.a11y.atspi.Registry",
        )
        self._bus.send_and_get_reply(message_bus.AddMatch(rule), timeout=TIMEOUT)
        body = ("object:announcement", [], "")
        with self._bus.filter(rule, queue=heard):
            register = new_method_call(registry, "RegisterEvent", "sass", body)
            self._bus.send_and_get_reply(register, timeout=TIMEOUT)

            def sentences() -> list[str]:
                with contextlib.suppress(TimeoutError):
                    self._bus.recv_messages(timeout=0.05)
                return [str(message.body[3][1]) for message in heard]

            yield sentences

    def chosen(self, role: str) -> list[str]:
        """The names of what is chosen of a role."""
        return [node.name for node in self.nodes() if node.role == role and node.is_chosen]

    def middle_of(self, name: str, role: str = "") -> tuple[int, int] | None:
        """Where on the screen the middle of something is whose name begins so; None if nowhere."""
        for node in self.nodes():
            if node.name.startswith(name) and role in ("", node.role):
                extents = self._call(
                    node.reference, "org.a11y.atspi.Component", "GetExtents", "u", (0,)
                )
                left, top, width, height = extents
                return left + width // 2, top + height // 2
        return None

    def _walk(self, reference: tuple[str, str]) -> Iterator[Node]:
        # What is on screen changes while it is read.
        with contextlib.suppress(LookupError):
            low, high = self._call(reference, _ACCESSIBLE, "GetState")
            state = low | high << 32
            role = self._call(reference, _ACCESSIBLE, "GetRoleName")
            if state & _SHOWING or role == "application":
                name = self._property(reference, "Name")
                description = self._property(reference, "Description")
                is_focusable, is_chosen = bool(state & _FOCUSABLE), bool(state & _SELECTED)
                yield Node(role, name, description, is_focusable, is_chosen, reference)
                for child in self._children(reference):
                    yield from self._walk(child)

    def _children(self, reference: tuple[str, str]) -> list[tuple[str, str]]:
        try:
            return list(self._call(reference, _ACCESSIBLE, "GetChildren"))
        except LookupError:
            return []

    def _property(self, reference: tuple[str, str], name: str) -> str:
        body = (_ACCESSIBLE, name)
        return str(self._call(reference, "org.freedesktop.DBus.Properties", "Get", "ss", body)[1])

    def _call(
        self,
        reference: tuple[str, str],
        interface: str,
        member: str,
        signature: str | None = None,
        body: tuple[str | int, ...] = (),
    ) -> Any:
        name, path = reference
        address = DBusAddress(path, bus_name=name, interface=interface)
        message = new_method_call(address, member, signature, body)
        reply = self._bus.send_and_get_reply(message, timeout=TIMEOUT)
        if reply.header.message_type.name == "error":
            raise LookupError(f"{path}: {reply.body}")
        return reply.body[0]
