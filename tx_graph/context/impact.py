"""What a change touches: the code that depends on it, with its tests, the documents that tell of it, and learnings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated, ClassVar

from tx_graph.code.freshness import IndexedPlaces
from tx_graph.code.import_store import ImportStore
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import reader_of
from tx_graph.code.references import EXACT, LIKELY, SymbolUses, Target, Users, target_of
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.code.symbols import simple_name
from tx_graph.core.arguments import Arg
from tx_graph.core.changes import Change, change_of
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer, Rows
from tx_graph.documents.store import SectionStore
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Direction, EdgeType, NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.learning_store import LearningStore

IMPORTED = "imports"
"""How sure a file is that imports a changed one, where no use of it is told."""
_SURENESS = (EXACT, LIKELY, IMPORTED)
_DEEPEST = 20
_WORD = re.compile(r"[\w.-]+")
_MOST_NAMED = 5  # symbols of a file that are named


@dataclass(frozen=True, slots=True, kw_only=True)
class Impacted(Answer):
    """A file that depends on what changed, `hops` uses away, and how sure that is.

    `symbols` are those of its declarations that do, the nearest first; empty where it is code outside of any. `via`
    is what they use.
    """

    path: str
    hops: int
    certainty: str
    symbols: tuple[str, ...]
    via: str
    JSON: ClassVar = "node=path@file path hops certainty is_test symbols via"

    @property
    def is_test(self) -> bool:
        """Whether it is a test, by its name."""
        return sort_of(self.path) is FileSort.TEST


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldOf(Answer):
    """A learning or a section of a document that is about what changed."""

    ref: str
    text: str = ""
    JSON: ClassVar = "ref text~"


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact(Rows[Impacted]):
    """What a change touches: files nearest and surest first, and what tells of the changed code.

    `changed` are the changed symbols, or files where no symbol is known; `total` counts what a limit cut off, too.
    `remark` says why there is nothing.
    """

    changed: tuple[str, ...]
    files: tuple[Impacted, ...]
    learnings: tuple[ToldOf, ...] = ()
    sections: tuple[ToldOf, ...] = ()
    total: int = 0
    remark: str = ""
    ROWS: ClassVar = "files"
    JSON: ClassVar = "changed files learnings sections stats"

    @property
    def stats(self) -> dict[str, int]:
        """How many files there are, how many of them are tests, and how many files are told."""
        tests = sum(one.is_test for one in self.files)
        return {"found": max(self.total, len(self.files)), "shown": len(self.files), "tests": tests}


class ImpactAnalysis:
    """What a change touches: `workspace.graph`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def impact(
        self,
        subject: Annotated[str | None, Arg("[SYMBOL|FILE]", "What changes: a symbol or a file.", mcp="")] = None,
        *,
        staged: Annotated[bool, Arg(help="What is staged changes.")] = False,
        since: Annotated[str | None, Arg("REV", "What changed since HEAD and REV parted.")] = None,
        depth: Annotated[int, Arg("HOPS", "How many uses to go, 1 to 20.")] = 3,
        limit: Annotated[int | None, Arg("N", "Most files to show; otherwise all.", flag="-n --limit")] = None,
    ) -> Impact:
        """Show what a change touches: who uses the symbol or file, who uses those, tests, documents and learnings.

        Without a SYMBOL or FILE the change is what differs from HEAD, or is --staged, or came since REV: the symbols in
        whose lines something changed. A file is exact where names alone lead there, likely where a type was inferred,
        and imports where it imports a changed file and no use is told.

        Example:
          tx graph:impact AuthService.login
          tx graph:impact src/auth.py --depth 1
          tx graph:impact --since origin/main --json

        Raises:
            NotFound: There is no such symbol, file or revision.
            RepositoryError: There is no git here, or it fails.
            UsageError: A number is out of range, or two different changes are asked for.
        """
        if not 1 <= depth <= _DEEPEST:
            raise UsageError(f"The depth must be from 1 to {_DEEPEST}, not {depth}.")
        if sum((subject is not None, staged, since is not None)) > 1:
            raise UsageError("A subject, --staged and --since are different changes.", hint="Give one of them.")
        users = Users(self._kernel.database)
        if subject is None:
            seeds, files = self._touched(users, staged=staged, since=since)
        else:
            seeds, files = self._subject(users, subject)
        found = self.reached(users, seeds, files, depth=depth)
        changed = [one.fqname for one in seeds] or files
        return Impact(
            changed=tuple(dict.fromkeys([*changed, *(file for file in files if not users.declared(file))])),
            files=tuple(found[:limit]),
            learnings=tuple(self._learnings(seeds, files)),
            sections=tuple(self.sections(seeds, files)),
            total=len(found),
            remark="" if found or changed else "Nothing has changed.",
        )

    def _subject(self, users: Users, subject: str) -> tuple[list[Target], list[str]]:
        try:
            place = self._kernel.one(IndexedPlaces).find(subject)
        except NotFound:
            return [target_of(self._kernel.one(SymbolUses).find(subject))], []
        if place.is_directory:
            raise UsageError(f"{place.name} is a directory.", hint="Name a file or a symbol.")
        return [*dict.fromkeys(map(target_of, users.declared(place.path)))], [place.path]

    def _touched(self, users: Users, *, staged: bool, since: str | None) -> tuple[list[Target], list[str]]:
        repository = self._kernel.checkout.in_git("it has no changes to look at", hint="Name a symbol or a file.")
        return touched_by(users, change_of(repository, staged=staged, since=since))

    def reached(self, users: Users, seeds: Sequence[Target], files: Sequence[str], *, depth: int) -> list[Impacted]:
        """Return the files that depend on symbols, or on files as a whole, over so many uses."""
        own = {one.path for one in seeds} | {*files}
        found: dict[str, Impacted] = {}
        frontier = dict.fromkeys(seeds, False)
        met = set(frontier)
        for hop in range(1, depth + 1):
            following: dict[Target, bool] = {}
            for target, was_likely in frontier.items():
                for used in users.depending(target):
                    inside = users.inside(used.path, used.line)
                    is_likely = was_likely or used.is_likely
                    if used.path not in own:
                        _add(found, used.path, hop, LIKELY if is_likely else EXACT, inside, target.fqname)
                    if inside.name and inside not in met:
                        following[inside] = following.get(inside, True) and is_likely
            met.update(following)
            frontier = following
        importers = ImportStore(self._kernel.database)
        around, passed = {*files}, {*files}
        for hop in range(1, depth + 1):
            around = {edge.source for file in sorted(around) for edge in importers.edges(into_file=file)} - passed
            passed |= around
            for file in around - own - found.keys():
                _add(found, file, hop, IMPORTED, Target(file, ""), "")
            around = {file for file in around if not reader_of(language_of(file) or "").uses}
        return sorted(found.values(), key=lambda one: (one.hops, _SURENESS.index(one.certainty), one.path))

    def _leading_to(
        self, seeds: Iterable[Target], files: Iterable[str], types: Collection[EdgeType], *, kind: NodeKind
    ) -> list[NodeId]:
        """Return the nodes of a kind from which edges of these types lead to what changed."""
        nodes = NodeStore(self._kernel.database)
        ours = {
            *nodes.find(NodeKind.SYMBOL, [one.fqname for one in seeds]).values(),
            *nodes.find(NodeKind.FILE, sorted({*files, *(one.path for one in seeds)})).values(),
        }
        edges = EdgeStore(self._kernel.database).leaving(ours, types=types, direction=Direction.IN)
        found = nodes.describe({edge.target for edge in edges})
        return [node for node, (own, _) in found.items() if own is kind]

    def _learnings(self, seeds: Sequence[Target], files: Sequence[str]) -> Iterator[ToldOf]:
        nodes = self._leading_to(seeds, files, [EdgeType.ANCHORED_TO], kind=NodeKind.LEARNING)
        for label in LearningStore(self._kernel.database).labelled(nodes):
            yield ToldOf(ref=label.ref, text=label.content)

    def sections(self, seeds: Sequence[Target], files: Sequence[str]) -> Iterator[ToldOf]:
        """Yield the sections that lead to a changed file and name it, or a changed symbol; most names first."""
        kinds = [kind for kind in EdgeType if kind is not EdgeType.ANCHORED_TO]
        nodes = self._leading_to(seeds, files, kinds, kind=NodeKind.SECTION)
        names = {simple_name(one.name) for one in seeds} | {file.rpartition("/")[2] for file in files}
        units = SectionStore(self._kernel.database).units_by_nodes(nodes).values() if names else ()
        found = [(len(names & {word.strip(".-") for word in _WORD.findall(unit.text)}), unit) for unit in units]
        for _, unit in sorted((one for one in found if one[0]), key=lambda one: (-one[0], one[1].ref)):
            yield ToldOf(ref=unit.ref, text=unit.title)


