"""Objects in JSON that other programs wrote, where anything else may be in their place."""

from __future__ import annotations

from typing import Any


def json_object(value: Any) -> dict[str, Any]:
    """The value if it is an object; an empty one instead of anything else."""
    if not isinstance(value, dict):
        return {}
    return value


def json_objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none of anything else."""
    if not isinstance(value, list):
        return []
    return [each for each in value if isinstance(each, dict)]
