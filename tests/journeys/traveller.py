"""Somebody who has never seen tx: types only what an output has named, in an environment of their own."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

import pexpect
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.git_sandbox import SETTINGS
from tests.isolation import READ_ONLY

STARTS = ("tx", "tx --help")
"""What everybody types at first, as the README's first lines say too."""

_PYTHON = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
_NOWHERE = "http://127.0.0.1:9"


class Unnamed(AssertionError):
    """A command was typed that nothing had named."""


def install(wheel: Path, into: Path, *extras: str) -> None:
    """Make a virtual environment with the wheel and exactly what it asks for with these extras.

    That is linked from the environment that runs the tests, so neither the network nor the disk is asked for much. What
    is not asked for cannot be imported there.
    """
    uv = [sys.executable, "-m", "uv", "--quiet", "--offline", "--no-config"]
    subprocess.run([*uv, "venv", "--python", sys.executable, into], check=True)
    subprocess.run([*uv, "pip", "install", "--no-index", "--no-deps", "--python", into, wheel], check=True)
    site = into / _PYTHON
    (tx,) = distributions(path=[str(site)])
    needed: dict[str, set[str]] = {}
    _gather(tx, {"", *extras}, needed)
    for name in needed.keys() - {tx.name}:
        found = distribution(name)
        for file in found.files or ():
            source, place = Path(str(found.locate_file(file))), site / file
            if ".." not in file.parts and source.is_file():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(source)


def _gather(one: Distribution, extras: set[str], needed: dict[str, set[str]]) -> None:
    """Add to `needed` what a distribution asks for with these extras, and what that asks for, each with its extras."""
    new = extras - needed.setdefault(one.name, set())
    needed[one.name] |= new
    for requirement in map(Requirement, one.requires or () if new else ()):
        if not requirement.marker or any(requirement.marker.evaluate({"extra": extra}) for extra in new):
            other = one if canonicalize_name(requirement.name) == one.name else distribution(requirement.name)
            _gather(other, {"", *requirement.extras}, needed)


class Traveller:
    """A user at a terminal: what they type must have been named by what they saw, and is then really run."""

    def __init__(self, home: Path, environments: Mapping[str, Path]) -> None:
        self.here = home
        self._enter: list[str] = []
        self.outputs = list(STARTS)
        self.environment = {
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "http_proxy": _NOWHERE,
            "https_proxy": _NOWHERE,
        }
        self._environments = environments
        self.use("")

    def use(self, extra: str) -> None:
        """Be somebody who has installed tx with this extra, or without any."""
        self.programs = self._environments[extra] / "bin"
        self.environment["PATH"] = os.pathsep.join([str(self.programs), os.defpath])

    def install(self, extra: str) -> None:
        """Install an extra as an output told."""
        command = f"pip install 'tx-graph[{extra}]'"
        if not any(command in one for one in self.outputs):
            raise Unnamed(command)
        self.use(extra)

    def enter(self, directory: str, files: Mapping[str, str] | None = None) -> None:
        """Go into a directory below the present one; with files, make a repository of it that has them committed."""
        self.here = self.here / directory
        if files is not None:
            self.here.mkdir()
            self.git("init", "--quiet", "--initial-branch=main")
            self.commit(files, "Begin")

    def commit(self, files: Mapping[str, str], message: str) -> None:
        """Write files and commit all there is."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def git(self, *words: str) -> str:
        """Do what one does all day, with or without tx."""
        done = self._run(["git", *words], self.environment | SETTINGS)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, files: Mapping[str, str]) -> None:
        """Write files below the present directory."""
        for name, text in files.items():
            path = self.here / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def type(self, line: str, *, status: int = 0) -> str:
        """Run a line that was named, and return all that it prints."""
        if missing := self.unnamed(line):
            raise Unnamed(f"'{line}': nothing named {', '.join(missing)}.\n" + "\n".join(self.outputs))
        done = self._run(shlex.split(line), self.environment)
        said = done.stdout + done.stderr
        assert done.returncode == status, f"$ {line}\n{said}"
        assert "Traceback" not in said
        # Whoever asked for help on a name reads what it answers as being about that name.
        self.outputs.append(said if not line.startswith("tx help ") else f"tx {line.removeprefix('tx help ')}\n{said}")
        return said

    def python(self, *words: str) -> str:
        """Run Python in the environment that tx is installed in."""
        done = self._run([str(self.programs / "python"), *words], self.environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def set(self, variable: str, value: str) -> None:
        """Set a variable that an output named."""
        if not any(_is_word(variable, one) for one in self.outputs):
            raise Unnamed(variable)
        self.environment[variable] = value

    def lose_the_right_to_write(self) -> None:
        """Have the present directory mounted read-only from now on; skip where that is forbidden."""
        enter = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
        self._enter = [*enter, "sh", "-c", f'{READ_ONLY} && cd "$2" && shift 2 && exec "$@"', "sh", "", str(self.here)]
        if shutil.which("unshare") is None or self._run(["true"], self.environment).returncode:
            pytest.skip("mounting is forbidden here")

    def answer(self, line: str, answer: str) -> str:
        """Run a line at a terminal, and answer all that it asks."""
        assert not self.unnamed(line)
        said, status = pexpect.run(
            line,
            events={r"\[q\]uit:": f"{answer}\n"},
            cwd=str(self.here),
            env=self.environment | {"TERM": "xterm"},
            withexitstatus=True,
            encoding="utf-8",
        )
        assert status == 0, said
        self.outputs.append(str(said))
        return str(said)

    def _run(self, words: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._enter, *words],
            cwd=self.here,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def unnamed(self, line: str) -> list[str]:
        """Return what of a line nobody can have known: its command, options, references and words with a meaning.

        An option counts where an output named it together with its command. What is somebody's own needs no
        name: sentences, numbers, patterns, files, and the names in their code.
        """
        program, *words = shlex.split(line)
        assert program == "tx"
        if line in STARTS:
            return []
        command, *rest = words
        if command == "help":
            known = any("'tx help COMMAND'" in one for one in self.outputs)
            return [*([] if known else ["help"]), *(one for one in rest if not self._naming(one))]
        if not (naming := self._naming(command)):
            return [command]
        missing = []
        for word in rest:
            name, equals, value = word.partition("=")
            if not name.startswith("-"):
                value = word
            elif not any(_is_word(name, one) for one in naming):
                missing.append(name)
            if (equals or value) and not (self._is_own(value) or any(_is_word(value, one) for one in self.outputs)):
                missing.append(value)
        return missing

    def _naming(self, command: str) -> list[str]:
        return [one for one in self.outputs if _is_named(command, one)]

    def _is_own(self, word: str) -> bool:
        if " " in word or "*" in word or word.isdigit() or (self.here / word.partition("::")[0]).exists():
            return True
        tracked = self._run(["git", "grep", "-qwIF", word, "--", ":/", ":!/.tx"], self.environment)
        return tracked.returncode == 0


def _is_named(command: str, output: str) -> bool:
    """Say whether an output names a command: behind `tx`, or in a list of commands."""
    if re.search(rf"\btx {re.escape(command)}(?![\w:-])", output):
        return True
    listed = re.findall(r"^  ([a-z][\w:-]*(?:, [a-z]+)*)  +\S", output, re.MULTILINE)
    names = {one for row in listed for one in row.split(", ")}
    if also := re.search(r"^Also: ((?:[a-z ]|\n  )+)", output, re.MULTILINE):
        names.update(also.group(1).split())
    return command in names


def _is_word(word: str, output: str) -> bool:
    return bool(re.search(rf"(?<![\w:-]){re.escape(word)}(?![\w-])", output))
