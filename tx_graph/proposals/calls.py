"""Commands: which of them build, test or check a project, and where the project says that they exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tx_graph.work.values import Event, EventKind

_SHELLS = frozenset(
    """bash shell shell_command exec_command local_shell local_shell_call container.exec run_terminal_cmd
    run_shell_command execute_command""".split()
)
EDITORS = frozenset(
    """edit multiedit write notebookedit apply_patch str_replace str_replace_editor str_replace_based_edit_tool
    create_file edit_file write_file search_replace replace_in_file""".split()
)
"""Tools, in lower case, that change the files that a call names."""
_LONGEST = 300  # characters of a command that somebody may want to type again
_WATCHING = re.compile(r"\s*(?:2>&1|[12&]?>{1,2}\s*(?:/dev/null|&[12]))")
_PAGER = re.compile(r"\s*\|\s*(?:head|tail|tee|cat|less|more|grep|rg|wc|sort|uniq|sed|awk|jq)\b.*\Z", re.DOTALL)
_AFTER = re.compile(r"\s*(?:;|&&|\|\|)\s*(?:echo|true|exit|tail|head|cat|ls|sleep|pwd)\b.*\Z", re.DOTALL)
_BEFORE = re.compile(r"\A\s*(?:cd\s+(?:\"[^\"]*\"|'[^']*'|\S+)|pwd|clear|set\s+-\w+)\s*(?:&&|;)\s*")
_LIMITED = re.compile(r"\A(?:timeout\s+(?:-\w+\s+)*\d+\w?|time|nice|command|env)\s+")
_LOGIN = re.compile(r"\A(?:/\w+/)*(?:ba|z)?sh\s+-l?c\s+(?P<quote>['\"])(?P<command>.*)(?P=quote)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that came to an end. `command` is the shell command in its plain form, empty where it was none.

    `edits` says whether it changes the files at `paths`; `output` is what a failed one said.
    """

    tool: str
    line: int
    failed: bool
    command: str = ""
    edits: bool = False
    paths: tuple[str, ...] = ()
    output: str = ""
    at: str | None = None


def calls_of(events: Iterable[Event]) -> Iterator[Call]:
    """Yield the calls of a session that got their result, in the order of the results."""
    waiting: dict[str, Event] = {}
    for event in events:
        if event.kind is EventKind.CALL and event.call:
            waiting[event.call] = event
        elif event.kind is EventKind.RESULT and event.call and (call := waiting.pop(event.call, None)):
            tool = (call.tool or "").lower()
            command = plain_command(call.text) if tool in _SHELLS else ""
            yield Call(
                tool=tool,
                line=call.line,
                failed=event.failed,
                command=command,
                edits=tool in EDITORS or command.startswith("apply_patch"),
                paths=call.paths,
                output=event.text if event.failed else "",
                at=call.at,
            )


def plain_command(text: str) -> str:
    """Return a shell command without what limits, watches or shortens its output; empty where it is a script.

    `cd src && timeout 60 go test ./... 2>&1 | tail -20` is `go test ./...`.
    """
    text = text.strip()
    if login := _LOGIN.match(text):
        text = login["command"].strip()
    if "\n" in text or len(text) > _LONGEST:
        return ""
    shorter = text
    while shorter:
        text = shorter
        tried = (pattern.sub("", text, count=1) for pattern in (_BEFORE, _LIMITED, _WATCHING, _PAGER, _AFTER))
        shorter = next((one.strip() for one in tried if one != text and one.strip()), "")
    return " ".join(text.split())


class Purpose(NamedTuple):
    """What a command is for, as part of a sentence, and the files that a project that has it usually has.

    `head` is the part of the command that names the program and the task.
    """

    doing: str
    found_in: tuple[str, ...] = ()
    head: str = ""


