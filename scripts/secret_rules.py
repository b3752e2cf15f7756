"""Writes resources/secret-rules.json from the rules of gitleaks.

`scripts/secret_rules.py gitleaks.toml VERSION` reads `config/gitleaks.toml` of gitleaks, whose
regular expressions are for Go (RE2), and writes expressions for Python's `re`. A rule that cannot
be converted is not written. Its name and the reason are printed and stored in the file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

RULES = Path(__file__).resolve().parents[1] / "resources" / "secret-rules.json"

LONGEST_GAP = 200
"""Characters that `.*` may pass, so that no text takes quadratic time."""

_NAME_BEFORE = (r"[\w.-]{0,50}?(?i:[\w.-]{0,50}?", r"[\w.-]{0,50}?")
"""How gitleaks takes the rest of a name in; it costs fifty looks at each letter."""

_END = r"""(?:[\x60'"\s;]|\\[nr]|$)"""
_END_IN_NOTES = r"""(?=[`'"\s;,)\]}>*|]|[.!?:](?:\s|$)|\\[nr]|$)"""
"""What may follow a key: in prose and Markdown more than in settings."""

_LAST_LETTER = re.compile(r"\(\?:(\[[^\]]+\]\|\\z)\)$")
"""A letter after the key, which is not part of it."""

_BEFORE_VALUE = r"""[\x60'"\s=]{0,5}"""
_BEFORE_VALUE_IN_NOTES = r"""[\x60'"\s=*]{0,5}"""

_COMMA = r"""|\?=|,)"""
_COMMA_AFTER_QUOTE = r"""|\?=|(?<=['"\x60]),)"""
"""A comma gives a value in code; after a word without quotes it is prose."""

_ASCII_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "digit": "0-9", "lower": "a-z", "upper": "A-Z",
    "xdigit": "0-9A-Fa-f", "word": "0-9A-Za-z_", "space": r"\t\n\v\f\r ",
}  # fmt: skip
_SAME_ESCAPES = frozenset("dDsSwWbBAntrfv")
_UNLIMITED = re.compile(r"[*+]|\{(\d+),\}")
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})\??")
_FLAGS = re.compile(r"\(\?([is]*)(?:-([is]+))?([:)])")
_LOOK_AROUND = re.compile(r"\(\?<?=")
"""Ours alone: Go has none."""
_NAMED_GROUP = re.compile(r"\(\?P?<\w+>")
_CLASS_NAME = re.compile(r"\[:(\^?\w+):\]")
_HEXADECIMAL = re.compile(r"\\x[0-9A-Fa-f]{2}")


