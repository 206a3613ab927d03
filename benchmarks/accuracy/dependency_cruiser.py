"""What dependency-cruiser says of JavaScript and TypeScript files."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.accuracy.node import NodeTools, run

PROGRAM = "depcruise"
OPTIONS = ("--no-config", "--ts-pre-compilation-deps", "--exclude", "node_modules", "--output-type", "json")
_AT_ONCE = 4_000
"""Files in one call: a command line holds two million bytes."""
_DIRECTIVE = "tsd"
"""The module system of `/// <reference …>`, which is no import."""

Asked = tuple[str, str, str | None]
"""A file, a module that it asks for, and the file that is meant: None when that is not known."""


def imports(tools: NodeTools, root: Path, config_of: Mapping[str, str]) -> Iterator[Asked]:
    """Yield what the files ask for, each read under the tsconfig that gives names to paths for it, if any.

    A tsconfig that the tool cannot use, such as one that extends what is not installed, is done without.

    Raises:
        RuntimeError: The tool fails.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for path, config in sorted(config_of.items()):
        groups[config].append(path)
    for config, paths in groups.items():
        for start in range(0, len(paths), _AT_ONCE):
            some = paths[start : start + _AT_ONCE]
            try:
                yield from list(_of_group(tools, root, config, some))
            except RuntimeError:
                if not config:
                    raise
                yield from _of_group(tools, root, "", some)


def _of_group(tools: NodeTools, root: Path, config: str, paths: Iterable[str]) -> Iterator[Asked]:
    named = ("--ts-config", config) if config else ()
    command = [tools.program(PROGRAM), *OPTIONS, *named, *paths]
    asked = frozenset(paths)
    for module in json.loads(run(command, root))["modules"]:
        if module["source"] in asked:
            yield from (
                (module["source"], one["module"], _target(one)) for one in module["dependencies"] if _counts(one)
            )


def _counts(dependency: Mapping[str, Any]) -> bool:
    return bool(dependency["moduleSystem"] != _DIRECTIVE)


def _target(dependency: Mapping[str, Any]) -> str | None:
    return None if dependency["couldNotResolve"] else str(dependency["resolved"])
