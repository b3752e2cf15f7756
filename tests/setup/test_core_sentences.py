"""Whatever the core tells people is made so that translators find it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from core_sentences import arguments, called, core_modules, core_sentences, error_names

OTHER_CARRIERS = {
    "Fault", "HubTrouble", "IndexFailed", "ModelDownloadFailed", "NoteUnreadable", "Notice",
    "NotGguf", "PassedOver", "Problem", "RequestFailed", "SkippedFile", "Takeover",
}  # fmt: skip
"""What takes a sentence to people, beside errors."""


def places(names: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """Where one of these is called."""
    for module in core_modules():
        for call in module.calls:
            if called(call) in names:
                yield f"{module.name}:{call.lineno}", call


def is_sentence_made_of_pieces(expression: ast.expr) -> bool:
    """Pieces that are put together here cannot be found by their whole."""
    match expression:
        case ast.JoinedStr():
            return True
        case ast.BinOp(op=ast.Add() | ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(attr="format" | "format_map")):
            return True
    return False


def test_there_is_a_lot_to_say() -> None:
    assert len(core_sentences()) > 500
    assert len(error_names()) > 20


def test_no_sentence_is_put_together_where_translators_cannot_see_it() -> None:
    pieced = [
        (place, ast.unparse(argument))
        for place, call in places(error_names() | OTHER_CARRIERS)
        for argument in arguments(call)
        if is_sentence_made_of_pieces(argument)
    ]
    assert pieced == []


def test_only_errors_mark_their_plain_sentences_themselves() -> None:
    unmarked = [
        (place, argument.value)
        for place, call in places(OTHER_CARRIERS - error_names())
        for argument in arguments(call)
        if isinstance(argument, ast.Constant)
        and isinstance(argument.value, str)
        and re.search(r"\w \w", argument.value)
    ]
    assert unmarked == []


def test_what_is_said_is_a_literal_with_a_value_for_each_place() -> None:
    for place, call in places({"say"}):
        [template] = call.args
        assert isinstance(template, ast.Constant), place
        fields = set(re.findall(r"\{(\w+)\}", template.value))
        names = {word.arg for word in call.keywords}
        assert names in (fields, set()), place


@pytest.mark.parametrize(
    ("code", "is_pieced"),
    [
        ("f'{a} is full'", True),
        ("'It is ' + what", True),
        ("'%s is full' % a", True),
        ("'{} is full'.format(a)", True),
        ("say('{a} is full', a=a)", False),
        ("'The disk is full'", False),
        ("str(error)", False),
    ],
)
def test_pieces_are_noticed(code: str, is_pieced: bool) -> None:
    assert is_sentence_made_of_pieces(ast.parse(code, mode="eval").body) is is_pieced
