"""The Credential Manager of Windows, as far as keyring uses it, with its limit of size."""

from __future__ import annotations

from typing import Any

MOST_BYTES = 2560


class CredentialError(Exception):
    """`pywintypes.error`."""

    def __init__(self, winerror: int, funcname: str) -> None:
        super().__init__(winerror, funcname)
        self.winerror = winerror
        self.funcname = funcname


class CredentialManager:
    """Stands for the modules `win32cred` and `pywintypes`."""

    CRED_TYPE_GENERIC = 1
    CRED_PERSIST_ENTERPRISE = 3
    error = CredentialError

    def __init__(self) -> None:
        self.credentials: dict[str, dict[str, Any]] = {}
        self.most_writes = 1000

    def CredRead(self, Type: int, TargetName: str) -> dict[str, Any]:
        if TargetName not in self.credentials:
            raise CredentialError(1168, "CredRead")
        stored = self.credentials[TargetName]
        return stored | {"CredentialBlob": stored["CredentialBlob"].encode("utf-16-le")}

    def CredWrite(self, credential: dict[str, Any], flags: int) -> None:
        self.most_writes -= 1
        size = len(credential["CredentialBlob"].encode("utf-16-le"))
        if size > MOST_BYTES or self.most_writes < 0:
            raise CredentialError(1783, "CredWrite")
        self.credentials[credential["TargetName"]] = credential

    def CredDelete(self, Type: int, TargetName: str) -> None:
        if self.credentials.pop(TargetName, None) is None:
            raise CredentialError(1168, "CredDelete")