_TESTS, _BUILDS, _LINTS = "run the tests", "build", "lint"
_FORMATS, _TYPES, _GENERATES = "format the code", "check the types", "generate code"
_PYTHON = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py")
_NODE = ("package.json", "deno.json")
_NAMES = (
    (r"(?:e2e|integration)[\w:-]*test\w*|test\w*[:-](?:e2e|integration)\w*", "run the integration tests"),
    (r"(?:unit[:-])?tests?(?:[:.-](?!fix)[\w:-]+)?|spec|check:?tests?", _TESTS),
    (r"(?:type-?check|types|tsc|check:types|mypy)", _TYPES),
    (r"(?:lint|eslint|clippy|vet)(?:[:-][\w:-]+)?", _LINTS),
    (r"(?:fmt|format|prettier)(?:[:-][\w:-]+)?", _FORMATS),
    (r"(?:build|compile|bundle|dist)(?:[:-][\w:-]+)?", _BUILDS),
    (r"(?:generate|codegen|gen|proto)(?:[:-][\w:-]+)?", _GENERATES),
    (r"(?:check|verify|ci|validate)(?:[:-][\w:-]+)?", "check everything"),
)
"""How tasks are called, and what they do."""
_RUNNERS = (
    (r"make(?:\s+-\w+)*", ("Makefile", "makefile", "GNUmakefile")),
    (r"just", ("justfile", "Justfile", ".justfile")),
    (r"mise\s+run|mise", ("mise.toml", ".mise.toml")),
    (r"task", ("Taskfile.yml", "Taskfile.yaml")),
    (r"(?:npm\s+run|npm|pnpm\s+run|pnpm|yarn\s+run|yarn|bun\s+run|deno\s+task)(?:\s+--silent|\s+-s)?", _NODE),
    (r"rake|bundle\s+exec\s+rake", ("Rakefile",)),
    (r"composer(?:\s+run)?", ("composer.json",)),
    (r"poetry\s+run\s+poe|poe|hatch\s+run|pdm\s+run|uv\s+run\s+poe", _PYTHON),
    (r"\./gradlew|gradle", ("build.gradle", "build.gradle.kts")),
    (r"mvn|\./mvnw", ("pom.xml",)),
)
"""Programs that run tasks by name, and where the tasks stand."""
_RUN = (
    r"(?:(?:uv|poetry|pdm|hatch|pipenv|rye)\s+run\s+|bundle\s+exec\s+|npx\s+|pnpm\s+exec\s+|bunx\s+|python3?\s+-m\s+)?"
)
_TOOLS = (
    (rf"{_RUN}(?:pytest|tox|nox|unittest)", Purpose(_TESTS, _PYTHON)),
    (rf"{_RUN}(?:mypy|pyright|basedpyright|ty\s+check)", Purpose(_TYPES, _PYTHON)),
    (rf"{_RUN}(?:ruff\s+format|black|isort)", Purpose(_FORMATS, _PYTHON)),
    (rf"{_RUN}(?:ruff\s+check|ruff|flake8|pylint)", Purpose(_LINTS, _PYTHON)),
    (rf"{_RUN}(?:jest|vitest(?:\s+run)?|mocha|playwright\s+test|cypress\s+run)", Purpose(_TESTS, _NODE)),
    (rf"{_RUN}tsc", Purpose(_TYPES, ("tsconfig.json",))),
    (rf"{_RUN}(?:eslint|biome\s+(?:check|lint))", Purpose(_LINTS, _NODE)),
    (rf"{_RUN}prettier", Purpose(_FORMATS, _NODE)),
    (r"bun\s+test", Purpose(_TESTS, _NODE)),
    (r"cargo\s+(?:test|nextest\s+run)", Purpose(_TESTS, ("Cargo.toml",))),
    (r"cargo\s+(?:build|check)", Purpose(_BUILDS, ("Cargo.toml",))),
    (r"cargo\s+clippy", Purpose(_LINTS, ("Cargo.toml",))),
    (r"cargo\s+fmt", Purpose(_FORMATS, ("Cargo.toml",))),
    (r"go\s+test", Purpose(_TESTS, ("go.mod",))),
    (r"go\s+build", Purpose(_BUILDS, ("go.mod",))),
    (r"go\s+vet|golangci-lint\s+run|staticcheck", Purpose(_LINTS, ("go.mod",))),
    (r"gofmt|goimports|go\s+fmt", Purpose(_FORMATS, ("go.mod",))),
    (r"go\s+generate", Purpose(_GENERATES, ("go.mod",))),
    (r"dotnet\s+test", Purpose(_TESTS)),
    (r"dotnet\s+build", Purpose(_BUILDS)),
    (r"swift\s+test", Purpose(_TESTS, ("Package.swift",))),
    (r"swift\s+build", Purpose(_BUILDS, ("Package.swift",))),
    (r"mix\s+test", Purpose(_TESTS, ("mix.exs",))),
    (rf"{_RUN}rspec", Purpose(_TESTS, ("Gemfile",))),
    (rf"{_RUN}rubocop", Purpose(_LINTS, ("Gemfile",))),
    (r"(?:vendor/bin/)?phpunit", Purpose(_TESTS, ("composer.json",))),
    (r"ctest", Purpose(_TESTS, ("CMakeLists.txt",))),
    (r"cmake\s+--build", Purpose(_BUILDS, ("CMakeLists.txt",))),
    (r"bazel\s+test", Purpose(_TESTS, ("MODULE.bazel", "WORKSPACE"))),
    (r"bazel\s+build", Purpose(_BUILDS, ("MODULE.bazel", "WORKSPACE"))),
    (rf"{_RUN}pre-commit\s+run", Purpose("check everything", (".pre-commit-config.yaml",))),
    (r"terraform\s+(?:validate|plan)", Purpose("check the infrastructure")),
)
_TASKS = [
    (re.compile(rf"(?:{runner})\s+(?:{name})(?=\s|\Z)"), Purpose(doing, files))
    for runner, files in _RUNNERS
    for name, doing in _NAMES
]
_KNOWN = [*_TASKS, *((re.compile(rf"(?:{start})(?=\s|\Z)"), purpose) for start, purpose in _TOOLS)]
_SCRIPT = re.compile(
    r"(?:(?:ba|z)?sh\s+|python3?\s+|node\s+)?(?:\./)?(?P<path>(?:[\w.-]+/)*(?P<name>[\w.-]+)\.(?:sh|py|js|mjs|ts))(?=\s|\Z)"
)
_SCRIPT_NAMES = [(re.compile(rf"(?:run[_-]?)?(?:{name})"), doing) for name, doing in _NAMES]
_SINGLE = re.compile(
    r"::|\s-(?:k|run|t|-grep|-testNamePattern|-filter|-only|-test|-last-failed|-lf)[\s=]|\s--(?:lf|ff|last-failed|grep|testNamePattern|filter)\b"
    r"|\btest_\w+\.py|\.(?:test|spec)\.\w+|_test\.\w+|\s/(?:tmp|var|home|Users|private|root)\b|[<>|;`$]|&&|\|\||\bHEAD\b|\b[0-9a-f]{8,}\b"
)  # fmt: skip
"""What makes a command one for a single test, one machine, or several commands."""


def known(command: str) -> Purpose | None:
    """Return what a plain command is for, whatever it is narrowed to; None where that is not known."""
    for pattern, purpose in _KNOWN:
        if found := pattern.match(command):
            return purpose._replace(head=found[0])
    if found := _SCRIPT.match(command):
        for pattern, doing in _SCRIPT_NAMES:
            if pattern.fullmatch(found["name"].lower()):
                return Purpose(doing, (found["path"],), head=found[0])
    return None


def purpose_of(command: str) -> Purpose | None:
    """Return what a plain command is for, None where it does not build, test or check a whole project."""
    return None if _SINGLE.search(command) else known(command)
