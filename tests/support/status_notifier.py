"""A StatusNotifier host of our own: sees tray icons, clicks them and reads their menus."""

# ruff: noqa: F722, F821
# Annotations are D-Bus types here, and not lazy, because dbus-fast reads them.
import asyncio
import threading
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from dbus_fast import Message, MessageType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property, method, signal

from support.vault import TIMEOUT

T = TypeVar("T")
_ITEM = "org.kde.StatusNotifierItem"
_MENU = "com.canonical.dbusmenu"
_PROPERTIES = "org.freedesktop.DBus.Properties"


class _Watcher(ServiceInterface):
    """The D-Bus side: icons register here."""

    def __init__(self) -> None:
        super().__init__("org.kde.StatusNotifierWatcher")
        self.items: list[str] = []

    @method()
    def RegisterStatusNotifierItem(self, service: "s") -> None:
        self.items.append(service)

    @method()
    def RegisterStatusNotifierHost(self, service: "s") -> None:
        pass

    @dbus_property(access=PropertyAccess.READ)
    def RegisteredStatusNotifierItems(self) -> "as":
        return self.items

    @dbus_property(access=PropertyAccess.READ)
    def IsStatusNotifierHostRegistered(self) -> "b":
        return True

    @dbus_property(access=PropertyAccess.READ)
    def ProtocolVersion(self) -> "i":
        return 0

    @signal()
    def StatusNotifierHostRegistered(self) -> None:
        return None


class StatusNotifierHost:
    """A panel without a picture, on a thread of its own."""

    def __init__(self, bus_address: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._watcher = _Watcher()
        self._bus = self._run(self._connect(bus_address))

    @property
    def items(self) -> list[str]:
        """Bus names of the icons that registered."""
        return list(self._watcher.items)

    def properties(self) -> dict[str, Any]:
        """What the first icon says about itself."""
        [found] = self._call("/StatusNotifierItem", _PROPERTIES, "GetAll", "s", [_ITEM])
        return {name: value.value for name, value in found.items()}

    def click(self) -> None:
        """Click the first icon."""
        self._call("/StatusNotifierItem", _ITEM, "Activate", "ii", [1200, 10])

    def entries(self) -> dict[str, int]:
        """The visible entries of the menu, and their ids."""
        menu = self.properties()["Menu"]
        self._call(menu, _MENU, "AboutToShow", "i", [0])
        _, (_, _, children) = self._call(menu, _MENU, "GetLayout", "iias", [0, -1, []])
        entries = [(child.value[0], child.value[1]) for child in children]
        return {
            features["label"].value.replace("_", ""): number
            for number, features in entries
            if "label" in features and features.get("visible", Variant("b", True)).value
        }

    def choose(self, label: str) -> None:
        """Click an entry of the menu."""
        menu, number = self.properties()["Menu"], self.entries()[label]
        body = [number, "clicked", Variant("s", ""), int(time.time())]
        self._call(menu, _MENU, "Event", "isvu", body)

    def open_app(self, name: str) -> None:
        """Open an app by its name on the bus, as a desktop does whose menu it was chosen from."""
        path = f"/{name.replace('.', '/')}"
        self._ask(name, path, "org.freedesktop.Application", "Activate", "a{sv}", [{}])

    def close(self) -> None:
        """Disappear, as a panel that crashed."""
        self._run(self._disconnect())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(TIMEOUT)
        self._loop.close()

    async def _connect(self, address: str) -> MessageBus:
        bus = await MessageBus(bus_address=address).connect()
        bus.export("/StatusNotifierWatcher", self._watcher)
        await bus.request_name("org.kde.StatusNotifierWatcher")
        return bus

    async def _disconnect(self) -> None:
        self._bus.disconnect()
        await self._bus.wait_for_disconnect()

    def _call(self, path: str, interface: str, member: str, signature: str, body: list[Any]) -> Any:
        return self._ask(self.items[0], path, interface, member, signature, body)

    def _ask(
        self,
        destination: str,
        path: str,
        interface: str,
        member: str,
        signature: str,
        body: list[Any],
    ) -> Any:
        message = Message(
            destination=destination,
            path=path,
            interface=interface,
            member=member,
            signature=signature,
            body=body,
        )
        reply = self._run(self._bus.call(message))
        if reply.message_type is MessageType.ERROR:
            raise RuntimeError(f"{reply.error_name}: {reply.body}")
        return reply.body

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(TIMEOUT)
