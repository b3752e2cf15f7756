"""Records of shared memories."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from scrubjay.records.workspace_id import WorkspaceId


class SharedPlace(Struct, frozen=True):
    """Place of a shared memory."""

    uri: str
    """Address: a folder, `s3://…`, `gs://…`, `az://…` or `db://…`."""
    options: tuple[tuple[str, str], ...] = ()
    """Options of the storage, such as its region; without keys."""

    @classmethod
    def of(cls, uri: str, options: Mapping[str, str]) -> SharedPlace:
        """The place with options as the settings have them, one folder by one name."""
        # Two spellings of one folder would be two memories, each with its own copy of all states.
        uri = uri.strip()
        if uri and ("://" not in uri or uri.startswith("file://")):
            uri = os.path.abspath(os.path.expanduser(uri.removeprefix("file://")))  # noqa: PTH100,PTH111
        return cls(uri, tuple(sorted(options.items())))

    @property
    def scheme(self) -> str:
        """`s3` of an `s3://…`; empty for a folder."""
        scheme, mark, _ = self.uri.partition("://")
        if not mark or scheme.lower() == "file":
            return ""
        return scheme.lower()

    @property
    def key_id(self) -> str:
        """Name of its key in the keychain, the address without a folder in it; empty for a folder,
        which needs none.
        """
        if not self.scheme:
            return ""
        _, _, rest = self.uri.partition("://")
        return f"{self.scheme}://{rest.split('/')[0]}".lower()


class SharedAddress(Struct, frozen=True):
    """One workspace of a shared memory."""

    place: SharedPlace
    name: str
    """Name of the workspace there."""


class SharedRecord(Struct, frozen=True):
    """Record of a workspace in a shared memory."""

    name: str
    title: str
    """Name that people call it."""
    documents: int = 0
    chunks: int = 0
    identity: str = ""
    """Identity of the model that made its vectors; empty if there are none."""
    # The last publication, and the one under way.
    published_at: dt.datetime | None = None
    """End of the last publication."""
    published_by: str = ""
    """Computer of the last publication."""
    holder: str = ""
    """Computer that publishes right now, or that stopped in the middle of it."""
    # What keeps it, or parts of it, from being searched here.
    is_newer: bool = False
    """Whether a newer Scrubjay wrote it, so that it cannot be read here."""
    reason: str = ""
    """Sentence on why it cannot be read although its memory can be reached; empty if it can."""
    damaged_passages: int = 0
    """Number of passages that turned out to be damaged since its last publication; they are
    excluded."""
    damaged_words: int = 0
    """Number of rows in its list of words that turned out to be damaged."""


class PublishPhase(StrEnum):
    """State of a folder that a computer shares."""

    WAITING = "waiting"
    """Not published since the start, or its index is not there yet."""
    PUBLISHING = "publishing"
    PUBLISHED = "published"
    ELSEWHERE = "elsewhere"
    """Another computer publishes it now."""
    FAILED = "failed"


class PublishState(Struct, frozen=True):
    """State of a folder of this computer that is shared."""

    workspace: WorkspaceId
    """Id of the workspace."""
    uri: str
    name: str
    """Name of the workspace in the shared memory."""
    # What this computer knows from its own attempts.
    state: PublishPhase = PublishPhase.WAITING
    pending: int = 0
    """Number of documents that are not published yet."""
    reason: str = ""
    """Sentence on why it failed or waits; empty otherwise."""
    # What the shared memory itself said at the last look.
    record: SharedRecord | None = None
    """Record of the shared memory as of the last look; None if nothing is there, or nobody has
    looked."""
    left_overs: int = 0
    """Number of tables of a former model, or of a publication that broke off; the next one deletes
    them."""


class SharedMemory(Struct, frozen=True):
    """A shared memory that is searched on this computer."""

    uri: str
    workspaces: tuple[SharedRecord, ...] = ()
    """Workspaces as they were when it was last reached."""
    reason: str = ""
    """Sentence on why it cannot be reached; empty if it can."""
    is_asked: bool = True
    """Whether it was asked since the start."""
    excluded: int = 0
    """Number of entries of its list that are damaged, or more than are searched."""
    damage: str = ""
    """Sentence about these entries; empty for none."""


class SharingStatus(Struct, frozen=True):
    """All folders shared from this computer and with it."""

    publications: tuple[PublishState, ...] = ()
    memories: tuple[SharedMemory, ...] = field(default=())
