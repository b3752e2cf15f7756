"""Rules of gitleaks become patterns of Python that mean the same."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import secret_rules
from secret_rules import Converter, Refused, converted_rules


@pytest.mark.parametrize(
    ("regex", "pattern"),
    [
        (r"key_(?i)[a-z]{2}", r"key_(?i:[a-z]{2})"),
        (r"(?i)a|b", r"(?i:a)|(?i:b)"),
        (r"x(?:a(?i)b|c)d", r"x(?:a(?i:b)|(?i:c))d"),
        (r"(?i:a(?-i:B))", r"(?i:a(?-i:B))"),
        (r"[[:alnum:]_]{3}$", r"[0-9A-Za-z_]{3}\Z"),
        (r"[^]a]\z", r"[^\]a]\Z"),
        (r"[a[]", r"[a\[]"),
        (r"${a}{,2}", r"\Z\{a}\{,2}"),
        (r"(?P<kind>a)|(?<other>b)", r"(?:a)|(?:b)"),
        (r"((a)|b)", r"((?:a)|b)"),
        (r"(ab-){3}", r"(?:ab-){3}"),
        (r"a.*b.+?c.{3,}d", r"a.{0,200}b.{1,200}?c.{3,200}d"),
    ],
)
def test_expressions_of_go_are_said_in_pythons_way(regex: str, pattern: str) -> None:
    assert Converter(regex).pattern() == pattern


def test_the_group_with_the_number_of_the_secret_stays() -> None:
    assert Converter(r"(a(b))(c)", 2).pattern() == r"(?:a(b))(?:c)"


@pytest.mark.parametrize(
    ("regex", "reason"),
    [
        (r"(?:.*\n){1,5}x", "repeats a part that has no end"),
        (r"\pL", r"\p is unknown"),
        (r"[[:odd:]]", "[:odd:] is unknown"),
        (r"(?U)a", "(?U) is unknown"),
        (r"(a", "never closed"),
        (r"a)", "never opened"),
        (r"[a", "never closed"),
    ],
)
def test_what_cannot_be_converted_is_refused_with_the_reason(regex: str, reason: str) -> None:
    with pytest.raises(Refused, match=re.escape(reason)):
        Converter(regex).pattern()


CONFIG = r"""
[allowlist]
regexes = ['''^true$''']
stopwords = ["Example"]

[[rules]]
id = "acorn"
regex = '''(?i)[\w.-]{0,50}?(?:acorn)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|,)([a-z]{3})'''
keywords = ["Acorn"]
entropy = 2
[[rules.allowlists]]
condition = "AND"
paths = ["x"]
regexes = ["y"]
[[rules.allowlists]]
regexTarget = "match"
regexes = ["z"]

[[rules]]
id = "names"
path = "x"

[[rules]]
id = "every"
regex = "abc"
"""


def test_a_rule_begins_with_the_name_and_keeps_what_holds_for_notes() -> None:
    rules = converted_rules(tomllib.loads(CONFIG))
    assert rules["allowed"] == {
        "patterns": [r"^true\Z"],
        "stop_words": ["example"],
        "target": "secret",
    }
    assert rules["rules"] == [
        {
            "id": "acorn",
            "pattern": r"""(?i:(?:acorn)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|,)([a-z]{3}))""",
            "keywords": ["acorn"],
            "entropy": 2,
            "is_named": True,
            "allowances": [{"patterns": ["z"], "stop_words": [], "target": "match"}],
        }
    ]
    assert list(rules["refused"]) == ["names", "every"]


def test_the_script_writes_the_file_and_names_what_it_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gitleaks.toml").write_text(CONFIG, "utf-8")
    to = ["--to", str(tmp_path / "rules.json")]
    assert secret_rules.main([str(tmp_path / "gitleaks.toml"), "1.2.3", *to]) == 0
    assert '"version": "1.2.3"' in (tmp_path / "rules.json").read_text("utf-8")
    said = capsys.readouterr()
    assert said.out == "1 rules, 2 refused\n"
    assert "names: it looks at the names of files alone" in said.err
