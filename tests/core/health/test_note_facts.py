from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.health.note_facts import leaked_secrets, note_facts

TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v"
PARAGRAPH = "The heating of the old house needs oil every autumn and nobody remembers when. " * 4


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[a](plan.md)", ["plan.md"]),
        ("[a](plan.md#part) and ![b](<two words.png>)", ["plan.md", "two words.png"]),
        ('[a](plan.md "title")', ["plan.md"]),
        ("[[Plan]] [[Plan|shown]] [[Plan#part]]", ["Plan", "Plan", "Plan"]),
        ("[a](https://example.org) [b](mailto:me@example.org) [c](#here) [d](/etc/x)", []),
        ("`[[ -f x ]]` and `[a](b.md)`", []),
        ("```\n[a](b.md)\n```\n[c](d.md)", ["d.md"]),
        ("~~~\n```\n[a](b.md)\n~~~\n", []),
    ],
)
def test_links_to_files_are_found_outside_of_code(text: str, targets: list[str]) -> None:
    assert [link.target for link in note_facts(text).links] == targets


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"token {TOKEN}", ["key for GitHub"]),
        ("AKIAIOSFODNN7EXAMPLE", []),
        ("sk-xxxxxxxxxxxxxxxxxxxxxxxx", []),
        ("the password is hunter22", []),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", ["private key"]),
    ],
)
def test_only_secrets_of_a_known_shape_are_reported(text: str, kinds: list[str]) -> None:
    assert [secret.kind for secret in leaked_secrets(text)] == kinds


def test_a_secret_is_on_its_line() -> None:
    assert note_facts(f"one\n\nthree {TOKEN}\n").secrets == ((3, "key for GitHub"),)


def test_paragraphs_are_the_same_however_they_are_wrapped() -> None:
    wrapped = note_facts(f"# A\n\n{PARAGRAPH}\n").paragraphs
    other = note_facts(
        f"# B\n\nx\n\n{PARAGRAPH.replace(' heating', chr(10) + 'Heating')}"
    ).paragraphs
    assert [digest for digest, _ in wrapped] == [digest for digest, _ in other]
    assert ([line for _, line in wrapped], [line for _, line in other]) == ([3], [5])


@given(st.text())
def test_any_text_has_facts(text: str) -> None:
    facts = note_facts(text)
    assert facts.characters == len(text)
    assert all(1 <= link.line <= facts.lines for link in facts.links)
