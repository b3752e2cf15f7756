"""Remote providers embed over HTTP as each of them documents it."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from scrubjay.config.schema.memory_search import RemoteSettings
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.remote.credentials import RemoteAccess
from scrubjay.embedding.remote.service_catalogue import SERVICES
from scrubjay.errors import DimensionsChanged, ProviderUnavailable
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.state_file import StateFile
from support.embedding_server import KEY, PROVIDERS, EmbeddingServer, Hang, OfLength, Refuse
from support.providers import WordProvider
from support.vault import TIMEOUT
from support.waiting import wait_until

from .conftest import MakeProvider

ACORNS = EmbeddingInput("Stores", "Acorns are under the oak.")


@pytest.mark.parametrize("name", PROVIDERS)
def test_vectors_come_in_order_with_length_one(
    make: MakeProvider, server: EmbeddingServer, name: str
) -> None:
    server.dimensions = 64
    if name == "mistral":
        server.dimensions = 1024
    provider = make(name)
    vectors = provider.embed_documents([ACORNS, EmbeddingInput("", "The sea.")])
    expected = WordProvider(dimensions=server.dimensions)
    for vector, text in zip(vectors, ["Acorns are under the oak.", "The sea."], strict=True):
        assert vector.dtype == np.float32
        np.testing.assert_allclose(vector, expected.embed_queries([text])[0], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "field", "query", "document"),
    [
        ("voyage", "input_type", "query", "document"),
        ("gemini", "taskType", "RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"),
    ],
)
def test_queries_and_documents_are_told_apart(
    make: MakeProvider, server: EmbeddingServer, name: str, field: str, query: str, document: str
) -> None:
    provider = make(name)
    provider.embed_queries(["acorns"])[0]
    provider.embed_documents([ACORNS])
    bodies = [r.body["requests"][0] if name == "gemini" else r.body for r in server.requests]
    assert [body[field] for body in bodies] == [query, document]


@pytest.mark.parametrize(
    ("name", "model", "query", "document"),
    [
        ("openai", "", "acorns", "Acorns are under the oak."),
        (
            "ollama",
            "nomic-embed-text:v1.5",
            "search_query: acorns",
            "search_document: Acorns are under the oak.",
        ),
        ("openai", "intfloat/e5-base", "query: acorns", "passage: Acorns are under the oak."),
        (
            "gemini",
            "gemini-embedding-2-preview",
            "task: search result | query: acorns",
            "title: Stores | text: Acorns are under the oak.",
        ),
    ],
)
def test_models_get_the_prompts_they_were_trained_with(
    make: MakeProvider, server: EmbeddingServer, name: str, model: str, query: str, document: str
) -> None:
    provider = make(name, model=model)
    provider.embed_queries(["acorns"])[0]
    provider.embed_documents([ACORNS])
    assert server.texts == [query, document]
    assert name != "gemini" or "taskType" not in server.requests[0].body["requests"][0]


def test_each_text_of_a_gemini_batch_gets_a_vector_of_its_own(make: MakeProvider) -> None:
    provider = make("gemini", model="gemini-embedding-2-preview", dimensions=768)
    vectors = provider.embed_documents([EmbeddingInput("", "one"), EmbeddingInput("", "two")])
    assert [len(vector) for vector in vectors] == [768, 768]
    assert not np.allclose(vectors[0], vectors[1])


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("openai", "openai:text-embedding-3-small:1536:none"),
        ("gemini", "gemini:gemini-embedding-001:3072:task-types"),
        ("voyage", "voyage:voyage-4-large:1024:input-types"),
        ("mistral", "mistral:mistral-embed:1024:none"),
        ("ollama", "ollama:nomic-embed-text:768:nomic"),
    ],
)
def test_what_is_known_of_a_model_needs_no_request(name: str, identity: str) -> None:
    access = RemoteAccess(Network(lambda: False), Keychain(), {})
    assert access.provider(name, RemoteSettings()).identity() == identity


@pytest.mark.parametrize("name", ["openai", "voyage", "mistral", "ollama"])
@pytest.mark.parametrize("spelling", ["Authorization", "authorization"])
def test_headers_of_the_settings_win(
    make: MakeProvider, server: EmbeddingServer, name: str, spelling: str
) -> None:
    server.dimensions = 1024 if name == "mistral" else 32
    headers = {spelling: f"Bearer {KEY}", "User-Agent": "jay", "Content-Length": "1"}
    make(name, key="sk-wrong", headers=headers).embed_queries(["acorns"])[0]
    [sent] = [request.headers for request in server.requests]
    assert (sent["authorization"], sent["user-agent"]) == (f"Bearer {KEY}", "jay")


@pytest.mark.parametrize("name", ["openai", "voyage", "mistral", "ollama"])
def test_without_a_key_nothing_is_sent_in_its_place(
    make: MakeProvider, server: EmbeddingServer, name: str
) -> None:
    with contextlib.suppress(ProviderUnavailable):
        make(name, key="").embed_queries(["acorns"])[0]
    assert "authorization" not in server.requests[0].headers


def test_the_version_in_geminis_address_is_not_sent_twice(server: EmbeddingServer) -> None:
    access = RemoteAccess(Network(lambda: False), Keychain(), {})
    address = f"{server.base_url('gemini')}/v1beta/"
    provider = access.provider("gemini", RemoteSettings(base_url=address, api_key=KEY))
    server.dimensions = 3072
    provider.embed_queries(["acorns"])[0]
    provider.close()
    assert server.requests[0].path.startswith("/gemini/v1beta/models/")


def test_a_header_can_stand_for_the_key() -> None:
    access = RemoteAccess(Network(lambda: False), Keychain(), {})
    remote = RemoteSettings(headers={"authorization": "Bearer x"})
    assert access.key(SERVICES["openai"], remote) == ""


def test_an_unknown_model_is_asked_once_how_long_its_vectors_are(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    provider = make(model="brand-new", dimensions=None)
    assert provider.identity() == "openai:brand-new:32:none"
    assert provider.dimensions() == 32
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["openai", "gemini", "voyage", "ollama"])
def test_the_length_of_vectors_can_be_chosen(make: MakeProvider, name: str) -> None:
    assert len(make(name, dimensions=16).embed_queries(["acorns"])[0]) == 16


def test_other_dimensions_are_another_identity(make: MakeProvider, server: EmbeddingServer) -> None:
    provider = make(model="brand-new", dimensions=None)
    before = provider.identity()
    server.dimensions = 48
    with pytest.raises(DimensionsChanged, match="48 numbers instead of 32"):
        provider.embed_documents([ACORNS])
    assert provider.identity() == before.replace("32", "48")
    assert len(provider.embed_documents([ACORNS])[0]) == 48


def sent_texts(server: EmbeddingServer) -> list[str]:
    return [text for request in server.requests for text in request.texts]


def test_no_note_is_paid_for_twice_where_vectors_are_not_as_long_as_published(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    notes = [EmbeddingInput("", f"Note {n}.") for n in range(9)]
    provider = make(dimensions=None)
    with pytest.raises(DimensionsChanged, match="32 numbers instead of 1,536"):
        provider.embed_documents(notes)
    assert len(provider.embed_documents(notes)) == 9
    assert sorted(sent_texts(server)) == [*(f"Note {n}." for n in range(9)), "dimensions"]


@pytest.mark.parametrize("dimensions", [None, 32])
def test_no_note_is_paid_for_twice_when_the_server_changes_the_length(
    make: MakeProvider, server: EmbeddingServer, dimensions: int | None
) -> None:
    notes = [EmbeddingInput("", f"Note {n}.") for n in range(9)]
    provider = make(model="brand-new", dimensions=dimensions)
    provider.embed_documents(notes[:1])
    server.dimensions = 48
    server.ignores_dimensions = True
    with pytest.raises(DimensionsChanged, match="48 numbers instead of 32"):
        provider.embed_documents(notes[1:6])
    # The next attempt has some of the texts, in another order, and others.
    again = [*reversed(notes[2:]), notes[0]]
    vectors = provider.embed_documents(again)
    expected = WordProvider(dimensions=48)
    for note, vector in zip(again, vectors, strict=True):
        np.testing.assert_allclose(vector, expected.embed_queries([note.text])[0], atol=1e-6)
    texts = [text for text in sent_texts(server) if text != "dimensions"]
    assert sorted(texts) == sorted([note.text for note in notes] + [notes[0].text])


@pytest.mark.parametrize("dimensions", [16, 48])
@pytest.mark.parametrize("is_known", [True, False])
def test_notes_get_vectors_of_the_new_length_that_a_server_changes_to_within_one_call(
    make: MakeProvider, server: EmbeddingServer, dimensions: int, *, is_known: bool
) -> None:
    server.ignores_dimensions = True
    provider = make(model="brand-new", dimensions=32 if is_known else None)
    provider.embed_documents([ACORNS])
    # Each note is long enough for a request of its own, and one is answered before the change.
    notes = [EmbeddingInput("", f"Note {n}. {'acorn ' * 5_000}") for n in range(3)]
    server.faults.append(OfLength(32))
    server.dimensions = dimensions
    with pytest.raises(DimensionsChanged, match=f"{dimensions} numbers instead of 32"):
        provider.embed_documents(notes)
    assert {len(vector) for vector in provider.embed_documents(notes)} == {dimensions}
    # The note that was answered before is sent again, and no other one.
    texts = [text for text in sent_texts(server) if text.startswith("Note")]
    assert len(texts) == len(notes) + 1


def test_vectors_are_not_kept_when_a_query_has_shown_another_length_since(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    server.ignores_dimensions = True
    provider = make(model="brand-new", dimensions=32)
    provider.embed_documents([ACORNS])
    server.dimensions = 48
    with pytest.raises(DimensionsChanged, match="48 numbers instead of 32"):
        provider.embed_documents([ACORNS])
    server.dimensions = 64
    with pytest.raises(DimensionsChanged, match="64 numbers instead of 48"):
        provider.embed_queries(["acorns"])
    assert len(provider.embed_documents([ACORNS])[0]) == 64


def test_a_length_that_was_confirmed_is_not_asked_for_again(
    server: EmbeddingServer, tmp_path: Path
) -> None:
    server.dimensions = 1536
    for _ in range(2):
        lengths = StateFile(tmp_path / "lengths.json")
        access = RemoteAccess(Network(lambda: False), Keychain(), {}, lengths=lengths)
        remote = RemoteSettings(base_url=server.base_url("openai"), api_key=KEY)
        provider = access.provider("openai", remote)
        provider.embed_documents([ACORNS])
        provider.close()
    assert sent_texts(server).count("dimensions") == 1


def test_batches_hold_about_eight_thousand_tokens(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    make().embed_documents([EmbeddingInput("", f"{n} " * 800) for n in range(50)])
    sizes = [sum(len(text) for text in request.texts) / 4 for request in server.requests]
    assert max(sizes) <= 8_000
    assert len(server.requests) < 8
    assert sum(len(request.texts) for request in server.requests) == 50


@pytest.mark.parametrize(("name", "lanes"), [("openai", 4), ("voyage", 4), ("ollama", 1)])
def test_a_few_requests_run_at_the_same_time(
    make: MakeProvider, server: EmbeddingServer, name: str, lanes: int
) -> None:
    released = threading.Event()
    server.faults.extend([Hang(released)] * lanes)
    provider = make(name)
    eight = [EmbeddingInput("", f"{n} " * 7_000) for n in range(8)]
    with ThreadPoolExecutor() as pool:
        embedding = pool.submit(provider.embed_documents, eight)
        wait_until(lambda: server.peak == lanes)
        released.set()
        assert len(embedding.result(TIMEOUT)) == 8
    assert server.peak == lanes


def test_a_text_beyond_the_limit_of_the_model_is_embedded_in_pieces(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    words = [f"word{n}" for n in range(3_000)]
    [vector] = make("gemini").embed_documents([EmbeddingInput("", " ".join(words))])
    assert "".join(server.texts).split() == words
    assert len(server.texts) > 1
    assert np.linalg.norm(vector) == pytest.approx(1)


def test_a_text_that_is_too_long_after_all_is_halved(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    server.max_characters = 100
    text = " ".join(f"word{n}" for n in range(40))
    vectors = make("ollama").embed_documents(
        [EmbeddingInput("", "short"), EmbeddingInput("", text)]
    )
    assert [len(vector) for vector in vectors] == [32, 32]
    accepted = [one for one in server.texts if 5 < len(one) <= 100]
    assert "".join(one.removeprefix("search_document: ") for one in accepted).count("word39") == 1


@pytest.mark.parametrize(
    "complaint",
    [
        "At most {limit} inputs can be in one batch.",
        "batch size 9 > maximum allowed batch size {limit}",
        "The input list must contain at most {limit} items, got 9",
        "'input' array: max length is {limit}",
    ],
)
def test_too_many_texts_are_sent_again_in_smaller_batches(
    make: MakeProvider, server: EmbeddingServer, complaint: str
) -> None:
    server.max_items, server.items_complaint = 4, complaint
    provider = make()
    nine = [EmbeddingInput("", f"text {n}") for n in range(9)]
    vectors = provider.embed_documents(nine)
    assert [len(request.texts) for request in server.requests] == [9, 4, 4, 1]
    np.testing.assert_allclose(
        vectors[8], WordProvider(dimensions=32).embed_queries(["text 8"])[0], atol=1e-6
    )
    provider.embed_documents(nine)
    assert sorted(len(request.texts) for request in server.requests[4:]) == [1, 4, 4]


@pytest.mark.parametrize("status", [413, 431])
def test_a_request_that_is_too_large_is_halved(
    make: MakeProvider, server: EmbeddingServer, status: int
) -> None:
    server.faults.append(Refuse(status, "no"))
    vectors = make().embed_documents([EmbeddingInput("", f"text {n}") for n in range(9)])
    assert [len(request.texts) for request in server.requests] == [9, 4, 4, 1]
    assert len(vectors) == 9


def test_a_query_does_not_wait_behind_documents(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    released = threading.Event()
    server.faults.append(Hang(released))
    provider = make("ollama")

    def embed() -> None:
        with pytest.raises(ProviderUnavailable):
            provider.embed_documents([ACORNS])

    waiting = threading.Thread(target=embed)
    waiting.start()
    wait_until(lambda: server.requests)
    assert len(provider.embed_queries(["acorns"])[0]) == 32
    provider.close()
    released.set()
    waiting.join(TIMEOUT)
    assert not waiting.is_alive()


def test_closing_lets_a_caller_go_at_once(make: MakeProvider, server: EmbeddingServer) -> None:
    released = threading.Event()
    server.always = Hang(released)
    provider = make()

    def close_when_asked() -> None:
        wait_until(lambda: server.requests)
        provider.close()

    closing = threading.Thread(target=close_when_asked)
    closing.start()
    with pytest.raises(ProviderUnavailable, match="turned off"):
        provider.embed_documents([ACORNS])  # while the server still hangs
    released.set()
    closing.join()


def test_nothing_is_imported_before_the_first_text() -> None:
    code = (
        "import sys, scrubjay.engine.engine, scrubjay.embedding.remote.credentials\n"
        "heavy = {'openai', 'google.genai', 'httpx2', 'keyring'} & set(sys.modules)\n"
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
