"""One entry of a keychain, which is divided where Windows does not take all of it."""

from __future__ import annotations

import contextlib
import json
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

WINDOWS_LETTERS = 1280
"""ASCII letters that one credential of Windows holds: CRED_MAX_CREDENTIAL_BLOB_SIZE of `wincred.h`
is 2,560 bytes, and keyring writes UTF-16."""
_WINDOWS = "keyring.backends.Windows"
"""Module of the backend that writes credentials of Windows."""


class KeychainEntry:
    """An ASCII text in a keychain. Methods raise the errors of the backend."""

    def __init__(self, backend: KeyringBackend, service: str, item: str) -> None:
        """Nothing is read yet."""
        self._backend = backend
        self._service = service
        self._item = item
        self._is_windows = type(backend).__module__ == _WINDOWS

    def read(self) -> str:
        """The text; empty without an entry. Raises ValueError if a part of it is missing."""
        text = self._backend.get_password(self._service, self._item) or ""
        services = self._part_services(text)
        if not services:
            return text
        parts = [self._backend.get_password(service, self._item) for service in services]
        if None in parts:
            raise ValueError("a part of the entry is missing")
        return "".join(filter(None, parts))

    def write(self, text: str) -> None:
        """Store or replace the text. Until all of it is there, the former text can be read."""
        former = self._backend.get_password(self._service, self._item) or ""
        head = text
        parts = []
        if self._is_windows and len(text) > WINDOWS_LETTERS:
            parts = _pieces(text)
            head = json.dumps([secrets.token_hex(4), len(parts)])
        # Parts get new names, so that those of the former text stay until the end.
        services = self._part_services(head)
        try:
            for service, part in zip(services, parts, strict=True):
                self._backend.set_password(service, self._item, part)
            self._backend.set_password(self._service, self._item, head)
        except Exception:  # backends are plugins and may raise anything
            self._delete(services)
            raise
        self._delete(self._part_services(former))
        # keyring keeps the former text under a second name, with keys that were deleted.
        if self._is_windows:
            self._delete([f"{self._item}@{self._service}"])

    def delete(self) -> None:
        """Delete the text. Raises an error if it is not there."""
        former = self._backend.get_password(self._service, self._item) or ""
        self._backend.delete_password(self._service, self._item)
        self._delete(self._part_services(former))

    def _part_services(self, head: str) -> list[str]:
        """Names of the entries with the parts of a text; none for a text in one piece."""
        if not head.startswith("["):
            return []
        name, count = json.loads(head)
        return [f"{self._service} {name} {number}" for number in range(1, count + 1)]

    def _delete(self, services: list[str]) -> None:
        """Delete entries, unless they are gone."""
        from keyring.errors import PasswordDeleteError

        for service in services:
            with contextlib.suppress(PasswordDeleteError):
                self._backend.delete_password(service, self._item)


def _pieces(text: str) -> list[str]:
    starts = range(0, len(text), WINDOWS_LETTERS)
    return [text[start : start + WINDOWS_LETTERS] for start in starts]
