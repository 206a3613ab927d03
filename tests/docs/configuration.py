"""Files that a page shows: written where the page says, and read by the program that they are for."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.docs.agents import problems_of_clients
from tests.docs.blocks import Block
from tests.docs.sandbox import Sandbox
from tx_graph.core.errors import TxError
from tx_graph.core.sqlite import binding
from tx_graph.knowledge.records import ENTITY_FORMAT, FACT_FORMAT
from tx_graph.records.front_matter import MalformedRecord
from tx_graph.records.learning_record import LEARNING_FORMAT

_RECORDS = {"learnings": LEARNING_FORMAT.parse, "facts": FACT_FORMAT.parse, "entities": ENTITY_FORMAT.parse}


def check_toml(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what is wrong with a file of settings; those of tx are read by tx."""
    try:
        document = tomllib.loads(block.text)
    except tomllib.TOMLDecodeError as error:
        yield f"{block.place()}: {error}"
        return
    yield from _given_to_clients(block, document, sandbox)
    if block.file.endswith(".tx/config.toml"):
        result = sandbox.aside("tx config && tx status")
        if result.status:
            yield f"{block.place()}: tx does not take these settings:\n{result.end}"


def check_json(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what is wrong with a file of JSON; one that a command prints belongs below that command."""
    try:
        document = json.loads(block.text)
    except json.JSONDecodeError as error:
        yield f"{block.place(error.lineno - 1)}: {error}"
        return
    yield from _given_to_clients(block, document, sandbox)


def _given_to_clients(block: Block, document: Any, sandbox: Sandbox) -> Iterator[str]:  # noqa: ANN401 - any JSON
    yield from _written(block, sandbox)
    yield from (f"{block.place()}: {problem}" for problem in problems_of_clients(document, sandbox))


def check_markdown(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what is wrong with a document or record; records are read as tx reads them."""
    yield from _written(block, sandbox)
    directory = Path(block.file).parent
    if directory.parent.name == ".tx" and directory.name in _RECORDS:
        yield from _unread(block, directory.name)


def _unread(block: Block, directory: str) -> Iterator[str]:
    try:
        _RECORDS[directory](block.text.encode())
    except (MalformedRecord, TxError) as error:
        yield f"{block.place()}: this is no record: {error}"


def check_sql(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what the database of the page's workspace says against these statements."""
    connection = binding().module.connect(str(sandbox.directory / ".tx" / "graph.db"))
    try:
        for statement in block.text.split(";"):
            connection.execute(statement).fetchall()
    except binding().module.Error as error:
        yield f"{block.place()}: {error}"
    finally:
        connection.close()


def _written(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Write a block where the page says it belongs; yield the complaint where it does not say."""
    if not block.file:
        yield f"{block.place()}: the text before must end in the name of the file that this is, as in `name`."
        return
    path = Path(sandbox.home, block.file[2:]) if block.file.startswith("~/") else sandbox.directory / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
