"""What a person asks for in the window or the tray, and the app does."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class WindowRequests(QObject):
    """One signal for each request; the window, its actions and the tray emit them."""

    close = Signal()
    """Signal that the close button of the window was pressed."""
    quit = Signal()
    quick_search = Signal()
    remember = Signal()
    refresh = Signal(object)
    """Signal with the Workspace to look for changes in; None for all."""
    settings = Signal()
    models = Signal()
    agents = Signal()
    help = Signal()
    uninstall = Signal()
    setups = Signal()
    """Signal that the set-up of another program is to be imported."""
    notes = Signal()
    """Signal that notes are to be imported from an export."""
    memory = Signal()
    """Signal that a shared memory is to be searched."""
