"""The page as one file, which needs no server and no network."""

from __future__ import annotations

from pathlib import Path

from tx_graph.core.arguments import Ref
from tx_graph.core.dataclass import dataclass
from tx_graph.core.destination import destination, replacing
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.version import __version__
from tx_graph.view.assets import one_file
from tx_graph.view.look import Look
from tx_graph.view.snapshots import SNAPSHOTS, as_text, selection

_MARK = '<meta name="generator" content="tx view'
_LONGEST_HEAD = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPage(Answer):
    """A page that was written: where, how large in bytes, and what did not find room in it, as sentences."""

    file: str
    bytes: int
    left_out: tuple[str, ...]


def write(kernel: Kernel, file: str, *, node: Ref | None = None) -> WrittenPage:
    """Write the page with all that is known but private facts; it begins with what lies around the node, if given.

    Raises:
        NotFound: The reference names nothing, or more than one thing.
        UsageError: Something else is there.
        StorageError: It cannot be written.
    """
    start = selection(kernel, node)
    path = destination(kernel, file, command="tx view", is_own=_is_page)
    kernel.one(Look).is_shared = True  # files go elsewhere
    documents = {name: make(kernel) for name, make in SNAPSHOTS.items()}
    left_out = dict.fromkeys(said for one in documents.values() for said in one.get("left_out", ()))
    documents["about"] |= {"is_file": True, "left_out": list(left_out), "start": start}
    head = f'<meta charset="utf-8">\n{_MARK} {__version__}">'
    page = one_file({name: as_text(one) for name, one in documents.items()}, head=head)
    data = page.encode("utf-8", "backslashreplace")
    with replacing(path) as stream:
        stream.write(data)
    return WrittenPage(file=file, bytes=len(data), left_out=tuple(left_out))


def _is_page(path: Path) -> bool:
    with path.open("rb") as stream:
        return _MARK.encode() in stream.read(_LONGEST_HEAD)
