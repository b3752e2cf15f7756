"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from scrubjay.cli.arguments import Argument, Option
from scrubjay.records.search_modes import Mode

In: TypeAlias = Annotated[str | None, Option("--workspace", help="Name or path of a workspace.")]
Listed: TypeAlias = Annotated[str, Argument()]
"""Name or folder of a workspace that is on the list."""
AsJson: TypeAlias = Annotated[bool, Option("--json", help="Print JSON.")]
How: TypeAlias = Annotated[Mode, Option("--mode", help="Search by words, by meaning or both.")]
SessionKey: TypeAlias = Annotated[
    str, Option(help="Key of the agent's conversation, such as agent:main:telegram:group:42.")
]
AsAgent: TypeAlias = Annotated[
    str, Option("--agent", help="Name of the agent, as used in the access rules and the audit log.")
]
