"""Reads objects out of git's database through one long-lived process."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, cast

from tx_graph.codebase.git import ask_git, git_failure, start_git

if TYPE_CHECKING:
    from subprocess import Popen

_FOUND = re.compile(rb"[0-9a-f]{40,64} (?P<type>[a-z]+) (?P<size>\d+)\n")
"""What `cat-file` says before the content. What it lacks is named as it was asked for, followed by ` missing`."""


class Objects:
    """The contents of blobs, from one `git cat-file --batch` that starts with the first question.

    Where a partial clone lacks an object, git does not say so but ends: then the process is started anew, and from
    then on only ids that a listing of all objects has are asked for.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._process: Popen[bytes] | None = None
        self._messages: IO[bytes] | None = None
        self._is_partial = False

    def blob(self, oid: str) -> bytes | None:
        """Return the content of the blob with this full id; None when it is missing.

        Raises:
            RepositoryError: Git fails, for example because the object is damaged.
        """
        return None if self._is_partial and oid not in self._present else self.named(oid)

    def named(self, name: str) -> bytes | None:
        """Return the content of the blob that git knows by this name, such as `<commit>:<path>`; None without one."""
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
        process = self._process or self._started()
        questions, answers = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        with suppress(BrokenPipeError):  # it has ended, as reading will show
            questions.write(name + b"\n")
            questions.flush()
        try:
            content = _answer(answers)
        except EOFError:
            process.wait()
            self._explain_end()
            return None
        if content is None and b"error:" in (said := self._said()):  # damaged, which git then calls missing
            raise git_failure(self._root, "cat-file", said)
        return content

    def _started(self) -> Popen[bytes]:
        self._messages = TemporaryFile()  # noqa: SIM115 - `close` closes it
        self._process = start_git(self._root, "cat-file", "--batch", errors=self._messages, asks=True)
        return self._process

    def _explain_end(self) -> None:
        """Fail as git did, unless it ended because a partial clone lacks the object."""
        if b"promisor" not in (said := self._said()):
            raise git_failure(self._root, "cat-file", said)
        self.close()
        self._is_partial = True

    def _said(self) -> bytes:
        messages = cast("IO[bytes]", self._messages)
        messages.seek(0)
        return messages.read()


def _answer(answers: IO[bytes]) -> bytes | None:
    """Read a blob's content, None when there is no blob of that name; the end of it all is an `EOFError`."""
    header = answers.readline()
    if not header:
        raise EOFError
    if (found := _FOUND.fullmatch(header)) is None:
        return None
    content = answers.read(int(found["size"]) + 1)
    if len(content) <= int(found["size"]):
        raise EOFError
    return content[:-1] if found["type"] == b"blob" else None
