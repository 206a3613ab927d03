"""All families at one table: a walk asks here, whatever kind a node is of.

A new kind of node is a family of its own, and one more line in `Families`.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType

from tx_graph.anchors.globs import GlobEdges
from tx_graph.anchors.sources import sources
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.symbols import Symbol, simple_name
from tx_graph.context.focus.rules import MOST_DETAILS, Name, Note
from tx_graph.context.focus.store import (
    Entry,
    FocusFiles,
    FocusLearnings,
    FocusSections,
    Home,
    LearningLink,
    LearningNote,
    SectionNote,
    TypedLink,
)
from tx_graph.context.focus.values import RELATION, Kind, Marking, Marks, Place, Told
from tx_graph.core.database import Database
from tx_graph.core.errors import TxError
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import inert_line
from tx_graph.documents.document import NoteName, numbers, section_key
from tx_graph.documents.search import below_heading
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.anchor_store import AnchorStore

ROOT = "."
"""How the root of the repository is named."""


def directory_of(path: str) -> Place:
    """Return the directory that a file or directory lies in."""
    return Place(Kind.DIRECTORY, posixpath.dirname(path) or ROOT)


def name_of_directory(path: str) -> Name:
    """Return a directory by its path and its last part, with a slash behind."""
    return Name(path, f"{posixpath.basename(path)}/" if path != ROOT else "./")


def name_of_file(path: str) -> Name:
    """Return a file by its path and its last part."""
    return Name(path, posixpath.basename(path))


class Whereabouts:
    """Turns nodes and paths into places."""

    def __init__(self, database: Database) -> None:
        self._nodes = NodeStore(database)
        self._files = FocusFiles(database)
        self._sections = FocusSections(database)

    def of_paths(self, paths: Collection[str]) -> dict[str, Place]:
        """Return the place of each file: that of a document, if it was read as one."""
        documents = self._files.documents(paths)
        return {path: of_file(path, documents.get(path)) for path in paths}

    def of_node(self, node: NodeId) -> Place | None:
        """Return the place of a node, None for what has none here, such as a task or a commit."""
        kind, key = self._nodes.describe([node]).get(node, (None, ""))
        match kind:
            case NodeKind.FILE:
                return self.of_paths([key])[key]
            case NodeKind.SECTION:
                home = self._sections.homes([node]).get(node)
                return home and of_home(home)
            case NodeKind.SYMBOL:
                return Place(Kind.SYMBOL, key)
            case NodeKind.LEARNING:
                return Place(Kind.LEARNING, node=node)
            case _:
                return None

    def pointing_at(self, node: NodeId) -> list[Place]:
        """Return the sections that mention a document, section, file or symbol, and the typed lines that name it."""
        found = self._sections.mentions(node)
        places = (
            Place(Kind.TYPED_LINE, node=one.section, position=one.position) if one.predicate else of_home(one.home)
            for one in found
        )
        return list(dict.fromkeys(places))


def of_file(path: str, document: NodeId | None) -> Place:
    """Return the place of a file; `document` is its node if it was read as one."""
    return Place(Kind.FILE, path) if document is None else Place(Kind.DOCUMENT, node=document)


def of_home(home: Home) -> Place:
    """Return the place of a document or section."""
    return Place(Kind.DOCUMENT if home.is_document else Kind.SECTION, node=home.node)


class Kin:
    """What families share: where nodes are, which learnings are anchored to them, and what may not hold any more."""

    def __init__(self, kernel: Kernel, tell: Callable[[Sequence[Place]], Told]) -> None:
        database = kernel.database
        self.nodes = NodeStore(database)
        self.files = FocusFiles(database)
        self.sections = FocusSections(database)
        self.learnings = FocusLearnings(database)
        self.declared = SymbolStore(database)
        self.sources = kernel.one(sources)
        self.whereabouts = Whereabouts(database)
        self.marking = Marking(kernel)
        self.tell = tell
        globbed = kernel.checkout.tracked_files
        self._globs = GlobEdges(anchors=AnchorStore(database), nodes=self.nodes, files=globbed)
        self._withheld = EdgeStore(database).withheld()

    def anchored_to(self, node: NodeId) -> Sequence[Place]:
        """Return the learnings that are anchored to a file or symbol, by number; those by a glob come last."""
        exact = self.learnings.anchored_to(node)
        globbed = sorted({edge.target for edge in self._globs.to_learnings([node])} - {*exact, *self._withheld})
        return [Place(Kind.LEARNING, node=learning) for learning in (*exact, *globbed)]

    def pointing_at(self, node: NodeId) -> list[Place]:
        """Return the learnings and sections that point at a file or symbol."""
        return [*self.anchored_to(node), *self.whereabouts.pointing_at(node)]


class Family:
    """Answers for nodes of its kinds what a walk asks; the answers may be of any kind.

    What is not said otherwise: it is no relation note, has nothing below it, nothing points at it, and its siblings
    are the children of its parent (None).
    """

    def __init__(self, kin: Kin) -> None:
        self._kin = kin

    def parent(self, place: Place) -> Place | None:
        """Return the node above."""
        raise NotImplementedError

    def target(self, _place: Place) -> Place | None:
        """Return what a relation note points at."""
        return None

    def children(self, _place: Place) -> Sequence[Place]:
        """Return the nodes right below."""
        return ()

    def siblings(self, _place: Place) -> Sequence[Place] | None:
        """Return the node and those beside it; None: its siblings are the children of its parent."""
        return None

    def references(self, _place: Place) -> Sequence[Place]:
        """Return what points here."""
        return ()

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what is to say of each of these nodes that is there; of a long text no more than how it begins."""
        raise NotImplementedError

    def whole(self, place: Place) -> Note | None:
        """Return all that is to say of a node. None: it is not there any more."""
        return self.tell([place]).get(place)


