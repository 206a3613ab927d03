"""Puts a block between our marks into a text, and takes it out again.

At the end of a text it leaves no trace: a text that ends its last line gets a blank line before the block; one that
does not ends without a line end again. So what stood there before can be told from what stands there now.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from contextlib import suppress
from pathlib import Path
from textwrap import indent

from tx_graph.core.errors import StorageError, UsageError
from tx_graph.faces.setup.clients import MarkedFile

_BOM = b"\xef\xbb\xbf"
_MOST_BYTES = 4_000_000


class ConfigFiles:
    """The files of clients below the root of a repository, or below the home of the user."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> bytes | None:
        """Return what a file holds, None if there is none."""
        target = self._target(path)
        try:
            if not target.exists():
                return None
            if not target.is_file() or target.stat().st_size > _MOST_BYTES:
                raise UsageError(f"{path} is no file of settings.", hint="Move it away first.")
            return target.read_bytes()
        except OSError as error:
            raise StorageError(f"{path} cannot be read: {error.strerror}.") from error

    def replace(self, path: str, data: bytes | None) -> None:
        """Let a file hold these bytes, with its directories; None removes it, and directories that it leaves empty."""
        target = self._target(path)
        try:
            if data is None:
                target.unlink()
                (self._root / Path(path).expanduser()).unlink(missing_ok=True)  # a link that would lead nowhere now
                directory = target.parent
                with suppress(OSError):
                    while directory != self._root.resolve():
                        directory.rmdir()
                        directory = directory.parent
            else:
                self._write(target, data)
        except OSError as error:
            raise StorageError(f"{path} cannot be written: {error.strerror}.") from error

    def _target(self, path: str) -> Path:
        """Return the file itself: one that is a link in the repository is written where it leads."""
        named = self._root / Path(path).expanduser()
        target = named.resolve()
        if not target.is_relative_to(self._root.resolve()):
            raise UsageError(f"{path} is a link that leads out of the repository.", hint="Nothing was written.")
        if named.is_symlink() and not target.exists():
            raise UsageError(f"{path} is a link that leads nowhere.", hint="Nothing was written; remove it first.")
        return target

    def _write(self, target: Path, data: bytes) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        try:
            # Settings may hold secrets: what nobody else could read, nobody else reads on the way either.
            # A link of that name, which the repository may have brought along, is not followed.
            temporary.unlink(missing_ok=True)
            with open(temporary, "xb", opener=_private if mode is not None else None) as stream:
                stream.write(data)
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


