"""A plugin for OpenClaw, which has no hooks that run a command of another program.

Manifest and folder: https://docs.openclaw.ai/plugins/manifest. Events:
https://docs.openclaw.ai/plugins/hooks. OpenClaw asks for notes before a compaction by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scrubjay.agents.connect.connection_records import ConnectionPart
from scrubjay.agents.connect.hook_commands import ProgramStart
from scrubjay.agents.connect.hook_sets import HOOK_SECONDS
from scrubjay.agents.connect.known_agents import SERVER, Client, ClientContext, openclaw_folder
from scrubjay.agents.connect.settings_edit import is_blank, misplaced, read_json
from scrubjay.config.json5.json5_editor import append_entry, is_empty, remove_value, set_value

FOLDER = Path("extensions") / SERVER
"""Folder of the plugin in that of OpenClaw."""

CODE_FILE = "index.js"
"""File of the plugin with its code."""

_MANIFEST = {
    "id": SERVER,
    "name": "Scrubjay",
    "description": "Recalls notes before an answer, and keeps finished conversations.",
    "activation": {"onCapabilities": ["hook"]},
    "configSchema": {"type": "object", "additionalProperties": False, "properties": {}},
}
_CODE = """\
// Written by `scrubjay connect openclaw`, which also removes it. Notes are read by the program
// below; without it, or when it is late, OpenClaw goes on without them.
"use strict";
const { spawn } = require("node:child_process");

const PROGRAM = @PROGRAM@;
const WORKSPACE = @WORKSPACE@;
const MILLISECONDS = @MILLISECONDS@;

function ask(hook, input, ctx) {
  return new Promise((resolve) => {
    const words = [...PROGRAM.slice(1), "hook", hook, "--agent", "openclaw"];
    if (hook !== "recall" && WORKSPACE) words.push("--workspace", WORKSPACE);
    const fields = {
      session_id: ctx.sessionId,
      sessionKey: ctx.sessionKey,
      cwd: ctx.workspaceDir,
      ...input,
    };
    let output = "";
    let child;
    try {
      child = spawn(PROGRAM[0], words, {
        stdio: ["pipe", "pipe", "ignore"],
        timeout: MILLISECONDS,
        windowsHide: true,
      });
    } catch {
      return resolve("");
    }
    child.on("error", () => resolve(""));
    child.stdin.on("error", () => {});
    child.stdout.on("data", (part) => (output += part));
    child.on("close", () => {
      try {
        resolve(JSON.parse(output).hookSpecificOutput.additionalContext || "");
      } catch {
        resolve("");
      }
    });
    child.stdin.end(JSON.stringify(fields));
  });
}

const greeted = new Set();

async function recall(event, ctx) {
  const session = ctx.sessionId || ctx.sessionKey || "";
  const asked = [
    ask("recall", { hook_event_name: "UserPromptSubmit", prompt: event.prompt }, ctx),
  ];
  if (!greeted.has(session)) {
    greeted.add(session);
    asked.unshift(ask("today", { hook_event_name: "SessionStart", source: "startup" }, ctx));
  }
  const texts = (await Promise.all(asked)).filter(Boolean);
  return texts.length ? { prependContext: texts.join("\\n\\n") } : undefined;
}

async function keep(event, ctx) {
  if (!event.sessionFile) return;
  await ask("keep", { hook_event_name: "SessionEnd", transcript_path: event.sessionFile }, ctx);
}

module.exports = {
  id: "scrubjay",
  name: "Scrubjay",
  register(api) {
    api.on("before_prompt_build", recall, { timeoutMs: MILLISECONDS });
    api.on("before_reset", keep, { timeoutMs: MILLISECONDS });
  },
};
"""


def plugin_files(start: ProgramStart, folder: str) -> dict[str, str]:
    """The texts of the plugin's files by their names."""
    values = {
        "@PROGRAM@": json.dumps(start.words()),
        "@WORKSPACE@": json.dumps(folder),
        "@MILLISECONDS@": str(HOOK_SECONDS * 1000),
    }
    # Values are written as JSON, which is JavaScript too.
    code = _CODE
    for mark, value in values.items():
        code = code.replace(mark, value)
    return {"openclaw.plugin.json": json.dumps(_MANIFEST, indent=2) + "\n", "index.js": code}


