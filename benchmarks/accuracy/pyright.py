"""Where pyright sees declarations used: its language server, asked for references as an editor would."""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import unquote, urlsplit

Place = tuple[str, int, int]
"""A path, a line from 1 and a column from 0."""


def references(server: str, root: Path, questions: Sequence[Place]) -> Iterator[list[Place]]:
    """Yield the uses of the declaration whose name stands in each place, import statements left out.

    A repository's own settings may leave out its tests: they are overridden, so `root` must be a clone.
    """
    (root / "pyrightconfig.json").write_text('{"include": ["."]}', encoding="utf-8")
    with subprocess.Popen(
        [server, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        client = _Client(process)
        folder = {"uri": root.as_uri(), "name": root.name}
        client.ask("initialize", processId=None, rootUri=root.as_uri(), capabilities={}, workspaceFolders=[folder])
        client.tell("initialized")
        opened: set[str] = set()
        imports: dict[str, frozenset[int]] = {}
        for path, line, column in questions:
            uri = (root / path).as_uri()
            if uri not in opened:
                opened.add(uri)
                text = (root / path).read_text(encoding="utf-8")
                document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
                client.tell("textDocument/didOpen", textDocument=document)
            found = client.ask(
                "textDocument/references",
                textDocument={"uri": uri},
                position={"line": line - 1, "character": column},
                context={"includeDeclaration": False},
            )
            yield list(_outside_imports(root, found or (), imports))
        process.kill()


def _outside_imports(
    root: Path, found: Iterable[Mapping[str, Any]], imports: dict[str, frozenset[int]]
) -> Iterator[Place]:
    for one in found:
        path = Path(unquote(urlsplit(one["uri"]).path)).relative_to(root).as_posix()
        if path not in imports:
            nodes = ast.walk(ast.parse((root / path).read_text(encoding="utf-8")))
            spans = [(node.lineno, node.end_lineno) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
            imports[path] = frozenset(line for first, last in spans for line in range(first, (last or first) + 1))
        start = one["range"]["start"]
        if start["line"] + 1 not in imports[path]:
            yield path, start["line"] + 1, start["character"]


class _Client:
    """One end of the language server protocol, that asks one question at a time."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._write, self._read, self._asked = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout), 0

    def tell(self, method: str, **params: object) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: object) -> Any:  # noqa: ANN401 - as each method has it
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        while True:
            message = self._received()
            if "method" not in message and message.get("id") == self._asked:
                return message.get("result")
            if "id" in message and "method" in message:  # it wants settings or leave to watch files
                items = message.get("params", {}).get("items", ())
                self._send({"id": message["id"], "result": [None for _ in items]})

    def _send(self, message: Mapping[str, object]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._write.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._write.flush()

    def _received(self) -> dict[str, Any]:
        size = 0
        while header := self._read.readline().strip():
            if header.lower().startswith(b"content-length:"):
                size = int(header.split(b":")[1])
        if not size:
            raise RuntimeError("pyright's language server ended")
        return dict(json.loads(self._read.read(size)))
