"""Advice about models from the notes that are there: languages, and minutes to learn them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import ModelInfo
from scrubjay.records.vectors import Vector
from support.providers import WordProvider
from support.vault import TIMEOUT, add, write_notes

ENGLISH = "# Day {n}\n\nThe boiler was looked at again, and it is not what we had hoped for: {n}.\n"
SPANISH = (
    "# Día {n}\n\nLa caldera no funciona y hoy vino el técnico para ver qué pasa con ella: {n}.\n"
)
FRENCH = "# Jour {n}\n\nLa chaudière ne marche pas et le technicien est venu avec nous: {n}.\n"
RUSSIAN = "# День {n}\n\nКотёл снова не работает, и мастер придёт только завтра: {n}.\n"
LIST = "# {n}\n\n0117 496 0{n}\nBS8 1TH\n"


class BuiltIn(WordProvider):
    """Embeds on this computer, under the name of the model that comes with Scrubjay."""

    name = "local"
    model = "all-MiniLM-L6-v2-Q8_0"


@contextmanager
def engine_with(folder: Path, paths: Paths, **templates: tuple[str, int]) -> Iterator[Engine]:
    notes = {
        f"{name}{n}.md": template.format(n=n)
        for name, (template, count) in templates.items()
        for n in range(count)
    }
    with closing(Engine(paths, provider=BuiltIn())) as engine:
        engine.refresh(add(engine, write_notes(folder, notes))).result(TIMEOUT)
        yield engine


def models(engine: Engine) -> dict[str, ModelInfo]:
    return {info.id: info for info in engine.models.list().result(TIMEOUT)}


def advice(engine: Engine) -> dict[str, str]:
    return {name: info.advice for name, info in models(engine).items() if info.advice}


@pytest.mark.parametrize(
    ("templates", "expected"),
    [
        ({"a": (ENGLISH, 9)}, {"builtin-minilm": "Your notes are in English"}),
        ({"a": (ENGLISH, 30), "b": (SPANISH, 1)}, {"builtin-minilm": "Your notes are in English"}),
        (
            {"a": (ENGLISH, 9), "b": (SPANISH, 1)},
            {"builtin-minilm": "Most of your notes are in English"},
        ),
        (
            {"a": (ENGLISH, 6), "b": (SPANISH, 6), "c": (LIST, 9)},
            {"embeddinggemma-300m": "About half of your notes are in Spanish"},
        ),
        ({"a": (SPANISH, 9)}, {"embeddinggemma-300m": "Your notes are in Spanish"}),
        (
            {"a": (ENGLISH, 3), "b": (FRENCH, 7)},
            {"embeddinggemma-300m": "Most of your notes are in French"},
        ),
        (
            {"a": (ENGLISH, 7), "b": (RUSSIAN, 3)},
            {"embeddinggemma-300m": "Some of your notes are in languages other than English"},
        ),
        ({"a": (LIST, 9)}, {}),
    ],
)
def test_the_languages_of_the_notes_choose_a_model(
    tmp_path: Path, paths: Paths, templates: dict[str, tuple[str, int]], expected: dict[str, str]
) -> None:
    with engine_with(tmp_path / "notes", paths, **templates) as engine:
        assert advice(engine) == expected


def test_a_whole_folder_in_another_language_wants_to_be_found(tmp_path: Path, paths: Paths) -> None:
    with engine_with(tmp_path / "notes", paths, a=(ENGLISH, 40)) as engine:
        casa = {f"{n}.md": SPANISH.format(n=n) for n in range(5)}
        engine.refresh(add(engine, write_notes(tmp_path / "casa", casa))).result(TIMEOUT)
        sentence = "Most of your notes are in English, some in Spanish"
        assert advice(engine) == {"embeddinggemma-300m": sentence}


class Slow(BuiltIn):
    """Takes its time for each chunk of long notes, as models do."""

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        time.sleep(0.02 * sum(len(item.text) > 200 for item in inputs))
        return super().embed_documents(inputs)


def test_a_few_short_notes_do_not_make_the_time_to_learn_short(
    tmp_path: Path, paths: Paths
) -> None:
    with closing(Engine(paths, provider=Slow())) as engine:
        for name, text, count in (("long", ENGLISH * 5, 60), ("short", "A jay, {n}.", 30)):
            notes = {f"{n}.md": text.format(n=n) for n in range(count)}
            folder = write_notes(tmp_path / name, notes)
            engine.refresh(add(engine, folder)).result(TIMEOUT)
        [built_in] = [info for info in models(engine).values() if info.id == "builtin-minilm"]
        assert built_in.learning_s > 60 * 0.02


@pytest.mark.wine_fault("its clock is too coarse for the time that 30 short notes take")
def test_the_time_to_learn_comes_from_the_pace_of_the_model_in_use(
    tmp_path: Path, paths: Paths
) -> None:
    with engine_with(tmp_path / "notes", paths, a=(ENGLISH, 30)) as engine:
        known = models(engine)
        seconds = {name: info.learning_s for name, info in known.items()}
        assert {info.notes for info in known.values()} == {30}
        assert seconds["builtin-minilm"]
        assert seconds["embeddinggemma-300m"] == pytest.approx(13 * seconds["builtin-minilm"])


def test_without_notes_there_is_neither_advice_nor_time(paths: Paths, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    with engine_with(tmp_path / "notes", paths) as engine:
        assert advice(engine) == {}
        assert {info.learning_s for info in models(engine).values()} == {None}
