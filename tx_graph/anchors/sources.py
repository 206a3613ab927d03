"""The working tree's files as text, symbols and fingerprints, each read and parsed once."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from tx_graph.anchors.fingerprints import content_hash, fingerprints, word_hashes
from tx_graph.anchors.store import AnchoredFileStore, SeenFile
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.languages import has_sections, language_of
from tx_graph.code.symbols import SECTION, Match, is_section, match_of, readings_of, simple_name
from tx_graph.core.errors import NotFound, RepositoryError, UsageError
from tx_graph.core.kernel import Kernel, find
from tx_graph.core.working_tree import Stamp, WorkingTree, trusted_mtime
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import Lookup, Node, NodeKind, Reference
from tx_graph.records.anchor import Fingerprints

if TYPE_CHECKING:
    from tx_graph.code.passages import Passages
    from tx_graph.code.symbols import Symbol
    from tx_graph.core.repository import GitRepository


class SourceText:
    """One version of a source file, taken apart as far as it is asked for; `head` gives the commit that it is of."""

    def __init__(self, path: str, text: str, *, head: Callable[[], str] = str) -> None:
        self.path = path
        self.text = text
        self._head = head
        self._taken: dict[str, Fingerprints] = {}

    @cached_property
    def passages(self) -> Passages:
        """The text as fingerprints see it."""
        from tx_graph.code.passages import read_passages

        return read_passages(self.path, self.text)

    @cached_property
    def lines(self) -> list[str]:
        """Its lines; what follows the last line end is one only if there is something."""
        return self.text.removesuffix("\n").split("\n")

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """What it declares, in its order; of a document its sections, each with those below it."""
        if has_sections(self.path):
            found: tuple[Symbol, ...] = find(_OUTLINE).function(self.path, self.text)
            return found
        return self.passages.symbols

    @cached_property
    def details(self) -> tuple[Symbol, ...]:
        """What it declares beside them, such as fields."""
        return () if has_sections(self.path) else self.passages.details

    def symbol(self, name: str) -> Symbol | None:
        """Return the symbol or detail with this qualified name, None when there is none."""
        return self._by_name.get(name) or next((one for one in self.details if one.name == name), None)

    def declared(self, name: str) -> Symbol | None:
        """Return the same, without parsing a text that does not hold the last part of the name."""
        return self.symbol(name) if self.may_declare(simple_name(name)) else None

    def may_declare(self, simple: str) -> bool:
        """Whether a symbol of this simple name may be there; a slug stands in no text, and in documents alone."""
        return has_sections(self.path) if is_section(simple) else simple in self.text

    @cached_property
    def _by_name(self) -> dict[str, Symbol]:
        return {symbol.name: symbol for symbol in self.symbols}

    @cached_property
    def _unnamed(self) -> Counter[str]:
        return Counter(self.of_symbol(each).unnamed for each in self.symbols)

    @cached_property
    def _unnamed_details(self) -> Counter[str]:
        return Counter(self.of_symbol(each).unnamed for each in self.details)

    @cached_property
    def whole_content(self) -> str:
        """The SHA-256 of all of it but the last line end."""
        return content_hash(self.text.removesuffix("\n"))

    def flat_tokens(self) -> Sequence[Sequence[str]]:
        """Return the code tokens, without structure, that start on each line."""
        return self.passages.line_tokens()

    @cached_property
    def words(self) -> frozenset[int]:
        """The hashes of its words, as sketches have them."""
        return word_hashes(self.text)

    def text_of(self, lines: tuple[int, int]) -> str:
        """Return the text of some lines, without the last line end."""
        return "\n".join(self.lines[lines[0] - 1 : lines[1]])

    def content_of(self, lines: tuple[int, int]) -> str:
        """Return the SHA-256 of some lines."""
        return content_hash(self.text_of(lines))

    def code_of(self, lines: tuple[int, int]) -> tuple[str, ...]:
        """Return the code of some lines in canonical form, read as if nothing stood around them."""
        from tx_graph.code.passages import read_passages

        return read_passages(self.path, self.text_of(lines)).whole().tokens

    def of_symbol(self, symbol: Symbol) -> Fingerprints:
        """Return the fingerprints of a symbol, twins not counted."""
        if symbol.name not in self._taken:
            passage = self.passages.of_symbol(symbol)
            self._taken[symbol.name] = fingerprints(passage, name=simple_name(symbol.name))
        return self._taken[symbol.name]

    def anchored(self, symbol: Symbol) -> Fingerprints:
        """Return the fingerprints of a symbol as an anchor has them: with the number of twins beside it, and when."""
        passage = self.passages.of_symbol(symbol)
        counted = self._unnamed_details if symbol.is_detail else self._unnamed
        twins = max(0, counted[self.of_symbol(symbol).unnamed] - 1)
        return replace(fingerprints(passage, name=simple_name(symbol.name), twins=twins), commit=self._head())

    def of_lines(self, lines: tuple[int, int]) -> Fingerprints:
        """Return the fingerprints of some lines."""
        return fingerprints(self.passages.of_lines(*lines))

    def whole(self) -> Fingerprints:
        """Return the fingerprints of all of it."""
        if len(self.text) > _LONGEST:
            return Fingerprints(content=self.whole_content)
        return fingerprints(self.passages.whole())

    def anchored_whole(self) -> Fingerprints:
        """Return the fingerprints of all of it as an anchor has them, which say when."""
        return replace(self.whole(), commit=self._head())


_OUTLINE = "documents.reading:sections_in"
"""What reads the sections of a document: a room above knows how."""
_LONGEST = 1_000_000
"""Characters of a file beyond which only the hash of its content is taken: such files are data, or made by machines."""


def source_text(path: str, data: bytes, *, head: Callable[[], str] = str) -> SourceText:
    """Return a file's bytes as text: without a byte order mark, with Unix line ends, and without loss.

    What is neither UTF-16 with a mark nor UTF-8 becomes lone surrogates.
    """
    text = None
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        with suppress(UnicodeDecodeError):
            text = data.decode("utf-16")
    if text is None:
        text = data.decode("utf-8-sig", "surrogateescape")
    return SourceText(path, text.replace("\r\n", "\n"), head=head)


class Sources:
    """Reads files as they are now, at the commit that is checked out."""

    def __init__(self, tree: WorkingTree, *, repository: GitRepository | None = None) -> None:
        self._tree = tree
        self._repository = repository
        self._commit: str | None = None
        self._read: dict[str, SourceText | None] = {}
        self._before: dict[str, SourceText | None] = {}

    def get(self, path: str) -> SourceText | None:
        """Return a file, None when it cannot be read."""
        if path not in self._read:
            self._read[path] = self._as_it_is(path)
        return self._read[path]

    def peek(self, path: str) -> SourceText | None:
        """Return a file that may not be looked at again; what is made of it is not kept."""
        return self._read[path] if path in self._read else self._as_it_is(path)

    def _as_it_is(self, path: str) -> SourceText | None:
        """Return a file read now; what was parsed of the same text before serves again."""
        data = self._tree.read(path)
        now, before = None if data is None else source_text(path, data, head=self._head), self._before.get(path)
        return before if now and before and now.text == before.text else now

    def _head(self) -> str:
        if self._commit is None:
            with suppress(RepositoryError):  # an anchor is worth something without it
                self._commit = self._repository.head() if self._repository else None
            self._commit = self._commit or ""
        return self._commit

    def forget(self) -> None:
        """Read every file anew when it is asked for; of open texts what was parsed stays."""
        kept = {path: one for path, one in self._before.items() if path in self._tree.open_texts}
        self._before, self._read, self._commit = kept | self._read, {}, None

    def symbol(self, path: str, name: str) -> Symbol:
        """Return the symbol of a file that has this name, or the only one that ends in it."""
        source = self.get(path)
        symbols = source.symbols if source else ()
        if has_sections(path) and not is_section(name):
            name = f"{SECTION}{name}"
        exact = [symbol for symbol in symbols if symbol.name == name]
        found = exact or [symbol for symbol in symbols if symbol.name.endswith(f"::{name}")]
        if not found and source is not None:
            found = [one for one in source.details if f"::{one.name}".endswith(f"::{name}")]
            found = [one for one in found if one.name == name] or found
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(f"'{name}' names several symbols of {path}.", candidates=[s.fqname for s in found])
        if language_of(path) is None and not has_sections(path):
            raise UsageError(f"tx reads no symbols in '{path}'.", hint="Anchor to lines instead: PATH:L10-L20.")
        names = {symbol.name: symbol.fqname for symbol in symbols}
        from difflib import get_close_matches

        near = get_close_matches(name, names, cutoff=0.4) or [*names][:5]
        what = "section" if is_section(name) else "symbol"
        raise NotFound(f"There is no {what} '{name}' in {path}.", candidates=[names[one] for one in near])


def sources(kernel: Kernel) -> Sources:
    """Return the files of a workspace."""
    return Sources(kernel.checkout.tree, repository=kernel.checkout.askable)


_MOST_NAMED = 5  # symbols of one name that are listed


class SymbolLookup(Lookup):
    """Finds symbols: those that something is tied to, and those that stand in files."""

    def __init__(self, kernel: Kernel) -> None:
        self._nodes = NodeStore(kernel.database)
        self._symbols = SymbolStore(kernel.database)
        self._tree = kernel.checkout.tree
        self._sources = kernel.one(sources)

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the symbol with this name, or the only one that ends in it."""
        path, _, name = reference.text.partition("::")
        if not self._tree.existing(path) and (symbol := self.declared(reference.text)):
            path, name = f"{self._tree.root / symbol.path}", symbol.name
        if not name:
            return []
        keys = [f"{candidate}::{name}" for candidate in self._tree.candidates(path)]
        known = self._nodes.find(NodeKind.SYMBOL, keys)
        key = next((key for key in keys if key in known), None)
        if key is None:
            file = self._tree.existing(path)
            if file is None or self._sources.get(file) is None:
                return []
            key = f"{file}::{self._sources.symbol(file, name).name}"
        node = known.get(key) or self._nodes.find(NodeKind.SYMBOL, [key]).get(key)
        return [Node(kind=NodeKind.SYMBOL, key=key, ref=key, id=node)]

    def declared(self, text: str) -> Symbol | None:
        """Return the only symbol that goes by a name without a path, as it was read last; None where none does."""
        for name in readings_of(text):
            found = [one for one in self._symbols.named(name[-1]) if match_of(one.name, name) is Match.EXACT]
            if len(found) > 1:
                listed = [one.fqname for one in found[:_MOST_NAMED]]
                raise NotFound(f"'{text}' names {len(found)} symbols.", hint="Name its file, too.", candidates=listed)
            if found:
                return found[0]
        return None

    def spelled_out(self, typed: str) -> str:
        """Return what was typed, or the whole name where that is the name of a symbol without its path."""
        symbol = None if self._tree.existing(typed.partition("::")[0]) else self.declared(typed)
        return symbol.fqname if symbol else typed

    def nearest(self, text: str) -> list[str]:
        """Return known symbols that are called like it."""
        return self._nodes.symbols_like(text.rpartition("::")[2], limit=5)


