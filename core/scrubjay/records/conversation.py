"""The conversation that a request of an agent comes from, as its session key tells it."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

_AGENT = re.compile(r"agent:[^:]*:")
_OLD_GROUP = re.compile(r"@g\.us(?::|$)")
_OLD_CHANNEL = re.compile(r"discord:(?:[^:]+:)?guild-[^:]+:channel-")
_TYPES = ("group", "channel", "direct", "dm")
_CURATED = "memory.md"


class Conversation(Struct, frozen=True):
    """What a session key says, such as `agent:main:telegram:group:42`."""

    session_key: str = ""
    """As the agent's program sent it. Blank where a person asks, or an agent without such keys."""

    @property
    def raw(self) -> str:
        """The key in lower case."""
        return self.session_key.strip().lower()

    @property
    def key(self) -> str:
        """The key without its `agent:<id>:`."""
        return _AGENT.sub("", self.raw, count=1) if _AGENT.match(self.raw) else self.raw

    @property
    def chat_type(self) -> str:
        """`group`, `channel` or `direct`; empty for the helper of another conversation."""
        parts = self.key.split(":")
        if parts[0] == "subagent":
            return ""
        if "group" in parts or _OLD_GROUP.search(self.key):
            return "group"
        return "channel" if "channel" in parts or _OLD_CHANNEL.match(self.key) else "direct"

    @property
    def channel(self) -> str:
        """The program that it takes place in, such as `telegram`; empty where the key has none."""
        parts = [part for part in self.key.split(":") if part]
        return parts[0] if len(parts) > 1 and parts[1] in _TYPES else ""

    @property
    def is_direct_chat(self) -> bool:
        """True where a key says that one person and their agent are alone."""
        return bool(self.raw) and self.is_private

    @property
    def is_private(self) -> bool:
        """True where nothing says that others take part, so that MEMORY.md may be read."""
        return self.chat_type == "direct"

    def admits(self, file: Path) -> bool:
        """False for MEMORY.md, in whichever folder, unless the conversation is private."""
        return self.is_private or file.name.casefold() != _CURATED


NO_KEY = Conversation()
"""Of a person, and of an agent without keys."""
