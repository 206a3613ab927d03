"""Leaves out, on musl, the dependencies that have no wheel there: no environment marker can see musl.

The wheel built anywhere else is `py3-none-any` and asks for everything. On musl, or when
TX_WHEEL_PLATFORM names a musllinux tag, the wheel asks only for what can be installed and bears
the musllinux tag, which pip prefers over `any`. Why: docs/decisions/0002-platforms-without-wheels.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface
from packaging.requirements import Requirement
from packaging.tags import platform_tags

WITHOUT_MUSL_WHEEL = {"ast-grep-py", "fastembed", "kingfisher-secret-scanner", "sqlean-py", "sqlite-vec"}
"""fastembed for its onnxruntime; tx works without each of them and says what is missing."""


def musl_tag() -> str | None:
    """Return the platform the wheel is for if that is musl, such as `musllinux_1_2_x86_64`."""
    named = os.environ.get("TX_WHEEL_PLATFORM")
    tags = [named] if named else platform_tags()
    return next((tag for tag in tags if tag.startswith("musllinux")), None)


def installable(dependencies: Iterable[str]) -> list[str]:
    """Return the dependencies that can be installed where the wheel is for."""
    left_out = WITHOUT_MUSL_WHEEL if musl_tag() else set()
    return [line for line in dependencies if Requirement(line).name not in left_out]


class Dependencies(MetadataHookInterface):
    """Fills in the dependencies when a checkout is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `dependencies` and the extras from this hook's table in pyproject.toml."""
        metadata["dependencies"] = installable(self.config["dependencies"])
        extras = self.config["optional-dependencies"]
        metadata["optional-dependencies"] = {extra: installable(lines) for extra, lines in extras.items()}


class MuslWheel(BuildHookInterface[Any]):
    """Marks a wheel for musl as such, so that nobody else installs it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatch's signature)
        """Set the tag, and the dependencies once more: an sdist has those of where it was made."""
        if tag := musl_tag():
            build_data["tag"] = f"py3-none-{tag}"
            core = self.metadata.core
            for dependencies in (core.dependencies, *core.optional_dependencies.values()):
                dependencies[:] = installable(dependencies)
