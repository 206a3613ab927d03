"""Commands that prose tells to run: scripts of npm, targets of make, recipes of just, entry points of Python."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from tx_graph.documents.claims.ground import Fate, Ground, Said
from tx_graph.documents.claims.reading import AGENT_FILES, Claim
from tx_graph.history.departed import Moment, changes_of

_MOST_CHANGES = 50  # of lines with a command that are looked at
_WORD = re.compile(r"\w+(?:[.:-]+\w+)*+")
_RULE = re.compile(
    r"^@?(?P<names>[\w./%-]+(?: [\w./ +*:=\"'-]*)?):(?![=:])(?P<body>[^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE
)


def _of_table(*keys: str) -> Callable[[Any], dict[str, str]]:
    """Return what reads the entries of a nested table."""

    def read(data: Any) -> dict[str, str]:
        for key in keys:
            data = data.get(key, {}) if isinstance(data, dict) else {}
        return {str(name): str(body) for name, body in data.items()} if isinstance(data, dict) else {}

    return read


def _scripts(text: str) -> dict[str, str]:
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return _of_table("scripts")(data) | _of_table("tasks")(data)


def _rules(text: str) -> dict[str, str]:
    return {name: found["body"].strip() for found in _RULE.finditer(text) for name in found["names"].split()}


def _entry_points(text: str) -> dict[str, str]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}
    return _of_table("tool", "poetry", "scripts")(data) | _of_table("project", "scripts")(data)


class _Tool(NamedTuple):
    """What runs commands: the names of its files, how these are read, and how a line begins that declares one."""

    files: re.Pattern[str]
    globs: tuple[str, ...]
    entries: Callable[[str], dict[str, str]]
    line: str
    is_exact: bool = False  # else a name that its files have anywhere may be made there


_TOOLS = {
    "npm": _Tool(re.compile(r"package\.json|deno\.jsonc?"), ("*package.json",), _scripts, '"{}" *:', is_exact=True),
    "make": _Tool(
        re.compile(r"(?:gnu)?makefile.*|.*\.(?:mk|mak|am|in|cmake)|cmakelists\.txt|configure.*", re.IGNORECASE),
        ("*Makefile", "*.mk", "*makefile"),
        _rules,
        "^{}( [^=]*)?:",
    ),
    "just": _Tool(
        re.compile(r"\.?justfile|.*\.just", re.IGNORECASE), ("*justfile", "*Justfile"), _rules, "^@?{}( .*)?:"
    ),
    "python": _Tool(
        re.compile(r"pyproject\.toml|setup\.(?:py|cfg)|uv\.lock|poetry\.lock|requirements.*"),
        ("*pyproject.toml",),
        _entry_points,
        '^"?{}"? *=',
    ),
}


class Commands:
    """Holds commands against what the files of their tools can run."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(self._ground.files):
            for name, tool in _TOOLS.items():
                if tool.files.fullmatch(posixpath.basename(path)):
                    found[name].append(self._ground.tree.read_text(path) or "")
        return found

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        """What each tool can run by any of its files, or may."""
        return {
            name: frozenset(entry for text in texts for entry in self._names(_TOOLS[name], text))
            for name, texts in self._texts.items()
        }

    def _names(self, tool: _Tool, text: str) -> Iterator[str]:
        yield from tool.entries(text)
        yield from () if tool.is_exact else _WORD.findall(text)

    def holds(self, claim: Claim) -> bool:
        """Whether a tool can run a command, or nothing is known of the tool here."""
        known = self._known.get(claim.tool, frozenset())
        return not known or claim.target in known or any("%" in one and one.strip("%") in claim.target for one in known)

    def lost(self, missing: Mapping[Said, Moment]) -> dict[Said, Fate]:
        """Return what became of commands that the files of their tools had."""
        wanted: defaultdict[str, set[str]] = defaultdict(set)
        for one in missing:
            wanted[one.claim.tool].add(one.claim.target)
        fates = {tool: list(self._fates(tool, names)) for tool, names in wanted.items()}
        found: dict[Said, Fate] = {}
        has_submodules = ".gitmodules" in self._ground.files  # which may have the command, and are not looked into
        for one in missing:  # what is for users may mean the commands of their own projects
            is_for_agents = AGENT_FILES.fullmatch(one.prose.path)
            for directory, fate in fates[one.claim.tool]:
                is_there = directory in (one.claim.places or (one.prose.directory,))  # where a shell block changed to
                is_meant = is_there or (is_for_agents and one.prose.path.startswith(directory))
                if fate.was == one.claim.target and is_meant:
                    found.setdefault(one, fate._replace(is_unsure=has_submodules))
        return found

    def _fates(self, name: str, commands: set[str]) -> Iterator[tuple[str, Fate]]:
        """Yield what became of some commands, newest first, with the directories of the files that had them."""
        tool, evidence = _TOOLS[name], self._ground.evidence
        line = tool.line.format(f"({'|'.join(map(re.escape, sorted(commands)))})")
        for removal in changes_of(self._ground.root, line, tool.globs, most=_MOST_CHANGES):
            for old, new in evidence.altered(removal.commit) if evidence else ():
                if old is None or not tool.files.fullmatch(posixpath.basename(old)):
                    continue
                before = self._entries(tool, f"{removal.commit}^", old)
                after = self._entries(tool, removal.commit, new or old)
                hooks = {f"{when}{one}" for one in after for when in ("pre", "post")}  # npm runs these by itself
                came = after.keys() - before.keys() - hooks
                for command in commands & before.keys() - after.keys():
                    same = [one for one in came if after[one] and after[one] == before[command]]
                    is_there = len(same) == 1 and same[0] in self._known.get(name, ())
                    yield posixpath.dirname(old), Fate(removal, same[0] if is_there else "", command)

    def _entries(self, tool: _Tool, commit: str, path: str) -> dict[str, str]:
        return tool.entries((self._ground.past.at(commit, path) or b"").decode("utf-8", "replace"))
