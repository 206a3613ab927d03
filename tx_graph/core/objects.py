"""The contents that git keeps, asked for by id or name from one process."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, cast

from tx_graph.core.git import ask_git, git_failure, start_git

if TYPE_CHECKING:
    from subprocess import Popen


_FOUND = re.compile(rb"[0-9a-f]{40,64} (?P<type>[a-z]+) (?P<size>\d+)\n")
"""What `cat-file` says before the content. What it lacks is named as it was asked for, followed by ` missing`."""


class Objects:
    """Reads contents of one repository; the process stays until `close`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._process: Popen[bytes] | None = None
        self._messages: IO[bytes] | None = None
        self._is_partial = False

    def get(self, oid: str) -> bytes | None:
        """Return the content of the blob or commit with this full id; None when it is missing."""
        return None if self._is_partial and oid not in self._present else self.named(oid)

    def named(self, name: str) -> bytes | None:
        """Return the content of the blob that git knows by this name.

        It comes from one `git cat-file --batch` that starts with the first question. Where a partial clone lacks an
        object, git does not say so but ends: then the process is started anew, and from then on only ids that a
        listing of all objects has are asked for.
        """
        if "\n" in name:  # --batch takes one name a line, and its -z is newer than git 2.37
            answer = ask_git(self._root, "cat-file", "blob", name, fine=(0, 128))
            return answer.output if answer.status == 0 else None
        try:
            return self._asked(name.encode("utf-8", "surrogateescape"))
        except BaseException:
            self.close()  # the rest of an answer may be on its way
            raise

    def close(self) -> None:
        """End the process; a second time does no harm."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, self._messages):
                with suppress(OSError):
                    cast("IO[bytes]", stream).close()

    @cached_property
    def _present(self) -> frozenset[str]:
        listing = ("--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
        return frozenset(ask_git(self._root, "cat-file", *listing).output.decode("ascii").split())

    def _asked(self, name: bytes) -> bytes | None:
        if self._process is None:
            self._messages = TemporaryFile()  # noqa: SIM115 - `close` closes it
            self._process = start_git(self._root, "cat-file", "--batch", errors=self._messages, asks=True)
        questions, answers = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        with suppress(BrokenPipeError):  # it has ended, as reading will show
            questions.write(name + b"\n")
            questions.flush()
        header = answers.readline()
        found = _FOUND.fullmatch(header)
        content = answers.read(int(found["size"]) + 1) if found else b""
        if not header or (found and len(content) <= int(found["size"])):  # that is its end
            self._process.wait()
            if b"promisor" not in (said := self._said()):
                raise git_failure(self._root, "cat-file", said)
            self.close()
            self._is_partial = True
            return None
        if found is None and b"error:" in (said := self._said()):  # damaged, which git then calls missing
            raise git_failure(self._root, "cat-file", said)
        return content[:-1] if found and found["type"] in (b"blob", b"commit") else None

    def _said(self) -> bytes:
        messages = cast("IO[bytes]", self._messages)
        messages.seek(0)
        return messages.read()
