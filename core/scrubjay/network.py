"""The only door to the network for everything that embeds text."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrubjay.errors import LocalOnly
from scrubjay.translated import say

if TYPE_CHECKING:
    import httpx2


class Network:
    """Opens HTTP clients. While the local-only switch is on, they reach this computer alone."""

    def __init__(self, is_local_only: Callable[[], bool]) -> None:
        """The switch is asked before each request, so that it counts at once."""
        self._is_local_only = is_local_only

    def client(self, base_url: str, headers: Mapping[str, str]) -> httpx2.Client:
        """A client for one server. Raises LocalOnly, here or at a request."""
        self.check(base_url)
        # Importing it costs 150 ms, which only those pay who use a remote provider.
        import httpx2

        return httpx2.Client(
            headers=dict(headers),
            # A proxy would carry to elsewhere what is meant for this computer.
            trust_env=not is_this_computer(base_url),
            # A redirect could lead the key and the notes to another server.
            follow_redirects=False,
            event_hooks={"request": [lambda request: self.check(str(request.url))]},
        )

    def check(self, url: str) -> None:
        """Raise LocalOnly when a request to url is not allowed."""
        if self._is_local_only() and not is_this_computer(url):
            raise LocalOnly(
                "Nothing may leave this computer",
                say("The local-only switch is on, so {host} is not asked.", host=host_of(url)),
                hint="Choose a local model, or switch local-only off in the settings.",
            )


def is_this_computer(url: str) -> bool:
    """True when url leads back to this computer."""
    host = host_of(url)
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def host_of(url: str) -> str:
    """Host of an address, in lower case; empty when it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # brackets that do not match
        return ""
