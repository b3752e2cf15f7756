"""Which conversations notes are found in."""

from __future__ import annotations

import pytest

from scrubjay.config.schema.qmd_backend import QmdScope
from scrubjay.qmd.backend import is_allowed
from scrubjay.records.conversation import Conversation

GROUP = "agent:jay:telegram:group:42"


@pytest.mark.parametrize(
    ("key", "allowed"),
    [
        ("", True),
        ("main", True),
        ("agent:jay:main", True),
        ("agent:jay:telegram:direct:7", True),
        ("telegram:dm:7", True),
        (GROUP, False),
        ("Agent:Jay:Discord:Channel:9", False),
        ("agent:jay:subagent:1", False),
    ],
)
def test_without_rules_only_direct_chats_find_notes(key: str, allowed: bool) -> None:
    assert is_allowed(QmdScope(), Conversation(key)) is allowed


@pytest.mark.parametrize(
    ("match", "key", "allowed"),
    [
        ({"chatType": "group"}, GROUP, True),
        ({"chatType": "group"}, "agent:jay:main", False),
        ({"channel": "Telegram"}, GROUP, True),
        ({"channel": "discord"}, GROUP, False),
        ({"keyPrefix": "telegram:"}, GROUP, True),
        ({"keyPrefix": "jay:"}, GROUP, False),
        ({"keyPrefix": "agent:jay:telegram"}, GROUP, True),
        ({"rawKeyPrefix": "agent:jay:"}, GROUP, True),
        ({"rawKeyPrefix": "agent:kea:"}, GROUP, False),
        ({"rawKeyPrefix": "telegram:"}, GROUP, False),
        ({"chatType": "group", "channel": "discord"}, GROUP, False),
        ({}, GROUP, True),
    ],
)
def test_a_rule_matches_by_all_that_it_names(
    match: dict[str, str], key: str, allowed: bool
) -> None:
    scope = QmdScope.of({"rules": [{"action": "allow", "match": match}]})
    assert is_allowed(scope, Conversation(key)) is allowed


def test_the_first_rule_that_matches_counts() -> None:
    rules = [
        {"action": "deny", "match": {"keyPrefix": "telegram:group:42"}},
        {"action": "allow", "match": {"chatType": "group"}},
    ]
    scope = QmdScope.of({"default": "allow", "rules": rules})
    assert not is_allowed(scope, Conversation(GROUP))
    assert is_allowed(scope, Conversation("telegram:group:43"))
    assert is_allowed(scope, Conversation("main"))
