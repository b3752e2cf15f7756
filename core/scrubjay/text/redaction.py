"""Secrets in text, found by their form, and text without them."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from scrubjay.text.normal_form import mapped_form
from scrubjay.text.secret_rules import CARD_NUMBER, SETTING, Allowance, SecretRule, all_rules

REDACTED = "[redacted]"

_COUNT = re.compile(r"\d{1,6}$")
"""Such as in `max_token: 4000`, which is no secret."""

_PLAIN_WORD = re.compile(r"[^\W\d_]+[.!?]?$")
"""Such as in "the secret: never give up", which is prose."""

_CALLED = re.compile(r"[^\W\d]+(?:\.[^\W\d]+)*$")
"""Names of code, such as in `token = self.next_token(page)`, with what follows."""

_DISGUISED = re.compile(
    "[\xad\u034f\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\uff01-\uff5e]"
)
"""Signs of which a secret may have some, and still be one once they are gone."""

_NAME_END = re.compile(r"[\w.-]+\Z", re.ASCII)

_NEAR = 100_000
"""Characters around a part in which its secrets may begin and end."""

_NEAR_KEYWORD = 200
"""Characters between a keyword and a secret that does not hold it."""

_LONGEST_NAME = 50
"""Characters of a name before the keyword in it, such as `foreign_` of `foreign_key`."""


class Secret(Struct, frozen=True):
    """The position of a secret in a text."""

    kind: str
    """Its kind, in plain words."""
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """All secrets in order; overlapping ones are merged."""
    matches = _matches(text)
    if _DISGUISED.search(text):
        # Signs that nobody sees, and wide letters, do not hide one.
        mapped = mapped_form(text)
        matches += [
            Secret(secret.kind, mapped.starts[secret.start], mapped.ends[secret.end - 1])
            for secret in _matches(mapped.text)
        ]
    secrets: list[Secret] = []
    for secret in sorted(matches, key=lambda secret: (secret.start, -secret.end)):
        if secrets and secret.start < secrets[-1].end:
            last = secrets[-1]
            secrets[-1] = Secret(last.kind, last.start, max(last.end, secret.end))
        else:
            secrets.append(secret)
    return secrets


def _matches(text: str) -> list[Secret]:
    # Each letter keeps its position: this is the only one whose small form is two.
    lowered = text.replace("\u0130", "i").lower()
    return [
        Secret(rule.kind, *span)
        for rule in _rules_with_keywords_in(lowered)
        for span in _spans(rule, text, lowered)
    ]


def redact(text: str) -> str:
    """The text with each secret replaced."""
    parts: list[str] = []
    at = 0
    for secret in find_secrets(text):
        parts += [text[at : secret.start], REDACTED]
        at = secret.end
    return "".join([*parts, text[at:]])


def redact_part(part: str, whole: str, start: int = 0) -> str:
    """A part of a text, redacted as the whole is; it stands there from start on.

    A key may begin before the part, without which nothing tells that it is one.
    """
    at = whole.find(part, start)
    if at < 0:
        return redact(part)
    pieces: list[str] = []
    shown = at
    for secret in find_secrets(whole[max(0, at - _NEAR) : at + len(part) + _NEAR]):
        first, last = (max(0, at - _NEAR) + position for position in (secret.start, secret.end))
        if last > at and first < at + len(part):
            pieces += [whole[shown : max(shown, first)], REDACTED]
            shown = last
    return "".join([*pieces, whole[shown : at + len(part)]])


@functools.cache
def _rules_by_keyword() -> dict[str, tuple[SecretRule, ...]]:
    """Rules by each of their keywords; those that have none are tried on every text."""
    rules: dict[str, list[SecretRule]] = {}
    for rule in all_rules():
        for keyword in rule.keywords or ("",):
            rules.setdefault(keyword, []).append(rule)
    return {keyword: tuple(their) for keyword, their in rules.items()}


def _rules_with_keywords_in(lowered: str) -> list[SecretRule]:
    rules = [
        rule
        for keyword, their in _rules_by_keyword().items()
        if keyword in lowered
        for rule in their
    ]
    # Our own come first, as their kinds say more; several keywords of one rule can be there.
    wanted = set(map(id, rules))
    return [rule for rule in all_rules() if id(rule) in wanted]


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled for the first text that needs it; few are needed for most texts."""
    return re.compile(pattern)


def _spans(rule: SecretRule, text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """The positions of secrets of one kind in a text."""
    for match in _compiled(rule.pattern).finditer(text):
        group = next((number for number, part in enumerate(match.groups(), 1) if part), 0)
        start, end = match.span(group)
        secret = text[start:end]
        if (
            not secret.startswith(REDACTED)
            and _has_keyword_near(rule, lowered, match)
            and (rule.kind != CARD_NUMBER or _has_check_digit(secret))
            and (rule.kind != SETTING or _is_value(text, match, start))
            and (not rule.is_named or any(letter.isdigit() for letter in secret))
            and (not rule.entropy or _entropy(secret) > rule.entropy)
            and not any(_allows(allowance, match, secret) for allowance in rule.allowances)
        ):
            yield start, end


def _has_keyword_near(rule: SecretRule, lowered: str, match: re.Match[str]) -> bool:
    """True if a keyword stands in a match or before it; one far away says nothing."""
    near = lowered[max(0, match.start() - _NEAR_KEYWORD) : match.end()]
    return not rule.keywords or any(keyword in near for keyword in rule.keywords)


def _entropy(text: str) -> float:
    """Bits that each letter of a text tells (Shannon): 0 for one that repeats."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def _allows(allowance: Allowance, match: re.Match[str], secret: str) -> bool:
    """True if an allowance says that a match is not a secret."""
    target = secret
    if allowance.target == "match":
        target = _with_name(match)
    elif allowance.target == "line":
        first = match.string.rfind("\n", 0, match.start()) + 1
        last = match.string.find("\n", match.end())
        target = match.string[first : last if last >= 0 else None]
    small = secret.lower()
    return any(word in small for word in allowance.stop_words) or any(
        _compiled(f"(?a){pattern}").search(target) for pattern in allowance.patterns
    )


def _with_name(match: re.Match[str]) -> str:
    """The match with the rest of the name that it begins in."""
    before = match.string[max(0, match.start() - _LONGEST_NAME) : match.start()]
    name = _NAME_END.search(before)
    return (name[0] if name else "") + match[0]


def _has_check_digit(number: str) -> bool:
    """True for a number whose last digit fits the others, as of all cards."""
    digits = [int(letter) for letter in reversed(number) if letter.isdigit()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_value(text: str, match: re.Match[str], start: int) -> bool:
    """True for the value of a setting, false for counts and for prose after a colon."""
    key, value = text[match.start() : start].lower(), text[start : match.end()]
    if "token" in key and _COUNT.match(value):
        return False
    if _CALLED.match(value) and text[match.end() : match.end() + 1] in ("(", "["):
        return False
    if "=" in key or not _PLAIN_WORD.match(value):
        return True
    # One word at the end of a line is a value, followed by more words it is a sentence.
    return not text[match.end() : match.end() + 2].strip(" \t")[:1].isalnum()