class Crontab:
    """The table of jobs that cron runs for the user, read and written by `crontab`."""

    def read(self, _path: str) -> bytes | None:
        """Return the table, None if the user has none."""
        done = self._run("-l")
        return done.stdout if done.returncode == 0 and done.stdout else None

    def replace(self, path: str, data: bytes | None) -> None:
        """Let the table be this; None removes it."""
        done = self._run("-r") if data is None else self._run("-", data)
        if done.returncode:
            raise StorageError(f"The {path} was not written: {done.stderr.decode('utf-8', 'replace').strip()[:200]}.")

    def _run(self, option: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(["crontab", option], input=data or b"", capture_output=True, check=False)
        except FileNotFoundError:
            raise UsageError(
                "There is no cron here.", hint="Have what runs jobs by the clock call 'tx maintain'."
            ) from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def decoded(data: bytes, path: str) -> tuple[bytes, str]:
    """Return the byte order mark of a file, if it has one, and its text."""
    mark = _BOM if data.startswith(_BOM) else b""
    try:
        return mark, data[len(mark) :].decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not valid UTF-8.", hint="Nothing was written; convert it first.") from None


_BY_HAND = "Nothing was written; put the marks right by hand."


def with_ours(text: str | None, file: MarkedFile) -> str:
    """Return the text with the block: where it stands now, else at the end; None is a missing file.

    An item of a list comes first in it, where there is such a list.
    """
    span = _span(text or "", file)
    begin, end = file.marks
    key = f"{file.below}:\n" if file.below else ""
    block = f"{begin}\n{key}{indent(file.block.strip(), '  ' if key else '')}\n{end}\n"
    if text is None:
        return block
    if file.below:
        rest = text if span is None else without_tail(text, *span)
        return _with_item(rest or "", file) or with_tail(rest, block)
    if span is None:
        return with_tail(text, block)
    own = text[span[0] : span[1]]
    new = block.replace("\n", "\r\n") if "\r\n" in own else block
    return text[: span[0]] + (new if own.endswith("\n") else new.rstrip()) + text[span[1] :]


def without_ours(text: str, file: MarkedFile) -> str | None:
    """Return the text without the block; None if there was nothing else and the file goes."""
    span = _span(text, file)
    return text if span is None else without_tail(text, *span)


def _span(text: str, file: MarkedFile) -> tuple[int, int] | None:
    """Return where the block stands with its marks and the line end behind them, None if it does not."""
    begin, end = file.marks
    begins = [one.start() for one in re.finditer(rf"^[ \t]*{re.escape(begin)}(?=[ \t]*\r?$)", text, re.MULTILINE)]
    ends = [one.end() for one in re.finditer(rf"^[ \t]*{re.escape(end)}[ \t]*\r?(?:\n|\Z)", text, re.MULTILINE)]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0] <= begins[0]:
        raise UsageError(f"{file.path} has {begin} and {end} not just once, in this order.", hint=_BY_HAND)
    return begins[0], ends[0]


def _with_item(text: str, file: MarkedFile) -> str | None:
    """Return the YAML with the block as the first item of its list; None where nothing stands under the key."""
    found = _list(text, file)
    if found is None:
        return None
    line, column, count = found
    begin, end = file.marks
    lines = text.splitlines(keepends=True)
    item = indent(f"{begin}\n{file.block.strip()}\n{end}\n", " " * column)
    lines.insert(line, item.replace("\n", "\r\n") if "\r\n" in text else item)
    after = "".join(lines)
    if (_list(after, file) or (0, 0, 0))[2] != count + file.block.count("\n- ") + 1:
        raise _not_plain(file)
    return after


def _list(text: str, file: MarkedFile) -> tuple[int, int, int] | None:
    """Return the line below a key's, the column of the items there and how many there are; None without the key."""
    import yaml

    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise UsageError(f"{file.path} is not plain YAML.", hint=f"Nothing was written: {str(error)[:200]}") from None
    if root is None:
        return None
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise _not_plain(file)
    for key, value in root.value:
        if key.value == file.below:
            if not isinstance(value, yaml.SequenceNode) or value.flow_style:
                raise _not_plain(file)
            return key.end_mark.line + 1, value.start_mark.column, len(value.value)
    return None


def _not_plain(file: MarkedFile) -> UsageError:
    return UsageError(
        f"In {file.path} '{file.below}' is no list with an item a line.", hint=f"Put this there by hand:\n{file.block}"
    )


def with_tail(text: str | None, block: str) -> str:
    """Return the text with a block of whole lines behind it; None stands for a file that is not there."""
    if text is None:
        return block
    line_end = "\r\n" if "\r\n" in text else "\n"
    block = block.replace("\n", line_end)
    if text and not text.endswith("\n"):
        return f"{text}{line_end}{block.removesuffix(line_end)}"
    return f"{text}{line_end}{block}"


def without_tail(text: str, start: int, end: int) -> str | None:
    """Return the text without its lines `text[start:end]`; None if it holds no more.

    The blank line before them goes too, and where they end without a line end, that of the line before.
    """
    if start == 0 and end == len(text):
        return None
    before = text[:start]
    shorter = before.removesuffix("\n").removesuffix("\r")
    is_unended = end == len(text) and not text.endswith("\n")
    if is_unended or not shorter or shorter.endswith("\n"):
        before = shorter
    return before + text[end:]
