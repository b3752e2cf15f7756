"""Which provider the settings lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.embedding.calibrated_provider import CalibratedProvider
from scrubjay.embedding.calibration import calibration_identity
from scrubjay.embedding.local.cpu_variant import CpuVariantChoice
from scrubjay.embedding.local.llama_child import content_id
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.embedding.remote.credentials import RemoteAccess
from scrubjay.embedding.remote.remote_provider import RemoteProvider
from scrubjay.embedding.selection.provider_factory import OnStatus, ProviderFactory
from scrubjay.errors import ModelMissing, ProviderUnavailable
from scrubjay.models.model_files import find_model
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from support.secret_service import NO_KEYCHAIN, keyring_variables
from support.vault import write_notes

NO_MODEL = {"modelPath": "/nowhere/model.gguf"}
ALL = dict.fromkeys(("OPENAI_API_KEY", "GEMINI_API_KEY", "VOYAGE_API_KEY"), "key")

Choose = Callable[..., EmbeddingProvider]


@pytest.fixture
def choose(paths: Paths) -> Iterator[Choose]:
    """Chooses as the settings say; only the environment has keys."""

    def chosen(
        block: dict[str, object],
        environ: dict[str, str] | None = None,
        *,
        is_local_only: bool = False,
        how: Callable[[ProviderFactory, OnStatus], EmbeddingProvider] = (
            ProviderFactory.first_choice
        ),
    ) -> EmbeddingProvider:
        access = RemoteAccess(Network(lambda: is_local_only), Keychain(), environ or {})
        settings, cpu_variants = MemorySearch.of(block), CpuVariantChoice(paths.state)
        factory = ProviderFactory(settings, paths, lambda: access, cpu_variants, 60)
        return how(factory, lambda _reason: None)

    with keyring_variables(NO_KEYCHAIN):
        yield chosen


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        (ALL, "openai"),
        ({"GEMINI_API_KEY": "key", "MISTRAL_API_KEY": "key"}, "gemini"),
        ({"VOYAGE_API_KEY": "key", "MISTRAL_API_KEY": "key"}, "voyage"),
        ({"MISTRAL_API_KEY": "key"}, "mistral"),
    ],
)
def test_auto_takes_the_first_provider_with_a_key(
    choose: Choose, environ: dict[str, str], name: str
) -> None:
    with closing(choose({"local": NO_MODEL}, environ)) as provider:
        assert (provider.name, provider.is_local) == (name, False)


def test_auto_prefers_the_model_on_this_computer(choose: Choose, paths: Paths) -> None:
    file = write_notes(paths.models, {"mine.gguf": b"GGUF"}) / "mine.gguf"
    with closing(choose({"local": {"modelPath": str(file)}}, ALL)) as provider:
        assert (provider.name, provider.is_local) == ("local", True)


def test_the_built_in_model_is_not_calibrated_and_others_are(
    choose: Choose, tmp_path: Path, paths: Paths
) -> None:
    with closing(choose({})) as provider:
        assert isinstance(provider, LocalProvider)
    # The same name does not make other weights the ones that ranking was fitted to.
    built_in = find_model(paths)
    assert built_in
    other = write_notes(tmp_path, {built_in.name: built_in.read_bytes() + bytes(32)})
    with closing(choose({"local": {"modelPath": str(other / built_in.name)}})) as provider:
        assert isinstance(provider, CalibratedProvider)


def test_vectors_of_an_earlier_version_are_asked_for_as_they_were_made(
    choose: Choose, paths: Paths
) -> None:
    """They answer until the notes are read again."""
    file = write_notes(paths.models, {"mine.gguf": b"GGUF"}) / "mine.gguf"
    before = f"local:{content_id(file)}:384:e5"
    after = calibration_identity(before)
    for identity, kind in ((before, LocalProvider), (after, CalibratedProvider)):
        with closing(choose({}, how=lambda factory, _: factory.former(identity))) as provider:  # noqa: B023
            assert isinstance(provider, kind)


def test_a_model_on_a_server_of_ones_own_is_calibrated_and_a_paid_one_is_not(
    choose: Choose,
) -> None:
    with closing(choose({"provider": "ollama"})) as provider:
        assert isinstance(provider, CalibratedProvider)
    with closing(choose({"provider": "voyage"}, ALL)) as provider:
        assert isinstance(provider, RemoteProvider)


def test_auto_without_model_and_key_says_so(choose: Choose) -> None:
    with pytest.raises(ModelMissing, match="No service key was found"):
        choose({"local": NO_MODEL})


def test_auto_takes_no_remote_provider_when_nothing_may_leave(choose: Choose) -> None:
    with pytest.raises(ModelMissing, match="“Never use services on the internet” is on"):
        choose({"local": NO_MODEL}, ALL, is_local_only=True)


def test_an_endpoint_in_the_settings_comes_before_other_providers(choose: Choose) -> None:
    remote = {"baseUrl": "http://127.0.0.1:1234/v1", "apiKey": "anything"}
    block = {"local": NO_MODEL, "remote": remote, "model": "mine"}
    with closing(choose(block, is_local_only=True)) as provider:
        assert (provider.name, provider.model, provider.host) == ("openai", "mine", "")


@pytest.mark.parametrize(
    ("name", "model", "host"),
    [
        ("openai", "text-embedding-3-small", "api.openai.com"),
        ("gemini", "gemini-embedding-001", "generativelanguage.googleapis.com"),
        ("voyage", "voyage-4-large", "api.voyageai.com"),
        ("mistral", "mistral-embed", "api.mistral.ai"),
        ("ollama", "nomic-embed-text", ""),
    ],
)
def test_each_provider_has_a_model_and_an_address(
    choose: Choose, name: str, model: str, host: str
) -> None:
    with closing(choose({"provider": name})) as provider:
        assert (provider.name, provider.model, provider.host) == (name, model, host)


def test_none_is_words_only(choose: Choose) -> None:
    with pytest.raises(ProviderUnavailable, match="turned off"):
        choose({"provider": "none"}, ALL)


@pytest.mark.parametrize("first", ["local", "auto"])
def test_a_fallback_of_a_local_model_has_the_address_and_key_of_the_settings(
    choose: Choose, first: str
) -> None:
    block = {
        "provider": first,
        "local": NO_MODEL,
        "fallback": "openai",
        "remote": {"baseUrl": "https://openrouter.ai/api/v1", "apiKey": "theirs"},
    }
    with closing(choose(block, how=ProviderFactory.fallback)) as provider:
        assert provider.host == "openrouter.ai"


def test_a_fallback_has_its_own_model_and_address(choose: Choose) -> None:
    block = {
        "provider": "openai",
        "fallback": "voyage",
        "model": "text-embedding-3-large",
        "outputDimensionality": 256,
        "remote": {"baseUrl": "https://openrouter.ai/api/v1", "apiKey": "theirs"},
    }
    with closing(choose(block, ALL, how=ProviderFactory.fallback)) as provider:
        assert provider.identity() == "voyage:voyage-4-large:1024:input-types"
        assert provider.host == "api.voyageai.com"