_FEW, _SHORT = 25, 84
"""Names to read where no more than 250 bytes of them are shown: if they are short, there is room for more."""
_MOST_NAMES = 200
"""Names of what lies in a directory that are told; of the others it is told how many they are."""


class Directories(Family):
    """A directory lies in another one, and holds directories and files in the order of their names."""

    def __init__(self, kin: Kin) -> None:
        super().__init__(kin)
        self._entries: dict[str, Sequence[Entry]] = {}

    def parent(self, place: Place) -> Place | None:
        """Return the directory that it lies in, None for the root."""
        return None if place.name == ROOT else directory_of(place.name)

    def children(self, place: Place) -> Sequence[Place]:
        """Return what lies in it, by name."""
        return [
            Place(Kind.DIRECTORY, entry.path) if entry.is_directory else of_file(entry.path, entry.document)
            for entry in self.entries(place.name)
        ]

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what lies in each directory; one that holds nothing is left out."""
        found = {place: self._first_entries(place.name) for place in places}
        return {place: _directories_note(place.name, entries) for place, entries in found.items() if entries}

    def whole(self, place: Place) -> Note | None:
        """Return what lies in a directory."""
        entries = self.entries(place.name)
        return _directories_note(place.name, entries) if entries else None

    def entries(self, path: str) -> Sequence[Entry]:
        """Return what lies in a directory, by name."""
        if path not in self._entries:
            self._entries[path] = self._kin.files.entries(_below(path))
        return self._entries[path]

    def _first_entries(self, path: str) -> Sequence[Entry]:
        found = self._kin.files.entries(_below(path), most=_FEW)
        is_enough = len(found) < _FEW or sum(len(entry.name) for entry in found) > MOST_DETAILS
        return found if is_enough else self._kin.files.entries(_below(path), most=_SHORT)


def _below(path: str) -> str:
    return "" if path == ROOT else path


def _directories_note(path: str, entries: Sequence[Entry]) -> Note:
    names = [f"{entry.name}/" if entry.is_directory else entry.name for entry in entries[:_MOST_NAMES]]
    more = [f"and {len(entries) - _MOST_NAMES:,} more"] if len(entries) > _MOST_NAMES else []
    return Note(
        ref=path,
        kind=Kind.DIRECTORY,
        title=name_of_directory(path).title,
        details=", ".join([*names, *more]),
        parent=None if path == ROOT else name_of_directory(directory_of(path).name),
    )


class TypedLines(Family):
    """A typed line lies in the section that it says something of, and points at what it says it with."""

    def __init__(self, kin: Kin) -> None:
        super().__init__(kin)
        self._lines: dict[NodeId, dict[Place, tuple[TypedLink, int]]] = {}

    def of(self, subject: Place) -> dict[Place, tuple[TypedLink, int]]:
        """Return the typed lines of a document or section, each with its number among those with its predicate."""
        if subject.node not in self._lines:
            found = self._kin.sections.typed_links(subject.node)
            counted = zip(found, numbers(one.predicate for one in found), strict=True)
            self._lines[subject.node] = {
                Place(Kind.TYPED_LINE, node=one.section, position=one.position): (one, number)
                for one, number in counted
            }
        return self._lines[subject.node]

    def parent(self, place: Place) -> Place | None:
        """Return its subject."""
        home = self._kin.sections.homes([place.node]).get(place.node)
        return of_home(home) if home else None

    def target(self, place: Place) -> Place | None:
        """Return what it points at, None for what has no place in this view."""
        subject = self.parent(place)
        found = self.of(subject).get(place) if subject else None
        return self._kin.whereabouts.of_node(found[0].target) if found else None

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what each line says."""
        subjects = {place: self.parent(place) for place in places}
        targets = {place: self.target(place) for place in places}
        ends = {end for end in (*subjects.values(), *targets.values()) if end is not None}
        names = {place: Name(note.ref, note.title) for place, note in self._kin.tell(sorted(ends)).items()}
        found = {}
        for place in places:
            subject, target = subjects[place], targets[place]
            if subject in names and place in self.of(subject):
                found[place] = self._note(place, subject, names[subject], names.get(target) if target else None)
        return found

    def _note(self, place: Place, subject: Place, name: Name, target: Name | None) -> Note:
        line, number = self.of(subject)[place]
        return Note(
            ref=NoteName(subject_of(name.ref, subject.kind), line.predicate, number).ref,
            kind=RELATION,
            title=line.predicate,
            details=line.text if target and line.text not in (line.written, target.title, target.ref) else "",
            parent=name,
            target=target,
        )


