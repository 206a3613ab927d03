"""Who is related to whom, whatever kind a node is of; a walk asks here. A new kind of node is one more case each."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from tx_graph.anchors.globs import GlobEdges
from tx_graph.anchors.sources import sources
from tx_graph.code.canonical import tree_of
from tx_graph.code.comments import code_with
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.import_store import ImportStore
from tx_graph.code.symbols import Symbol, simple_name
from tx_graph.context.focus.pointing import MOST_NAMES, TieWeights, asked_for, lines_with, uses_shape
from tx_graph.context.focus.rules import MOST_DETAILS, Name, Note, Relationship
from tx_graph.context.focus.store import (
    Described,
    Entry,
    FocusEntities,
    FocusFiles,
    FocusLearnings,
    FocusSections,
    Home,
    LearningLink,
    TypedLink,
)
from tx_graph.context.focus.values import RELATION, Kind, Marking, Marks, Place, Told
from tx_graph.core.dataclass import replace
from tx_graph.core.errors import TxError
from tx_graph.core.guard import without_secrets
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import inert_line
from tx_graph.documents.document import NoteName, numbers, section_key
from tx_graph.documents.search import below_heading
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning import Status

ROOT = "."
"""How the root of the repository is named."""
_FEW, _SHORT = 25, 84
"""Names to read where no more than 250 bytes of them are shown: if they are short, there is room for more."""
_MOST_NAMES = 200  # names of what lies in a directory that are told; of the others it is told how many they are
_MOST_READ = 300_000
"""Characters of importers in which names are looked for, a tenth of a second; the answer says which were not read."""
_TITLE = 60  # characters of a learning that name it
_WILD = re.compile(r"[*?\[{!]")
_BETWEEN = "::"
_SPEAKERS = (Kind.FILE, Kind.DOCUMENT, Kind.SECTION, Kind.LEARNING)  # what can mention an entity


class Families:
    """Answers for nodes of any kind; who is above a node, and what is said of it, is found out only once.

    | kind | its parent | its children | what points at it |
    |---|---|---|---|
    | directory | the one it lies in | directories and files by name | |
    | file, document | its directory | its symbols; typed lines, then sections | learnings, sections, importers |
    | section | what it stands below | typed lines, then sections | sections, typed lines |
    | symbol | the one it is declared in, or its file | what is declared in it | learnings, sections |
    | learning | the file it is anchored to above all | its links | links of others |
    | entity | | | subjects of facts about it; sections, learnings, files that mention it |
    | typed line, link | the section or learning that it says something of | | |
    """

    def __init__(self, kernel: Kernel) -> None:
        database = kernel.database
        self._nodes = NodeStore(database)
        self._files = FocusFiles(database)
        self._sections = FocusSections(database)
        self._learnings = FocusLearnings(database)
        self._entities = FocusEntities(database)
        self._declared = SymbolStore(database)
        self._sources = kernel.one(sources)
        self._marking = Marking(kernel)
        self._globs = GlobEdges(anchors=AnchorStore(database), nodes=self._nodes, files=kernel.checkout.tracked_files)
        self._withheld = EdgeStore(database).withheld()
        self._parents: dict[Place, Place | None] = {}
        self._children: dict[Place, Sequence[Place]] = {}
        self._notes: dict[Place, Note | None] = {}
        self._symbols: dict[str, Mapping[str, Symbol]] = {}
        self._lines: dict[NodeId, dict[Place, tuple[TypedLink, int]]] = {}
        self._imports = ImportStore(database)
        self._weights = TieWeights(**{key: float(kernel.config.get(f"focus.{key}")) for key in TieWeights.__slots__})
        self._pointed_at: dict[tuple[Place, Relationship], Sequence[Place]] = {}
        self._ties: dict[Place, tuple[str, Marks]] = {}

    # Where things are.

    def of_paths(self, paths: Collection[str]) -> dict[str, Place]:
        """Return the place of each file: that of a document, if it was read as one."""
        documents = self._files.documents(paths)
        return {path: _of_file(path, documents.get(path)) for path in paths}

    def of_node(self, node: NodeId) -> Place | None:
        """Return the place of a node, None for what has none here, such as a task or a commit."""
        kind, key = self._nodes.describe([node]).get(node, (None, ""))
        match kind:
            case NodeKind.FILE:
                return self.of_paths([key])[key]
            case NodeKind.SECTION:
                home = self._sections.homes([node]).get(node)
                return home and _of_home(home)
            case NodeKind.SYMBOL:
                return Place(Kind.SYMBOL, key)
            case NodeKind.LEARNING | NodeKind.ENTITY:
                return Place(Kind(kind), node=node)
            case _:
                return None

    def _of_learning(self, learning: NodeId) -> Place | None:
        """Return where a learning lies: in the directory that a glob begins with, in a file; None without anchors."""
        path, is_glob = self._learnings.place(learning) or ("", False)
        if is_glob:
            wild = _WILD.search(path)
            return Place(Kind.DIRECTORY, path[: wild.start() if wild else None].rpartition("/")[0] or ROOT)
        return self.of_paths([path])[path] if path else None

    # Who is related to whom. All lists are in their natural order.

    def parent(self, place: Place) -> Place | None:
        """Return the node above, None at the root."""
        if place not in self._parents:
            self._parents[place] = self._parent(place)
        return self._parents[place]

    def _parent(self, place: Place) -> Place | None:
        match place.kind:
            case Kind.DIRECTORY | Kind.FILE:
                return None if place.name == ROOT else _directory_of(place.name)
            case Kind.DOCUMENT:
                path = self._sections.path(place.node)
                return _directory_of(path) if path else None
            case Kind.SECTION:
                above = self._sections.above(place.node)
                return _of_home(above) if above else None
            case Kind.TYPED_LINE if home := self._sections.homes([place.node]).get(place.node):
                return _of_home(home)
            case Kind.SYMBOL:
                path, name = _parts(place)
                outer = self._above(path, name)
                return Place(Kind.SYMBOL, f"{path}{_BETWEEN}{outer}") if outer else self.of_paths([path])[path]
            case Kind.LEARNING:
                return self._of_learning(place.node)
            case Kind.LINK:
                return Place(Kind.LEARNING, node=place.node)
            case _:
                return None

    def target(self, place: Place) -> Place | None:
        """Return what a relation note points at, None for any other node and for what has no place in this view."""
        if place.kind is Kind.LINK:
            return Place(Kind.LEARNING, node=place.position)
        subject = self.parent(place) if place.kind is Kind.TYPED_LINE else None
        found = self._typed_lines(subject).get(place) if subject else None
        return self.of_node(found[0].target) if found else None

    def children(self, place: Place) -> Sequence[Place]:
        """Return the nodes right below."""
        if place not in self._children:
            self._children[place] = self._right_below(place)
        return self._children[place]

    def _right_below(self, place: Place) -> Sequence[Place]:
        match place.kind:
            case Kind.DIRECTORY:
                return [
                    Place(Kind.DIRECTORY, one.path) if one.is_directory else _of_file(one.path, one.document)
                    for one in self._files.entries(_below(place.name))
                ]
            case Kind.DOCUMENT | Kind.SECTION:
                lines = self._typed_lines(place)
                return [*lines, *(Place(Kind.SECTION, node=below) for below in self._sections.below(place.node))]
            case Kind.FILE:
                return self._declared_in(place.name, "")
            case Kind.SYMBOL:
                return self._declared_in(*_parts(place))
            case Kind.LEARNING:
                return _links(self._learnings.links(place.node))
            case _:
                return ()

    def siblings(self, place: Place) -> Sequence[Place]:
        """Return the node and those beside it: of a symbol in a document too, of a learning those of its file."""
        if place.kind is Kind.SYMBOL:
            path, name = _parts(place)
            return self._declared_in(path, self._above(path, name))
        if place.kind is Kind.LEARNING:
            path, is_glob = self._learnings.place(place.node) or ("", True)
            node = None if is_glob else self._nodes.find(NodeKind.FILE, [path]).get(path)
            beside = self._anchored_to(node) if node else ()
            return beside if place in beside else [place, *beside]
        above = self.parent(place)
        return self.children(above) if above else (place,)

    def references(self, place: Place) -> Sequence[Place]:
        """Return what points here. Of a file also the files that import it, last."""
        match place.kind:
            case Kind.DOCUMENT:
                return [*self._anchored_to(place.node), *self._mentioning(place.node)]
            case Kind.SECTION:
                return self._mentioning(place.node)
            case Kind.FILE | Kind.SYMBOL:
                kind = NodeKind.FILE if place.kind is Kind.FILE else NodeKind.SYMBOL
                node = self._nodes.find(kind, [place.name]).get(place.name)
                importers = self.pointed_at(place, Relationship.IMPORTER) if place.kind is Kind.FILE else []
                pointing = [*self._anchored_to(node), *self._mentioning(node)] if node else []
                return [*pointing, *importers]
            case Kind.LEARNING:
                return _links(self._learnings.links(place.node, to_it=True))
            case Kind.ENTITY:
                told = [(node, one) for node, _, _, one in self._entities.facts(place.node, to_it=True) if node]
                return [*self._described(told), *filter(None, map(self.of_node, self._entities.speakers(place.node)))]
            case _:
                return ()

    def pointed_at(self, place: Place, how: Relationship) -> Sequence[Place]:
        """Return what a node points at in this way, or who imports it; imports by their score, all else in order."""
        if (place, how) not in self._pointed_at:
            found: Iterable[Place | None] = ()
            if place.kind in (Kind.FILE, Kind.SYMBOL) and how in (Relationship.IMPORT, Relationship.IMPORTER):
                found = self._tied(place, into=how is Relationship.IMPORTER)
            elif place.kind in (Kind.DOCUMENT, Kind.SECTION) and how is Relationship.LINK_TARGET:
                found = map(self.of_node, self._sections.links(place.node))
            elif place.kind in (Kind.DOCUMENT, Kind.SECTION) and how is Relationship.DESCRIBED_RELATION:
                found = self._described(self._sections.described(place.node))
            elif place.kind is Kind.ENTITY and how is Relationship.DESCRIBED_RELATION:
                told = self._entities.facts(place.node)
                found = self._described([(node, one) for node, _, _, one in told if node])
            elif place.kind in _SPEAKERS and how is Relationship.MENTION:
                node = place.node or self._nodes.find(NodeKind.FILE, [place.name]).get(place.name, 0)
                found = [Place(Kind.ENTITY, node=entity) for entity in self._entities.mentioned(node)]
            self._pointed_at[place, how] = list(dict.fromkeys(one for one in found if one not in (None, place)))
        return self._pointed_at[place, how]

    def _described(self, relations: Iterable[tuple[NodeId, Described]]) -> list[Place]:
        """Return the other ends of relations, and remember for each the first that is said of it."""
        found = [(place, one) for node, one in relations if (place := self.of_node(node))]
        for place, one in found:
            tie = {name: value for name, value in one._asdict().items() if value != ""}
            self._ties.setdefault(place, ("", tie))
        return [place for place, _ in found]

    def _tied(self, focus: Place, *, into: bool) -> list[Place]:
        """Return the files that a file or symbol imports, or is imported by, the most tied first.

        Of a symbol they are those whose names stand in its lines, and those in which its own name stands.
        """
        path, symbol = _parts(focus)
        ties = sorted(self._files.ties(path, into=into), key=lambda one: (-self._weights.score(one, 0), one.path))
        sources = [one.path for one in ties] if into else [path]
        specifiers = self._imports.specifiers(self._nodes.find(NodeKind.FILE, sources).values())
        inner = self._symbol(focus) if symbol else None
        ranked, asking, left = [], [], _MOST_READ
        for tie in ties:
            source, target = (tie.path, path) if into else (path, tie.path)
            if left <= 0:
                if not inner:
                    ranked.append((-self._weights.score(tie, 0), tie.path))
                    self._ties.setdefault(Place(Kind.FILE, tie.path), ("", {"unread": True}))
                continue
            declared = {one.name: one for one in self._of_file(target).values() if _BETWEEN not in one.name}
            text, said = self._sources.peek(source), self._of_file(source)
            asked, names = asked_for(specifiers.get(source, ()), target, declared)
            names = [name for name in names if name not in said or any(one.name == name for one in asked)]
            if inner:
                names = [simple_name(inner.name)] if into else names
            left -= len(text.text) if text and into else 0
            asking.append((tie, text, declared, asked, names))
        code = dict[str, Sequence[str]]()
        together = {name for *_, names in asking for name in names}
        for tie, text, declared, asked, names in asking:
            if text and text.path not in code:  # whether names stand in code only a tree says, which costs more
                found = lines_with(text.lines, names if into else together)
                tree = tree_of(text.path, text.text) if found else None
                code[text.path] = code_with(found, text.text, tree).split("\n") if tree else text.lines
            lines, start = text.lines if text else [], 1
            if inner and not into:
                start, lines = inner.line_start, lines[inner.line_start - 1 : inner.line_end]
            checked = code[text.path][start - 1 : start - 1 + len(lines)] if text else []
            uses = lines_with(checked, names, start=start)
            if inner and not uses:
                continue
            numbered = sorted({number for those in uses.values() for number in those})
            ranked.append((-self._weights.score(tie, len(numbered)), tie.path))
            marks = {**uses_shape(uses), **({"import_line": asked[0].line} if asked else {})}
            shown = [f"{number}: {lines[number - start].strip()}" for number in numbered[:MOST_NAMES]]
            heads = [declared[name].signature or name for name in uses if name in declared]
            details = without_secrets("\n".join(shown), quick=True) if into else "\n".join(heads)
            self._ties.setdefault(Place(Kind.FILE, tie.path), (details, marks))
        return [Place(Kind.FILE, path) for _, path in sorted(ranked)]

    def _anchored_to(self, node: NodeId) -> Sequence[Place]:
        """Return the learnings that are anchored to a file or symbol, by number; those by a glob come last."""
        exact = self._learnings.anchored_to(node)
        globbed = sorted({edge.target for edge in self._globs.to_learnings([node])} - {*exact, *self._withheld})
        return [Place(Kind.LEARNING, node=learning) for learning in (*exact, *globbed)]

    def _mentioning(self, node: NodeId) -> Sequence[Place]:
        """Return the sections that mention a document, section, file or symbol, and the typed lines that name it."""
        places = (
            Place(Kind.TYPED_LINE, node=one.section, position=one.position) if one.predicate else _of_home(one.home)
            for one in self._sections.mentions(node)
        )
        return list(dict.fromkeys(places))

    def _typed_lines(self, subject: Place) -> dict[Place, tuple[TypedLink, int]]:
        """Return the typed lines of a document or section, each with its number among those with its predicate."""
        if subject.node not in self._lines:
            found = self._sections.typed_links(subject.node)
            counted = zip(found, numbers(one.predicate for one in found), strict=True)
            self._lines[subject.node] = {
                Place(Kind.TYPED_LINE, node=one.section, position=one.position): (one, number)
                for one, number in counted
            }
        return self._lines[subject.node]

    def _of_file(self, path: str) -> Mapping[str, Symbol]:
        """Return what a file declared at the last index, by qualified name and in source order."""
        if path not in self._symbols:
            self._symbols[path] = {symbol.name: symbol for symbol in self._declared.of_file(path)}
        return self._symbols[path]

    def _declared_in(self, path: str, name: str) -> list[Place]:
        """Return what is declared right inside a symbol, or (empty) right inside the file, in source order."""
        inside = [symbol for symbol in self._of_file(path).values() if self._above(path, symbol.name) == name]
        return [Place(Kind.SYMBOL, symbol.fqname) for symbol in inside]

    def _above(self, path: str, name: str) -> str:
        """Return the innermost symbol of a file that a name lies in; empty for one that lies in none."""
        declared, above = self._of_file(path), name.rpartition(_BETWEEN)[0]
        while above and above not in declared:
            above = above.rpartition(_BETWEEN)[0]
        return above

    # What is said of them.

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what is to say of each node that is there, of a long text how it begins."""
        by_kind: dict[Kind, list[Place]] = defaultdict(list)
        for place in places:
            if place not in self._notes:
                by_kind[place.kind].append(place)
        for kind, those in by_kind.items():
            told = self._told(kind, those, is_whole=False)
            for place in those:
                note, (details, tie) = told.get(place), self._ties.get(place, ("", {}))
                self._notes[place] = note and replace(note, details=details or note.details, tie=tie)
        return {place: note for place in places if (note := self._notes[place])}

    def whole(self, place: Place) -> Note | None:
        """Return all that is to say of a node. None: it is not there any more."""
        return self._told(place.kind, [place], is_whole=True).get(place)

    def _told(self, kind: Kind, places: Sequence[Place], *, is_whole: bool) -> Told:
        match kind:
            case Kind.DIRECTORY:
                found = {place: self._entries(place.name, is_whole=is_whole) for place in places}
                return {place: _directory_note(place.name, entries) for place, entries in found.items() if entries}
            case Kind.FILE:
                return self._tell_files(places)
            case Kind.SYMBOL:
                return self._tell_symbols(places, is_whole=is_whole)
            case Kind.DOCUMENT | Kind.SECTION:
                return self._tell_sections(places, is_whole=is_whole)
            case Kind.LEARNING:
                return self._tell_learnings(places, is_whole=is_whole)
            case Kind.TYPED_LINE | Kind.LINK:
                return self._tell_relations(places)
            case Kind.ENTITY:
                return self._tell_entities(places)

    def _entries(self, path: str, *, is_whole: bool) -> Sequence[Entry]:
        found = self._files.entries(_below(path), most=None if is_whole else _FEW)
        is_enough = is_whole or len(found) < _FEW or sum(len(entry.name) for entry in found) > MOST_DETAILS
        return found if is_enough else self._files.entries(_below(path), most=_SHORT)

    def _tell_files(self, places: Sequence[Place]) -> Told:
        """Return what each file declares outside of everything else."""
        marks = self._marking.of_files({place.name for place in places})
        declared = {place: [self._symbol(one) for one in self._declared_in(place.name, "")] for place in places}
        return {
            place: Note(
                ref=place.name,
                kind=Kind.FILE,
                title=_name_of_file(place.name).title,
                details="\n".join(one.signature or f"{one.kind} {one.name}" for one in filter(None, declared[place])),
                parent=_name_of_directory(_directory_of(place.name).name),
                marks=marks[place.name],
            )
            for place in places
        }

    def _symbol(self, place: Place) -> Symbol | None:
        path, name = _parts(place)
        return self._of_file(path).get(name)

    def _tell_symbols(self, places: Sequence[Place], *, is_whole: bool) -> Told:
        """Return how each symbol is declared; the whole code of one as it is now, if it did not go meanwhile."""
        known = {place: symbol for place in places if (symbol := self._symbol(place))}
        marks = self._marking.of_files({symbol.path for symbol in known.values()})
        told = {place: (symbol, symbol.signature, marks[symbol.path]) for place, symbol in known.items()}
        for place in places if is_whole else ():
            path, name = _parts(place)
            try:
                now = self._sources.symbol(path, name)
            except TxError:
                continue
            source = self._sources.get(path)
            # With a question mark for every byte that is no UTF-8.
            code = source.text_of(now.lines).encode("utf-8", "replace").decode() if source else now.signature
            told[place] = (now, code, {})
        found = {}
        for place, (symbol, details, marked) in told.items():
            above = self._above(symbol.path, symbol.name)
            outer = Name(f"{symbol.path}{_BETWEEN}{above}", simple_name(above)) if above else None
            found[place] = Note(
                ref=symbol.fqname,
                kind=Kind.SYMBOL,
                title=simple_name(symbol.name),
                details=details,
                parent=outer or _name_of_file(symbol.path),
                marks=marked,
            )
        return found

    def _tell_sections(self, places: Sequence[Place], *, is_whole: bool) -> Told:
        """Return how each section begins; the whole of one is what stands below its heading, up to the next one."""
        notes = self._sections.notes([place.node for place in places], is_whole=is_whole)
        superseded = self._marking.superseded({one.body: one.document for one in notes.values()})
        found = {}
        for place in places:
            if (one := notes.get(place.node)) is None:
                continue
            lines, in_file = one.text.split("\n"), _name_of_file(one.path)
            parent = _name_of_directory(_directory_of(one.path).name)
            if one.slug:
                ref = section_key(one.path, one.parent_slug) if one.parent_slug else one.path
                parent = Name(ref, one.parent_title or in_file.title)
            found[place] = Note(
                ref=section_key(one.path, one.slug) if one.slug else one.path,
                kind=Kind.SECTION if one.slug else Kind.DOCUMENT,
                title=one.title or in_file.title,
                details=without_secrets("\n".join(lines[below_heading(lines, one.heading) :]).strip("\n"), quick=True),
                parent=parent,
                marks={**self._marking.of_read(one.path, one[-3:]), **superseded.get(one.body, {})},
            )
        return found

    def _tell_learnings(self, places: Sequence[Place], *, is_whole: bool) -> Told:
        notes = self._learnings.notes([place.node for place in places], is_whole=is_whole)
        marks: Mapping[NodeId, Marks] = self._marking.of_learnings(notes.values())
        found = {}
        for place in places:
            if (one := notes.get(place.node)) is None:
                continue
            line = inert_line(one.content.split("\n", 1)[0])
            path, is_glob = self._learnings.place(place.node) or ("", False)
            home = self._of_learning(place.node) if is_glob else None
            found[place] = Note(
                ref=f"{NodeKind.LEARNING}:{one.number}",
                kind=Kind.LEARNING,
                title=line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…",
                details=one.content,
                parent=_name_of_directory(home.name) if home else _name_of_file(path) if path else None,
                marks=marks[place.node],
                uid=one.uid,
            )
        return found

    def _tell_entities(self, places: Sequence[Place]) -> Told:
        """Return the description of each entity and the facts that hold of it, the surest first."""
        found = {}
        for node, one in self._entities.notes([place.node for place in places]).items():
            facts = [
                f"{fact.relation}: {inert_line(said)}" + (f" ({status})" if status == Status.STAGED else "")
                for _, said, status, fact in self._entities.facts(node)
            ]
            found[Place(Kind.ENTITY, node=node)] = Note(
                ref=f"{NodeKind.ENTITY}:{one.name}",
                kind=Kind.ENTITY,
                title=one.name,
                details=without_secrets("\n".join(filter(None, [one.description, *facts])), quick=True),
            )
        return found

    def _tell_relations(self, places: Sequence[Place]) -> Told:
        """Return what each typed line or link says of its subject, and with what."""
        ends = {place: (self.parent(place), self.target(place)) for place in places}
        told = self.tell(sorted({end for pair in ends.values() for end in pair if end is not None}))
        names = {place: Name(note.ref, note.title) for place, note in told.items()}
        found = {}
        for place, (subject, target) in ends.items():
            if subject not in names or subject is None:
                continue
            name, end, details = names[subject], names.get(target) if target else None, ""
            if place.kind is Kind.LINK:
                if end is None:
                    continue
                links = self._learnings.links(place.node)
                counted = dict(zip(_links(links), numbers(one.relation for one in links), strict=True))
                predicate, number, ref = place.name, counted.get(place, 1), name.ref
            elif place in (lines := self._typed_lines(subject)):
                line, number = lines[place]
                predicate = line.predicate
                ref = f"{name.ref}#" if subject.kind is Kind.DOCUMENT else name.ref
                details = line.text if end and line.text not in (line.written, end.title, end.ref) else ""
            else:
                continue
            note = NoteName(ref, predicate, number).ref
            found[place] = Note(ref=note, kind=RELATION, title=predicate, details=details, parent=name, target=end)
        return found


