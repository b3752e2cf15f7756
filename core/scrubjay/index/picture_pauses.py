"""Moments at which pictures are read: with mains power, and while nobody searches."""

from __future__ import annotations

from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken, SearchPriority
from scrubjay.documents.picture_texts import PictureTexts
from scrubjay.errors import PicturesRest
from scrubjay.messages import Sentence, msg
from scrubjay.platform.power import SUPPLIES, is_on_battery
from scrubjay.workspaces.open_workspace import LocalWorkspace

_QUIET_S = 3.0
"""Seconds after a search in which no picture is begun: a person reads, and types on."""

ON_BATTERY = msg("Pictures are read when the computer is plugged in.")
"""Reason why pictures wait."""
SEARCHING = msg("Pictures are read a few seconds after your last search.")
"""Reason why pictures wait for a moment."""


class PicturePauses:
    """Pauses of reading the pictures of one workspace. For the thread that reads them."""

    def __init__(
        self,
        workspace: LocalWorkspace,
        texts: PictureTexts,
        priority: SearchPriority,
        supplies: Path = SUPPLIES,
    ) -> None:
        """Supplies is the folder in which Linux lists batteries and mains."""
        self._workspace = workspace
        self._texts = texts
        self._priority = priority
        self._supplies = supplies
        self.reason: Sentence | None = None
        """Why pictures are not read right now; None while they are. For any thread."""

    def obstacle(self) -> Sentence | None:
        """Why no picture can be read for a while."""
        # The setting is asked each time, since a person may change it meanwhile.
        allows_battery = self._workspace.settings.sync.pictures_on_battery
        if not allows_battery and is_on_battery(self._supplies):
            return ON_BATTERY
        return self._texts.obstacle()

    def before_each(self, cancel: CancelToken) -> None:
        """Wait until a picture may be read. Raises PicturesRest, or Cancelled."""
        self.reason = self.obstacle()
        if self.reason:
            raise PicturesRest(self.reason)
        # Searches go first, and each further one begins the wait anew.
        while seconds := self._priority.until_rest(_QUIET_S):
            self.reason = SEARCHING
            cancel.wait(seconds)
        self.reason = None
        cancel.check()
