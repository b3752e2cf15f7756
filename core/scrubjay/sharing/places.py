"""Addresses of shared memories as people type them, checked before anything is loaded."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

from scrubjay.errors import QueryError
from scrubjay.messages import msg
from scrubjay.records.shared_records import SharedPlace

_LIBRARIES = ("lancedb", "pyarrow")
"""Packages that the optional dependency group `team` installs."""


def missing_package() -> str:
    """Sentences on the part that shared memories need, where it is not installed; otherwise empty.

    Nothing is loaded for it.
    """
    # Finding a package takes microseconds; importing these takes seconds.
    if all(importlib.util.find_spec(name) for name in _LIBRARIES):
        return ""
    return msg(
        "Shared memories need a part of Scrubjay that is not installed. Ask the person who "
        "installed Scrubjay to add it (350 MB), or run `pip install 'scrubjay[team]'`."
    )


def parse_place(uri: str, options: Mapping[str, str]) -> SharedPlace:
    """The place that a person names. Raises QueryError for what can be none."""
    place = SharedPlace.of(uri, options)
    if not place.uri:
        raise QueryError(
            "The address is missing",
            (
                "Enter a folder that others can access, or an address that starts with "
                "s3://, gs://, az:// or db://."
            ),
        )
    if options and not place.scheme:
        raise QueryError("Storage options cannot be used with a folder", "Remove the options.")
    return place


def parse_storage_options(text: str) -> dict[str, str]:
    """The options of a storage as they were typed: NAME=VALUE,NAME=VALUE. Raises QueryError."""
    options: dict[str, str] = {}
    for pair in filter(None, map(str.strip, text.split(","))):
        name, mark, value = pair.partition("=")
        if not mark or not name.strip():
            raise QueryError(
                "The storage options cannot be read", "Write the options as NAME=VALUE,NAME=VALUE."
            )
        options[name.strip()] = value.strip()
    return options