def _directory_of(path: str) -> Place:
    return Place(Kind.DIRECTORY, posixpath.dirname(path) or ROOT)


def _name_of_directory(path: str) -> Name:
    return Name(path, f"{posixpath.basename(path)}/" if path != ROOT else "./")


def _name_of_file(path: str) -> Name:
    return Name(path, posixpath.basename(path))


def _of_file(path: str, document: NodeId | None) -> Place:
    return Place(Kind.FILE, path) if document is None else Place(Kind.DOCUMENT, node=document)


def _of_home(home: Home) -> Place:
    return Place(Kind.DOCUMENT if home.is_document else Kind.SECTION, node=home.node)


def _links(many: Iterable[LearningLink]) -> list[Place]:
    return [Place(Kind.LINK, one.relation, node=one.source, position=one.target) for one in many]


def _parts(place: Place) -> tuple[str, str]:
    path, _, name = place.name.partition(_BETWEEN)
    return path, name


def _below(path: str) -> str:
    return "" if path == ROOT else path


def _directory_note(path: str, entries: Sequence[Entry]) -> Note:
    names = [f"{entry.name}/" if entry.is_directory else entry.name for entry in entries[:_MOST_NAMES]]
    more = [f"and {len(entries) - _MOST_NAMES:,} more"] if len(entries) > _MOST_NAMES else []
    return Note(
        ref=path,
        kind=Kind.DIRECTORY,
        title=_name_of_directory(path).title,
        details=", ".join([*names, *more]),
        parent=None if path == ROOT else _name_of_directory(_directory_of(path).name),
    )
