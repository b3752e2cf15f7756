"""Which terms of use were accepted, remembered in the state folder."""

from __future__ import annotations

import datetime as dt
from typing import Any

from scrubjay.errors import DownloadFailed
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile


class AcceptedTerms:
    """Accepted once, for good."""

    def __init__(self, paths: Paths) -> None:
        self._file = StateFile(paths.state / "accepted-terms.json", private=False)

    def covers(self, model: KnownModel) -> bool:
        """True when nothing has to be accepted any more."""
        return model.terms is None or model.terms.url in self._read()

    def accept(self, model: KnownModel) -> None:
        """Remember that a person accepted the terms of a model."""
        if model.terms is None or self.covers(model):
            return
        when = dt.datetime.now().astimezone().isoformat(timespec="seconds")
        with self._file.changed() as accepted:
            accepted[model.terms.url] = when

    def check(self, model: KnownModel) -> None:
        """Raise DownloadFailed when a person has to accept something first."""
        if model.terms and not self.covers(model):
            raise DownloadFailed(
                msg("The terms of {name} have to be accepted first", name=model.name),
                msg(
                    "They are called {name}, see {url}.", name=model.terms.name, url=model.terms.url
                ),
                hint="Accept them in Settings, Models, or with --accept-terms.",
            )

    def _read(self) -> dict[str, Any]:
        try:
            return self._file.read()
        except OSError:  # then they are asked for again
            return {}
