"""Lists what is in a bundle, in the CycloneDX format: `python packaging/sbom.py [BUNDLE]`."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import sys
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import versions
from scrubjay.platform.licences import DATA_FILE, Component, components, normal

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str]) -> int:
    """Print the list for dist/scrubjay, or for the bundle that is named."""
    bundle = Path(arguments[0] if arguments else ROOT / "dist/scrubjay")
    data = next(bundle.rglob(DATA_FILE)).parent
    print(json.dumps(bill(components(data)), indent=2, ensure_ascii=False))
    return 0


def bill(found: Iterable[Component]) -> dict[str, Any]:
    """The list itself (CycloneDX 1.6, ECMA-424)."""
    parts = [part(one) for one in found]
    moment = dt.datetime.fromtimestamp(versions.source_date(), dt.UTC)
    content = hashlib.sha256(json.dumps(parts).encode()).digest()
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same for the same content, so that a build can be compared.
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=content[:16], version=4)}",
        "version": 1,
        "metadata": {
            "timestamp": moment.isoformat(),
            "component": {
                "type": "application",
                "bom-ref": "scrubjay",
                "name": "scrubjay",
                "version": versions.version(),
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": parts,
    }


def part(one: Component) -> dict[str, Any]:
    """One component."""
    kind = "machine-learning-model" if "model" in one.name else "library"
    entry: dict[str, Any] = {
        "type": kind,
        "bom-ref": f"{normal(one.name.replace(' ', '-'))}@{one.version or 'unversioned'}",
        "name": one.name,
        # People's spellings of licences are no SPDX identifiers, and a name is always valid.
        "licenses": [{"license": {"name": one.licence}}],
    }
    if one.version:
        entry["version"] = one.version
    if one.homepage:
        entry["externalReferences"] = [{"type": "website", "url": one.homepage}]
    if address := package_url(one):
        entry["purl"] = address
    return entry


def package_url(one: Component) -> str:
    """Where a scanner looks the component up; empty for what is in no registry."""
    if one.homepage.startswith("https://packages.debian.org/"):
        return f"pkg:deb/debian/{one.name}@{one.version.replace(':', '%3A').replace('+', '%2B')}"
    if " " in one.name or one.name in ("Python", "Qt"):
        return ""
    return f"pkg:pypi/{normal(one.name)}@{one.version}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
