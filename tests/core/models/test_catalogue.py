"""The models that Scrubjay knows, and those that a person names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scrubjay.embedding.prompts import prompt_profile
from scrubjay.models.catalogue import (
    KnownModel,
    all_known_models,
    find_known,
    known_models,
    known_readers,
)
from scrubjay.models.model_address import HubFile
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import ModelPurpose

GEMMA = "hf:ggml-org/embeddinggemma-300m-qat-q8_0-GGUF/embeddinggemma-300m-qat-Q8_0.gguf"


def test_the_catalogue_offers_one_built_in_model_and_three_to_fetch() -> None:
    assert [model.id for model in known_models()] == [
        "builtin-minilm",
        "embeddinggemma-300m",
        "qwen3-embedding-0.6b",
        "nomic-embed-text-v1.5",
    ]
    assert [model.id for model in known_models() if model.source is None] == ["builtin-minilm"]


@pytest.mark.parametrize("model", all_known_models(), ids=lambda model: model.id)
def test_every_entry_can_be_checked_and_says_what_people_want_to_know(model: KnownModel) -> None:
    assert model.sha256
    assert re.fullmatch(r"[0-9a-f]{64}", model.sha256)
    assert re.fullmatch(r"[\w.-]+\.gguf", model.file)
    numbers = [model.size_bytes, model.context, model.memory_mb]
    if model.purpose is ModelPurpose.EMBEDDING:
        numbers += [model.dimensions, model.cost]
    assert all(isinstance(number, int | float) and number > 0 for number in numbers)
    if isinstance(model.source, HubFile):
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", model.source.repository)
        assert re.fullmatch(r"[\w./-]+\.gguf", model.source.file)
    assert model.terms is None or model.terms.url.startswith("https://")
    assert model.licence
    assert model.languages
    assert model.description.endswith(".")
    if model.purpose is ModelPurpose.EMBEDDING:
        assert prompt_profile(model.file).name == model.prompt_profile


def test_only_models_of_the_gemma_family_have_terms_to_accept() -> None:
    with_terms = [model.id for model in all_known_models() if model.terms]
    assert with_terms == ["embeddinggemma-300m", "gemma-3-270m"]


def test_one_result_reader_can_be_fetched_and_one_is_known_by_its_bytes_alone() -> None:
    assert [(model.id, bool(model.source)) for model in known_readers()] == [
        ("gemma-3-270m", False),
        ("smollm2-135m-instruct", True),
    ]
    assert {model.purpose for model in known_models()} == {ModelPurpose.EMBEDDING}
    assert {model.purpose for model in known_readers()} == {ModelPurpose.READING}


def test_the_reference_of_other_programs_means_the_model_of_the_catalogue() -> None:
    found = find_known(GEMMA)
    assert found
    assert found.id == "embeddinggemma-300m"


@pytest.mark.parametrize(
    ("written", "source", "file"),
    [
        (
            "hf:jay/nest/deep/Acorn-Q8.gguf",
            HubFile(repository="jay/nest", file="deep/Acorn-Q8.gguf"),
            "hf_jay_Acorn-Q8.gguf",
        ),
        (
            "hf:jay/nest/a.gguf@v2",
            HubFile(repository="jay/nest", file="a.gguf", revision="v2"),
            "hf_jay_a.gguf",
        ),
        (
            "hf:jay/nest/Loud.GGUF",
            HubFile(repository="jay/nest", file="Loud.GGUF"),
            "hf_jay_Loud.gguf",
        ),
        ("https://a.example/x%20y.gguf?a=1", "https://a.example/x%20y.gguf?a=1", "x_y.gguf"),
    ],
)
def test_a_model_of_ones_own_is_named_by_where_it_is(
    written: str, source: HubFile | str, file: str
) -> None:
    found = find_known(written)
    assert found
    assert (found.id, found.source, found.file) == (written, source, file)


@pytest.mark.parametrize(
    "nonsense", ["", "acorn", "hf:", "hf:jay/nest", "hf:jay/nest/a.bin", "https://a.example/a.zip"]
)
def test_what_names_no_model_finds_none(nonsense: str) -> None:
    assert find_known(nonsense) is None


def test_a_reference_in_the_settings_means_the_file_it_was_saved_as(paths: Paths) -> None:
    assert find_model(paths, GEMMA) == paths.models / "embeddinggemma-300m-qat-Q8_0.gguf"


def test_a_folder_shared_with_node_llama_cpp_is_understood(paths: Paths, tmp_path: Path) -> None:
    theirs = tmp_path / "hf_ggml-org_embeddinggemma-300m-qat-Q8_0.gguf"
    theirs.touch()
    assert find_model(paths, GEMMA, str(tmp_path)) == theirs


@pytest.mark.parametrize("letter", ["a", "橿"])
def test_a_name_that_is_too_long_for_a_file_is_cut_and_stays_its_own(letter: str) -> None:
    models = [find_known(f"https://127.0.0.1/{letter * 300}{end}.gguf") for end in "xy"]
    files = [model.file for model in models if model]
    assert len(set(files)) == 2
    assert all(len(f".{file}.part.json".encode()) < 255 for file in files)
