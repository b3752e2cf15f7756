"""`scrubjay keys`: Store and test the API keys of remote providers, kept in the system keychain."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated

from scrubjay.cli import output, status_output
from scrubjay.cli.arguments import Argument, CommandGroup
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson
from scrubjay.cli.session import open_engine
from scrubjay.engine.key_commands import resolve_key_id
from scrubjay.errors import QueryError, ScrubjayError

app = CommandGroup("Store API keys for remote providers in the system keychain, and test them.")

Name = Annotated[
    str,
    Argument(
        help="Provider: openai, gemini, voyage, mistral or the host name of another endpoint."
    ),
]


@app.command("set")
def set_key(name: Name) -> None:
    """Store or replace a key. Type the key in the terminal, or pipe it to the command."""
    stored = resolve_key_id(name)
    # A key is never an argument: other programs may read the command lines of this one.
    if output.has_terminal():
        key = getpass.getpass(f"Key for {stored} (it is not shown): ")
    else:
        key = _key_of_input()
    with open_engine() as engine:
        engine.keys.set(stored, key).result()
        print_line(
            f"The key for {stored} is in the keychain. To test it, run scrubjay keys test {stored}"
        )


def _key_of_input() -> str:
    """The first line of standard input. Raises QueryError where there is none."""
    key = ""
    if sys.stdin is not None:
        key = sys.stdin.readline().strip()
    if not key:
        hint = "Pipe the key to this command, or run the command in a terminal."
        raise QueryError("There is no key on standard input", hint=hint)
    return key


@app.command("test")
def test_key(name: Name) -> None:
    """Test a key by requesting one embedding from the provider."""
    with open_engine() as engine:
        done = engine.keys.test(name).result()
        print_line(status_output.key_test_sentence(done))


@app.command("list")
def list_keys(as_json: AsJson = False) -> None:
    """Show the names of the keys and the last four characters of each."""
    with open_engine() as engine:
        keys = engine.keys.list().result()
    if as_json:
        output.print_json([{"id": key.id, "tail": key.tail} for key in keys])
        return
    if not keys:
        print_line("There are no keys in the keychain. Store one with `scrubjay keys set openai`.")
    for key in keys:
        print_line(key.id, f"...{key.tail}")


@app.command("delete")
def delete_key(name: Name) -> None:
    """Delete a key from the keychain."""
    with open_engine() as engine:
        if not engine.keys.delete(name).result():
            raise ScrubjayError(f"There is no key for {name}", "Nothing was deleted.")
        print_line(f"The key for {name} was deleted.")


@app.command("move")
def move_keys() -> None:
    """Move keys from the settings file to the keychain."""
    with open_engine() as engine:
        moved = engine.keys.move().result()
    # Each key that was moved is named, but never shown.
    if not moved:
        print_line("No keys were found in the settings file.")
    for name in moved:
        print_line(f"The key for {name} was moved from the settings to the keychain.")
