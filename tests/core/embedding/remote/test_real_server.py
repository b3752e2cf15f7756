"""The OpenAI interface of a server that nobody here wrote, with the built-in model in it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from scrubjay.config.schema.memory_search import RemoteSettings
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.embedding.remote.credentials import RemoteAccess
from scrubjay.embedding.remote.remote_provider import RemoteProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.models.model_files import find_model
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths

pytestmark = pytest.mark.model

KEY = "a-key-of-this-test"
TIMEOUT = 60


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = find_model(Paths.under(tmp_path_factory.mktemp("home")))
    assert found is not None, "Run `make setup` to build the model."
    return found


@pytest.fixture(scope="module")
def address(model: Path) -> Iterator[str]:
    """Where the server of llama-cpp-python listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model)]
    command += ["--embedding", "true", "--port", str(port), "--api_key", KEY, "--n_ctx", "512"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + TIMEOUT
        while True:
            assert process.poll() is None, "The server did not start."
            assert time.monotonic() < until
            with closing(socket.socket()) as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/v1"
        process.terminate()


def provider(address: str, key: str) -> RemoteProvider:
    # Local-only, because all of it happens on this computer.
    access = RemoteAccess(Network(lambda: True), Keychain(), {})
    return access.provider("openai", RemoteSettings(base_url=address, api_key=key), model="minilm")


def test_it_gives_the_vectors_that_the_model_gives_here(address: str, model: Path) -> None:
    inputs = [
        EmbeddingInput("", text)
        for text in (
            "The cat sits outside.",
            "The feline rests outdoors.",
            "A man is playing guitar.",
            "日本語のメモ",
        )
    ]
    with closing(provider(address, KEY)) as far, closing(LocalProvider(model)) as near:
        assert far.dimensions() == near.dimensions() == 384
        theirs, ours = far.embed_documents(inputs), near.embed_documents(inputs)
        query = far.embed_queries(["Where is the cat?"])[0]
    for one, other in zip(theirs, ours, strict=True):
        assert float(one @ other) > 0.999
    assert np.argmax([float(query @ one) for one in theirs]) == 0


def test_a_wrong_key_is_refused_in_words(address: str) -> None:
    with closing(provider(address, "wrong")) as far, pytest.raises(ProviderUnavailable) as caught:
        far.embed_queries(["acorns"])[0]
    assert "127.0.0.1 refused the key" in str(caught.value)
