"""What becomes of a block of each language: the rules by which the documentation is held to its word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tests.docs.blocks import Block
from tests.docs.configuration import check_json, check_markdown, check_sql, check_toml
from tests.docs.jobs import check_cron, check_yaml
from tests.docs.python import check_python
from tests.docs.sandbox import CommandFailed, Sandbox
from tests.docs.terminal import check_console, check_script
from tests.docs.words import check_text

Rule = Callable[[Block, Sandbox], Iterator[str]]
"""Yields what is wrong with a block, each sentence with its place."""

RULES: Mapping[str, Rule] = {
    "console": check_console,
    "bash": check_script,
    "sh": check_script,
    "python": check_python,
    "toml": check_toml,
    "json": check_json,
    "yaml": check_yaml,
    "cron": check_cron,
    "sql": check_sql,
    "markdown": check_markdown,
    "text": check_text,
}


def problems_of(block: Block, sandbox: Sandbox) -> list[str]:
    """Return what is wrong with a block, having run it."""
    rule = RULES.get(block.language)
    if rule is None:
        named = f"'{block.language}' is none that the tests run" if block.language else "none is named"
        return [f"{block.place()}: a block needs a language, and {named}: {', '.join(RULES)}."]
    try:
        return list(rule(block, sandbox))
    except CommandFailed as failure:
        return [f"{block.place()}: {failure}"]