def touched_by(users: Users, change: Change) -> tuple[list[Target], list[str]]:
    """Return the symbols in whose lines a change lies, and the files of which none is known or nothing is read."""
    seeds: dict[Target, None] = {}
    files = []
    for one in change.files:
        touched = {target for first, last in one.spans for target in users.between(one.path, first, last)}
        seeds |= dict.fromkeys(sorted(touched))
        if not touched or not reader_of(language_of(one.path) or "").uses:
            files.append(one.path)
        if one.is_renamed and one.old_path:
            files.append(one.old_path)
    return [*seeds], files


def _add(found: dict[str, Impacted], path: str, hops: int, certainty: str, inside: Target, via: str) -> None:
    """Note that a file is reached; what is nearest and surest counts."""
    before = found.get(path)
    symbols = (inside.fqname,) if inside.name else ()
    if before is None:
        found[path] = Impacted(path=path, hops=hops, certainty=certainty, symbols=symbols, via=via)
        return
    if before.hops < hops:
        return
    is_surer = _SURENESS.index(certainty) < _SURENESS.index(before.certainty)
    found[path] = Impacted(
        path=path,
        hops=hops,
        certainty=certainty if is_surer else before.certainty,
        symbols=tuple(dict.fromkeys([*before.symbols, *symbols]))[:_MOST_NAMED],
        via=via if is_surer else before.via,
    )
