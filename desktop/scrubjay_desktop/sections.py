"""The pages of the window beside the search, in the order of the navigation."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay import CancelToken
from scrubjay_desktop.bridge import EventBridge, Tasks
from scrubjay_desktop.errands import Errands
from scrubjay_desktop.main_window import MainWindow
from scrubjay_desktop.notes_engine import NotesEngine
from scrubjay_desktop.opening import Opener
from scrubjay_desktop.pages import Page
from scrubjay_desktop.preferences import Preferences


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a page may use of the app."""

    engine: NotesEngine
    tasks: Tasks
    bridge: EventBridge
    """Events of the core, on the GUI thread."""
    errands: Errands
    opener: Opener
    preferences: Preferences
    window: MainWindow
    """To tell a sentence, to search for a text, to show a note."""
    life: CancelToken
    """Cancelled when the app quits."""


def sections(app: Surroundings) -> tuple[Page, ...]:
    """All pages but the search. A page is made when it is first shown."""
    return ()
