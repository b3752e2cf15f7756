"""The app on the session bus, asked as desktops ask."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PySide6.QtDBus import QDBusConnection

from scrubjay.platform.installation import APP_ID
from scrubjay_desktop.app.instance_server import BusActivation
from scrubjay_desktop.app.start_request import StartRequest

if sys.platform == "linux":
    from dbus_fast import Message, MessageType, Variant
    from dbus_fast.aio import MessageBus

    from support.portal import bus

pytestmark = pytest.mark.needs("D-Bus")

INTERFACE = "org.freedesktop.Application"


@pytest.fixture
def address() -> Iterator[str]:
    with bus() as made:
        yield made


@pytest.fixture
def connection(address: str) -> Iterator[QDBusConnection]:
    yield QDBusConnection.connectToBus(address, "test-activation")
    QDBusConnection.disconnectFromBus("test-activation")


@pytest.fixture
def wishes(connection: QDBusConnection) -> Iterator[list[StartRequest]]:
    heard: list[StartRequest] = []
    activation = BusActivation(connection)
    activation.requested.connect(heard.append)
    assert activation.is_listening
    yield heard
    activation.close()


Ask = Callable[..., None]


@pytest.fixture
def ask(qtbot, address: str) -> Ask:
    """Somebody else on the bus, who gets an answer."""

    async def call(member: str, signature: str, body: list[Any]) -> Message:
        other = await MessageBus(bus_address=address).connect()
        path = f"/{APP_ID.replace('.', '/')}"
        reply = await other.call(
            Message(APP_ID, path, INTERFACE, member, signature=signature, body=body)
        )
        other.disconnect()
        return reply

    def one(member: str, signature: str, *body: Any) -> None:
        with ThreadPoolExecutor(1) as thread:
            answer = thread.submit(asyncio.run, call(member, signature, list(body)))
            qtbot.waitUntil(answer.done)
        assert answer.result().message_type is MessageType.METHOD_RETURN

    return one


@pytest.mark.parametrize(
    ("member", "signature", "body", "wish"),
    [
        ("Activate", "a{sv}", [{}], StartRequest.WINDOW),
        ("Open", "asa{sv}", [["file:///a.md"], {}], StartRequest.WINDOW),
        ("ActivateAction", "sava{sv}", ["quick-search", [], {}], StartRequest.QUICK_SEARCH),
    ],
)
def test_a_desktop_opens_the_app_and_its_action(
    ask: Ask,
    wishes: list[StartRequest],
    member: str,
    signature: str,
    body: list[Any],
    wish: StartRequest,
) -> None:
    ask(member, signature, *body)
    assert wishes == [wish]


def test_an_action_that_nobody_promised_does_nothing(ask: Ask, wishes: list[StartRequest]) -> None:
    ask("ActivateAction", "sava{sv}", "format-the-disk", [], {})
    assert wishes == []


def test_the_right_to_come_to_the_front_is_handed_on(
    monkeypatch: pytest.MonkeyPatch, ask: Ask, wishes: list[StartRequest]
) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "")
    ask("Activate", "a{sv}", {"activation-token": Variant("s", "abc")})
    assert (wishes, os.environ["XDG_ACTIVATION_TOKEN"]) == ([StartRequest.WINDOW], "abc")


def test_the_scrubjay_of_another_home_leaves_the_first_one_its_name(
    address: str, ask: Ask, wishes: list[StartRequest]
) -> None:
    second = BusActivation(QDBusConnection.connectToBus(address, "test-other"))
    ask("Activate", "a{sv}", {})
    assert wishes == [StartRequest.WINDOW]
    second.close()
    QDBusConnection.disconnectFromBus("test-other")


def test_without_a_bus_it_is_quietly_not_there(qtbot) -> None:
    activation = BusActivation(QDBusConnection.connectToBus("unix:path=/nowhere", "test-nowhere"))
    assert not activation.is_listening
    activation.close()
