"""Blocks of Python: run one after the other in one namespace; those with `>>>` are doctests."""

from __future__ import annotations

import doctest
import traceback
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO

from tests.docs import checkout
from tests.docs.blocks import ROOT, Block
from tests.docs.expectation import difference
from tests.docs.sandbox import Sandbox


def check_python(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what fails: the program, or each example of a doctest that says something else."""
    if block.file:
        yield from _file(block, sandbox)
        return
    with sandbox.inhabited():
        yield from _examples(block, sandbox) if ">>> " in block.text else _program(block, sandbox)


def _file(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Write a file and run it. One that this repository has is held against that, and run in a clone."""
    directory, original = sandbox.directory, ROOT / block.file
    if original.exists():
        directory = sandbox.home.parent / "clone"
        checkout.clone(directory)
        if original.read_text(encoding="utf-8") != block.text:
            yield f"{block.place()}: {block.file} says something else."
    path = directory / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    result = sandbox.aside(f"python {block.file}", directory=directory)
    if result.status:
        yield f"{block.place()}: {block.file} ends in status {result.status}, and prints\n{result.end}"


def _program(block: Block, sandbox: Sandbox) -> Iterator[str]:
    code = compile("\n" * (block.line - 1) + block.text, block.page, "exec")
    try:
        with redirect_stdout(StringIO()):
            exec(code, sandbox.variables)
    except Exception as error:  # noqa: BLE001 - whatever it is, the page's author wants to see it
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == block.page]
        line = (lines[-1] or block.line) - block.line if lines else 0
        yield f"{block.place(line)}: {''.join(traceback.format_exception_only(error)).strip()}"


def _examples(block: Block, sandbox: Sandbox) -> Iterator[str]:
    test = doctest.DocTestParser().get_doctest(block.text, {}, block.page, block.page, 0)
    test.globs = sandbox.variables
    runner = _Runner(block, sandbox)
    runner.run(test, out=lambda _: None, clear_globs=False)
    yield from runner.problems


class _Runner(doctest.DocTestRunner):
    """Holds what examples print against the page as the blocks of a terminal are."""

    def __init__(self, block: Block, sandbox: Sandbox) -> None:
        super().__init__(checker=_Checker(sandbox), verbose=False)
        self.problems: list[str] = []
        self._block = block
        self._sandbox = sandbox

    def report_failure(self, out: object, test: object, example: doctest.Example, got: str) -> None:
        found = difference(example.want, self._sandbox.shown(got), self._sandbox.names)
        self.problems.append(f"{self._block.place(example.lineno)}: >>> {example.source}{found}")

    def report_unexpected_exception(
        self, out: object, test: object, example: doctest.Example, exc_info: object
    ) -> None:
        error = "".join(traceback.format_exception_only(exc_info[1]))  # type: ignore[index]
        self.problems.append(f"{self._block.place(example.lineno)}: >>> {example.source}{error}")


class _Checker(doctest.OutputChecker):
    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return not difference(want, self._sandbox.shown(got), self._sandbox.names)
