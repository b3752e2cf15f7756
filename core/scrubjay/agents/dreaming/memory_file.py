"""MEMORY.md: which texts may be added to it, and in which form."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path

from scrubjay.agents.dreaming.dream_weights import SAME_FROM
from scrubjay.agents.dreaming.line_ranges import LineRange
from scrubjay.agents.dreaming.recall_entry import RecallEntry
from scrubjay.agents.write_rules import refusal_reason
from scrubjay.embedding.similarity import TextSimilarity
from scrubjay.messages import msg
from scrubjay.text.markdown import split_lines

# The form is that of OpenClaw, which reads and writes the same file.
_HEADING = "## Promoted From Short-Term Memory ({day})"
_MARKER = "<!-- openclaw-memory-promotion:{key} -->"
"""The mark that OpenClaw looks for too, so that neither program adds a line of the other."""
_MARKED = re.compile(r"<!--\s*openclaw-memory-promotion:(.{1,2000}?)\s*-->")
_TAIL = re.compile(r"\s*\[score=[^\]]*\]\s*$")
"""End of such a line: its score and source, which say nothing about its content."""
_BULLET = re.compile(r"^\s*[-*+]\s+")


def memory_file(root: Path) -> Path:
    """The file with the curated memory of a workspace, whether it exists or not."""
    for name in ("MEMORY.md", "memory.md", "memory/MEMORY.md"):
        if (root / name).is_file():
            return root / name
    return root / "MEMORY.md"


def memory_entry(entry: RecallEntry, lines: LineRange, score: float) -> tuple[str, str]:
    """Key and line for an entry: its current text and its source."""
    source = f"{entry.path}:{lines.first_line}-{lines.last_line}"
    facts = f"score={score:.3f} recalls={entry.recalls} avg={entry.relevance:.3f} source={source}"
    # A key must not end its own mark.
    key = entry.key.replace("--", "-").replace(">", "").replace("\n", " ").strip()
    return key, f"- {lines.text} [{facts}]"


def memory_refusal_reason(text: str, memory: str, similarity: TextSimilarity) -> str:
    """Why a text must not be added to MEMORY.md, in one sentence; empty if it may."""
    reason = refusal_reason(text)
    if reason:
        return reason
    # Compared with what the file states, without marks, headings and scores.
    lines = [
        _BULLET.sub("", _TAIL.sub("", line)).strip()
        for line in split_lines(memory)
        if not line.lstrip().startswith(("#", "<!--"))
    ]
    statements = list(filter(None, lines))
    # The same words first: comparing meanings may have to load a model.
    if any(text.casefold() in statement.casefold() for statement in statements):
        return msg("MEMORY.md already says this.")
    if any(value >= SAME_FROM for value in similarity.of(text, statements)):
        return msg("MEMORY.md already says almost the same thing.")
    return ""


def with_additions(memory: str, additions: Mapping[str, str], day: dt.date) -> str:
    """The text of MEMORY.md with the lines of keys that are new to it, under the day's heading."""
    new = additions.keys() - promoted_keys(memory)
    if not new:
        return memory
    # The file keeps the ends of lines that it has.
    newline = "\r\n" if "\r\n" in memory else "\n"
    heading = _HEADING.format(day=day.isoformat())
    text = memory.replace("\r\n", "\n")
    lead = text
    if text and not text.endswith("\n"):
        lead += "\n"
    lines = "".join(
        f"{_MARKER.format(key=key)}\n{line}\n" for key, line in additions.items() if key in new
    )
    # Lines of one day stand under one heading, unless another heading came in between.
    headings = [line for line in split_lines(text) if line.startswith("#")]
    if headings[-1:] != [heading]:
        lines = f"{heading}\n\n{lines}"
        if lead and not lead.endswith("\n\n"):
            lead += "\n"
    return f"{lead}{lines}".replace("\n", newline)


def promoted_keys(memory: str) -> frozenset[str]:
    """The keys whose marks are in the text of MEMORY.md."""
    return frozenset(match[1] for match in _MARKED.finditer(memory))
