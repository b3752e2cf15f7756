"""The conversation of an agent's request, according to its session key."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

_AGENT = re.compile(r"agent:([^:]*):")
"""Beginning of a key, with the id of its agent."""
_OLD_GROUP = re.compile(r"@g\.us(?::|$)")
"""Part of the keys of groups in WhatsApp, which do not say that they are groups."""
_OLD_CHANNEL = re.compile(r"discord:(?:[^:]+:)?guild-[^:]+:channel-")
"""Beginning of former keys of channels in Discord."""
_TYPES = ("group", "channel", "direct", "dm")
"""Words for the kind of a conversation, which stand after the program's name."""


class Conversation(Struct, frozen=True, dict=True):
    """Facts from a session key such as `agent:main:telegram:group:42`. Each key is parsed once."""

    session_key: str = ""
    """Key as the agent's program sent it. Blank where a person asks, or an agent without such keys.
    """

    @cached_property
    def raw(self) -> str:
        """The key in lower case."""
        return self.session_key.strip().lower()

    @cached_property
    def agent_id(self) -> str:
        """Id of the agent that the key names, in lower case; empty if it names none."""
        named = _AGENT.match(self.raw)
        if not named:
            return ""
        return named[1].strip()

    @cached_property
    def key(self) -> str:
        """The key without its `agent:<id>:`."""
        if not _AGENT.match(self.raw):
            return self.raw
        return _AGENT.sub("", self.raw, count=1)

    @cached_property
    def chat_type(self) -> str:
        """The kind `group`, `channel` or `direct`; empty for the helper of another conversation."""
        # A helper may work for a group, so it counts as neither.
        parts = self.key.split(":")
        if parts[0] == "subagent":
            return ""
        # What is not known to be shared counts as a direct chat.
        if "group" in parts or _OLD_GROUP.search(self.key):
            return "group"
        if "channel" in parts or _OLD_CHANNEL.match(self.key):
            return "channel"
        return "direct"

    @cached_property
    def channel(self) -> str:
        """The program that it takes place in, such as `telegram`; empty if the key has none."""
        # The name stands before the kind, as in `telegram:group:42`; a bare `main` has none.
        parts = [part for part in self.key.split(":") if part]
        if len(parts) < 2 or parts[1] not in _TYPES:
            return ""
        return parts[0]

    @property
    def is_direct_chat(self) -> bool:
        """Whether a key says that one person and their agent are alone."""
        return bool(self.raw) and self.is_private

    @cached_property
    def is_private(self) -> bool:
        """Whether nothing says that others take part, so that MEMORY.md may be read."""
        return self.chat_type == "direct"


NO_KEY = Conversation()
"""Conversation of a person, or of an agent without keys."""
