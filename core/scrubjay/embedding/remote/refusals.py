"""Turns the failures of remote providers into words for people."""

from __future__ import annotations

from scrubjay.embedding.remote.api import UNREADABLE, RequestFailed
from scrubjay.embedding.remote.known import RemoteService
from scrubjay.errors import ProviderUnavailable, RemoteRefused

_SHOWN = 200
_BROKE = ("quota", "billing", "credit", "payment")


def in_words(
    failure: RequestFailed, service: RemoteService, *, model: str, host: str, key: str, key_id: str
) -> ProviderUnavailable:
    """What happened and what to do about it. The key never stands in it."""
    name = service.name
    said = failure.message.replace(key, "...") if key else failure.message
    said = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}..."
    if failure.status == 0:
        return ProviderUnavailable(
            f"{name} did not answer", f"{host}: {said}", hint=service.unreachable_hint
        )
    if failure.status == UNREADABLE:
        return ProviderUnavailable(
            f"{name} sent something that is no answer", said, hint="Try again in a while."
        )
    if failure.status in (401, 403):
        hint = f"Replace it with `scrubjay keys set {key_id}`."
        if not key:
            hint = f"Enter one with `scrubjay keys set {key_id}`."
        return RemoteRefused(f"{name} refused the key" if key else f"{name} wants a key", hint=hint)
    if failure.status == 404:
        return RemoteRefused(
            f"{name} does not know the model {model}", said, hint=service.unknown_model_hint
        )
    if failure.status == 402 or (
        failure.status == 429 and any(word in said.lower() for word in _BROKE)
    ):
        return RemoteRefused(
            f"The account at {name} has nothing left", said, hint="Look at its billing page."
        )
    if failure.status == 429:
        return RemoteRefused(f"{name} is asked too often", said, hint="Try again in a while.")
    if failure.status >= 500:
        return ProviderUnavailable(
            f"{name} has trouble (error {failure.status})", said, hint="Try again in a while."
        )
    return RemoteRefused(f"{name} refused the request (error {failure.status})", said)
