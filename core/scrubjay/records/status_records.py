"""Records of the status of indexes, models and workspaces, which cross threads."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId


class Freshness(Struct, frozen=True):
    """State of the index relative to the disk."""

    documents: int
    """Number of documents that were searched."""
    pending: int
    """Number of documents that changed on disk and are not read yet."""
    unreadable: int
    """Number of skipped files that a person would expect to be searched."""
    embedded: float
    """Share of chunks that can be found by meaning, 0 to 1."""
    checked_at: dt.datetime | None
    """Time of the last comparison of disk and index; None before the first."""
    reason: str = ""
    """Sentence on why the index cannot be updated now; empty if it can."""
    unread_documents: int = 0
    """Documents such as PDF among those that are not read yet: passes read them one by one."""

    @property
    def percent(self) -> int:
        """The share that can be found by meaning in percent: 100 only when nothing is left."""
        # 29 of 100 as a share times 100 is a little less than 29.
        return math.floor(100 * self.embedded + 1e-9)


NEVER_READ = Freshness(documents=0, pending=0, unreadable=0, embedded=0.0, checked_at=None)
"""Freshness of an index of which nothing is known."""


class BackfillCost(Struct, frozen=True):
    """Cost of a pass at a remote provider, before anything is sent."""

    notes: int
    tokens: int
    """Number of tokens as estimated; providers charge by them."""
    provider: str
    model: str
    host: str
    """Host that the text would be sent to."""
    files: int = 0
    """Number of images and recordings."""

    @property
    def words(self) -> int:
        """Estimated words, for people: four tokens are about three words."""
        # The rule of thumb that providers give for English.
        return self.tokens * 3 // 4


class SkippedFile(Struct, frozen=True):
    """A file that is not searched, with the reason."""

    path: str
    reason: str
    """Plain sentence on why it is not searched."""
    is_problem: bool
    """Whether a person would expect it in a search; not for a symlink to another place."""
    is_chosen: bool = False
    """Whether a person skipped it until it changes; this can be undone."""

    @property
    def is_kind(self) -> bool:
        """Whether it stands for all files of some kinds."""
        return self.path.startswith("*.")


class IndexState(StrEnum):
    """State of the index of a workspace."""

    OFF = "off"
    NEVER = "never indexed"
    WAITING = "waiting"
    INDEXING = "indexing"
    PAUSED = "paused"
    READY = "ready"
    ERROR = "error"


class Progress(Struct, frozen=True):
    """Progress of one folder: the one record that window, tray and terminal show."""

    phase: str = ""
    """Step of the running pass: "updating" (an index of an older version), "scanning", "words",
    "meaning", "refining" (single lines) or "pictures"; empty while none is running."""
    # The number that people see: it lasts from one pass to the next, and after a restart.
    learned: int = 0
    """Number of passages with a vector of the model that is used from now on."""
    passages: int = 0
    added: int = 0
    """Number of notes that were added or changed and made the share of learned passages fall, until
    it has caught up; negative where notes were removed."""
    seconds_left: float | None = None
    """Time until the end of the step; None unless the estimate has been steady."""
    # The work of this step of this pass.
    done: int = 0
    total: int = 0
    current: str = ""
    """Path that is being worked on."""

    @property
    def percent(self) -> int:
        """Share of learned passages in percent: 100 only when nothing is left."""
        if self.learned >= self.passages:
            return 100
        return 100 * self.learned // self.passages

    @property
    def is_learning(self) -> bool:
        """Whether the model is working."""
        return self.phase in ("meaning", "refining")

    @property
    def amount(self) -> tuple[int, int]:
        """(done, total) of the present step: passages while they are learned, otherwise files."""
        if self.phase == "meaning":
            return self.learned, self.passages
        return self.done, self.total


class PictureProgress(Struct, frozen=True):
    """Pictures of a folder that are still to be read."""

    waiting: int = 0
    """Number of picture files, and of documents with pictures, that wait."""
    seconds_left: float = 0.0
    """Time that they take, by the pace of this computer."""
    paused: str = ""
    """Sentence on why none is read right now, such as a battery; empty while they are."""


class PictureCount(Struct, frozen=True):
    """What would be read of a folder with the setting `pictures`."""

    pictures: int
    """Number of picture files."""
    scans: int
    """Number of PDF files with pages that are pictures."""
    seconds: float
    """Time that reading them takes, by the pace of this computer."""
    kept: int = 0
    """Number of both kinds of files that were read before, and are not in the other numbers."""
    obstacle: str = ""
    """Reason why pictures cannot be read on this computer; empty if they can."""


class WorkspaceStatus(Struct, frozen=True):
    """One workspace, as the status line and the terminal show it."""

    workspace: Workspace
    state: IndexState
    freshness: Freshness
    chunks: int
    skipped: tuple[SkippedFile, ...]
    index_bytes: int
    # How far it is, and why the last pass failed.
    progress: Progress = Progress()
    pictures: PictureProgress = PictureProgress()
    error: str = ""
    mended_at: dt.datetime | None = None
    """Time when a damaged index was made again; None when none ever was."""
    off_reason: str = ""
    """Sentence on the setting that turns it off, so that it is not read; empty while it is on."""

    @property
    def is_off(self) -> bool:
        """Whether the settings turn it off."""
        return bool(self.off_reason)

    @property
    def away(self) -> str:
        """Why the folder itself cannot be read, such as a missing drive; empty if it can."""
        # The pass lists a missing folder as a problem without a path.
        folder = (skip.reason for skip in self.skipped if skip.is_problem and not skip.path)
        return next(folder, "")


class Takeover(Struct, frozen=True):
    """The provider of the settings, while its fallback answers."""

    provider: str
    """Id of the provider that failed."""
    reason: str
    """Failure in one sentence."""
    fallback_reason: str = ""
    """Failure of the fallback, which does not answer either; empty while it does."""


class ModelStatus(Struct, frozen=True):
    """State of the embedding model, or of the result reader."""

    provider: str
    model: str
    is_ready: bool
    reason: str = ""
    """Reason why it is not ready; empty if it is."""


class BackendStatus(Struct, frozen=True):
    """The backend that answers searches."""

    name: str = "builtin"
    """Name "builtin" or "qmd", as the settings say."""
    reason: str = ""
    """Sentence on why the built-in search answers instead; empty if it does not."""
    note: str = ""
    """Sentence on any other problem; empty if there is none."""


class EngineStatus(Struct, frozen=True):
    """State of the whole engine."""

    workspaces: tuple[WorkspaceStatus, ...]
    model: ModelStatus
    is_paused: bool
    # Why and for how long, in words that the window finds.
    paused_until: dt.datetime | None = None
    """Time when a pause ends; None if it lasts until a person ends it."""
    is_for_battery: bool = False
    """Whether the pause saves the battery."""
    reader: ModelStatus | None = None
    """State of the result reader; None without one, and in a quick status until it was used."""
    # The rest is the same for most people: no QMD, no team, no script that asks for details.
    backend: BackendStatus = BackendStatus()
    shared: tuple[WorkspaceStatus, ...] = ()
    """Workspaces of shared memories, as they were last known."""
    takeover: Takeover | None = None
    """Provider whose fallback answers, as a look at the disk tells; None without a failure."""
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Facts besides, by the ids of workspaces, as JSON shows them; empty unless they were read."""


