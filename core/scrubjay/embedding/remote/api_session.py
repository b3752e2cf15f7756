"""The session of a remote provider, opened at its first request, which explains its failures."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct, field

from scrubjay.embedding.remote.api import UNREADABLE, RequestFailed
from scrubjay.embedding.remote.retries import DEFAULT_RETRIES, RetryPolicy, retry
from scrubjay.embedding.remote.service_catalogue import RemoteService
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import Sentence, as_sentence, msg
from scrubjay.platform.http_access import Network, host_of

A = TypeVar("A")
T = TypeVar("T")

if TYPE_CHECKING:
    import httpx2

_REASON_CHARACTERS = 200
"""Characters of a server's words that are shown, which may be a whole page."""
_PAYMENT = ("quota", "billing", "credit", "payment")
"""Words of a server that asks for a pause and means that the account is empty."""
_NOT_ALLOWED = (401, 403)
"""Statuses of a request without a key, or with one that is not accepted."""


class ApiConnection(Struct, frozen=True):
    """A model of a provider, and how to connect to it."""

    service: RemoteService
    network: Network
    base_url: str
    model: str
    find_key: Callable[[], str]
    """Function that is called at the first request and again after a refused key; raises
    ProviderUnavailable."""
    dimensions: int | None = None
    """Length of vectors that is asked for."""
    length: int = 0
    """Length that the server gave before, where no or another one is published; otherwise 0."""
    keep_length: Callable[[int], None] = lambda _length: None
    """Function that is called with such a length when the server gives it."""
    key_id: str = ""
    """Name under which people store the key."""
    headers: Mapping[str, str] = field(default_factory=dict)
    retry_policy: RetryPolicy = DEFAULT_RETRIES
    query_s: float = 0.0
    """Seconds for the vector of a query; 0 for as long as the service may take."""

    def __repr__(self) -> str:
        # The headers may hold a key.
        return f"{type(self).__name__}(base_url={self.base_url!r}, model={self.model!r})"


class _OpenApi(Struct, Generic[A]):
    """An interface that is closed when its last user leaves; the session is one of them.

    A connection that is made while its client is being closed would stay open for good.
    """

    client: httpx2.Client
    api: A
    users: int = 1


class ApiSession(Generic[A]):
    """One interface of a provider. Nothing is imported, opened or sent before the first request."""

    def __init__(self, connection: ApiConnection, path: str) -> None:
        """Path is `module:class` of the interface, below this package."""
        self.connection = connection
        self._path = path
        self._lock = threading.Lock()
        self._open: _OpenApi[A] | None = None
        self._key = ""
        self._closed = threading.Event()

    def call(self, request: Callable[[A], T], retries: RetryPolicy | None = None) -> T:
        """Result of a request, perhaps repeated. Raises RequestFailed or ProviderUnavailable."""
        once = partial(self._call_once, request)
        return retry(once, self._closed, retries or self.connection.retry_policy)

    def explain(self, failure: RequestFailed) -> ProviderUnavailable:
        """The failure without the key, in words; a refused key is looked for again."""
        if failure.status in _NOT_ALLOWED:
            self._drop()
            return _refused_key(self.connection, has_key=bool(self._key))
        # The words of the server, without the key, and no whole page of them.
        said = failure.message
        if self._key:
            said = said.replace(self._key, "...")
        if len(said) > _REASON_CHARACTERS:
            said = f"{said[:_REASON_CHARACTERS]}..."
        return _explained(self.connection, failure.status, as_sentence(said))

    def close(self) -> None:
        """Close it for good, after requests under way; nothing is repeated from now on."""
        self._closed.set()
        self._drop()

    def _call_once(self, request: Callable[[A], T]) -> T:
        # Each request counts as a user, so that nobody closes the client under it.
        with self._lock:
            if self._open is None:
                self._open = self._opened()
            opened = self._open
            opened.users += 1
        try:
            return request(opened.api)
        finally:
            self._leave(opened)

    def _opened(self) -> _OpenApi[A]:
        connection = self.connection
        if self._closed.is_set():
            raise ProviderUnavailable(msg("{name} is turned off", name=connection.service.name))
        # Before the keychain is asked: a forbidden request needs no key.
        connection.network.check(connection.base_url)
        self._key = connection.find_key()
        # Imported now: official libraries take 1 s.
        module, _, name = self._path.partition(":")
        api = getattr(importlib.import_module(f"{__package__}.{module}"), name)
        client = connection.network.client(connection.base_url, connection.headers)
        import httpx2

        try:
            return _OpenApi(client, api(connection, client, self._key))
        except (httpx2.InvalidURL, ValueError) as error:
            client.close()
            raise ProviderUnavailable(
                msg("{url} is not a web address", url=connection.base_url),
                hint=connection.service.unreachable_hint,
            ) from error

    def _drop(self) -> None:
        with self._lock:
            opened = self._open
            self._open = None
        if opened:
            self._leave(opened)

    def _leave(self, opened: _OpenApi[A]) -> None:
        with self._lock:
            opened.users -= 1
            is_unused = opened.users == 0
        if is_unused:
            opened.client.close()


def _refused_key(connection: ApiConnection, *, has_key: bool) -> ProviderUnavailable:
    """The error of a service that wants a key, or another one."""
    name = connection.service.name
    if not has_key:
        return ProviderUnavailable(
            msg("{name} needs a key", name=name),
            hint=msg(
                "Enter the key in Settings under “Service keys”, or with `scrubjay keys set {id}`.",
                id=connection.key_id,
            ),
        )
    return ProviderUnavailable(
        msg("{name} refused the key", name=name),
        hint=msg(
            "Replace the key in Settings under “Service keys”, or with `scrubjay keys set {id}`.",
            id=connection.key_id,
        ),
    )


def _explained(connection: ApiConnection, status: int, reason: Sentence) -> ProviderUnavailable:
    """The error for a status of HTTP or of ours, with what to do where that is known."""
    service = connection.service
    name = service.name
    hint: str = msg("Try again later.")
    # Some services answer 429 for good once an account is empty.
    is_unpaid = status == 429 and any(word in reason.lower() for word in _PAYMENT)
    if status == 0:
        title = msg("{name} did not respond", name=name)
        reason = msg("{host}: {said}", host=host_of(connection.base_url), said=reason)
        hint = service.unreachable_hint
    elif status == UNREADABLE:
        title = msg("{name} sent an invalid response", name=name)
    elif status == 404:
        title = msg(
            "{name} has no language helper called {model}", name=name, model=connection.model
        )
        hint = service.unknown_model_hint
    elif status == 402 or is_unpaid:
        title = msg("Your account with {name} has run out of credit", name=name)
        hint = msg("Check your account on the service's website. You can still search by words.")
    elif status == 429:
        title = msg("{name} received too many requests", name=name)
    elif status >= 500:
        title = msg("{name} is having problems (error {status})", name=name, status=str(status))
    else:
        title = msg("{name} refused the request (error {status})", name=name, status=str(status))
        hint = ""
    return ProviderUnavailable(title, reason, hint=hint)
