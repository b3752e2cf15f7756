"""MEMORY.md: what of a proposal may go into it, and how it looks there."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scrubjay.agents.dreaming.line_ranges import Located
from scrubjay.agents.dreaming.recall_entry import RecallEntry
from scrubjay.agents.write_rules import refusal
from scrubjay.embedding.similarity import Likeness
from scrubjay.messages import msg
from scrubjay.notes.markdown import split_lines

SAME_FROM = 0.95
"""Similarity from which two lines say the same."""

_HEADING = "## Promoted From Short-Term Memory ({day})"
_MARKER = "<!-- openclaw-memory-promotion:{key} -->"
"""The mark that OpenClaw looks for too, so that neither program adds what the other has."""
_MARKED = re.compile(r"<!--\s*openclaw-memory-promotion:(.{1,2000}?)\s*-->")
_TAIL = re.compile(r"\s*\[score=[^\]]*\]\s*$")
_BULLET = re.compile(r"^\s*[-*+]\s+")


@dataclass(frozen=True, slots=True)
class Addition:
    """A line for MEMORY.md."""

    key: str
    line: str
    """With the place that it comes from."""

    @property
    def lines(self) -> str:
        """The hidden mark and the line."""
        return f"{_MARKER.format(key=self.key)}\n{self.line}\n"


def memory_file(root: Path) -> Path:
    """Where curated memory is kept, or would be."""
    for name in ("MEMORY.md", "memory.md", "memory/MEMORY.md"):
        if (root / name).is_file():
            return root / name
    return root / "MEMORY.md"


def addition(entry: RecallEntry, place: Located, score: float) -> Addition:
    """How a place looks in MEMORY.md: its text, and where it comes from."""
    source = f"{entry.path}:{place.first_line}-{place.last_line}"
    facts = f"score={score:.3f} recalls={entry.recalls} avg={entry.relevance:.3f} source={source}"
    return Addition(_markable(entry.key), f"- {place.text} [{facts}]")


def why_not(text: str, held: str, likeness: Likeness) -> str:
    """Why a text must not go into MEMORY.md, in one sentence; empty when it may."""
    if reason := refusal(text):
        return reason
    said = [_plain(line) for line in split_lines(held) if _plain(line)]
    if any(text.casefold() in line.casefold() for line in said):
        return msg("MEMORY.md says this already.")
    if any(value >= SAME_FROM for value in likeness.of(text, said)):
        return msg("MEMORY.md says nearly the same already.")
    return ""


def with_additions(held: str, additions: Sequence[Addition], day: dt.date) -> str:
    """MEMORY.md with the lines that are new to it, under the heading of the day."""
    known = promoted_keys(held)
    new = [one for one in additions if one.key not in known]
    if not new:
        return held
    newline = "\r\n" if "\r\n" in held else "\n"
    heading = _HEADING.format(day=day.isoformat())
    text = held.replace("\r\n", "\n")
    lead = text if not text or text.endswith("\n") else f"{text}\n"
    lines = "".join(one.lines for one in new)
    is_under_it = split_lines(text) and _last_heading(text) == heading
    if not is_under_it:
        lines = f"{heading}\n\n{lines}"
        lead = f"{lead}\n" if lead and not lead.endswith("\n\n") else lead
    return f"{lead}{lines}".replace("\n", newline)


def promoted_keys(held: str) -> frozenset[str]:
    """The keys whose marks stand in MEMORY.md."""
    return frozenset(match[1] for match in _MARKED.finditer(held))


def _markable(key: str) -> str:
    """A key that cannot end its own mark."""
    return key.replace("--", "-").replace(">", "").replace("\n", " ").strip()


def _last_heading(text: str) -> str:
    return next((line for line in reversed(split_lines(text)) if line.startswith("#")), "")


def _plain(line: str) -> str:
    if line.lstrip().startswith(("#", "<!--")):
        return ""
    return _BULLET.sub("", _TAIL.sub("", line)).strip()
