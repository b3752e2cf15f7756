"""What tells a person something, over the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from scrubjay_desktop.widgets.banner import Banner, Offer
from scrubjay_desktop.widgets.layouts import vbox


@pytest.fixture
def banner(qtbot) -> Banner:
    banner = Banner("Close")
    qtbot.addWidget(banner)
    return banner


def close(banner: Banner) -> None:
    """Press its button."""
    [button] = [one for one in banner.findChildren(QToolButton) if one.accessibleName() == "Close"]
    button.click()


def test_an_offer_comes_back_when_what_covered_it_is_closed(banner: Banner) -> None:
    done: list[str] = []
    banner.tell("Remembered", Offer("Undo", lambda: done.append("undone")), is_good=True)
    banner.tell("No program opens it")
    banner.tell("Nor does another")
    assert (banner.words, banner.property("good"), banner.offer.isHidden()) == (
        "Nor does another", False, True,
    )  # fmt: skip
    close(banner)
    assert (banner.words, banner.property("good"), banner.offer.isHidden()) == (
        "Remembered",
        True,
        False,
    )
    banner.offer.click()
    assert (done, banner.isHidden()) == (["undone"], True)


def test_messages_go_by_themselves(qtbot, banner: Banner) -> None:
    window, quick = QWidget(), Banner("Close", brief_ms=50)
    vbox(QLineEdit(), 1, quick, on=window)
    window.resize(400, 400)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    undo = Offer("Undo", lambda: None)
    for is_good in (True, False):
        quick.tell("As it was", undo, is_good=is_good)
        qtbot.waitUntil(quick.isHidden)
        quick.tell("No program opens it", is_good=is_good)
        qtbot.waitUntil(quick.isHidden)
    # The pointer is there before the message may go.
    quick.tell("Something is wrong", cause="home")
    qtbot.waitUntil(lambda: quick.height() > 1)
    QCursor.setPos(quick.mapToGlobal(quick.rect().center()))
    qtbot.waitUntil(quick.underMouse)
    quick.end("home")
    quick.tell("Somebody is about to press the button", undo, is_good=True)
    qtbot.wait(200)
    assert quick.underMouse()
    assert not quick.isHidden()
    QCursor.setPos(window.mapToGlobal(QPoint(200, 10)))
    qtbot.waitUntil(quick.isHidden)
    quick.tell(
        "Another one finds more", Offer("See it", lambda: None, is_lasting=True), is_good=True
    )
    qtbot.wait(100)
    assert not quick.isHidden()


def test_a_newer_offer_takes_the_place_of_the_former(banner: Banner) -> None:
    banner.tell("First", Offer("Undo", lambda: None))
    banner.tell("Second", Offer("Undo", lambda: None))
    close(banner)
    assert banner.isHidden()


def test_an_offer_that_was_closed_does_not_come_back(banner: Banner) -> None:
    banner.tell("Remembered", Offer("Undo", lambda: None))
    close(banner)
    banner.tell("Something else")
    close(banner)
    assert banner.isHidden()


def test_a_message_stays_until_its_cause_is_gone(qtbot) -> None:
    window, quick = QWidget(), Banner("Close", brief_ms=50)
    vbox(QLineEdit(), 1, quick, on=window)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    quick.tell("The disk is full", cause="home")
    quick.tell("No program opens it")
    # What covers it goes by itself, and then it is there again.
    qtbot.waitUntil(lambda: quick.words == "The disk is full")
    qtbot.wait(150)
    assert not quick.isHidden()
    quick.end("work")
    assert not quick.isHidden()
    quick.end("home")
    assert quick.isHidden()


def test_a_cause_that_is_gone_while_it_is_covered_does_not_come_back(banner: Banner) -> None:
    banner.tell("The disk is full", cause="home")
    banner.tell("No program opens it")
    banner.end("home")
    assert banner.words == "No program opens it"
    close(banner)
    assert banner.isHidden()


def test_what_was_closed_is_told_again_only_after_it_worked_or_when_it_was_asked_for(
    banner: Banner,
) -> None:
    assert banner.tell("The disk is full", cause="home")
    assert not banner.tell("The disk is full", cause="home")
    close(banner)
    assert not banner.tell("The disk is full", cause="home")
    assert banner.isHidden()
    banner.ask_again()
    assert banner.tell("The disk is full", cause="home")
    close(banner)
    banner.end("home")
    assert banner.tell("The disk is full", cause="home")
