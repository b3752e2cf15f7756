"""Addresses of model files, as people write them in their settings."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from msgspec import Struct

_HUB_ADDRESS = re.compile(
    r"hf:([\w.-]+/[\w.-]+)/([\w./-]+\.gguf)(?:[@#]([\w./-]+))?", re.IGNORECASE
)
"""`hf:owner/repository/file.gguf`, with the name of a revision after `@` or `#`."""


class HubFile(Struct, frozen=True, kw_only=True):
    """A file on a model hub."""

    repository: str
    file: str
    revision: str = "main"

    @property
    def reference(self) -> str:
        """As people write it in their settings."""
        return f"hf:{self.repository}/{self.file}"


def parse_hub_address(address: str) -> HubFile | None:
    """The file of a hub at an `hf:` address; None for any other name."""
    match = _HUB_ADDRESS.fullmatch(address)
    if match is None:
        return None
    repository, file, revision = match.groups()
    return HubFile(repository=repository, file=file, revision=revision or "main")


def model_file_name(address: str) -> str:
    """Name of the model file at an `https:` or `http:` address; empty for any other name."""
    if not address.startswith(("https://", "http://")):
        return ""
    last = PurePosixPath(unquote(urlsplit(address).path)).name
    if not last.lower().endswith(".gguf"):
        return ""
    return last


def is_model_address(name: str) -> bool:
    """Whether a name is an address, rather than a file on this computer."""
    return name.startswith(("hf:", "https://", "http://"))
