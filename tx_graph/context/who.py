"""Who answers for code: its owners by CODEOWNERS, and who wrote most of its lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar

from tx_graph.anchors.evidence import evidence
from tx_graph.anchors.sources import SymbolLookup
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound
from tx_graph.core.identifiers import content_words, spellings
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Rows
from tx_graph.core.text import inert_line
from tx_graph.graph.resolving import References
from tx_graph.history.authors import Author, Authors, Spans, authors_of
from tx_graph.history.owners import CodeOwners, read_owners

_MOST_BLAMED = 60
"""Files of a directory of which git is asked who wrote their lines: each takes a process."""
_MOST_OWNED = 5_000  # files of a directory that are held against CODEOWNERS
_MOST_ABOUT = 3  # places that a question names of which the answer tells
_MOST_TOLD = 3  # people who are named in a sentence
_SHALLOW = "This clone is shallow: {lines:,} lines may be older than it tells, and count for nobody."
_OF_ASKING = re.compile(
    r"\b(?:who|whom|whose|is|are|was|were|has|have|the|a|an|of|for|on|about|in|charge|to|can|could|should|do|does|did|i"
    r"|we|you|most|best|code|file|files|module|modules|directory|package|class|function|own\w*|maintain\w*|wrote|writ\w+"
    r"|author\w*|responsible|knows?|works?|ask|review\w*|please|currently|now)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Somebody whom CODEOWNERS names for `files` of those asked about; `place` is the line that says so."""

    name: str
    files: int
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Responsible(Rows[Author]):
    """Who answers for a place: its owners, and the authors of its lines, most first.

    `files` are those of the place, of which `blamed` were looked at for `lines` of people; `notices` are sentences
    about what limited it.
    """

    place: str
    files: int
    owners: tuple[Owner, ...]
    authors: tuple[Author, ...]
    lines: int
    blamed: int
    notices: tuple[str, ...] = ()
    ROWS: ClassVar = "authors"
    JSON: ClassVar = "place owners authors files blamed lines notices"

    def sentences(self) -> list[str]:
        """Return it in words, a sentence for the owners and one for the authors."""
        named = [f"{inert_line(one.name)} ({inert_line(one.place)})" for one in self.owners[:_MOST_TOLD]]
        told = [f"owned by {', '.join(named)}{_more(len(self.owners))}"] if named else []
        people = [f"{inert_line(one.name)} {one.share:.0%} (last {one.last})" for one in self.authors[:_MOST_TOLD]]
        if people:
            told.append(f"written by {', '.join(people)}{_more(len(self.authors))}, of {self.lines:,} lines")
        return told or ["nobody is known to own it, or to have written it"]


def _more(count: int) -> str:
    return f" and {count - _MOST_TOLD} more" if count > _MOST_TOLD else ""