def plugin_workspace(code: str | None) -> str:
    """The workspace that the code of a plugin names; empty if it names none."""
    match = re.search(r"^const WORKSPACE = (\".*\");$", code or "", re.MULTILINE)
    if match is None:
        return ""
    # People edit the file, and what is JavaScript there need not be JSON.
    try:
        return str(json.loads(match[1]))
    except ValueError:
        return ""


def openclaw_workspace(settings: Mapping[str, Any], at: ClientContext) -> Path:
    """The folder of OpenClaw's main agent, with its AGENTS.md."""
    # https://docs.openclaw.ai/concepts/agent-workspace
    match settings.get("agents"):
        case {"defaults": {"workspace": str(folder)}} if "\0" in folder:
            pass  # no path, for OpenClaw either
        case {"defaults": {"workspace": str(folder)}} if folder.startswith("~/"):
            return at.home / folder[2:]
        case {"defaults": {"workspace": str(folder)}} if Path(folder).is_absolute():
            return Path(folder)
    return openclaw_folder(at) / "workspace"


class PluginFile:
    """One file of the plugin, which is ours as a whole."""

    part = ConnectionPart.HOOKS

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self._text = text

    def applied(self, _text: str | None) -> str | None:
        """The file as we write it."""
        return self._text

    def removed(self, _text: str | None) -> str | None:
        """No file."""
        return None


class PluginEntry:
    """The entry that switches the plugin on, in OpenClaw's settings.

    Without `allowConversationAccess`, OpenClaw does not call a hook that sees prompts.
    """

    part = ConnectionPart.HOOKS
    _ENTRY = ("plugins", "entries", SERVER)
    _ALLOWED = ("plugins", "allow")

    def __init__(self, client: Client, file: Path) -> None:
        self.file = file
        self._client = client

    def applied(self, text: str | None) -> str | None:
        """The settings with the entry, and with the plugin in the list of those allowed, if any."""
        # A list of allowed plugins would keep out one that is not in it.
        plugins = self._plugins(text)
        after = text or ""
        if is_blank(after):
            after = "{}\n"
        try:
            if not _is_on(plugins):
                after = set_value(after, [*self._ENTRY, "enabled"], value=True)
            if not _sees_prompts(plugins):
                path = [*self._ENTRY, "hooks", "allowConversationAccess"]
                after = set_value(after, path, value=True)
            allowed = plugins.get("allow")
            if isinstance(allowed, list) and allowed and SERVER not in allowed:
                after = append_entry(after, self._ALLOWED, SERVER)
        except LookupError as error:
            raise misplaced(self._client, str(error.args[0])) from error
        return after

    def removed(self, text: str | None) -> str | None:
        """The settings without the entry, and without the plugin in the list."""
        if text is None or is_blank(text):
            return text
        plugins = self._plugins(text)
        allowed = plugins.get("allow")
        if isinstance(allowed, list) and SERVER in allowed:
            text = remove_value(text, [*self._ALLOWED, allowed.index(SERVER)])
        text = remove_value(text, self._ENTRY)
        # Objects that only the entry was in go with it.
        entries = plugins.get("entries")
        if isinstance(entries, dict) and SERVER in entries:
            for outer in (self._ENTRY[:2], self._ENTRY[:1]):
                if is_empty(text, outer):
                    text = remove_value(text, outer)
        return text

    def _plugins(self, text: str | None) -> dict[str, Any]:
        plugins = read_json(self._client, text or "").get("plugins")
        if plugins is None:
            return {}
        if not isinstance(plugins, dict):
            raise misplaced(self._client, "plugins")
        return plugins


def _is_on(plugins: dict[str, Any]) -> bool:
    match plugins.get("entries"):
        case {"scrubjay": {"enabled": True}}:
            return True
    return False


def _sees_prompts(plugins: dict[str, Any]) -> bool:
    match plugins.get("entries"):
        case {"scrubjay": {"hooks": {"allowConversationAccess": True}}}:
            return True
    return False
