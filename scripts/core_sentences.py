"""Sentences of the core that the app must be able to show in other languages.

These are the texts that are passed to `msg` and to errors. Errors of the command line are not
included, because windows never show them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

CORE = Path(__file__).resolve().parents[1] / "core" / "scrubjay"
_COMMAND_LINE = "cli"
_WORDS = re.compile(r"[^\W\d_]")


def core_files() -> list[Path]:
    """The modules whose errors windows show."""
    every = sorted(CORE.rglob("*.py"))
    return [file for file in every if file.relative_to(CORE).parts[0] != _COMMAND_LINE]


def core_sentences() -> list[str]:
    """Templates in English, each once, in the order of the modules."""
    command_line = sorted((CORE / _COMMAND_LINE).rglob("*.py"))
    every = [
        *(template for _, template in shown_sentences()),
        *_said([ast.parse(file.read_text("utf-8")) for file in command_line], set()),
    ]
    return list(dict.fromkeys(filter(_has_words, every)))


def shown_sentences() -> Iterator[tuple[str, str]]:
    """Each module whose errors windows show, such as `notes/scan.py`, with its templates."""
    trees = {file: ast.parse(file.read_text("utf-8")) for file in core_files()}
    errors = error_names(list(trees.values()))
    for file, tree in trees.items():
        for template in _said([tree], errors):
            yield file.relative_to(CORE).as_posix(), template


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Every call in a module."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def called(call: ast.Call) -> str:
    """The name of what is called."""
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def error_names(trees: list[ast.Module]) -> set[str]:
    """Classes of expected failures, wherever they are."""
    bases = {
        node.name: {getattr(base, "id", "") for base in node.bases}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
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


def _said(trees: list[ast.Module], errors: set[str]) -> Iterator[str]:
    for tree in trees:
        for call in calls(tree):
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
