"""Words of a command line as the parameters of a function."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest

from scrubjay.cli.arguments import Argument, CommandGroup, Option, UsageError, invoke_command


class Mode(StrEnum):
    WORDS = "words"
    BOTH = "both"


Called = dict[str, Any]


@pytest.fixture
def called() -> Called:
    """Parameters of the last call of `plant`."""
    return {}


@pytest.fixture
def plant(called: Called):
    def plant(
        seed: str,
        place: Annotated[Path | None, Argument(help="Where to.")] = None,
        count: Annotated[int | None, Option(low=1, high=9, help="How many.")] = None,
        depth: Annotated[float, Option("--deep", low=0)] = 0.5,
        mode: Annotated[Mode, Option(help="How.")] = Mode.BOTH,
        water: Annotated[bool, Option(help="Water it.")] = False,
        as_json: Annotated[bool, Option("--json")] = False,
    ) -> None:
        """Plant a seed.

        It grows.
        """
        called.update(locals())
        del called["called"]

    return plant


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["oak"], {"seed": "oak", "place": None, "count": None, "mode": Mode.BOTH}),
        (["oak", "--json", "garden"], {"place": Path("garden"), "as_json": True}),
        (["--count", "3", "oak"], {"seed": "oak", "count": 3}),
        (["oak", "--deep=1.5", "--mode", "words"], {"depth": 1.5, "mode": Mode.WORDS}),
        (["--water", "oak", "--no-water"], {"water": False}),
        (["--json", "--", "--json"], {"seed": "--json", "as_json": True}),
        (["-"], {"seed": "-"}),
        ([""], {"seed": ""}),
        (["--", "--help"], {"seed": "--help"}),
    ],
)
def test_words_become_parameters(plant, called: Called, words: list[str], given: Called) -> None:
    invoke_command(plant, "scrubjay plant", words)
    assert called | given == called


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "SEED is missing."),
        (["a", "b", "c"], "Unexpected argument: 'c'."),
        (["a", "--jsn"], "There is no option --jsn. Did you mean --json?"),
        (["a", "-x"], "There is no option -x."),
        (["a", "--count"], "--count needs a value."),
        (["a", "--count", "many"], "--count must be a whole number, not 'many'."),
        (["a", "--count", "0"], "--count must be at least 1, at most 9."),
        (["a", "--deep", "nan"], "--deep must be at least 0."),
        (["a", "--mode", "clever"], "--mode must be one of words, both, not 'clever'."),
        (["a", "--json=yes"], "--json does not take a value."),
    ],
)
def test_wrong_words_are_named(plant, words: list[str], reason: str) -> None:
    with pytest.raises(UsageError) as wrong:
        invoke_command(plant, "scrubjay plant", words)
    assert str(wrong.value) == reason
    assert wrong.value.usage == "scrubjay plant [OPTIONS] SEED [PLACE]"


def test_the_help_names_everything(plant, capsys: pytest.CaptureFixture[str]) -> None:
    invoke_command(plant, "scrubjay plant", ["oak", "--help"])
    assert capsys.readouterr().out.splitlines() == [
        "Usage: scrubjay plant [OPTIONS] SEED [PLACE]",
        "",
        "  Plant a seed.",
        "",
        "  It grows.",
        "",
        "Arguments:",
        "  SEED",
        "  PLACE  Where to.",
        "",
        "Options:",
        "  --count INTEGER       How many. [at least 1, at most 9]",
        "  --deep NUMBER         [default: 0.5, at least 0]",
        "  --mode words|both     How. [default: both]",
        "  --water / --no-water  Water it.",
        "  --json",
        "  --help                Show this message and exit.",
    ]


def test_a_group_may_take_every_failure(plant) -> None:
    failures: list[Exception] = []
    group = CommandGroup("Gardening.", {"plant": plant}, on_failure=failures.append)
    invoke_command(group, "scrubjay garden", ["plnt"])
    invoke_command(group, "scrubjay garden", ["plant"])
    assert [str(failure) for failure in failures] == [
        "There is no command plnt. Did you mean plant?",
        "SEED is missing.",
    ]
