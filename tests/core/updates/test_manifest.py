"""The list of releases is believed only when all about it is right."""

from __future__ import annotations

import base64
import datetime as dt
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UpdateRefused
from scrubjay.updates.manifest import key_id, keys_from, opened, version_key
from support.releases import NOW, PRIVATE, PUBLIC, envelope, manifest


def test_a_signed_list_is_read() -> None:
    found = opened(envelope(manifest()), [PUBLIC], NOW)
    assert found.newest is not None
    assert found.newest.version == "99.0.1"
    assert found.sequence == 7


def changed(name: str, value: Any) -> bytes:
    return envelope(manifest(**{name: value}))


OTHER = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\x01")
RELEASE = {"version": "1.0", "date": "2026-01-01", "page": "https://a.b"}
SIGNED = json.loads(envelope(manifest()))


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (b"", "form"),
        (b"[]", "form"),
        (b"{}", "form"),
        (b"[" * 100_000, "form"),
        (b"\xff\xfe", "form"),
        (b'{"manifest": 1, "signatures": []}', "signature"),
        (envelope(manifest(), OTHER), "signature"),
        (json.dumps({**SIGNED, "manifest": SIGNED["manifest"] + " "}).encode(), "signature"),
        (json.dumps({**SIGNED, "signatures": []}).encode(), "signature"),
        (
            json.dumps(
                {**SIGNED, "signatures": [{"key": key_id(PUBLIC), "signature": "?"}]}
            ).encode(),
            "signature",
        ),
        (changed("product", "other"), "another"),
        (changed("schema", 2), "another"),
        (changed("sequence", 0), "another"),
        (changed("expires", "2026-11-20T00:00:00Z"), "good until"),
        (changed("expires", "2027-01-01T00:00:00"), "another"),
        (changed("releases", [{**RELEASE, "page": "http://a.b"}]), "another"),
        (changed("releases", [{**RELEASE, "version": "1.0rc1"}]), "another"),
    ],
)  # fmt: skip
def test_anything_else_is_refused(sent: bytes, why: str) -> None:
    with pytest.raises(UpdateRefused, match=why):
        opened(sent, [PUBLIC], NOW)


def test_one_right_signature_is_enough_so_that_keys_can_change() -> None:
    new = OTHER.public_key().public_bytes_raw()
    assert opened(envelope(manifest(), OTHER, PRIVATE), [PUBLIC], NOW).sequence == 7
    assert opened(envelope(manifest(), OTHER, PRIVATE), [new], NOW).sequence == 7


def test_an_empty_list_has_no_newest() -> None:
    assert opened(changed("releases", []), [PUBLIC], NOW).newest is None


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_no_changed_byte_goes_unnoticed(place: int, value: int) -> None:
    text = bytearray(manifest().encode())
    place %= len(text)
    if text[place] == value:
        return
    text[place] = value
    sent = {**SIGNED, "manifest": text.decode("latin-1")}
    with pytest.raises(UpdateRefused):
        opened(json.dumps(sent).encode(), [PUBLIC], NOW)


@pytest.mark.parametrize(
    ("smaller", "larger"), [("0.9", "0.10"), ("1.0", "1.0.1"), ("0.99.99", "1"), ("2.0", "10.0")]
)
def test_versions_sort_as_numbers(smaller: str, larger: str) -> None:
    assert version_key(smaller) < version_key(larger)


def test_zeros_at_the_end_make_no_difference() -> None:
    assert version_key("1.0.0") == version_key("1")


def test_a_key_of_the_wrong_length_is_no_key() -> None:
    with pytest.raises(ValueError, match="32"):
        keys_from([base64.b64encode(b"short").decode()])


def test_dates_are_dates() -> None:
    found = opened(envelope(manifest()), [PUBLIC], NOW).newest
    assert found is not None
    assert found.date == dt.date(2026, 11, 20)