def subject_of(ref: str, kind: Kind) -> str:
    """Return how a subject is named in the reference of a relation note."""
    return f"{ref}#" if kind is Kind.DOCUMENT else ref


_BETWEEN = "::"


class Symbols(Family):
    """A symbol stands below the one that it is declared in, or below its file; learnings and sections point at it."""

    def __init__(self, kin: Kin) -> None:
        super().__init__(kin)
        self._declared: dict[str, Mapping[str, Symbol]] = {}

    def of_file(self, path: str) -> Mapping[str, Symbol]:
        """Return what a file declared at the last index, by qualified name and in source order."""
        if path not in self._declared:
            self._declared[path] = {symbol.name: symbol for symbol in self._kin.declared.of_file(path)}
        return self._declared[path]

    def below(self, path: str, name: str = "") -> list[Symbol]:
        """Return what is declared right inside a symbol, or (empty) right inside the file, in source order."""
        return [symbol for symbol in self.of_file(path).values() if self._above(path, symbol.name) == name]

    def parent(self, place: Place) -> Place | None:
        """Return the symbol that it is declared in, else its file."""
        path, name = _parts(place)
        above = self._above(path, name)
        return Place(Kind.SYMBOL, f"{path}{_BETWEEN}{above}") if above else self._kin.whereabouts.of_paths([path])[path]

    def children(self, place: Place) -> Sequence[Place]:
        """Return what is declared right inside it, in source order."""
        return [Place(Kind.SYMBOL, symbol.fqname) for symbol in self.below(*_parts(place))]

    def siblings(self, place: Place) -> Sequence[Place]:
        """Return what is declared beside it, in source order: also in a document that declares something."""
        path, name = _parts(place)
        return [Place(Kind.SYMBOL, symbol.fqname) for symbol in self.below(path, self._above(path, name))]

    def references(self, place: Place) -> Sequence[Place]:
        """Return the learnings that are anchored to it, and the sections that mention it."""
        node = self._kin.nodes.find(NodeKind.SYMBOL, [place.name]).get(place.name)
        return [] if node is None else self._kin.pointing_at(node)

    def tell(self, places: Sequence[Place]) -> Told:
        """Return how each symbol is declared."""
        known = {place: symbol for place in places if (symbol := self._known(place))}
        marks = self._kin.marking.of_files({symbol.path for symbol in known.values()})
        return {
            place: self._note(symbol, details=symbol.signature, marks=marks[symbol.path])
            for place, symbol in known.items()
        }

    def whole(self, place: Place) -> Note | None:
        """Return the code of a symbol as it is now; its declaration as it was, if it went since the last index."""
        path, name = _parts(place)
        try:
            now = self._kin.sources.symbol(path, name)
        except TxError:
            return self.tell([place]).get(place)
        source = self._kin.sources.get(path)
        return self._note(
            now, details=source.text_of(now.lines).encode("utf-8", "replace").decode() if source else now.signature
        )

    def _known(self, place: Place) -> Symbol | None:
        path, name = _parts(place)
        return self.of_file(path).get(name)

    def _above(self, path: str, name: str) -> str:
        """Return the innermost symbol of a file that a name lies in; empty for one that lies in none."""
        declared = self.of_file(path)
        above = name.rpartition(_BETWEEN)[0]
        while above and above not in declared:
            above = above.rpartition(_BETWEEN)[0]
        return above

    def _note(self, symbol: Symbol, *, details: str, marks: Marks = MappingProxyType({})) -> Note:
        above = self._above(symbol.path, symbol.name)
        parent = Name(f"{symbol.path}{_BETWEEN}{above}", simple_name(above)) if above else name_of_file(symbol.path)
        return Note(
            ref=symbol.fqname,
            kind=Kind.SYMBOL,
            title=simple_name(symbol.name),
            details=details,
            parent=parent,
            marks=marks,
        )


