"""What a pass over a workspace has done so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrubjay.records.search_records import BackfillCost, IndexReport, SkippedFile


@dataclass(slots=True)
class PassReport:
    """Counts of a pass as it goes on."""

    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    model_s: float = 0.0
    meaning_missing: str = ""
    in_batches: int = 0
    batches_off: str = ""
    away: str = ""
    backfill: BackfillCost | None = None
    skipped: list[SkippedFile] = field(default_factory=list)

    def report(self, workspace_id: str, elapsed_s: float) -> IndexReport:
        """The counts at the end."""
        return IndexReport(
            workspace=workspace_id,
            changed=self.changed,
            removed=self.removed,
            unchanged=self.unchanged,
            chunks=self.chunks,
            embedded=self.embedded,
            reused=self.reused,
            skipped=tuple(self.skipped),
            elapsed_s=elapsed_s,
            model_s=self.model_s,
            meaning_missing=self.meaning_missing,
            backfill=self.backfill,
            in_batches=self.in_batches,
            batches_off=self.batches_off,
            away=self.away,
        )
