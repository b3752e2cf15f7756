"""The publisher's side of the update check: makes the key, signs the list of releases.

releases.py new-key FILE                     make a private key, and say where its public half goes
releases.py add LIST PAGE SUMMARY KEY...     put this version into the list, and sign all of it
releases.py state                            say whether this build asks for news

FILE, which is made for its owner alone, and KEY hold a private key. Keep them off the machines that
build. See docs/packaging.md.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import os
import sys
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

import versions
from scrubjay.platform.atomic_write import replace_bytes
from scrubjay.updates.check import shipped_feed
from scrubjay.updates.manifest import key_id, opened, sealed

GOOD_FOR = dt.timedelta(days=270)
"""A list is to be signed anew at least that often, whether there are news or not."""


def main(arguments: list[str]) -> int:
    """Do what the first argument says."""
    match arguments:
        case ["new-key", file]:
            print(new_key(Path(file)))
        case ["add", file, page, summary, *keys] if keys:
            print(add(Path(file), page, summary, [private(Path(one)) for one in keys]))
        case ["state"]:
            print(state())
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def new_key(file: Path) -> str:
    """Write a private key into a new file; returns what to do with its public half."""
    key = Ed25519PrivateKey.generate()
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    # Never over an old one: with it, everybody who has this version would be lost.
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(text)
    return f'Put this among "keys" in resources/updates.json: "{public(key)}"'


def add(file: Path, page: str, summary: str, keys: list[Ed25519PrivateKey]) -> str:
    """Put this version into a list, which is made when it is not there; returns what was done.

    Every app that knows one of the keys believes the list. Raises UpdateRefused when the list that
    is there was signed by none of them.
    """
    now = dt.datetime.now(dt.UTC).replace(microsecond=0)
    before = content(file, keys)
    number = versions.version()
    release = {
        "version": number,
        "date": now.date().isoformat(),
        "page": page,
        "summary": summary,
    }
    releases = [one for one in before["releases"] if one["version"] != number]
    after = {
        "schema": 1,
        "product": "scrubjay",
        "sequence": before["sequence"] + 1,
        "issued": now.isoformat(),
        "expires": (now + GOOD_FOR).isoformat(),
        "releases": [release, *releases],
    }
    text = json.dumps(after, indent=1, ensure_ascii=False)
    signatures = [
        (key_id(key.public_key().public_bytes_raw()), key.sign(text.encode())) for key in keys
    ]
    envelope = sealed(text, signatures)
    # As the app reads it, so that nothing is published that it refuses.
    opened(envelope, [keys[0].public_key().public_bytes_raw()], now)
    replace_bytes(file, envelope, 0o644)
    return f"{file}: version {number}, list {after['sequence']}, good until {after['expires']}"


def content(file: Path, keys: list[Ed25519PrivateKey]) -> dict[str, Any]:
    """What a list says; an empty one when there is none yet."""
    if not file.exists():
        return {"sequence": 0, "releases": []}
    # One that has expired is what a publisher comes to sign anew.
    long_ago = dt.datetime.min.replace(tzinfo=dt.UTC)
    known = [key.public_key().public_bytes_raw() for key in keys]
    return opened(file.read_bytes(), known, long_ago).model_dump(mode="json")


def private(file: Path) -> Ed25519PrivateKey:
    """The key in a file. Raises ValueError for a key of another kind."""
    key = load_pem_private_key(file.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{file} holds no Ed25519 key")
    return key


def public(key: Ed25519PrivateKey) -> str:
    """The public half, as updates.json wants it."""
    return base64.b64encode(key.public_key().public_bytes_raw()).decode()


def state() -> str:
    """One sentence for the notes of a release."""
    feed = shipped_feed()
    if not feed.is_published:
        return "Update checks are off in this build: resources/updates.json names no signed list."
    return f"Update checks, for those who switch them on, ask {feed.address}."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
