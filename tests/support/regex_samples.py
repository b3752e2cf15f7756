"""Texts that a regular expression matches, made from the expression itself."""

from __future__ import annotations

import random
import string
from re import _constants as opcodes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_LETTERS = [*string.ascii_letters, *string.digits, *"-_./=+~:;,#@ "]
_CATEGORIES = {
    opcodes.CATEGORY_DIGIT: string.digits,
    opcodes.CATEGORY_WORD: string.ascii_letters + string.digits,
    opcodes.CATEGORY_SPACE: " ",
    opcodes.CATEGORY_NOT_SPACE: string.ascii_letters + string.digits,
}


def sample(pattern: str, dice: random.Random) -> str:
    """A text that a pattern should match, with as few repetitions as it allows."""
    return _sequence(parser.parse(pattern), dice)


def _sequence(items: Any, dice: random.Random) -> str:
    return "".join(_piece(kind, value, dice) for kind, value in items)


def _piece(kind: Any, value: Any, dice: random.Random) -> str:
    if kind is opcodes.LITERAL:
        return chr(value)
    if kind is opcodes.NOT_LITERAL:
        return next(letter for letter in "xy" if letter != chr(value))
    if kind is opcodes.ANY:
        return dice.choice(string.ascii_letters)
    if kind is opcodes.IN:
        return dice.choice(_choices(value))
    if kind is opcodes.BRANCH:
        return _sequence(dice.choice(value[1]), dice)
    if kind is opcodes.SUBPATTERN:
        return _sequence(value[3], dice)
    if kind in (opcodes.MAX_REPEAT, opcodes.MIN_REPEAT):
        least, _, items = value
        return "".join(_sequence(items, dice) for _ in range(least))
    # Anchors and what stands around, which a text of its own satisfies.
    return ""


def _choices(items: Any) -> str:
    is_negated = items[0][0] is opcodes.NEGATE
    letters = [letter for letter in _LETTERS if any(_has(item, letter) for item in items)]
    if is_negated:
        return "".join(letter for letter in _LETTERS if letter not in letters)
    return "".join(letters) or chr(items[0][1])


def _has(item: tuple[Any, Any], letter: str) -> bool:
    kind, value = item
    if kind is opcodes.LITERAL:
        return chr(value) == letter
    if kind is opcodes.RANGE:
        return value[0] <= ord(letter) <= value[1]
    return kind is opcodes.CATEGORY and letter in _CATEGORIES.get(value, "")
