"""Keys in a real keychain, in a locked one, and where there is none."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import keyring
import keyring.backend
import keyring.core
import keyring.errors
import pytest

from scrubjay.errors import KeychainUnavailable
from scrubjay.platform.keychain import ITEM, SERVICE, Keychain, StoredKey
from scrubjay.platform.state_file import StateFile
from support.secret_service import (
    NO_KEYCHAIN,
    TIMEOUT,
    SecretService,
    keyring_variables,
    secret_service,
)

KEY = "sk-0123456789abcdef"


@pytest.fixture(autouse=True, scope="module")
def sockets_left_by_keyring() -> Iterator[None]:
    """Collects the connections that keyring leaves open when a keychain refuses.

    Another test, in which they are collected, would fail for them.
    """
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecretService]:
    with secret_service(tmp_path_factory.mktemp("keychain")) as running:
        yield running


@pytest.fixture
def own_service(tmp_path: Path) -> Iterator[SecretService]:
    """One that a test may lock."""
    with secret_service(tmp_path / "keychain") as running:
        yield running


@pytest.fixture
def keychain() -> Iterator[Keychain]:
    made = Keychain()
    yield made
    made.close()


@pytest.fixture
def empty(service: SecretService, keychain: Keychain) -> Keychain:
    for one in keychain.names():
        keychain.delete(one.id)
    return keychain


def test_a_key_is_kept_for_the_next_program(empty: Keychain) -> None:
    empty.set("openai", KEY)
    again = Keychain()
    assert again.get("openai") == KEY
    again.close()


def test_all_keys_are_one_item(empty: Keychain) -> None:
    empty.set("openai", KEY)
    empty.set("voyage", "pa-0123456789abcdef")
    stored = keyring.get_password(SERVICE, ITEM)
    assert json.loads(stored or "") == {"openai": KEY, "voyage": "pa-0123456789abcdef"}


def test_a_key_is_replaced_and_deleted(empty: Keychain) -> None:
    empty.set("openai", "sk-old-0123456789")
    empty.set("openai", KEY)
    assert empty.get("openai") == KEY
    assert empty.delete("openai")
    assert empty.get("openai") == ""
    assert not empty.delete("openai")
    assert keyring.get_password(SERVICE, ITEM) is None


def test_a_list_shows_names_and_the_last_four_characters(empty: Keychain) -> None:
    empty.set("voyage", "pa-0123456789wxyz")
    empty.set("openai", "short-key")
    assert empty.names() == (StoredKey("openai", "", False), StoredKey("voyage", "wxyz", False))


def test_a_key_of_this_session_is_written_nowhere(empty: Keychain) -> None:
    empty.set("openai", KEY, session_only=True)
    assert empty.get("openai") == KEY
    assert empty.names() == (StoredKey("openai", "cdef", True),)
    assert keyring.get_password(SERVICE, ITEM) is None
    assert empty.delete("openai")
    assert empty.get("openai") == ""


@pytest.mark.parametrize("damage", ["not json", "[1]", "7"])
def test_a_damaged_item_is_not_overwritten(empty: Keychain, damage: str) -> None:
    keyring.set_password(SERVICE, ITEM, damage)
    with pytest.raises(KeychainUnavailable, match="damaged"):
        empty.set("openai", KEY)
    assert keyring.get_password(SERVICE, ITEM) == damage
    keyring.delete_password(SERVICE, ITEM)


def test_a_locked_keychain_without_a_screen_says_so(
    own_service: SecretService, keychain: Keychain
) -> None:
    keychain.set("openai", KEY)
    own_service.lock()
    with pytest.raises(KeychainUnavailable, match="keychain is locked") as caught:
        keychain.get("openai")
    assert "until you quit Scrubjay" in caught.value.hint


def test_a_locked_keychain_that_asks_a_person_is_not_waited_for(own_service: SecretService) -> None:
    pool = ThreadPoolExecutor()
    keychain = Keychain(pool)
    keychain.set("openai", KEY)
    own_service.lock()
    with own_service.person_who_never_answers():
        with pytest.raises(KeychainUnavailable, match="is waiting for its password"):
            keychain.get("openai", patience_s=0.5)
        began = time.monotonic()
        with pytest.raises(KeychainUnavailable, match="is waiting for its password"):
            keychain.get("openai", patience_s=TIMEOUT)
        assert time.monotonic() - began < TIMEOUT / 2  # no second dialog to wait for
        closing = threading.Thread(target=keychain.close)
        closing.start()
        closing.join(TIMEOUT)
        assert not closing.is_alive()
    pool.shutdown()  # the dialog is gone, so the call that waited for it ends


def test_the_record_knows_the_keys_without_asking(empty: Keychain, tmp_path: Path) -> None:
    record = tmp_path / "keys.json"
    Keychain(record=StateFile(record)).set("openai", KEY)
    assert KEY not in record.read_text()
    later = Keychain(record=StateFile(record))
    with keyring_variables(NO_KEYCHAIN):
        assert later.known() == (StoredKey("openai", "cdef", False),)
        assert later.may_hold("openai")
        assert not later.may_hold("voyage")
        with pytest.raises(KeychainUnavailable):
            later.delete("openai")
    assert later.delete("openai")
    assert later.known() == ()


def test_no_keychain_says_what_to_do(tmp_path: Path) -> None:
    keychain = Keychain(record=StateFile(tmp_path / "keys.json"))
    with keyring_variables(NO_KEYCHAIN):
        with pytest.raises(KeychainUnavailable, match="has no keychain") as caught:
            keychain.get("openai")
        assert "until you quit Scrubjay" in caught.value.hint
        assert "until you quit Scrubjay" in caught.value.hint
        keychain.set("openai", KEY, session_only=True)
        assert keychain.get("openai") == KEY
        assert keychain.known() == (StoredKey("openai", "cdef", True),)
        assert keychain.delete("openai")
        assert keychain.known() == ()
        with pytest.raises(KeychainUnavailable):
            keychain.delete("openai")


@pytest.mark.needs("D-Bus")
def test_a_machine_without_a_session_bus_has_no_keychain(tmp_path: Path) -> None:
    code = (
        "from scrubjay.platform.keychain import Keychain\n"
        "from scrubjay.errors import KeychainUnavailable\n"
        "try: Keychain().get('openai')\n"
        "except KeychainUnavailable as error: print(error.title)\n"
    )
    bare = {name: os.environ[name] for name in ("PATH",)} | {"HOME": str(tmp_path)}
    bare["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={tmp_path}/nothing"
    done = subprocess.run([sys.executable, "-c", code], env=bare, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("Keys cannot be stored on this computer", "")


class PlaintextKeyring(keyring.backend.KeyringBackend):
    """As keyrings.alt brings one: passwords in a file."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        self.written: list[str] = []

    def get_password(self, service: str, username: str) -> str | None:
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        self.written.append(password)


