"""Secrets, and words that only sound like secrets."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.redaction import REDACTED, find_secrets, redact, redact_part

LETTERS = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7" * 2


@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        ("key for a service", f"sk-{LETTERS[:24]}"),
        ("key for a service", f"sk-ant-api03-{LETTERS[:30]}"),
        ("key for a service", f"sk_live_{LETTERS[:24]}"),
        ("key for a service", f"hf_{LETTERS[:34]}"),
        ("key for GitHub", f"ghp_{LETTERS[:36]}"),
        ("key for GitHub", f"gho_{LETTERS[:36]}"),
        ("key for GitHub", f"github_pat_{LETTERS[:22]}_{LETTERS[:40]}"),
        ("key for Slack", f"xoxb-123456789012-{LETTERS[:20]}"),
        ("key for AWS", "AKIAIOSFODNN7EXAMPLE"),
        ("key for Google", f"AIza{LETTERS[:35]}"),
        ("key for Telegram", f"123456789:{LETTERS[:35]}"),
        ("key for a website", f"eyJhbGciOiJI.eyJzdWIiOiIx.{LETTERS[:20]}"),
        ("key for a service", f"pypi-AgEIcHlwaS5vcmc{LETTERS}"),
        ("key for a service", f"SG.{LETTERS[:22]}.{LETTERS[:43]}"),
        ("key for a service", f"SK{'0123456789abcdef' * 2}"),
        ("key for a service", f"hvs.{LETTERS}"),
        ("key for a service", f"dckr_pat_{LETTERS[:27]}"),
        ("key for a service", f"shpat_{'0123456789abcdef' * 2}"),
        ("key for a service", f"MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.{LETTERS[:38]}"),
        ("key for Google", f"ya29.a0{LETTERS}"),
        ("private key", f"AGE-SECRET-KEY-1{LETTERS.upper()}"),
        (
            "private key",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQWGBF\n=x\n"
            "-----END PGP PRIVATE KEY BLOCK-----",
        ),
        ("card number", "4111 1111 1111 1111"),
        ("card number", "378282246310005"),
        ("private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"),
        ("private key", "-----BEGIN PRIVATE KEY-----\ncut off before its en"),
    ],
)
def test_known_secrets_are_found_anywhere(kind: str, secret: str) -> None:
    text = f"I use {secret}"
    assert [
        (found_secret.kind, text[found_secret.start : found_secret.end])
        for found_secret in find_secrets(text)
    ] == [(kind, secret)]
    assert redact(text) == f"I use {REDACTED}"


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Authorization: Bearer abcdef1234567890", "Authorization: Bearer [redacted]"),
        ("password=hunter2", "password=[redacted]"),
        ("DB_PASSWORD = 'two words'", "DB_PASSWORD = [redacted]"),
        ('"apiKey": "0123456789"', '"apiKey": [redacted]'),
        ("my password: swordfish", "my password: [redacted]"),
        ("access_token=abc.def, next", "access_token=[redacted], next"),
        ("The wifi password is corvid42!", "The wifi password is [redacted]"),
        ("postgres://ann:tiger@host/db", "postgres://ann:[redacted]@host/db"),
        ("AccountKey=abcdefgh0123==;Ends", "AccountKey=[redacted];Ends"),
        ("Set-Cookie: id=a3fWa; Secure", "Set-Cookie: [redacted]"),
        ("Passwort: geheim", "Passwort: [redacted]"),
        ("Das Kennwort ist Amsel42", "Das Kennwort ist [redacted]"),
        ("mot de passe : merle42", "mot de passe : [redacted]"),
        (f"seed phrase: {'jay owl ' * 5}jay owl", "seed phrase: [redacted]"),
        (
            "https://hooks.slack.com/services/T0/B0/abcdefghijkl",
            "https://hooks.slack.com/services/[redacted]",
        ),
        (
            "https://discord.com/api/webhooks/1234567890/abcdef",
            "https://discord.com/api/webhooks/[redacted]",
        ),
        ("contraseña: abracadabra", "contraseña: [redacted]"),
        ("export OPENAI_API_KEY=abcdefgh", "export OPENAI_API_KEY=[redacted]"),
    ],
)
def test_values_are_blanked_out_and_their_names_stay(text: str, redacted: str) -> None:
    assert redact(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "The password of the router is on the fridge.",
        "The secret: never give up.",
        "max_tokens: 4000 and maxToken=4000",
        "Keys are in the drawer, tokens: the blue ones",
        "skating, sk-8 board, task-1234567890123456789",
        "See https://example.org/path?a=b and me@example.org",
        "Scanned 4006381333931 and 4111 1111 1111 1112, called 0117 496 0188.",
        "A cookie: two cups of flour. Seed words: sow in April.",
        "Das Passwort ist am Kühlschrank.",
        "a828e60 2026.4.10 memorySearch.query.hybrid",
        "",
    ],
)
def test_prose_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_a_part_is_redacted_as_the_whole_is() -> None:
    key = "".join(f"{LETTERS}{n}\n" for n in range(60))
    text = f"Intro.\n-----BEGIN PRIVATE KEY-----\n{key}-----END PRIVATE KEY-----\nquincekey\n"
    for first in range(0, len(text), 40):
        part = text[first : first + 200]
        assert LETTERS[:12] not in redact_part(part, text)
        assert ("quincekey" in redact_part(part, text)) == ("quincekey" in part)
    assert redact_part("elsewhere, password=hunter2", text) == f"elsewhere, password={REDACTED}"


@given(st.text(), st.text(), st.text())
def test_a_part_without_secrets_around_is_only_redacted(a: str, part: str, b: str) -> None:
    if not find_secrets(a + part + b):
        assert redact_part(part, a + part + b, len(a)) == part


@pytest.mark.parametrize("sign", ["\xad", "\u200b", "\u2060", "\ufeff"])
def test_signs_that_nobody_sees_hide_no_secret(sign: str) -> None:
    key = "sk-ant-" + "api03-" + "Zx9" * 31 + "AA"
    hidden = sign.join([key[:12], key[12:40], key[40:]])
    assert redact(f"ключ {key}, x") == redact(f"ключ {hidden}, x")
    assert hidden[-20:] not in redact(f"key {hidden}, x")


def test_overlapping_secrets_are_one() -> None:
    assert redact(f"token=ghp_{LETTERS[:36]} end") == f"token={REDACTED} end"


@given(st.text())
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@pytest.mark.parametrize("text", ["a." * 200_000, "-----BEGIN " * 40_000, "password " * 40_000])
def test_no_text_takes_long(text: str) -> None:
    # Of this process alone, whatever else the computer does; backtracking would take hours.
    began = time.process_time()
    redact(text)
    assert time.process_time() - began < 10
