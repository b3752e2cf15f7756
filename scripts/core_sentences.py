"""Sentences of the core that the app must be able to show in other languages.

These are the texts that are passed to `msg` and to errors. Errors of the command line are not
included, because windows never show them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

CORE = Path(__file__).resolve().parents[1] / "core" / "scrubjay"
_COMMAND_LINE = "cli"
_WORDS = re.compile(r"[^\W\d_]")


class CoreModule(NamedTuple):
    """What is read of a module."""

    name: str
    """Such as `notes/scan.py`."""
    calls: list[ast.Call]
    bases: dict[str, set[str]]
    """Names of the classes above each class."""


@cache
def core_modules() -> list[CoreModule]:
    """The modules whose errors windows show."""
    every = sorted(CORE.rglob("*.py"))
    return [_module(file) for file in every if file.relative_to(CORE).parts[0] != _COMMAND_LINE]


def _module(file: Path) -> CoreModule:
    module = CoreModule(file.relative_to(CORE).as_posix(), [], {})
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            module.calls.append(node)
        elif isinstance(node, ast.ClassDef):
            module.bases[node.name] = {getattr(base, "id", "") for base in node.bases}
    return module


def core_sentences() -> list[str]:
    """Templates in English, each once, in the order of the modules."""
    command_line = sorted((CORE / _COMMAND_LINE).rglob("*.py"))
    every = [template for _, template in shown_sentences()]
    for file in command_line:
        every += _said(_module(file), set())
    return list(dict.fromkeys(filter(_has_words, every)))


def shown_sentences() -> Iterator[tuple[str, str]]:
    """Each module whose errors windows show, such as `notes/scan.py`, with its templates."""
    errors = error_names()
    for module in core_modules():
        for template in _said(module, errors):
            yield module.name, template


def called(call: ast.Call) -> str:
    """The name of what is called."""
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def error_names() -> set[str]:
    """Classes of expected failures, wherever they are."""
    bases: dict[str, set[str]] = {}
    for module in core_modules():
        bases |= module.bases
    found = {"ScrubjayError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


def arguments(call: ast.Call) -> Iterator[ast.expr]:
    """What an error is made of, one expression after the other, alternatives apart."""
    for given in (*call.args, *(word.value for word in call.keywords)):
        yield from _alternatives(given)


def _alternatives(given: ast.expr) -> Iterator[ast.expr]:
    match given:
        case ast.IfExp():
            yield from _alternatives(given.body)
            yield from _alternatives(given.orelse)
        case ast.BoolOp():
            for value in given.values:
                yield from _alternatives(value)
        case _:
            yield given


def _said(module: CoreModule, errors: set[str]) -> Iterator[str]:
    for call in module.calls:
        yield from _texts(call, errors)


def _texts(call: ast.Call, errors: set[str]) -> Iterator[str]:
    if called(call) == "msg":
        yield from _literals(call.args[:1])
    elif called(call) in errors:
        yield from _literals(arguments(call))


def _literals(given: Iterator[ast.expr] | list[ast.expr]) -> Iterator[str]:
    for one in given:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _has_words(template: str) -> bool:
    return bool(_WORDS.search(re.sub(r"\{\w+\}", "", template)))
