"""Where keys come from, and to whom they go."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrubjay.config.schema.memory_search import RemoteSettings
from scrubjay.config.schema.section import key_reference
from scrubjay.embedding.remote.credentials import RemoteAccess, is_literal, key_id
from scrubjay.embedding.remote.service_catalogue import SERVICES, WITH_KEYS
from scrubjay.errors import LocalOnly, SecretMissing
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from support.secret_service import NO_KEYCHAIN, keyring_variables

OPENAI = SERVICES["openai"]
ELSEWHERE = "https://openrouter.ai/api/v1"
OWN = "https://api.openai.com/v1"


@pytest.fixture
def keychain() -> Iterator[Keychain]:
    """Holds keys of this session only; the system has no keychain."""
    with keyring_variables(NO_KEYCHAIN):
        made = Keychain()
        yield made
        made.close()


def access(keychain: Keychain, **environ: str) -> RemoteAccess:
    return RemoteAccess(Network(lambda: False), keychain, environ)


def remote(base_url: str = "", api_key: object = "") -> RemoteSettings:
    return RemoteSettings(base_url=base_url, api_key=key_reference(api_key))


KEYRING = {"source": "keyring", "id": "openai"}
ENV = {"source": "env", "id": "MINE"}


@pytest.mark.parametrize(
    ("stored", "base_url", "api_key", "environ", "found"),
    [
        ({"openai": "a"}, "", "b", {"OPENAI_API_KEY": "c"}, "a"),
        ({}, "", "b", {"OPENAI_API_KEY": "c"}, "b"),
        ({}, "", "${MINE}", {"OPENAI_API_KEY": "c", "MINE": "d"}, "d"),
        ({}, "", ENV, {"MINE": "d"}, "d"),
        ({}, "", "${GONE}", {"OPENAI_API_KEY": "c"}, "c"),
        ({}, "", "", {"OPENAI_API_KEY": " c\n"}, "c"),
        ({"openai": "a"}, OWN, "", {}, "a"),
        ({}, OWN, "", {"OPENAI_API_KEY": "c"}, "c"),
        ({"openrouter.ai": "r", "openai": "a"}, ELSEWHERE, "b", {}, "r"),
        ({"openai": "a"}, ELSEWHERE, KEYRING, {}, "a"),
        ({}, "http://127.0.0.1:1234/v1", "", {}, ""),
        ({"127.0.0.1": "h"}, "http://127.0.0.1:1234/v1", "b", {}, "b"),
    ],
)
def test_the_order_of_places(
    keychain: Keychain,
    stored: dict[str, str],
    base_url: str,
    api_key: object,
    environ: dict[str, str],
    found: str,
) -> None:
    for name, key in stored.items():
        keychain.set(name, key, session_only=True)
    assert access(keychain, **environ).key(OPENAI, remote(base_url, api_key)) == found


def test_the_key_of_openai_goes_to_no_other_host(keychain: Keychain) -> None:
    keychain.set("openai", "a", session_only=True)
    elsewhere = access(keychain, OPENAI_API_KEY="c").key(OPENAI, remote(ELSEWHERE))
    assert elsewhere == ""


@pytest.mark.parametrize("service_id", WITH_KEYS)
def test_a_missing_key_says_how_to_enter_it(keychain: Keychain, service_id: str) -> None:
    service = SERVICES[service_id]
    with pytest.raises(SecretMissing) as caught:
        access(keychain).key(service, RemoteSettings())
    assert f"scrubjay keys set {service_id}" in caught.value.hint
    assert service.key_variable in caught.value.hint
    assert "no keychain" in caught.value.message


def test_ollama_needs_none(keychain: Keychain) -> None:
    assert access(keychain).key(SERVICES["ollama"], RemoteSettings()) == ""


@pytest.mark.parametrize(
    ("base_url", "name"), [("", "openai"), (OWN, "openai"), (ELSEWHERE, "openrouter.ai")]
)
def test_under_which_name_a_key_is_kept(base_url: str, name: str) -> None:
    assert key_id(OPENAI, remote(base_url)) == name


@pytest.mark.parametrize(
    ("written", "literal"),
    [("sk-123", True), ("${MINE}", False), ("keyring:openai", False), ("", False), ("  ", False)],
)
def test_what_is_a_key_and_what_a_reference(written: str, literal: bool) -> None:
    assert is_literal(written) is literal


def test_local_only_asks_no_keychain(keychain: Keychain) -> None:
    class Asked(Keychain):
        def get(self, key_id: str, *, patience_s: float = 0) -> str:
            raise AssertionError(key_id)

    shut = RemoteAccess(Network(lambda: True), Asked(), {})
    with pytest.raises(LocalOnly):
        shut.provider("openai", RemoteSettings())
