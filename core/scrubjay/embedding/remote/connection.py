"""Opens the interfaces of a remote provider when they are first needed, and asks them again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.embedding.remote.error_messages import in_words
from scrubjay.embedding.remote.retrying import FIRST_PAUSE_S, retry
from scrubjay.embedding.remote.services import RemoteService
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.platform.http_access import Network, host_of

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")


class Closable(Protocol):
    """What has connections."""

    def close(self) -> None:
        """Close them."""


A = TypeVar("A", bound=Closable)

Factory: TypeAlias = "Callable[[httpx2.Client, str, str, str, int | None], A]"
"""Takes client, base URL, key, model and the number of dimensions that was asked for."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Where a provider is and how one gets in."""

    base_url: str
    find_key: Callable[[], str] = field(repr=False)
    """Asked at the first request and again after a refused key; raises ProviderUnavailable."""
    key_id: str = ""
    """Under which name people store that key."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    first_pause_s: float = FIRST_PAUSE_S
    """Before a failed request is repeated."""


@dataclass(frozen=True, slots=True)
class ApiChannel:
    """Everything that an interface is opened with."""

    connection: Connection
    network: Network
    service: RemoteService
    model: str
    dimensions: int | None


@dataclass(slots=True)
class _Held(Generic[A]):
    """An interface that is closed once nobody uses it and nobody will.

    A connection that is made while its client is being closed would stay open for good.
    """

    api: A
    users: int = 0
    is_dropped: bool = False


class ApiSession(Generic[A]):
    """One interface of a provider. Nothing is imported, opened or sent before the first request."""

    def __init__(self, line: ApiChannel, make: Factory[A]) -> None:
        self._line = line
        self._make = make
        self._lock = threading.Lock()
        self._held: _Held[A] | None = None
        self._key = ""
        self._closed = threading.Event()

    @property
    def service(self) -> RemoteService:
        """Whose interface it is."""
        return self._line.service

    def asked(self, request: Callable[[A], T]) -> T:
        """Result of a request, which is repeated after failures that pass.

        Raises RequestFailed, or ProviderUnavailable when it cannot be opened.
        """
        first_pause_s = self._line.connection.first_pause_s
        return retry(lambda: self._asked_once(request), self._closed, first_pause_s)

    def explained(self, failure: RequestFailed) -> ProviderUnavailable:
        """The failure in words. After a refused key the next request looks for a new one."""
        key, connection = self._key, self._line.connection
        if failure.status in (401, 403):
            self._drop()
        return in_words(
            failure,
            self._line.service,
            model=self._line.model,
            host=host_of(connection.base_url),
            key=key,
            key_id=connection.key_id,
        )

    def close(self) -> None:
        """Close it for good, after what is under way; nothing is repeated from now on."""
        self._closed.set()
        self._drop()

    def _asked_once(self, request: Callable[[A], T]) -> T:
        held = self._opened()
        try:
            return request(held.api)
        finally:
            with self._lock:
                held.users -= 1
            self._close_unused(held)

    def _opened(self) -> _Held[A]:
        """With one user more."""
        line, at = self._line, self._line.connection
        with self._lock:
            if self._closed.is_set():
                raise ProviderUnavailable(msg("{name} is switched off", name=line.service.name))
            if self._held is None:
                # Before the keychain is asked: who may not be called needs no key.
                line.network.check(at.base_url)
                self._key = at.find_key()
                client = line.network.client(at.base_url, at.headers)
                made = self._make(client, at.base_url, self._key, line.model, line.dimensions)
                self._held = _Held(made)
            self._held.users += 1
            return self._held

    def _drop(self) -> None:
        with self._lock:
            held, self._held = self._held, None
            if held:
                held.is_dropped = True
        if held:
            self._close_unused(held)

    def _close_unused(self, held: _Held[A]) -> None:
        with self._lock:
            is_unused = held.is_dropped and held.users == 0
        if is_unused:
            held.api.close()
