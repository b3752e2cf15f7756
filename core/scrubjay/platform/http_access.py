"""HTTP clients that obey the local-only switch."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import struct
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrubjay.errors import LocalOnly, system_reason
from scrubjay.messages import Sentence, as_sentence, msg

if TYPE_CHECKING:
    import socket

    import httpx2


class Network:
    """Opens HTTP clients. While the local-only switch is on, they reach only this computer."""

    def __init__(self, is_local_only: Callable[[], bool]) -> None:
        """The switch is checked before each request, so that a change takes effect immediately."""
        self._is_local_only = is_local_only

    def client(self, base_url: str, headers: Mapping[str, str]) -> httpx2.Client:
        """A client for one server. Raises LocalOnly, here or at a request.

        The headers win over those of libraries and keys except those about the body.
        """
        self.check(base_url)
        # Importing it costs 150 ms, so a program without remote providers never does.
        import httpx2

        # The length and the kind of the body are the client's to tell.
        own = {
            name: value
            for name, value in headers.items()
            if not name.lower().startswith(("content-", "transfer-"))
        }
        return httpx2.Client(
            # A proxy would carry requests for this computer to another one.
            trust_env=not is_this_computer(base_url),
            # A redirect could lead the key and the notes to another server.
            follow_redirects=False,
            event_hooks={
                "request": [
                    lambda request: self.check(str(request.url)),
                    lambda request: request.headers.update(own),
                ]
            },
        )

    def check(self, url: str) -> None:
        """Raise LocalOnly when a request to url is not allowed."""
        if self._is_local_only() and not is_this_computer(url):
            raise LocalOnly(
                "Services on the internet are not allowed",
                msg(
                    "The setting “Never use services on the internet” is on, so {host} "
                    "was not contacted.",
                    host=host_of(url),
                ),
                hint=(
                    "Choose a language helper on this computer, or turn off “Never use services "
                    "on the internet” in the settings."
                ),
            )


_RESET = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
"""Time to linger of zero seconds: a connection that is closed is reset, and what was not read is
dropped."""


class RequestConnections:
    """The connections of one request, which any thread may close, so that no call waits."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._is_ended = False

    @property
    def extensions(self) -> dict[str, Any]:
        """Options of a request by which it tells its connections."""
        return {"trace": self._trace}

    def hang_up(self) -> None:
        """End the connections that there are, and each that is still made."""
        import socket

        self._is_ended = True
        for connection in self._sockets:
            with contextlib.suppress(OSError):  # closed already
                # A server that sends faster than is read would not learn of a mere shutdown.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                connection.shutdown(socket.SHUT_RDWR)
            # A read that waits under Wine ends only when its socket is closed. Linux may give the
            # number of a closed socket to another one while the read still waits.
            if sys.platform == "win32":
                connection.close()

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        # A connection through TLS has another socket object from then on.
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._sockets.append(info["return_value"].get_extra_info("socket"))
            if self._is_ended:
                self.hang_up()


def is_this_computer(url: str) -> bool:
    """True when url leads back to this computer."""
    # A name other than localhost may resolve to any computer, so it does not count.
    host = host_of(url)
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def host_of(url: str) -> str:
    """Host of an address, in lower case; empty if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # brackets that do not match
        return ""


def network_reason(error: BaseException) -> Sentence:
    """The reason why a request failed, in a few plain words, for the errors of all libraries."""
    # Imported late: most programs never open a connection.
    import socket
    import ssl

    # Some kinds are known by name alone, as their libraries are not loaded for this.
    match root_cause(error):
        case ssl.SSLCertVerificationError():
            return msg("This computer does not trust the server's certificate")
        case ssl.SSLEOFError() | ssl.SSLZeroReturnError():
            return msg("The other computer closed the connection")
        case ssl.SSLError():
            return msg("A secure connection could not be established")
        case socket.gaierror():
            return msg("The server was not found. There may be no network connection")
        case TimeoutError():
            return msg("No response was received in time")
        case OSError(errno=int()) as known:
            return system_reason(known)
        case cause:
            words = str(error) or type(error).__name__
            return _library_reason(cause) or as_sentence(words)


def _library_reason(cause: BaseException) -> Sentence | None:
    """The reason of an error that only its library knows; None for any other error."""
    name = type(cause).__name__
    if name == "ProxyError" and "407" in str(cause):
        return msg("The network's proxy requires a user name and password")
    if name == "ProxyError":
        return msg("The network blocks the connection")
    said = str(cause)
    if isinstance(said, Sentence):
        return said
    if name == "RemoteProtocolError":
        return msg("The response was incomplete or not valid")
    return None


def root_cause(error: BaseException) -> BaseException:
    """The OSError below the errors of libraries, otherwise the error itself."""
    below: BaseException | None = error
    while below and not isinstance(below, OSError):
        below = below.__cause__ or below.__context__
    return below or error
