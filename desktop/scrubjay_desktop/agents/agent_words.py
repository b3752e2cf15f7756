"""What an agent may do and what it asked last, in words."""

from __future__ import annotations

import datetime as dt

from scrubjay.agents.connect.connection_records import ConnectionPart
from scrubjay.records.access_records import AGENT_NAMES, Action, AgentOverview, Permission
from scrubjay_desktop.agents.audit_log_pane import query_text
from scrubjay_desktop.text.formatting import format_number, join_words, relative_date, translate

_LONGEST_QUESTION = 120
"""Characters of a question that a line shows."""


def settings_name(agent: str, title: str) -> str:
    """The name of an agent in the settings and in the terminal; empty where it says no more."""
    if agent in AGENT_NAMES or agent == title:
        return ""
    return agent


def other_names(agent: str, title: str, *, program: str) -> str:
    """The names of an agent besides its title: in the settings, and of its program."""
    return " · ".join(filter(None, (settings_name(agent, title), program)))


def claimed_name_text(agent: str) -> str:
    """What a person can do where no permission for an agent counts, as it only sends its name."""
    return translate(
        "Permissions",
        "Any program can send this name, so its permissions can be stricter than those for all "
        "agents, but not less strict. To allow more, connect the agent on the "
        "Agents page, or start it with `scrubjay mcp --as {name}`.",
    ).format(name=agent)


def part_name(part: ConnectionPart) -> str:
    """A part of a connection, within a sentence."""
    match part:
        case ConnectionPart.SERVER:
            return translate("Connection", "search")
        case ConnectionPart.HOOKS:
            return translate("Connection", "hooks")
    return translate("Connection", "instructions")


def action_title(action: Action) -> str:
    """What is permitted or not, as the title of the answers."""
    if action is Action.READ:
        return translate("Permissions", "Can search")
    return translate("Permissions", "Can change notes")


def permission_word(permission: Permission) -> str:
    """The answer to a request that a permission gives."""
    match permission:
        case Permission.ALLOW:
            return translate("Permissions", "Yes")
        case Permission.PROPOSE:
            return translate("Permissions", "After my review")
        case Permission.ASK:
            return translate("Permissions", "Ask me")
    return translate("Permissions", "No")


def permission_text(overview: AgentOverview) -> str:
    """What an agent may do, and in which folders if that differs; empty while there are none."""
    parts = []
    for action in Action:
        # The folders of each answer, in the order of the list.
        folders: dict[Permission, list[str]] = {}
        for workspace, permissions in overview.permissions:
            folders.setdefault(permissions[action], []).append(workspace.name)
        # Folders are named only where the answer depends on them.
        answers = [permission_word(permission) for permission in folders]
        if len(folders) > 1:
            words = translate("Permissions", "{answer} ({folders})")
            answers = [
                words.format(answer=permission_word(permission), folders=join_words(names))
                for permission, names in folders.items()
            ]
        if answers:
            parts.append(f"{action_title(action)}: {', '.join(answers)}")
    return " · ".join(parts)


def request_text(overview: AgentOverview, now: dt.datetime) -> str:
    """The number of questions of an agent, and the last one with its day."""
    entry = overview.latest
    if entry is None or entry.at is None:
        return translate("AgentOverview", "No recorded questions")
    # A question may be a whole message, of which the beginning says enough.
    question = query_text(entry)
    if len(question) > _LONGEST_QUESTION:
        question = f"{question[:_LONGEST_QUESTION]}…"
    words = translate("AgentOverview", "{n} {n:question|questions}. Latest: “{question}” ({day})")
    day = relative_date(entry.at, now)
    return words.format(n=format_number(overview.requests), question=question, day=day)
