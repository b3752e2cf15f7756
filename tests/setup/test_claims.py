"""Every sentence that may claim something about all notes has a test in which it is false."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from core_sentences import CORE, shown_sentences
from support.sentences import window_sentences

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = Path(__file__).with_name("claims.txt")
ABSOLUTE = re.compile(
    r"\b(all|none|nothing|nobody|every\w*|each|always|never|up to date|done|finished|complete|"
    r"ready|goes on|continues?|only|still|no (\w+ )?(notes?|documents?|files?|folders?|changes?|"
    r"problems?|matches|findings|keys?|questions?|suggestions|results?|text))\b",
    re.IGNORECASE,
)
"""Words with which a sentence claims something about all of a kind, or that something is over."""
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def command_sentences() -> Iterator[str]:
    """What commands and answers to agents say; placeholders are empty."""
    for folder in ("cli", "mcp_server"):
        for file in sorted((CORE / folder).rglob("*.py")):
            yield from _texts(ast.parse(file.read_text("utf-8")))


def _texts(tree: ast.Module) -> Iterator[str]:
    """The texts in a module, without docstrings."""
    inner: set[ast.AST] = set()
    for node in ast.walk(tree):
        if node in inner:
            continue
        match node:
            case ast.Expr(value=ast.Constant()):
                inner.add(node.value)
            case ast.JoinedStr():
                inner.update(node.values)
                yield "".join(
                    str(piece.value) if isinstance(piece, ast.Constant) else "{}"
                    for piece in node.values
                )
            case ast.Constant(value=str(text)):
                yield text


def claims() -> set[str]:
    """All sentences with such a word, each in one line."""
    said = [template for _, template in shown_sentences()]
    said += [text for _, (_, text) in window_sentences()]
    said += [text for text in command_sentences() if " " in text.strip()]
    lines = (" ".join(text.split()) for text in said)
    return {
        line
        for line in lines
        if re.search("[a-z]", line) and ABSOLUTE.search(_PLACEHOLDER.sub("", line))
    }


def answers() -> Mapping[str, list[str]]:
    """The sentences of the list, by the test or the reason above them."""
    found: dict[str, list[str]] = {}
    for line in CLAIMS.read_text("utf-8").splitlines():
        if line.startswith("== "):
            found[line.removeprefix("== ")] = []
        elif line and not line.startswith("# "):
            found[list(found)[-1]].append(line)
    return found


def test_each_sentence_has_a_test_in_which_it_is_false_or_a_reason_why_it_claims_nothing() -> None:
    listed = [sentence for sentences in answers().values() for sentence in sentences]
    said = claims()
    assert sorted(said - set(listed)) == []
    assert sorted(set(listed) - said) == []
    assert len(listed) == len(set(listed))


def test_the_tests_of_the_list_are_there() -> None:
    tests = [name for name in answers() if name.startswith("tests/")]
    assert len(tests) > 40
    for name in tests:
        file, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / file).read_text("utf-8"), name
