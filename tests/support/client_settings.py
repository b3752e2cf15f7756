"""Settings files as people have them: other servers, other hooks, comments, and odd spacing."""

from __future__ import annotations

CLAUDE_STATE = """\
{
  "numStartups": 41,
  "mcpServers": {
    "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" }
  },
  "projects": { "/work/api": { "allowedTools": [] } }
}
"""
CLAUDE_SETTINGS = """\
{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  // my own
  "permissions": { "allow": ["Bash(git log:*)"] },
  "hooks": {
    "PostToolUse": [
      { "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "npx prettier" }] }
    ],
    "Stop": [
      { "hooks": [{ "type": "command", "command": "notify-send 'done'", "timeout": 5 }] } // sound
    ]
  },
  "model": "opus"
}
"""
CODEX_CONFIG = """\
# my settings
model = "gpt-5-codex"
notify = ["python3", "/home/mo/notify.py"]

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]

[features]
hooks = true
"""
CODEX_HOOKS = """\
{
  "hooks": {
    "SessionStart": [
      { "matcher": "startup", "hooks": [{ "type": "command", "command": "date", "timeout": 3 }] }
    ]
  }
}
"""
GEMINI_SETTINGS = """\
{
  /* theme */ "ui": { "theme": "GitHub" },
  "mcpServers": { "fs": { "command": "npx", "args": ["-y", "server-filesystem"] } },
  "hooks": {
    "BeforeTool": [
      { "matcher": "write_file", "sequential": true,
        "hooks": [ { "name": "secrets", "type": "command", "command": "./check.sh" } ] }
    ]
  }
}
"""
CURSOR_SERVERS = """\
{
\t"mcpServers": {
\t\t"linear": { "url": "https://mcp.linear.app/sse" }
\t}
}
"""
CURSOR_HOOKS = """\
{
  "version": 1,
  "hooks": {
    "afterFileEdit": [ { "command": "./hooks/format.sh" } ],
    "stop": [ { "command": "./hooks/audit.sh", "loop_limit": 2 } ]
  }
}
"""
OPENCLAW = """\
{
  // the gateway
  gateway: { port: 18789 },
  agents: { defaults: { workspace: "~/.openclaw/workspace" } },
  plugins: { allow: ["telegram"], entries: { telegram: { enabled: true } }, },
  hooks: { internal: { enabled: true, entries: { "session-memory": { enabled: true } } } },
}
"""
GUIDE = "# House rules\n\nAnswer in English.\n"

FILES = {
    "claude-code": {
        ".claude.json": CLAUDE_STATE,
        ".claude/settings.json": CLAUDE_SETTINGS,
        ".claude/CLAUDE.md": GUIDE,
    },
    "codex": {
        ".codex/config.toml": CODEX_CONFIG,
        ".codex/hooks.json": CODEX_HOOKS,
        ".codex/AGENTS.md": GUIDE.replace("\n", "\r\n"),
    },
    "gemini-cli": {".gemini/settings.json": GEMINI_SETTINGS, ".gemini/GEMINI.md": GUIDE},
    "cursor": {".cursor/mcp.json": CURSOR_SERVERS, ".cursor/hooks.json": CURSOR_HOOKS},
    "openclaw": {
        ".openclaw/openclaw.json": OPENCLAW,
        ".openclaw/workspace/AGENTS.md": GUIDE.rstrip(),
    },
}
"""The files of each agent below the home of a person."""
