"""What the key of a conversation says about it."""

from __future__ import annotations

import pytest

from scrubjay.records.conversation import Conversation


@pytest.mark.parametrize(
    ("key", "chat_type", "channel"),
    [
        ("agent:main:main", "direct", ""),
        ("Agent:Main:Telegram:Group:-100:topic:5", "group", "telegram"),
        ("agent:main:discord:channel:9:thread:5", "channel", "discord"),
        ("agent:main:telegram:direct:7", "direct", "telegram"),
        ("agent:main:telegram:work:group:7", "group", ""),
        ("slack:dm:U1", "direct", "slack"),
        ("group:1", "group", ""),
        ("whatsapp:120363@g.us", "group", ""),
        ("discord:me:guild-1:channel-2", "channel", ""),
        ("agent:main:subagent:1", "", ""),
        ("agent:main:cron:nightly", "direct", ""),
    ],
)
def test_a_key_names_the_kind_of_chat_and_where_it_takes_place(
    key: str, chat_type: str, channel: str
) -> None:
    conversation = Conversation(f" {key} ")
    assert (conversation.chat_type, conversation.channel) == (chat_type, channel)
    assert conversation.is_direct_chat is (chat_type == "direct")


@pytest.mark.parametrize(
    ("key", "is_private"),
    [
        ("", True),
        ("agent:main:main", True),
        ("agent:main:discord:channel:9", False),
        ("telegram:group:1", False),
        ("agent:main:subagent:1", False),
    ],
)
def test_a_conversation_is_private_unless_its_key_says_otherwise(
    key: str, is_private: bool
) -> None:
    assert Conversation(key).is_private is is_private


def test_without_a_key_no_chat_is_known_to_be_direct() -> None:
    assert not Conversation(" ").is_direct_chat