class IndexReport(Struct):
    """Result of one pass over a workspace, which fills it in; it does not change afterwards."""

    workspace: WorkspaceId
    # Documents, and the chunks of those that changed.
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks: int = 0
    embedded: int = 0
    """Number of chunks whose vectors were computed in this pass."""
    reused: int = 0
    """Number of chunks whose vectors came from the cache."""
    skipped: list[SkippedFile] = []
    # Time, of which the model's share tells the pace of this computer.
    elapsed_s: float = 0.0
    model_s: float = 0.0
    """Seconds that the model took for this pass's chunks."""
    # What is left for a later pass, or for a person to decide.
    meaning_missing: str = ""
    """Reason why vectors are missing; empty when none are."""
    takeover: Takeover | None = None
    """Provider whose fallback made the vectors; None if that of the settings did."""
    may_come: bool = False
    """Whether they may be computed later, without anything that a person does."""
    backfill: BackfillCost | None = None
    """Cost that waits for a person's consent; None if nothing does."""
    in_batches: int = 0
    """Number of chunks in batches that run at a remote provider; a later pass fetches them."""
    batches_off: str = ""
    """Reason why batches are no longer used in this run; empty if they are."""
    away: str = ""
    """Reason why the whole folder could not be read, such as a missing drive; otherwise empty."""
    documents_left: int = 0
    """Number of documents that are still to be read; later passes do it."""
    pictures_left: int = 0
    """Number of pictures that are still to be read, likewise."""
    pictures_paused: str = ""
    """Sentence on why they are not read now; empty if they are."""

    def with_former(self, former: IndexReport) -> IndexReport:
        """The result of this pass and of a former one that it continued."""
        # What the former one changed, this one found unchanged.
        return replace(
            self,
            changed=former.changed + self.changed,
            removed=former.removed + self.removed,
            unchanged=max(0, self.unchanged - former.changed),
            chunks=former.chunks + self.chunks,
            embedded=former.embedded + self.embedded,
            reused=former.reused + self.reused,
            elapsed_s=former.elapsed_s + self.elapsed_s,
            model_s=former.model_s + self.model_s,
        )