class Refused(Exception):
    """A reason why a rule cannot be converted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Convert the rules; returns the code that the script ends with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="config/gitleaks.toml")
    parser.add_argument("version", help="the version of gitleaks that it belongs to")
    parser.add_argument("--to", type=Path, default=RULES, help="the file that is written")
    given = parser.parse_args(arguments)
    source = given.file.read_bytes()
    data = converted_rules(tomllib.loads(source.decode("utf-8")))
    about = {
        "name": "gitleaks",
        "version": given.version,
        "file": "config/gitleaks.toml",
        "sha256": hashlib.sha256(source).hexdigest(),
        "homepage": "https://github.com/gitleaks/gitleaks",
        "licence": "MIT",
    }
    text = json.dumps({"source": about, **data}, ensure_ascii=False, indent=1)
    given.to.write_text(text + "\n", encoding="utf-8")
    print(f"{len(data['rules'])} rules, {len(data['refused'])} refused")
    for name, reason in data["refused"].items():
        print(f"  {name}: {reason}", file=sys.stderr)
    return 0


def converted_rules(config: Mapping[str, Any]) -> dict[str, Any]:
    """What the data file holds of a configuration of gitleaks."""
    rules: list[dict[str, Any]] = []
    refused: dict[str, str] = {}
    for rule in config["rules"]:
        try:
            rules.append(_rule(rule))
        except (Refused, re.error) as error:
            refused[rule["id"]] = str(error)
    return {"refused": refused, "allowed": _allowance(config["allowlist"]), "rules": rules}


def _rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    if "regex" not in rule:
        raise Refused("it looks at the names of files alone")
    if not rule.get("keywords"):
        raise Refused("it has no keywords, so every text would be searched for it")
    regex = rule["regex"].replace(_END, _END_IN_NOTES)
    regex = regex.replace(_BEFORE_VALUE, _BEFORE_VALUE_IN_NOTES)
    regex = regex.replace(_COMMA, _COMMA_AFTER_QUOTE)
    regex = _LAST_LETTER.sub(r"(?=\1)", regex)
    regex, is_named = _without_name_before(regex)
    converted: dict[str, Any] = {
        "id": rule["id"],
        "pattern": Converter(regex, rule.get("secretGroup", 0)).pattern(),
        "keywords": [keyword.lower() for keyword in rule["keywords"]],
    }
    if "entropy" in rule:
        converted["entropy"] = rule["entropy"]
    if is_named:
        converted["is_named"] = True
    allowances = list(_allowances(rule))
    if allowances:
        converted["allowances"] = allowances
    return converted


def _without_name_before(regex: str) -> tuple[str, bool]:
    """The expression from the name of a service on, and whether it asks for such a name."""
    flags = "(?i)" if regex.startswith("(?i)") else ""
    rest = regex.removeprefix(flags)
    for start in _NAME_BEFORE:
        if rest.startswith(start):
            group = "(?i:" if start.endswith("(?i:[\\w.-]{0,50}?") else ""
            return flags + group + rest.removeprefix(start), True
    return regex, False


def _allowances(rule: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for allowlist in rule.get("allowlists", ()):
        # A note has no path in a repository: what holds for some files only holds for none here.
        is_for_files = "paths" in allowlist and allowlist.get("condition") == "AND"
        if not is_for_files and ("regexes" in allowlist or "stopwords" in allowlist):
            yield _allowance(allowlist)


def _allowance(allowlist: Mapping[str, Any]) -> dict[str, Any]:
    allowance = {
        "patterns": [Converter(regex).pattern() for regex in allowlist.get("regexes", ())],
        "stop_words": [word.lower() for word in allowlist.get("stopwords", ())],
    }
    target = allowlist.get("regexTarget", "secret")
    if target not in ("secret", "match", "line"):
        raise Refused(f"it has the unknown target {target}")
    return {**allowance, "target": target}


class Converter:
    """A regular expression of Go, walked from left to right and said in Python's way.

    Of its groups those that hold a secret stay: the outermost ones, or the one with a number.
    """

    def __init__(self, regex: str, secret_group: int = 0) -> None:
        self._regex = regex
        self._at = 0
        self._secret_group = secret_group
        self._groups = 0

    def pattern(self) -> str:
        """The expression for `re.compile(…, re.ASCII)`. Raises Refused and re.error."""
        pattern, _ = self._alternatives(is_within_secret=False)
        if self._at < len(self._regex):
            raise Refused("a bracket closes that was never opened")
        re.compile(pattern, re.ASCII)
        return pattern

    def _alternatives(self, *, is_within_secret: bool) -> tuple[str, bool]:
        """The rest of a group, and whether it has a gap without an end."""
        parts: list[str] = []
        flags: list[str] = []
        has_gap = False
        while self._at < len(self._regex) and self._regex[self._at] != ")":
            here = self._regex[self._at]
            if here == "|":
                # Flags that are set within a group hold in its later alternatives too.
                parts += [")" * len(flags), "|", *flags]
                self._at += 1
                continue
            if match := _FLAGS.match(self._regex, self._at):
                opened = match[0].replace(")", ":")
                if match[3] == ")":
                    self._at = match.end()
                    flags.append(opened)
                    parts.append(opened)
                    continue
            piece, piece_has_gap = self._piece(is_within_secret=is_within_secret)
            has_gap = has_gap or piece_has_gap
            parts.append(piece)
        return "".join([*parts, ")" * len(flags)]), has_gap

    def _piece(self, *, is_within_secret: bool) -> tuple[str, bool]:
        """One letter, class or group with its quantifier, and whether it has a gap."""
        here = self._regex[self._at]
        has_gap = False
        if here == "(":
            piece, has_gap = self._group(is_within_secret=is_within_secret)
        elif here == "[":
            piece = self._letter_class()
        elif here == "\\":
            piece = self._escape()
        else:
            piece = {"$": r"\Z", "{": r"\{"}.get(here, here)
            self._at += 1
        quantifier = _QUANTIFIER.match(self._regex, self._at)
        if here in "^$" or quantifier is None:
            return piece, has_gap
        if has_gap and quantifier[0] not in ("?", "??"):
            raise Refused("it repeats a part that has no end, which can take quadratic time")
        self._at = quantifier.end()
        unlimited = _UNLIMITED.match(quantifier[0])
        if here != "." or unlimited is None:
            return piece + quantifier[0], has_gap
        least = unlimited[1] or ("1" if quantifier[0][0] == "+" else "0")
        lazy = "?" if quantifier[0].endswith("?") else ""
        return f"{piece}{{{least},{LONGEST_GAP}}}{lazy}", True

    def _group(self, *, is_within_secret: bool) -> tuple[str, bool]:
        if match := _FLAGS.match(self._regex, self._at):
            opened, is_capturing = match[0], False
        elif match := _NAMED_GROUP.match(self._regex, self._at):
            # In these rules names tell alternatives apart, they do not hold secrets.
            opened, is_capturing = "(?:", False
        elif match := _LOOK_AROUND.match(self._regex, self._at):
            opened, is_capturing = match[0], False
        elif self._regex.startswith("(?", self._at):
            raise Refused(f"{self._regex[self._at : self._at + 4]} is unknown")
        else:
            self._groups += 1
            is_capturing = not is_within_secret
            if self._secret_group:
                is_capturing = self._groups == self._secret_group
            opened = "("
        self._at += len(match[0]) if match else 1
        inner, has_gap = self._alternatives(is_within_secret=is_within_secret or is_capturing)
        if self._at >= len(self._regex):
            raise Refused("a bracket is never closed")
        self._at += 1
        is_repeated = _QUANTIFIER.match(self._regex, self._at) is not None
        if opened == "(" and (not is_capturing or is_repeated):
            opened = "(?:"
        return f"{opened}{inner})", has_gap

    def _letter_class(self) -> str:
        start = self._at
        self._at += 1
        parts = ["["]
        if self._regex.startswith("^", self._at):
            parts.append("^")
            self._at += 1
        is_first = True
        while self._at < len(self._regex):
            here = self._regex[self._at]
            if here == "]" and not is_first:
                self._at += 1
                return "".join([*parts, "]"])
            is_first = False
            if match := _CLASS_NAME.match(self._regex, self._at):
                if match[1] not in _ASCII_CLASSES:
                    raise Refused(f"[:{match[1]}:] is unknown")
                parts.append(_ASCII_CLASSES[match[1]])
                self._at = match.end()
            elif here == "\\":
                parts.append(self._escape())
            else:
                # Python keeps doubled ones for later; what they mean now is said by a backslash.
                parts.append("\\" + here if here in "[&~|]" else here)
                self._at += 1
        raise Refused(f"{self._regex[start : start + 10]} is never closed")

    def _escape(self) -> str:
        letter = self._regex[self._at + 1 : self._at + 2]
        hexadecimal = _HEXADECIMAL.match(self._regex, self._at)
        if hexadecimal:
            self._at = hexadecimal.end()
            return hexadecimal[0]
        self._at += 2
        if letter == "z":
            return r"\Z"
        if letter in _SAME_ESCAPES or (letter and letter.isascii() and not letter.isalnum()):
            return "\\" + letter
        raise Refused(f"\\{letter} is unknown")


if __name__ == "__main__":
    sys.exit(main())
