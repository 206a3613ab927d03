"""What services and timers run: jobs of GitHub and GitLab, hooks of pre-commit, lines for cron."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from tests.docs.blocks import Block
from tests.docs.runner import Runner, is_well
from tests.docs.sandbox import Sandbox

_CRON = re.compile(r"(?:[\d*,/-]+\s+){5}(?P<command>\S.*)")


def check_yaml(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what fails when the services that such a file is for do what it says."""
    try:
        document = yaml.safe_load(block.text)
    except yaml.YAMLError as error:
        yield f"{block.place()}: {error}"
        return
    jobs = list(_jobs(document))
    hooks = [hook for repository in document.get("repos", []) for hook in repository["hooks"]]
    if not jobs and not hooks:
        yield f"{block.place()}: neither a job of GitHub or GitLab, nor a hook of pre-commit."
    for job in jobs:
        yield from (f"{block.place()}: {problem}" for problem in Runner(sandbox=sandbox).problems_of(job))
    for hook in hooks:
        yield from (f"{block.place()}: {problem}" for problem in _hook(hook, sandbox))


def _jobs(document: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Yield the steps of each job; a part of a job is one, too."""
    if "steps" in document:
        yield document["steps"]
    for job in document.get("jobs", {}).values():
        yield job["steps"]
    for job in (one for one in document.values() if isinstance(one, dict) and "script" in one):
        variables = {key: str(value) for key, value in job.get("variables", {}).items()}
        reports = job.get("artifacts", {}).get("reports", {})
        depth = {"fetch-depth": int(variables.get("GIT_DEPTH", "20"))}
        checkout = {"uses": "actions/checkout@gitlab", "with": depth}
        yield [checkout, *({"run": line} for line in job["script"]), {"reports": reports}]


def _hook(hook: dict[str, Any], sandbox: Sandbox) -> Iterator[str]:
    missing = {"id", "name", "entry", "language"} - hook.keys()
    if missing:
        yield f"the hook lacks {', '.join(sorted(missing))}"
    result = sandbox.aside(hook["entry"])
    if not is_well(hook["entry"], result):
        yield f"{hook['entry']} ends in status {result.status}, and prints\n{result.end}"


def check_cron(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield the lines that are none of cron's, and those whose command fails at home, where cron begins."""
    for number, line in enumerate(block.text.splitlines()):
        if not line.strip() or line.startswith("#"):
            continue
        found = _CRON.fullmatch(line)
        if found is None or "%" in line:
            yield f"{block.place(number)}: cron wants five fields and a command, without '%': {line}"
            continue
        result = sandbox.aside(f"sh -c '{found['command']}'", directory=sandbox.home)
        if result.status:
            yield f"{block.place(number)}: it ends in status {result.status}, and prints\n{result.end}"
