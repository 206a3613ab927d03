"""Parsing many files: in this process until there is enough to do for others."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tx_graph.code.imports import ImportType, Offered, Specifier, Surface
from tx_graph.code.parsing import SourceReading, read_source
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import NeverParsed
from tx_graph.core.processes import CannotStart, Crew, in_order, serve

_LENGTH = 4  # bytes that tell how many bytes follow before the uses
_FASTEST = 1  # zlib's level: a third of the size for a fiftieth of what parsing takes


def encode(reading: SourceReading) -> bytes:
    """Return a reading as bytes, without the path it was read under."""
    document = (
        [(one.module, one.name, one.type, one.line, one.scope) for one in reading.specifiers],
        [(one.name, one.kind, one.line_start, one.line_end, one.signature, one.is_detail) for one in reading.symbols],
        (reading.surface.package, reading.surface.offers, reading.surface.uses),
        reading.problem,
    )
    written = zlib.compress(json.dumps(document, separators=(",", ":")).encode(), _FASTEST)
    return len(written).to_bytes(_LENGTH) + written + reading.uses


def decode(data: bytes, path: str) -> SourceReading:
    """Return what `encode` was given, as read under this path."""
    try:
        end = _LENGTH + int.from_bytes(data[:_LENGTH])
        specifiers, symbols, (package, offers, uses), problem = json.loads(zlib.decompress(data[_LENGTH:end]))
        return SourceReading(
            specifiers=tuple(
                Specifier(module=module, name=name, type=_TYPES[kind], line=line, scope=scope)
                for module, name, kind, line, scope in specifiers
            ),
            symbols=tuple(
                Symbol(
                    path=path,
                    name=name,
                    kind=kind,
                    line_start=first,
                    line_end=last,
                    signature=signature,
                    is_detail=is_detail,
                )
                for name, kind, first, last, signature, is_detail in symbols
            ),
            surface=Surface(package=package, offers=tuple(Offered(*one) for one in offers), uses=tuple(uses)),
            uses=data[end:],
            problem=problem,
        )
    except (zlib.error, ValueError, TypeError, KeyError) as error:
        raise ValueError("not a reading") from error


@cache
def readers_version() -> str:
    """Return what changes whenever the readers, and so perhaps their readings, do: a digest of their source."""
    found = find_spec("ast_grep_py")  # its metadata would tell its version too, but takes 10 ms to load
    home = Path(found.origin).parent.parent if found and found.origin else None
    installed = ",".join(sorted(one.name for one in home.glob("ast_grep_py-*.dist-info"))) if home else ""
    digest = sha256(installed.encode())
    for module in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(module.read_bytes())
    return digest.hexdigest()[:16]


_TYPES = {kind.value: kind for kind in ImportType}


Parsed = tuple[bytes | None, str]
"""What a file says, encoded, or None and why it could not be parsed."""


def parsed(path: str, content: bytes) -> Parsed:
    """Return what one file says; whatever goes wrong with it is its problem alone."""
    try:
        return encode(read_source(path, content)), ""
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except NeverParsed:
        return None, _CRASHED
    except BaseException as error:  # noqa: BLE001 - a parser's panic is a BaseException; one file is no reason to stop
        return None, f"cannot be parsed: {type(error).__name__}"


def run() -> None:
    """Parse what is asked for until nobody asks any more."""
    serve(lambda source: parsed(*source))


WORTHWHILE = 1_000_000
"""Bytes of source from which on other processes are started: half a second of parsing, a tenth for starting them."""
_BATCH = 200_000  # bytes of source that one message holds at least, or one file that is larger
_PATIENCE = 60.0  # seconds that a batch may take: a hundred times what its slowest file needs
_CRASHED = "cannot be parsed: the parser crashed, or would not end"
_PROGRAM = "from tx_graph.code.parallel import run; run()"


class Source(NamedTuple):
    """A file to parse."""

    path: str
    content: bytes


def parse_all(sources: Iterable[Source], *, processes: int) -> Iterator[tuple[str, Parsed]]:
    """Yield each path with what its file says, in the order of the sources.

    The sources are asked for while others are being parsed, and no more of them are held than that takes. A file that
    makes the parser crash costs itself alone where processes are used.
    """
    waiting = iter(sources)
    first = list(_taken(waiting, WORTHWHILE)) if processes > 1 else []
    if sum(len(source.content) for source in first) < WORTHWHILE:
        for source in chain(first, waiting):
            yield source.path, parsed(*source)
        return
    with _Parsers() as parsers:
        left = chain(first, waiting)
        batches = iter(lambda: list(_taken(left, _BATCH)), [])
        for source, found in in_order(batches, parsers.parse, processes=processes):
            yield source.path, found


def _taken(sources: Iterator[Source], size: int) -> Iterator[Source]:
    for source in sources:
        yield source
        size -= len(source.content)
        if size <= 0:
            return


class _Parsers(Crew):
    """Processes that parse."""

    def __init__(self, program: str = _PROGRAM, *, patience: float = _PATIENCE) -> None:
        super().__init__(program, patience=patience)

    def parse(self, batch: list[Source]) -> list[Parsed]:
        """Return what each file of a batch says.

        When a process dies of it, the files are tried one by one, and one that is alone twice.
        """
        found = self._tried(batch) or (self._tried(batch) if len(batch) == 1 else None)
        if found is not None:
            return found
        if len(batch) == 1:
            return [(None, _CRASHED)]
        return [self.parse([source])[0] for source in batch]

    def _tried(self, batch: list[Source]) -> list[Parsed] | None:
        """Return what each file of a batch says, None when the process died.

        Where no process can be started this one does the work.
        """
        try:
            return self.ask([tuple(source) for source in batch])
        except CannotStart:
            return [parsed(*source) for source in batch]
        except EOFError:
            return None
