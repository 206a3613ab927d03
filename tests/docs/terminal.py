"""Commands: those of a terminal, whose output the page shows, and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.docs.blocks import Block
from tests.docs.console import Step, console_steps, script_steps
from tests.docs.expectation import ANYTHING, difference
from tests.docs.sandbox import Sandbox
from tests.docs.session import Result

_NEVER = (70, 126, 127)
"""Exit statuses that no page may show: a bug in tx, and commands that are not there."""
_STATUS = re.compile(r"#.*\bstatus (?P<status>\d+)\b")


def check_console(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield each command that prints something else than the page shows."""
    try:
        steps = list(console_steps(block.text))
    except ValueError as error:
        yield f"{block.place()}: {error}"
        return
    for step in steps:
        result = sandbox.run(step.command)
        problem = _unlike(step, result, sandbox)
        if problem:
            yield f"{block.place(step.line)}: $ {step.command}\n{problem}"


def _unlike(step: Step, result: Result, sandbox: Sandbox) -> str:
    """Return how a command's output differs. A command that fails must show what it says."""
    shows_something = step.expected.replace(ANYTHING, "").strip()
    is_told = not (sandbox.untold and step.command.startswith(sandbox.untold))
    found = difference(step.expected, sandbox.shown(result.printed), sandbox.names)
    if found and is_told:
        return f"{found}\n(exit status {result.status})"
    if result.status in _NEVER or (result.status and not shows_something):
        return f"It ends in status {result.status}, and prints\n{result.end}"
    return ""


def check_script(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield each line that fails, but for those whose comment tells the status; a file with `#!` is made and run."""
    if block.text.startswith("#!"):
        yield from _check_executable(block, sandbox)
        return
    for step in script_steps(block.text):
        result = sandbox.run(step.command)
        told = _STATUS.search(step.command)
        expected = int(told["status"]) if told else 0
        if result.status != expected:
            said = f"It ends in status {result.status}, not {expected}, and prints\n{result.end}"
            yield f"{block.place(step.line)}: {step.command}\n{said}"


def _check_executable(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Run a hook as git would: it may refuse, but neither fail nor be missing a command."""
    if not block.file:
        yield f"{block.place()}: the text before must say which file this is."
        return
    path = sandbox.directory / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    path.chmod(0o755)
    result = sandbox.aside(f"./{block.file}")
    if result.status not in (0, 1):
        yield f"{block.place()}: {block.file} ends in status {result.status}, and prints\n{result.end}"
