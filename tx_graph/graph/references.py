"""Node references: the one syntax by which the terminal, agents and programs name a node."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import ALPHABET, MINIMUM_PREFIX, is_unicode
from tx_graph.core.shape import NodeReference, reference_to

if TYPE_CHECKING:
    from tx_graph.graph.edges import NodeId


class NodeKind(StrEnum):
    """What a node is."""

    LEARNING = "learning"
    FILE = "file"
    SYMBOL = "symbol"
    SECTION = "section"
    ENTITY = "entity"
    TASK = "task"
    RUN = "run"
    COMMIT = "commit"


_EXPLICIT = re.compile(rf"({'|'.join(NodeKind)}):(.+)", re.DOTALL)
_EXTERNAL_ID = re.compile(r"([A-Za-z][A-Za-z0-9_]*-|#)\d+")
_BARE_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:::|\.|#)[\w$]+)*(?:\(\))?")
_UID_PREFIX = re.compile(rf"[{ALPHABET}]{{{MINIMUM_PREFIX},}}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference as it was written: the text and the kinds of node it can name, likeliest first."""

    text: str
    kinds: tuple[NodeKind, ...]

    @property
    def may_be_a_symbol(self) -> bool:
        """Whether it may be the name of a symbol without its path."""
        return self.kinds[-1] is NodeKind.FILE and _BARE_NAME.fullmatch(self.text) is not None

    @property
    def is_number(self) -> bool:
        """Whether it is a learning's local number."""
        return self.text.isascii() and self.text.isdigit()


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node that a reference names. `id` is None for a file or symbol of which the graph knows nothing yet.

    `status` is that of a learning, None of other nodes: who names one that nobody has confirmed is to be told.
    """

    kind: NodeKind
    key: str
    ref: str
    id: NodeId | None
    status: StrEnum | None = None

    JSON: ClassVar = "*reference key! status?"

    @property
    def reference(self) -> NodeReference:
        """How JSON refers to it."""
        return reference_to(self.kind, self.key, ref=self.ref)


class Lookup:
    """Finds the nodes of one kind, or of several. It is made of the kernel when such a node is first named."""

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the nodes that a reference names."""
        raise NotImplementedError

    def nearest(self, text: str) -> list[str]:
        """Return references like one that names nothing, the nearest first."""
        del text
        return []

    def text(self, ref: str) -> str:
        """Return what a node, by its canonical reference, is about; empty for what has no words of its own."""
        del ref
        return ""


def parse_reference(text: str) -> Reference:
    """Return what `text` can name; nothing is looked up."""
    text = text.strip()
    if not is_unicode(text):
        raise UsageError("The reference is not valid UTF-8.")
    if explicit := _EXPLICIT.fullmatch(text):
        return Reference(text=explicit[2], kinds=(NodeKind(explicit[1]),))
    if text.isascii() and text.isdigit():
        return Reference(text=text, kinds=(NodeKind.LEARNING,))
    if "::" in text:
        return Reference(text=text, kinds=(NodeKind.SYMBOL,))
    if _EXTERNAL_ID.fullmatch(text):
        return Reference(text=text, kinds=(NodeKind.FILE, NodeKind.TASK))
    if "#" in text:
        return Reference(text=text, kinds=(NodeKind.SECTION, NodeKind.FILE))
    if _UID_PREFIX.fullmatch(text):
        return Reference(text=text, kinds=(NodeKind.LEARNING, NodeKind.FILE))
    return Reference(text=text, kinds=(NodeKind.FILE,))
