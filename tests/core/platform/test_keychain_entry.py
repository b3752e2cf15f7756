"""Keys in the Credential Manager of Windows, which takes 1,280 letters at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import keyring
import pytest
from keyring.backends import Windows

from scrubjay.errors import KeychainUnavailable
from scrubjay.platform.keychain import ITEM, SERVICE, Keychain
from scrubjay.platform.keychain_entry import KeychainEntry
from support.credential_manager import CredentialManager

LONG = "sk-" + "0123456789" * 400
KEY = "sk-0123456789abcdef"


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[CredentialManager]:
    """The place of all credentials, which keyring's backend for Windows writes to."""
    manager = CredentialManager()
    monkeypatch.setattr(Windows, "win32cred", manager, raising=False)
    monkeypatch.setattr(Windows, "pywintypes", manager, raising=False)
    former = keyring.get_keyring()
    keyring.set_keyring(Windows.WinVaultKeyring())  # type: ignore[no-untyped-call]
    yield manager
    keyring.set_keyring(former)


@pytest.fixture
def keychain() -> Iterator[Keychain]:
    keychain = Keychain()
    yield keychain
    keychain.close()


def test_long_keys_are_kept(manager: CredentialManager, keychain: Keychain) -> None:
    keychain.set("openai", LONG)
    keychain.set("voyage", KEY)
    assert (keychain.get("openai"), keychain.get("voyage")) == (LONG, KEY)
    assert len(manager.credentials) == 5


def test_many_short_keys_are_kept(manager: CredentialManager, keychain: Keychain) -> None:
    for number in range(60):
        keychain.set(f"server{number}.example", f"{KEY}-{number}")
    assert [keychain.get(f"server{number}.example") for number in (0, 59)] == [
        f"{KEY}-0",
        f"{KEY}-59",
    ]
    assert len(keychain.names()) == 60


def test_a_shorter_text_leaves_no_parts(manager: CredentialManager, keychain: Keychain) -> None:
    keychain.set("voyage", KEY)
    keychain.set("openai", LONG)
    keychain.set("openai", KEY)
    assert list(manager.credentials) == [SERVICE]


def test_a_deleted_key_is_nowhere(manager: CredentialManager, keychain: Keychain) -> None:
    keychain.set("openai", "sk-first-of-all-keys")
    keychain.set("voyage", KEY)
    keychain.delete("openai")
    blobs = [stored["CredentialBlob"] for stored in manager.credentials.values()]
    assert [blob for blob in blobs if "first-of-all" in blob] == []
    assert keychain.get("voyage") == KEY


def test_nothing_is_left_after_the_last_key(manager: CredentialManager, keychain: Keychain) -> None:
    keychain.set("openai", LONG)
    keychain.delete("openai")
    assert manager.credentials == {}


@pytest.mark.parametrize("writes", range(9))
def test_a_write_that_fails_leaves_the_former_keys(
    manager: CredentialManager, keychain: Keychain, writes: int
) -> None:
    keychain.set("openai", LONG)
    names = set(manager.credentials) - {f"{ITEM}@{SERVICE}"}
    manager.most_writes = writes
    with pytest.raises(KeychainUnavailable):
        keychain.set("voyage", LONG)
    assert (keychain.get("openai"), keychain.get("voyage")) == (LONG, "")
    assert set(manager.credentials) - {f"{ITEM}@{SERVICE}"} == names


def test_a_lost_part_is_said(manager: CredentialManager, keychain: Keychain) -> None:
    keychain.set("openai", LONG)
    [part] = [name for name in manager.credentials if name.endswith(" 2")]
    del manager.credentials[part]
    with pytest.raises(KeychainUnavailable, match="damaged"):
        keychain.get("openai")


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
def test_windows_itself_keeps_a_long_text() -> None:
    vault = Windows.WinVaultKeyring()  # type: ignore[no-untyped-call]
    entry = KeychainEntry(vault, "scrubjay tests", ITEM)
    try:
        entry.write(LONG)
        assert entry.read() == LONG
        assert vault.get_password("scrubjay tests", ITEM) != LONG
    finally:
        entry.delete()
    assert vault.get_password("scrubjay tests", ITEM) is None
