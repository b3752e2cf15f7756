"""Addresses of notes as resources: `memory://<workspace>/<path>`, percent-encoded."""

from __future__ import annotations

from urllib.parse import quote, unquote_to_bytes

from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.workspace_id import WorkspaceId

SCHEME = "memory://"
"""Beginning of the addresses of notes."""
TEMPLATE = "memory://{workspace}/{+path}"
"""Form of the addresses, as the protocol describes it."""


def resource_uri(note: NoteAddress) -> str:
    """The address of a note, percent-encoded."""
    return f"{SCHEME}{quote(note.workspace, safe='')}/{quote(note.path)}"


def parse_resource_uri(uri: str) -> NoteAddress:
    """The note at an address. Raises NoteRefused for any other address."""
    workspace, slash, path = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or not slash or not workspace:
        raise NoteRefused(
            msg("{uri} is not a note", uri=repr(uri[:200])),
            msg("The address of a note has the form {address}.", address=TEMPLATE),
        )
    try:
        # Decoded once, and checked after that, so that no escape hides a path.
        name = unquote_to_bytes(workspace).decode("utf-8")
        return NoteAddress(WorkspaceId(name), unquote_to_bytes(path).decode("utf-8"))
    except UnicodeError as error:
        raise NoteRefused(
            msg("{uri} is not a note", uri=repr(uri[:200])), "The file is not encoded as UTF-8."
        ) from error
