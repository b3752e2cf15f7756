"""Our text in the file that an agent reads first, between two marks.

CLAUDE.md: https://docs.claude.com/en/docs/claude-code/memory. AGENTS.md:
https://developers.openai.com/codex/guides/agents-md and
https://docs.openclaw.ai/concepts/agent-workspace. GEMINI.md:
https://geminicli.com/docs/cli/gemini-md. All of them are Markdown, which hides HTML comments.
"""

from __future__ import annotations

import re
from pathlib import Path

from scrubjay.agents.connect.connection_records import ConnectionPart
from scrubjay.agents.connect.known_agents import GUIDE

_BEGIN = "<!-- scrubjay: begin -->"
_END = "<!-- scrubjay: end -->"
_BLOCK = re.compile(
    rf"(?P<lead>(?:(?<=\n)\r?\n)?){_BEGIN}(?:(?!{_BEGIN}).)*?{_END}[ \t]*(?:\r?\n)?", re.DOTALL
)
"""Our marks with the text between them, its last line end, and the blank line before it."""


class InstructionBlock:
    """The text about when to search the notes, in a file of Markdown."""

    part = ConnectionPart.INSTRUCTIONS

    def __init__(self, file: Path) -> None:
        self.file = file

    def applied(self, text: str | None) -> str | None:
        """The file with our text at its end, or where it stands already."""
        before = text or ""
        # People were asked to paste it before Scrubjay wrote it.
        if _unix(GUIDE.strip()) in _unix(before) and not _BLOCK.search(before):
            return text
        # Ends of lines are those of the file.
        block = f"{_BEGIN}\n{GUIDE}{_END}\n"
        newline = "\n"
        if "\r\n" in before:
            newline = "\r\n"
        block = block.replace("\n", newline)
        # An older text of ours is replaced where it stands.
        if _BLOCK.search(before):
            return _BLOCK.sub(lambda match: match["lead"] + block, before)
        # A blank line divides it from what the person wrote.
        if before and not before.endswith("\n"):
            before += newline
        if before:
            before += newline
        return before + block

    def removed(self, text: str | None) -> str | None:
        """The file without our text."""
        if text is None:
            return None
        return _BLOCK.sub("", text)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")