_MOST_REMEMBERED = 5_000  # files that this process remembers having read, 300 bytes each


class Contents:
    """Knows the content of files as of one look, which the next `look` ends.

    A stamp is compared with that of the last verification, and with what this process saw: a workspace may live long,
    and whoever only reads keeps nothing.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._tree = kernel.checkout.tree
        self._sources = kernel.one(sources)
        self._files = AnchoredFileStore(kernel.database)
        self._verified: Mapping[str, SeenFile] = {}
        self._remembered: dict[str, SeenFile] = {}
        self._stamps: dict[str, Stamp | None] = {}
        self._hashes: dict[str, str | None] = {}
        self.has_news = False
        """Whether a file was not as the last verification saw it."""

    def forget(self) -> None:
        """Keep what was seen: whoever asks looks again."""

    def look(self, paths: Collection[str]) -> None:
        """Look at the stamps of files anew when they are asked for; `paths` are those that will be."""
        self._stamps, self._hashes, self.has_news = {}, {}, False
        self._verified = self._files.of(paths)
        for path in list(islice(self._remembered, max(0, len(self._remembered) - _MOST_REMEMBERED))):
            del self._remembered[path]

    def of(self, path: str) -> str | None:
        """Return the hash of a file's content, None where it cannot be read."""
        if path not in self._hashes:
            stamp, content = self._tree.stamp(path), None
            if stamp:
                verified, remembered = self._verified.get(path), self._remembered.get(path)
                is_news = verified is None or verified.stamp != stamp
                self.has_news = self.has_news or is_news
                if seen := remembered if is_news else verified:
                    content = seen.content_hash if seen.stamp == stamp else None
                if content is None and (source := self._sources.get(path)):
                    content = source.whole_content
                    self._remembered[path] = SeenFile(path, stamp.size, trusted_mtime(stamp.changed_ns), content)
            self._stamps[path], self._hashes[path] = stamp, content
        return self._hashes[path]

    def known(self, path: str) -> str | None:
        """Return the hash of a file that was asked for in this look."""
        return self._hashes.get(path)

    def seen(self) -> list[SeenFile]:
        """Return the files that were looked at, with stamps to be trusted next time."""
        return [
            SeenFile(path, stamp.size, trusted_mtime(stamp.changed_ns), content)
            for path, content in self._hashes.items()
            if content and (stamp := self._stamps.get(path))
        ]