def _parts(place: Place) -> tuple[str, str]:
    path, _, name = place.name.partition(_BETWEEN)
    return path, name


class Files(Family):
    """A file lies in its directory and declares symbols; learnings, sections and importers point at it."""

    def __init__(self, kin: Kin, symbols: Symbols) -> None:
        super().__init__(kin)
        self._symbols = symbols

    def parent(self, place: Place) -> Place:
        """Return the directory that it lies in."""
        return directory_of(place.name)

    def children(self, place: Place) -> Sequence[Place]:
        """Return what it declares outside of everything else, in source order."""
        return [Place(Kind.SYMBOL, symbol.fqname) for symbol in self._symbols.below(place.name)]

    def references(self, place: Place) -> Sequence[Place]:
        """Return the learnings that are about it, the sections that mention it, and the files that import it."""
        node = self._kin.nodes.find(NodeKind.FILE, [place.name]).get(place.name)
        importers = self._kin.files.importers(place.name)
        places = self._kin.whereabouts.of_paths(importers)
        return [*(self._kin.pointing_at(node) if node else ()), *(places[one] for one in importers)]

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what each file declares."""
        marks = self._kin.marking.of_files({place.name for place in places})
        return {place: self._note(place.name, marks[place.name]) for place in places}

    def _note(self, path: str, marks: Mapping[str, object]) -> Note:
        declared = self._symbols.below(path)
        return Note(
            ref=path,
            kind=Kind.FILE,
            title=name_of_file(path).title,
            details="\n".join(symbol.signature or f"{symbol.kind} {symbol.name}" for symbol in declared),
            parent=name_of_directory(directory_of(path).name),
            marks=marks,
        )


class Sections(Family):
    """A section lies in its document, a document in its directory; typed lines stand before the sections below."""

    def parent(self, place: Place) -> Place | None:
        """Return what a section stands below, and the directory of a document."""
        if place.kind is Kind.SECTION:
            above = self._kin.sections.above(place.node)
            return of_home(above) if above else None
        path = self._kin.sections.path(place.node)
        return directory_of(path) if path else None

    def children(self, place: Place) -> Sequence[Place]:
        """Return the typed lines of a section, then the sections right below it, in the order of the source."""
        lines = self._kin.sections.typed_links(place.node)
        return [
            *(Place(Kind.TYPED_LINE, node=one.section, position=one.position) for one in lines),
            *(Place(Kind.SECTION, node=below) for below in self._kin.sections.below(place.node)),
        ]

    def references(self, place: Place) -> Sequence[Place]:
        """Return the learnings that are about a document, the sections that link here, and the typed lines."""
        learnings = self._kin.anchored_to(place.node) if place.kind is Kind.DOCUMENT else ()
        return [*learnings, *self._kin.whereabouts.pointing_at(place.node)]

    def tell(self, places: Sequence[Place]) -> Told:
        """Return how each section begins."""
        return self._told(places, is_whole=False)

    def whole(self, place: Place) -> Note | None:
        """Return all that a section says below its heading, up to the next heading."""
        return self._told([place], is_whole=True).get(place)

    def _told(self, places: Sequence[Place], *, is_whole: bool) -> Told:
        notes = self._kin.sections.notes([place.node for place in places], is_whole=is_whole)
        superseded = self._kin.marking.superseded({one.body: one.document for one in notes.values()})
        return {
            place: _sections_note(
                one, marks={**self._kin.marking.of_read(one.path, one[-3:]), **superseded.get(one.body, {})}
            )
            for place in places
            if (one := notes.get(place.node))
        }


def _sections_note(one: SectionNote, *, marks: Marks) -> Note:
    lines = one.text.split("\n")
    return Note(
        ref=section_key(one.path, one.slug) if one.slug else one.path,
        kind=Kind.SECTION if one.slug else Kind.DOCUMENT,
        title=one.title or name_of_file(one.path).title,
        details="\n".join(lines[below_heading(lines, one.heading) :]).strip("\n"),
        parent=_parent_of(one),
        marks=marks,
    )


def _parent_of(one: SectionNote) -> Name:
    if not one.slug:
        return name_of_directory(directory_of(one.path).name)
    ref = section_key(one.path, one.parent_slug) if one.parent_slug else one.path
    return Name(ref, one.parent_title or name_of_file(one.path).title)


_TITLE = 60
"""Characters of a learning that name it."""
_WILD = re.compile(r"[*?\[{!]")


class Learnings(Family):
    """A learning lies in the file that it is anchored to above all, beside the others that are about that file."""

    def parent(self, place: Place) -> Place | None:
        """Return the file that it is anchored to, of a glob the directory that it begins with; None without anchors."""
        found = self._kin.learnings.place(place.node)
        if found is None:
            return None
        path, is_glob = found
        return Place(Kind.DIRECTORY, _beginning(path)) if is_glob else self._kin.whereabouts.of_paths([path])[path]

    def children(self, place: Place) -> Sequence[Place]:
        """Return its links to other learnings."""
        return [_link(one) for one in self._kin.learnings.links_from(place.node)]

    def siblings(self, place: Place) -> Sequence[Place]:
        """Return the learnings that are anchored to the same file, by number."""
        found = self._kin.learnings.place(place.node)
        node = self._kin.nodes.find(NodeKind.FILE, [found[0]]).get(found[0]) if found and not found[1] else None
        beside = self._kin.anchored_to(node) if node else ()
        return beside if place in beside else [place, *beside]

    def references(self, place: Place) -> Sequence[Place]:
        """Return the links of other learnings to it."""
        return [_link(one) for one in self._kin.learnings.links_to(place.node)]

    def tell(self, places: Sequence[Place]) -> Told:
        """Return how each learning begins."""
        return self._told(places, is_whole=False)

    def whole(self, place: Place) -> Note | None:
        """Return all that a learning says."""
        return self._told([place], is_whole=True).get(place)

    def _told(self, places: Sequence[Place], *, is_whole: bool) -> Told:
        notes = self._kin.learnings.notes([place.node for place in places], is_whole=is_whole)
        marks = self._kin.marking.of_learnings(notes.values())
        return {
            place: Note(
                ref=f"{NodeKind.LEARNING}:{one.number}",
                kind=Kind.LEARNING,
                title=_title(one),
                details=one.content,
                parent=self._name_of_parent(place),
                marks=marks[place.node],
            )
            for place in places
            if (one := notes.get(place.node))
        }

    def _name_of_parent(self, place: Place) -> Name | None:
        found = self._kin.learnings.place(place.node)
        if found is None:
            return None
        path, is_glob = found
        return name_of_directory(_beginning(path)) if is_glob else name_of_file(path)


class Links(Family):
    """Links of learnings: relation notes with a learning as subject."""

    def of(self, learning: NodeId) -> dict[Place, int]:
        """Return the links of a learning, each with its number among those of its relation."""
        found = self._kin.learnings.links_from(learning)
        counted = numbers(one.relation for one in found)
        return {_link(one): number for one, number in zip(found, counted, strict=True)}

    def parent(self, place: Place) -> Place:
        """Return the learning that it says something of."""
        return Place(Kind.LEARNING, node=place.node)

    def target(self, place: Place) -> Place:
        """Return the learning that it leads to."""
        return Place(Kind.LEARNING, node=place.position)

    def tell(self, places: Sequence[Place]) -> Told:
        """Return which learnings each link ties."""
        ends = {end for place in places for end in (self.parent(place), self.target(place))}
        names = {end: Name(note.ref, note.title) for end, note in self._kin.tell(sorted(ends)).items()}
        return {
            place: Note(
                ref=NoteName(names[self.parent(place)].ref, place.name, self.of(place.node).get(place, 1)).ref,
                kind=RELATION,
                title=place.name,
                parent=names[self.parent(place)],
                target=names[self.target(place)],
            )
            for place in places
            if self.parent(place) in names and self.target(place) in names
        }


def _link(one: LearningLink) -> Place:
    return Place(Kind.LINK, one.relation, node=one.source, position=one.target)


def _title(one: LearningNote) -> str:
    line = inert_line(one.content.split("\n", 1)[0])
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


def _beginning(glob: str) -> str:
    """Return the directory that a glob begins with."""
    wild = _WILD.search(glob)
    plain = glob[: wild.start()] if wild else glob
    return plain.rpartition("/")[0] or ROOT


class Families:
    """Answers for nodes of any kind: each is asked of its family, and who is above it and what it says only once."""

    def __init__(self, kernel: Kernel) -> None:
        kin = Kin(kernel, self.tell)
        sections, symbols = Sections(kin), Symbols(kin)
        self._families: Mapping[Kind, Family] = {
            Kind.DIRECTORY: Directories(kin),
            Kind.DOCUMENT: sections,
            Kind.SECTION: sections,
            Kind.TYPED_LINE: TypedLines(kin),
            Kind.FILE: Files(kin, symbols),
            Kind.SYMBOL: symbols,
            Kind.LEARNING: Learnings(kin),
            Kind.LINK: Links(kin),
        }
        self._parents: dict[Place, Place | None] = {}
        self._notes: dict[Place, Note | None] = {}

    def parent(self, place: Place) -> Place | None:
        """Return the node above, None at the root."""
        if place not in self._parents:
            self._parents[place] = self._families[place.kind].parent(place)
        return self._parents[place]

    def target(self, place: Place) -> Place | None:
        """Return what a relation note points at, None for any other node."""
        return self._families[place.kind].target(place)

    def children(self, place: Place) -> Sequence[Place]:
        """Return the nodes right below."""
        return self._families[place.kind].children(place)

    def siblings(self, place: Place) -> Sequence[Place]:
        """Return the node and those beside it."""
        beside = self._families[place.kind].siblings(place)
        if beside is not None:
            return beside
        above = self.parent(place)
        return self.children(above) if above else (place,)

    def references(self, place: Place) -> Sequence[Place]:
        """Return what points here."""
        return self._families[place.kind].references(place)

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what is to say of each of these nodes, asked of each family at once."""
        by_kind: dict[Kind, list[Place]] = defaultdict(list)
        for place in places:
            if place not in self._notes:
                by_kind[place.kind].append(place)
        for kind, those in by_kind.items():
            told = self._families[kind].tell(those)
            self._notes |= {place: told.get(place) for place in those}
        return {place: note for place in places if (note := self._notes[place])}

    def whole(self, place: Place) -> Note | None:
        """Return all that is to say of a node. None: it is not there any more."""
        return self._families[place.kind].whole(place)