class Chain(PlaintextKeyring):
    """Several backends, as keyring chains them."""

    def __init__(self, *backends: keyring.backend.KeyringBackend) -> None:
        super().__init__()
        self.backends = backends


def test_a_plaintext_file_is_refused(keychain: Keychain) -> None:
    plain = PlaintextKeyring()
    with keyring_variables({}):
        keyring.set_keyring(plain)
        with pytest.raises(KeychainUnavailable, match="a file that others can read"):
            keychain.set("openai", KEY)
    assert plain.written == []


def test_any_backend_of_keyrings_alt_is_refused(keychain: Keychain) -> None:
    plain = type("EncryptedKeyring", (PlaintextKeyring,), {"__module__": "keyrings.alt.file"})()
    with keyring_variables({}):
        keyring.set_keyring(plain)
        with pytest.raises(KeychainUnavailable, match="EncryptedKeyring"):
            keychain.set("openai", KEY)


def test_a_backend_that_drops_everything_is_refused(keychain: Keychain) -> None:
    with (
        keyring_variables({"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}),
        pytest.raises(KeychainUnavailable, match="has no keychain"),
    ):
        keychain.set("openai", KEY)


def test_of_several_backends_the_safe_one_is_used(service: SecretService, empty: Keychain) -> None:
    plain = PlaintextKeyring()
    real = keyring.get_keyring()
    with keyring_variables({}):
        keyring.set_keyring(Chain(plain, real))
        empty.set("openai", KEY)
    assert plain.written == []
    assert empty.get("openai") == KEY


def test_a_backend_that_breaks_is_explained(keychain: Keychain) -> None:
    class Vault(PlaintextKeyring):
        def get_password(self, service: str, username: str) -> str | None:
            raise ConnectionResetError("the bus has gone")

    with keyring_variables({}):
        keyring.set_keyring(Vault())
        with pytest.raises(KeychainUnavailable, match="the bus has gone"):
            keychain.get("openai")


class RefusingKeyring(PlaintextKeyring):
    """A keychain whose dialog a person closes until they change their mind."""

    is_refused = True

    def __init__(self) -> None:
        super().__init__()
        self.dialogs = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.dialogs += 1
        if self.is_refused:
            raise keyring.errors.KeyringLocked("Failed to unlock the collection!")
        return json.dumps({"openai": KEY})


def test_a_person_who_refused_the_keychain_is_not_asked_again_by_itself(keychain: Keychain) -> None:
    asking = type("Vault", (RefusingKeyring,), {})()
    with keyring_variables({}):
        keyring.set_keyring(asking)
        for _ in range(3):
            with pytest.raises(KeychainUnavailable, match="locked") as caught:
                keychain.get("openai")
            assert "will not ask you again by itself to unlock the keychain" in caught.value.hint
        assert asking.dialogs == 1
        # Whoever opens the list of keys is asked, and so is whoever checks for changes.
        with pytest.raises(KeychainUnavailable):
            keychain.names()
        assert asking.dialogs == 2
        asking.is_refused = False
        keychain.ask_again()
        assert keychain.get("openai") == KEY
        assert keychain.get("openai") == KEY
        assert asking.dialogs == 4


def test_what_a_person_does_with_keys_opens_the_keychain_for_later(keychain: Keychain) -> None:
    asking = type("Vault", (RefusingKeyring,), {})()
    with keyring_variables({}):
        keyring.set_keyring(asking)
        with pytest.raises(KeychainUnavailable):
            keychain.get("openai")
        asking.is_refused = False
        assert [key.id for key in keychain.names()] == ["openai"]
        assert keychain.get("openai") == KEY
