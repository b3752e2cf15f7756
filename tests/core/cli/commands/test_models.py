"""`scrubjay models`, against a hub on this computer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from support.hub import Fault, Hub, Trouble
from support.reader_models import reader_file
from support.tiny_models import NOMIC, write_tiny_model
from support.vault import write_notes

pytestmark = pytest.mark.model

REFERENCE = "hf:jay/minilm-GGUF/minilm.gguf"
STORIES = (
    "garden", "router", "dentist", "violin", "ocean", "bakery", "passport", "bicycle", "thunder",
    "chess", "printer", "tax", "honey", "moon",
)  # fmt: skip


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, paths: Paths) -> Iterator[Hub]:
    built_in = find_model(paths)
    assert built_in, "run make setup"
    with Hub.running() as running:
        running.add("jay/minilm-GGUF", "minilm.gguf", built_in.read_bytes())
        monkeypatch.setenv(ENDPOINT_VARIABLE, running.address)
        yield running


def test_a_model_is_fetched_checked_chosen_and_kept_from_being_removed(
    hub: Hub, cli, home: Path
) -> None:
    assert "was downloaded and works" in cli("models", "download", REFERENCE).out
    assert "complete and works (384 dimensions)" in cli("models", "verify", REFERENCE).out
    assert "will be used from now on" in cli("models", "use", REFERENCE).out
    written = (home / "config.json5").read_text()
    assert REFERENCE in written
    assert '"local"' in written
    refused = cli("models", "remove", REFERENCE)
    assert refused.code == 1
    assert "Choose another language helper first" in refused.err
    cli("models", "use", "builtin-minilm")
    assert "Deleted hf_jay_minilm" in cli("models", "remove", REFERENCE).out


def test_the_list_is_for_people_and_for_programs(cli) -> None:
    text = cli("models", "list").out
    assert "builtin-minilm  [ready]" in text
    assert "embeddinggemma-300m  [not here]" in text
    rows = {row["id"]: row for row in cli("models", "list", "--json").json}
    assert rows["qwen3-embedding-0.6b"]["sizeBytes"] == 639_150_592
    assert rows["embeddinggemma-300m"]["termsAccepted"] is False


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("download", "embeddinggemma-300m"), "have to accept the terms of"),
        (("download", "acorn"), "language helper cannot be downloaded"),
        (("download", "hf:jay/minilm-GGUF/typo.gguf"), "does not have this language helper"),
        (("import", "nowhere.gguf"), "The file does not exist"),
        (("remove", "builtin-minilm"), "will not delete"),
        (("use", "nomic-embed-text-v1.5"), "scrubjay models download nomic-embed-text-v1.5"),
        (("verify", "qwen3-embedding-0.6b"), "not on this computer"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_with_what_to_do(
    hub: Hub, cli, arguments: tuple[str, ...], words: str
) -> None:
    done = cli("models", *arguments)
    assert done.code == 1
    assert words in done.err
    assert done.err.count("\n") == 1


def test_an_own_file_is_imported(cli, paths: Paths, tmp_path: Path) -> None:
    built_in = find_model(paths)
    assert built_in
    own = tmp_path / "my model.gguf"
    own.write_bytes(built_in.read_bytes())
    said = cli("models", "import", own).out
    [copy] = paths.models.glob("*.gguf")
    assert f"was copied to {copy}" in said
    assert copy.read_bytes() == own.read_bytes()


def test_a_result_reader_is_imported_and_listed_by_what_it_is_for(cli) -> None:
    said = cli("models", "import", reader_file("SmolLM2-135M-Instruct.Q4_1.gguf")).out
    assert "`scrubjay search --reader` use it from now on" in said
    assert "smollm2-135m-instruct  [ready, used]" in cli("models", "list").out
    assert "Result reader: SmolLM2-135M-Instruct.Q4_1." in cli("status").out
    assert cli("status", "--json").json["reader"]["model"] == "SmolLM2-135M-Instruct.Q4_1"
    rows = {row["id"]: row for row in cli("models", "list", "--json").json}
    assert rows["smollm2-135m-instruct"]["purpose"] == "reading"
    assert rows["builtin-minilm"]["purpose"] == "embedding"
    assert cli("models", "verify", "smollm2-135m-instruct").out.endswith("complete and works.\n")
    assert "will be used" in cli("models", "use", "smollm2-135m-instruct").out
    assert (
        "cannot be used for search by meaning"
        in cli("models", "compare", "smollm2-135m-instruct", "builtin-minilm").err
    )
    assert "Deleted SmolLM2 135M Instruct" in cli("models", "remove", "smollm2-135m-instruct").out
    assert "Result reader" not in cli("status").out


def test_an_interrupted_command_keeps_what_arrived(
    hub: Hub, cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.pace = threading.Event()

    def press_ctrl_c(self: object, timeout: object = None) -> object:
        while not hub.reached:
            threading.Event().wait(0.005)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(
            "scrubjay.cli.commands.models.wait_with_progress",
            lambda _engine, future, *_, **__: press_ctrl_c(future),
        )
        stopped = cli("models", "download", REFERENCE)
    assert stopped.code == 130
    assert "run the same command again" in stopped.err
    assert "[paused at" in cli("models", "list").out
    hub.pace.set()
    hub.pace = None
    hub.troubles.append(Trouble(Fault.BUSY))
    assert cli("models", "download", REFERENCE).code == 0
    assert hub.repeated == 0


@pytest.mark.parametrize("key", ["modelPath", "modelCacheDir"])
def test_the_home_of_nobody_in_the_settings_is_a_folder_that_is_not_there(
    cli, paths: Paths, home: Path, key: str
) -> None:
    """Models are only listed; with the folder alone the built-in one is still found."""
    settings = f'{{ memorySearch: {{ local: {{ {key}: "~nobody-here/m.gguf" }} }} }}'
    write_notes(paths.config, {"config.json5": settings})
    listed = cli("models", "list")
    assert (listed.code, listed.err) == (0, "")
    assert "[ready" in listed.out


def test_leftovers_are_cleaned(cli, paths: Paths) -> None:
    paths.models.mkdir(parents=True)
    (paths.models / "lost.gguf.part").write_bytes(bytes(2_000))
    assert cli("models", "clean").out == "Freed 2.0 kB.\n"


def test_two_models_are_compared_on_the_notes_that_are_there(cli, tmp_path: Path) -> None:
    own = write_tiny_model(NOMIC, tmp_path)
    notes = {f"{word}.md": f"# {word} story\n\n" + f"All about {word}. " * 9 for word in STORIES}
    cli("workspace", "add", write_notes(tmp_path / "notes", notes), "--name", "Stories")
    ran = cli("models", "compare", "builtin-minilm", own, "--workspace", "Stories")
    assert "14 of 14 found first" in ran.out.splitlines()[0]
    assert ran.out.splitlines()[-1] == "all-MiniLM-L6-v2 finds more in these notes."
    answer = cli("models", "compare", "builtin-minilm", own, "--json").json
    assert answer["better"] == "builtin-minilm"
    assert [model["id"] for model in answer["models"]] == ["builtin-minilm", str(own)]
