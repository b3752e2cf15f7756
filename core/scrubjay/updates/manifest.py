"""The list of releases: a text, and signatures of exactly that text.

`{"manifest": "<JSON as text>", "signatures": [{"key": "<id>", "signature": "<base64>"}]}`, where a
key is an Ed25519 public key (RFC 8032) and its id the first 16 hex digits of its SHA-256. The text
inside is looked at only after one signature of a known key was right.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from scrubjay.errors import UpdateRefused
from scrubjay.messages import msg

_VERSION = r"^\d{1,6}(\.\d{1,6}){1,3}$"
_PRODUCT = "scrubjay"
_SCHEMA = 1


class Release(BaseModel):
    """One version that can be had."""

    model_config = ConfigDict(frozen=True)

    version: str = Field(pattern=_VERSION)
    date: dt.date
    page: str = Field(pattern=r"^https://[^\s]+$", max_length=500)
    """Where a person gets it."""
    summary: str = Field(default="", max_length=1000)
    """What is new, in a sentence or two."""


class Manifest(BaseModel):
    """Everything that was signed at one moment."""

    model_config = ConfigDict(frozen=True)

    schema_number: int = Field(alias="schema", ge=_SCHEMA, le=_SCHEMA)
    product: str = Field(pattern=f"^{_PRODUCT}$")
    sequence: int = Field(ge=1, le=2**53)
    """Grows with each manifest, so that an old one cannot pass for a new one."""
    issued: AwareDatetime
    expires: AwareDatetime
    """After that, somebody may be holding newer ones back."""
    releases: tuple[Release, ...] = Field(max_length=100)

    @property
    def newest(self) -> Release | None:
        """The release with the highest version."""
        return max(self.releases, key=lambda one: version_key(one.version), default=None)


def opened(envelope: bytes, keys: Sequence[bytes], now: dt.datetime) -> Manifest:
    """The manifest in an envelope. Raises UpdateRefused unless all about it is right.

    Keys are raw public keys of 32 bytes.
    """
    text = _signed_text(envelope, {key_id(key): key for key in keys})
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError as error:
        raise refused(msg("It is written for another Scrubjay.")) from error
    if now > manifest.expires:
        raise refused(msg("It was good until {expires}.", expires=f"{manifest.expires:%Y-%m-%d}"))
    return manifest


def sealed(text: str, sign: Iterable[tuple[str, bytes]]) -> bytes:
    """An envelope of a text and its signatures, each with the id of its key."""
    signatures = [
        {"key": key, "signature": base64.b64encode(signature).decode()} for key, signature in sign
    ]
    return json.dumps({"manifest": text, "signatures": signatures}, indent=1).encode()


def key_id(key: bytes) -> str:
    """How signatures name a public key."""
    return hashlib.sha256(key).hexdigest()[:16]


def version_key(version: str) -> tuple[int, ...]:
    """Sorts versions; what is no number counts 0, and so do zeros at the end."""
    numbers = [int(part) for part in re.findall(r"\d+", version)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def refused(reason: str) -> UpdateRefused:
    """An error about a list of releases that is not to be believed."""
    return UpdateRefused(
        "The list of releases is not trusted",
        reason,
        hint="Try again tomorrow; Scrubjay goes on as it is.",
    )


def _signed_text(envelope: bytes, keys: dict[str, bytes]) -> str:
    try:
        parsed = json.loads(envelope)
        text = parsed["manifest"]
        signatures = [(str(one["key"]), str(one["signature"])) for one in parsed["signatures"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise refused(msg("It is not in the form that was expected.")) from error
    if isinstance(text, str) and any(
        _is_right(keys[key], signature, text) for key, signature in signatures if key in keys
    ):
        return text
    raise refused(msg("Its signature is not right."))


def _is_right(key: bytes, signature: str, text: str) -> bool:
    # Loading it takes 50 ms, which only those pay who ask for updates.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        given = base64.b64decode(signature, validate=True)
        Ed25519PublicKey.from_public_bytes(key).verify(given, text.encode())
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def keys_from(written: Any) -> tuple[bytes, ...]:
    """Public keys from their base64 texts. Raises ValueError."""
    keys = tuple(base64.b64decode(str(key), validate=True) for key in written)
    if any(len(key) != 32 for key in keys):
        raise ValueError("a public key has 32 bytes")
    return keys
