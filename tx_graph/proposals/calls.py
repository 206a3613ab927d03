"""Commands: which of them build, test or check a project, and where the project says that they exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tx_graph.core.dataclass import dataclass
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
_WATCHING = re.compile(r"(?:(?<!\s)\s+)?(?:2>&1|[12&]?>{1,2}\s*(?:/dev/null|&[12]))")
_PAGER = re.compile(
    r"(?:(?<!\s)\s+)?\|\s*(?:head|tail|tee|cat|less|more|grep|rg|wc|sort|uniq|sed|awk|jq)\b.*\Z", re.DOTALL
)
_AFTER = re.compile(r"(?:(?<!\s)\s+)?(?:;|&&|\|\|)\s*(?:echo|true|exit|tail|head|cat|ls|sleep|pwd)\b.*\Z", re.DOTALL)
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


_PROGRAMS = {
    name: tuple(files.split())
    for names, files in (
        ("uv poetry pdm hatch pipenv rye poe python python3 pytest tox", "pyproject.toml setup.cfg setup.py tox.ini"),
        ("nox mypy pyright basedpyright ty ruff black isort flake8 pylint", "pyproject.toml setup.cfg noxfile.py"),
        ("npm pnpm yarn bun deno npx bunx jest vitest mocha playwright cypress", "package.json deno.json"),
        ("eslint biome prettier tsc", "package.json tsconfig.json deno.json"),
        ("make", "Makefile makefile GNUmakefile"), ("just", "justfile Justfile .justfile"), ("rake", "Rakefile"),
        ("mise", "mise.toml .mise.toml"), ("task", "Taskfile.yml Taskfile.yaml"), ("cargo", "Cargo.toml"),
        ("go gofmt goimports golangci-lint staticcheck", "go.mod"), ("bundle rspec rubocop", "Gemfile Rakefile"),
        ("gradle gradlew", "build.gradle build.gradle.kts"), ("mvn mvnw", "pom.xml"), ("swift", "Package.swift"),
        ("composer phpunit", "composer.json"), ("cmake ctest", "CMakeLists.txt"), ("mix", "mix.exs"),
        ("bazel", "MODULE.bazel WORKSPACE"), ("pre-commit", ".pre-commit-config.yaml"), ("dotnet terraform", ""),
    )
    for name in names.split()
}  # fmt: skip
"""Programs that build and check, or run tasks that do, and the files that a project with them usually has."""
_CALLING = re.compile(r"-.*|run|exec|tasks?")
"""Words between a program and what it is to do."""
_PURPOSES = [
    (re.compile(rf"(?:{pattern})(?:[:-](?!fix)[\w:-]+)?"), doing)
    for doing, pattern in (
        ("run the integration tests", r"(?:e2e|integration)[\w:-]*test\w*|test\w*[:-](?:e2e|integration)\w*"),
        ("run the tests", "(?:unit[:-]|check:?|py|c|unit|next)?tests?|r?spec|tox|nox|jest|vitest|mocha|phpunit"),
        ("check the types", "type-?check|types|tsc|check:types|mypy|(?:based)?pyright|ty"),
        ("lint", "lint|clippy|vet|eslint|golangci-lint|staticcheck|ruff|flake8|pylint|biome|rubocop"),
        ("format the code", "fmt|format|prettier|black|isort|gofmt|goimports"),
        ("build", "-*build|compile|dist"), ("generate code", "generate|codegen|gen|proto"),
        ("check everything", "check|verify|ci|validate|plan|pre-commit"),
    )
]  # fmt: skip
"""What programs and tasks are called, and what they do."""
_SCRIPT = re.compile(
    r"(?:(?:ba|z)?sh |python3? |node )?(?:\./)?"
    r"(?P<path>(?:[\w.-]+/)*(?:run[_-]?)?(?P<name>[\w.-]+)\.(?:sh|py|m?js|ts))(?= |$)"
)
_SINGLE = re.compile(
    r"::|\s-(?:k|run|t|-grep|-testNamePattern|-filter|-only|-test|-last-failed|-lf)[\s=]|\s--(?:lf|ff|last-failed|grep|testNamePattern|filter)\b"
    r"|\btest_\w+\.py|\.(?:test|spec)\.\w+|_test\.\w+|\s/(?:tmp|var|home|Users|private|root)\b|[<>|;`$]|&&|\|\||\bHEAD\b|\bversion\b|\b[0-9a-f]{8,}\b"
)  # fmt: skip
"""What makes a command one for a single test, one machine, or several commands."""


def known(command: str) -> Purpose | None:
    """Return what a plain command is for, whatever it is narrowed to; None where that is not known."""
    if found := _SCRIPT.match(command):
        doing = _doing(found["name"].lower())
        return Purpose(doing, (found["path"],), head=found[0]) if doing else None
    words = command.split()
    files: tuple[str, ...] | None = None
    for place, word in enumerate(words):
        name = word.rpartition("/")[2]
        doing = _doing(name)
        if doing and (files is not None or name in _PROGRAMS):
            # `ruff format`: what a program is mostly for, and then what it is to do.
            narrower = _doing(words[place + 1]) if name in _PROGRAMS and words[place + 1 :] else None
            head = " ".join(words[: place + (2 if narrower else 1)])
            return Purpose(narrower or doing, files or _PROGRAMS[name], head=head)
        if name in _PROGRAMS:
            files = files or _PROGRAMS[name]
        elif files is None or not _CALLING.fullmatch(word):
            return None
    return None


def _doing(name: str) -> str | None:
    return next((doing for pattern, doing in _PURPOSES if pattern.fullmatch(name)), None)


def purpose_of(command: str) -> Purpose | None:
    """Return what a plain command is for, None where it does not build, test or check a whole project."""
    return None if _SINGLE.search(command) else known(command)