class Ownership:
    """Knows who owns files, and who wrote lines of them."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._rules: CodeOwners | None = None
        self._is_read = False

    @property
    def rules(self) -> CodeOwners | None:
        """The rules of CODEOWNERS as they are in the working tree; None where there are none."""
        if not self._is_read:
            self._rules, self._is_read = read_owners(self._kernel.checkout.tree.read_text), True
        return self._rules

    def owners(self, paths: Sequence[str]) -> tuple[Owner, ...]:
        """Return the owners of files, those of most of them first."""
        rules = self.rules
        if rules is None:
            return ()
        counts, lines = Counter[str](), dict[str, int]()
        for path in paths:
            named = {owner: one.line for one in rules.of(path) for owner in one.owners}
            counts.update(named.keys())
            lines = named | lines
        return tuple(
            Owner(name=name, files=counts[name], place=f"{rules.path}:{lines[name]}")
            for name in sorted(counts, key=lambda name: (-counts[name], lines[name], name))
        )

    def authors(self, places: Mapping[str, Spans], *, commit: str = "HEAD") -> Authors:
        """Return who wrote lines of files; nobody outside git, or before the first commit."""
        repository = self._kernel.checkout.askable
        if repository is None or not places or repository.head() is None:
            return Authors()
        return authors_of(repository, places, commit=commit)

    def responsible(self, place: str) -> Responsible:
        """Return who answers for a file, a directory or a symbol, as one types it."""
        checkout = self._kernel.checkout
        checkout.in_git("nobody knows who wrote it")
        found = checkout.tree.existing(place)
        if found is not None and checkout.tree.is_directory(found):
            prefix = "" if found == "." else f"{found}/"
            paths = [path for path in checkout.tracked_files().paths if path.startswith(prefix)]
            if not paths:
                raise NotFound(f"Git tracks no file in '{place}'.")
            return self._of(prefix or ".", dict.fromkeys(paths, ()))
        if found is not None:
            return self._of(found, {found: ()})
        node = self._kernel.one(References).node(self._kernel.one(SymbolLookup).spelled_out(place))
        path, _, name = node.key.partition("::")
        if not name:
            return self._of(path, {path: ()})
        return self._of(node.key, {path: self._lines_of(path, name)})

    def about(self, question: str) -> tuple[Responsible, ...]:
        """Return who answers for what a question about people names, such as `who owns the scheduler`."""
        if self._kernel.checkout.askable is None:
            return ()
        return tuple(map(self.responsible, self._named(_OF_ASKING.sub(" ", question))[:_MOST_ABOUT]))

    def _named(self, text: str) -> list[str]:
        """Return the places that a text names: paths, else directories, files and symbols that are called so."""
        tree, paths = self._kernel.checkout.tree, self._kernel.checkout.tracked_files().paths
        words = [word.strip("?!.,;:'\"`()") for word in text.split()]
        known = {*paths}
        if given := [word for word in words if word in known or ("/" in word and tree.existing(word))]:
            return list(dict.fromkeys(given))
        # A path that is not there means nothing else.
        said = ["".join(parts).lower() for word in words if word and "/" not in word for parts in _spelled(word)]
        wanted = ["".join(said), *(one for one in said if content_words(one))] if said else []
        for name in dict.fromkeys(filter(None, wanted)):
            directories = {
                path[: match.end()] for path in paths for match in _components(path) if _bare(match[1]) == name
            }
            top = sorted(directories, key=lambda one: (_is_beside(f"{one}x.py"), one.count("/"), one))[:1]
            files = [path for path in paths if _bare(path.rpartition("/")[2].partition(".")[0]) == name]
            files = [path for path in files if not _is_beside(path)] or files
            files.sort(key=lambda path: (path.count("/"), path))
            symbols = [one.fqname for one in SymbolStore(self._kernel.database).named(name) if one.kind != "module"]
            if found := [*top, *files[: _MOST_ABOUT - len(top)]] or symbols[:1]:
                return found
        return []

    def _lines_of(self, path: str, name: str) -> Spans:
        """Return the lines of a symbol in the last commit."""
        history = self._kernel.one(evidence)
        source = history.version("HEAD", path) if history else None
        symbol = source.declared(name) if source else None
        if symbol is None:
            raise NotFound(f"'{name}' is not in the last commit of {path}.", hint=f"Ask for the file: tx who {path}")
        return [symbol.lines]

    def _of(self, place: str, places: Mapping[str, Spans]) -> Responsible:
        paths = [*places]
        looked_at = _spread(paths, _MOST_BLAMED)
        written = self.authors({path: places[path] for path in looked_at})
        notices = []
        if len(looked_at) < len(paths):
            notices.append(
                f"Authors are those of {len(looked_at)} of {len(paths):,} files, evenly chosen by their names."
            )
        if len(paths) > _MOST_OWNED:
            notices.append(f"Owners are those of {_MOST_OWNED:,} of {len(paths):,} files.")
        if written.boundary:
            notices.append(_SHALLOW.format(lines=written.boundary))
        if written.unanswered:
            notices.append(written.silence)
        return Responsible(
            place=place,
            files=len(paths),
            owners=self.owners(_spread(paths, _MOST_OWNED)),
            authors=written.people,
            lines=written.lines,
            blamed=written.files,
            notices=tuple(notices),
        )


def _spread(paths: Sequence[str], most: int) -> Sequence[str]:
    """Return at most so many, evenly spread."""
    step = len(paths) / most
    return paths if step <= 1 else [paths[int(place * step)] for place in range(most)]


def _is_beside(path: str) -> bool:
    """Whether a file only goes with the code, as a test does."""
    return sort_of(path) is not FileSort.CODE


def _components(path: str) -> Iterator[re.Match[str]]:
    return re.finditer(r"(?<![^/])([^/]+)/", path)


def _bare(name: str) -> str:
    """Return a name by which others know it: `retrievers` is the retriever."""
    return re.sub(r"[\W_]", "", name).lower().removesuffix("s")


def _spelled(word: str) -> Iterator[list[str]]:
    for whole, *_ in spellings(word):
        yield [_bare(whole)]


def who(
    kernel: Kernel,
    place: Annotated[str, Arg("PATH|SYMBOL|DIR", "A file, a directory, or the name of a symbol.")],
) -> Responsible:
    """Show who answers for code: its owners as CODEOWNERS has them, and who wrote most of its lines.

    The last matching line of CODEOWNERS counts, in the places where GitHub and GitLab look for the file. Lines are
    those of the last commit, as 'git blame' has them; '.mailmap' says who is one person, programs are left out, and of
    a large directory some files are looked at. Nothing is sent anywhere.

    Example:
      tx who src/auth.py
      tx who AuthService.login
      tx who src/ --json

    Raises:
        NotFound: There is no such file, directory or symbol.
        RepositoryError: There is no git here.
    """
    return kernel.one(Ownership).responsible(place)
