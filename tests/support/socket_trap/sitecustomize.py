"""Refuses and notes each try to reach another computer, in this process and those it starts.

Python imports this module at its start where the folder is on PYTHONPATH.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from pathlib import Path
from typing import Any

_OF_AN_ADDRESS = ("socket.connect", "socket.sendto", "socket.sendmsg")
_OF_A_NAME = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


def _host(event: str, arguments: tuple[Any, ...]) -> str:
    if event in _OF_A_NAME:
        return str(arguments[0] or "localhost")
    if event in _OF_AN_ADDRESS and arguments[0].family != getattr(socket, "AF_UNIX", None):
        return str(arguments[1][0]) if arguments[1] else ""
    return ""


def _is_elsewhere(host: str) -> bool:
    try:
        return bool(host) and not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _trap(event: str, arguments: tuple[Any, ...]) -> None:
    host = _host(event, arguments)
    if _is_elsewhere(host):
        with Path(os.environ["SOCKET_TRAP"]).open("a", encoding="utf-8") as noted:
            noted.write(f"{host}\n")
        raise OSError(f"The trap refuses {host}")


sys.addaudithook(_trap)
