"""Commands: which of them build, test or check a project, and where the project says that they exist."""

from __future__ import annotations

import re
from typing import NamedTuple


class Purpose(NamedTuple):
    """What a command is for, as part of a sentence, and the files that a project that has it usually has."""

    doing: str
    found_in: tuple[str, ...] = ()


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


class Known(NamedTuple):
    """A command that is understood: what for, and the part of it that names the program and the task."""

    purpose: Purpose
    head: str


def known(command: str) -> Known | None:
    """Return what a plain command is for, whatever it is narrowed to; None where that is not known."""
    for pattern, purpose in _KNOWN:
        if found := pattern.match(command):
            return Known(purpose, found[0])
    return _known_script(command)


def purpose_of(command: str) -> Purpose | None:
    """Return what a plain command is for, None where it does not build, test or check a whole project."""
    found = None if _SINGLE.search(command) else known(command)
    return found.purpose if found else None


def _known_script(command: str) -> Known | None:
    found = _SCRIPT.match(command)
    if not found:
        return None
    doing = next((doing for pattern, doing in _SCRIPT_NAMES if pattern.fullmatch(found["name"].lower())), None)
    return Known(Purpose(doing, (found["path"],)), found[0]) if doing else None
