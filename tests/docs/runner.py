"""A service that runs the steps of a job in a fresh checkout of what the page's repository has on its branch."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from junitparser import JUnitXml
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tests.docs.blocks import ROOT
from tests.docs.sandbox import ACTIONS, Result, Sandbox

_BASE = "main"
"""The branch that the changes are for."""
_EXPRESSION = re.compile(r"\$\{\{\s*(?P<name>[\w.]+)\s*\}\}")
_SUPPORTED = re.search(
    r'requires-python = "(?P<versions>[^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8")
)


def is_well(command: str, result: Result) -> bool:
    """Tell whether a command did its work. One of tx may have found something."""
    return result.status == 0 or (result.status == 1 and command.startswith("tx "))


@dataclass(slots=True, kw_only=True)
class Runner:
    """One job: its checkout, and the values that its expressions stand for."""

    sandbox: Sandbox
    checkout: Path | None = None
    variables: dict[str, str] = field(default_factory=dict)

    def problems_of(self, steps: list[dict[str, Any]]) -> Iterator[str]:
        """Do one step after the other; yield what is wrong."""
        if not any("uses" in step and step["uses"].startswith("actions/checkout@") for step in steps):
            self._clone(0)  # a part of a job, whose first steps the page leaves out
        for step in steps:
            if "run" in step:
                yield from self._run(step["run"])
            elif "uses" in step:
                yield from self._use(step["uses"].partition("@")[0], step.get("with", {}))
            else:
                yield from self._report(step.get("reports", {}))

    def _run(self, command: str) -> Iterator[str]:
        values = {"github.base_ref": _BASE, "github.sha": self.variables.get("CI_COMMIT_SHA", "")}
        unknown = [one["name"] for one in _EXPRESSION.finditer(command) if one["name"] not in values]
        if unknown:
            yield f"the stand-in for GitHub does not know {', '.join(unknown)}"
            return
        script = _EXPRESSION.sub(lambda one: values[one["name"]], command)
        result = self.sandbox.aside(script, directory=self.checkout, variables=self.variables)
        if not is_well(command, result):
            yield f"'{command}' ends in status {result.status}, and prints\n{result.end}"

    def _use(self, action: str, options: dict[str, Any]) -> Iterator[str]:
        if action not in ACTIONS:
            yield f"there is no stand-in for {action}"
        elif action == "actions/checkout":
            self._clone(options.get("fetch-depth", 1))
        elif action == "actions/setup-python":
            assert _SUPPORTED is not None
            if Version(options["python-version"]) not in SpecifierSet(_SUPPORTED["versions"]):
                yield f"tx does not support Python {options['python-version']}"
        elif action == "github/codeql-action/upload-sarif":
            yield from self._sarif(options["sarif_file"])

    def _clone(self, depth: int) -> None:
        shallow = f"--depth {depth}" if depth else ""
        place = self.sandbox.home.parent / "checkouts"
        result = self.sandbox.aside(
            f'mkdir -p "{place}" && at=$(mktemp -d -p "{place}") && git clone --quiet {shallow} "file://$PWD" "$at"'
            f' && git -C "$at" rev-parse HEAD && (git -C "$at" merge-base HEAD origin/{_BASE} || true) && echo "$at"'
        )
        assert result.status == 0, result.printed
        head, *base, at = result.printed.splitlines()
        self.checkout = Path(at)
        self.variables = {"CI_COMMIT_SHA": head, "CI_MERGE_REQUEST_DIFF_BASE_SHA": base[0] if base else head}

    def _sarif(self, name: str) -> Iterator[str]:
        assert self.checkout is not None
        if "runs" not in json.loads((self.checkout / name).read_text(encoding="utf-8")):
            yield f"{name} is no SARIF"

    def _report(self, reports: dict[str, str]) -> Iterator[str]:
        assert self.checkout is not None
        for kind, name in reports.items():
            if kind == "junit":
                JUnitXml.fromfile(str(self.checkout / name))
            elif kind == "codequality":
                issues = json.loads((self.checkout / name).read_text(encoding="utf-8"))
                if not issues or not all({"fingerprint", "location"} <= issue.keys() for issue in issues):
                    yield f"{name} is no report of code quality, or has nothing to say"
            else:
                yield f"there is no stand-in for reports of {kind}"
