"""Opens an interface of a remote provider at its first request, and explains its failures."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from scrubjay.embedding.remote.api import UNREADABLE, RequestFailed
from scrubjay.embedding.remote.dispatch import RetryPolicy, retry
from scrubjay.embedding.remote.service import RemoteService
from scrubjay.errors import ProviderUnavailable, RemoteRefused
from scrubjay.messages import Sentence, msg, sentence
from scrubjay.platform.http_access import Network, host_of

A = TypeVar("A")
T = TypeVar("T")

if TYPE_CHECKING:
    import httpx2

_REASON_CHARACTERS = 200
_PAYMENT = ("quota", "billing", "credit", "payment")


@dataclass(frozen=True, slots=True)
class Connection:
    """Address and key of a provider."""

    base_url: str
    find_key: Callable[[], str] = field(repr=False)
    """Called at the first request and again after a refused key; raises ProviderUnavailable."""
    key_id: str = ""
    """Name under which people store that key."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    retry_policy: RetryPolicy | None = None
    """None: DEFAULT_RETRIES."""


@dataclass(frozen=True, slots=True)
class ApiChannel:
    """Everything that an interface is opened with."""

    connection: Connection
    network: Network
    service: RemoteService
    model: str
    dimensions: int | None

    def open(self, path: str, key: str) -> _OpenApi[Any]:
        """An interface, whose class `module:name` is imported now: official libraries take 1 s."""
        module, _, name = path.partition(":")
        api = getattr(importlib.import_module(f"{__package__}.{module}"), name)
        base_url = self.connection.base_url
        client = self.network.client(base_url, self.connection.headers)
        return _OpenApi(client, api(client, base_url, key, self.model, self.dimensions))


@dataclass(slots=True)
class _OpenApi(Generic[A]):
    """An interface that is closed once it is dropped and has no users.

    A connection that is made while its client is being closed would stay open for good.
    """

    client: httpx2.Client
    api: A
    users: int = 0
    is_dropped: bool = False


class ApiSession(Generic[A]):
    """One interface of a provider. Nothing is imported, opened or sent before the first request."""

    def __init__(self, channel: ApiChannel, path: str) -> None:
        """Path is `module:class` of the interface, below this package."""
        self._channel = channel
        self._path = path
        self._lock = threading.Lock()
        self._open: _OpenApi[A] | None = None
        self._key = ""
        self._closed = threading.Event()

    @property
    def service(self) -> RemoteService:
        """The provider."""
        return self._channel.service

    def call(self, request: Callable[[A], T]) -> T:
        """Result of a request, which is repeated after failures that pass.

        Raises RequestFailed, or ProviderUnavailable when it cannot be opened.
        """
        retry_policy = self._channel.connection.retry_policy
        return retry(lambda: self._call_once(request), self._closed, retry_policy)

    def explain(self, failure: RequestFailed) -> ProviderUnavailable:
        """The failure in words. After a refused key the next request looks for a new one."""
        key = self._key
        if failure.status in (401, 403):
            self._drop()
        return _explained(failure, self._channel, key)

    def close(self) -> None:
        """Close it for good, after requests under way; nothing is repeated from now on."""
        self._closed.set()
        self._drop()

    def _call_once(self, request: Callable[[A], T]) -> T:
        opened = self._acquire()
        try:
            return request(opened.api)
        finally:
            with self._lock:
                opened.users -= 1
            self._close_unused(opened)

    def _acquire(self) -> _OpenApi[A]:
        """The open interface, with one user more."""
        connection = self._channel.connection
        with self._lock:
            if self._closed.is_set():
                raise ProviderUnavailable(msg("{name} is switched off", name=self.service.name))
            if self._open is None:
                # Before the keychain is asked: a forbidden request needs no key.
                self._channel.network.check(connection.base_url)
                self._key = connection.find_key()
                self._open = self._channel.open(self._path, self._key)
            self._open.users += 1
            return self._open

    def _drop(self) -> None:
        with self._lock:
            opened, self._open = self._open, None
            if opened:
                opened.is_dropped = True
        if opened:
            self._close_unused(opened)

    def _close_unused(self, opened: _OpenApi[A]) -> None:
        with self._lock:
            is_unused = opened.is_dropped and opened.users == 0
        if is_unused:
            opened.client.close()


def _explained(failure: RequestFailed, channel: ApiChannel, key: str) -> ProviderUnavailable:
    """The failure in words, with a hint. The key never stands in it."""
    service, name, status = channel.service, channel.service.name, failure.status
    reason = _reason(failure.message, key)
    if status == 0:
        host = host_of(channel.connection.base_url)
        return ProviderUnavailable(
            msg("{name} did not answer", name=name),
            msg("{host}: {said}", host=host, said=reason),
            hint=service.unreachable_hint,
        )
    if status == UNREADABLE:
        return ProviderUnavailable(
            msg("{name} sent something that is no answer", name=name),
            reason,
            hint="Try again in a while.",
        )
    if status in (401, 403):
        return _key_error(name, channel.connection.key_id, is_refused=bool(key))
    if status == 404:
        return RemoteRefused(
            msg("{name} does not know the model {model}", name=name, model=channel.model),
            reason,
            hint=service.unknown_model_hint,
        )
    if status == 402 or (status == 429 and any(word in reason.lower() for word in _PAYMENT)):
        return RemoteRefused(
            msg("The account at {name} has nothing left", name=name),
            reason,
            hint="Look at its billing page.",
        )
    if status == 429:
        return RemoteRefused(
            msg("{name} is asked too often", name=name), reason, hint="Try again in a while."
        )
    if status >= 500:
        return ProviderUnavailable(
            msg("{name} has trouble (error {status})", name=name, status=str(status)),
            reason,
            hint="Try again in a while.",
        )
    return RemoteRefused(
        msg("{name} refused the request (error {status})", name=name, status=str(status)), reason
    )


def _reason(message: str, key: str) -> Sentence:
    if key and key in message:
        message = message.replace(key, "...")
    is_short = len(message) <= _REASON_CHARACTERS
    return sentence(message if is_short else f"{message[:_REASON_CHARACTERS]}...")


def _key_error(name: str, key_id: str, *, is_refused: bool) -> RemoteRefused:
    if is_refused:
        hint = msg("Replace it with `scrubjay keys set {id}`.", id=key_id)
        return RemoteRefused(msg("{name} refused the key", name=name), hint=hint)
    hint = msg("Enter one with `scrubjay keys set {id}`.", id=key_id)
    return RemoteRefused(msg("{name} wants a key", name=name), hint=hint)
