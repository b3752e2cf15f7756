"""Which terms of use were accepted, remembered in the state folder."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

from scrubjay.errors import DownloadFailed
from scrubjay.models.catalogue import KnownModel
from scrubjay.paths import Paths
from scrubjay.replacing import replace_bytes
from scrubjay.translated import say


class AcceptedTerms:
    """Accepted once, for good."""

    def __init__(self, paths: Paths) -> None:
        self._file: Path = paths.state / "accepted-terms.json"

    def covers(self, model: KnownModel) -> bool:
        """True when nothing has to be accepted any more."""
        return model.terms is None or model.terms.url in self._read()

    def accept(self, model: KnownModel) -> None:
        """Remember that a person accepted the terms of a model."""
        if model.terms is None or self.covers(model):
            return
        when = dt.datetime.now().astimezone().isoformat(timespec="seconds")
        accepted = {**self._read(), model.terms.url: when}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(self._file, json.dumps(accepted, indent=1).encode(), 0o644)

    def check(self, model: KnownModel) -> None:
        """Raise DownloadFailed when a person has to accept something first."""
        if model.terms and not self.covers(model):
            raise DownloadFailed(
                say("The terms of {name} have to be accepted first", name=model.name),
                say(
                    "They are called {name}, see {url}.", name=model.terms.name, url=model.terms.url
                ),
                hint="Accept them in Settings, Models, or with --accept-terms.",
            )

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
