"""Verifies what prose claims about the repository: documents, the files agents are given, and learnings."""

from __future__ import annotations

import json
import math
import os
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from tx_graph.anchors.evidence import Evidence, evidence
from tx_graph.anchors.sources import sources
from tx_graph.anchors.tracing import Place, trace
from tx_graph.code.languages import language_of
from tx_graph.code.symbols import simple_name
from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import NotFound, RepositoryError
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, LEARNINGS
from tx_graph.core.shape import Answer
from tx_graph.core.tracing import span
from tx_graph.documents.claims import ENDINGS, Claim, ClaimKind, claims_in, is_checked
from tx_graph.documents.document import format_of
from tx_graph.documents.reading import read_document, slug_of
from tx_graph.history.departed import Removal, blobs_of, first_said, last_change_of, removed_paths
from tx_graph.history.past import Past
from tx_graph.records.learning import Status, StoredLearning
from tx_graph.records.learning_record import record_content, rewritten
from tx_graph.records.learning_store import LearningStore

_GLOBS = ("*.md", "*.mdx", "*.markdown", "*.rst", "*.txt", "*rules", "*.mdc", "README*")
_MOST_SNAPSHOTS = 10  # states of the past in which names are looked up
_LARGEST = 2_000_000  # bytes of a file in which names are looked up
_MOST_IN_DIRECTORY = 200  # files of a directory that are followed to tell where it went
_TOKEN = re.compile(rb"[\w-]+")
_SETTINGS = re.compile(r"\.(?:ya?ml|json|toml|ini|conf|properties|xml|env)$")  # of these each project has its own
_ORDER = re.compile(r"\d+[-_. ]+")
_REMOTE = re.compile(r"[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?$")
_ASIDE = re.compile(
    r"(?:^|/)(?:docs?\w*|examples?|tests?|testing|__tests__|specs?|bench\w*|samples?|fixtures|demos?|playground|website|site"
    r"|vendor|third_party|dist|build|releases|node_modules)/|(?:^|/)(?:test_|conftest)|[._-](?:test|spec|min)s?\.\w+$",
    re.IGNORECASE,
)
"""Code whose names are nobody's but its own: what examples and tests declare is not what a document speaks of."""
_DECLARES_OPTION = re.compile(
    r"add_argument|add_option|[Oo]ption|[Ff]lag|\barg\b|\bArg\b|long|click|argparse|commander|yargs|boolean"
)


class ClaimVerdict(StrEnum):
    """What is to be said of a claim: it `moved` or is `gone` for certain, or it is `doubtful`; all others hold."""

    HOLDS = "holds"
    MOVED = "moved"
    GONE = "gone"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFinding(Answer):
    """One claim that does not hold, where it stands, and the commit that made it untrue (None: not committed yet).

    `moved_to` is what it names now, `replacement` what is to stand in the place of `written` where that is certain.
    `learning` is the reference of the learning that says so, where it is one.
    """

    document: str
    line: int
    kind: ClaimKind
    written: str
    target: str
    verdict: ClaimVerdict
    moved_to: str | None = None
    replacement: str | None = None
    removal: Removal | None = None
    learning: str | None = None
    mended: bool = False

    JSON: ClassVar = (
        "document line kind written target verdict moved_to replacement commit=removal.commit "
        "commit_subject=removal.subject learning mended"
    )

    @property
    def told(self) -> str:
        """What is wrong, as a sentence."""
        what = {ClaimKind.SECTION: "section", ClaimKind.COMMAND: "command"}.get(self.kind, "")
        named = f"{what} '{self.target}'".strip()
        by = f", {self.removal.commit[:10]} {self.removal.subject}" if self.removal else ""
        if self.verdict is ClaimVerdict.MOVED:
            return f"{named} is '{self.moved_to}' now{by}"
        return f"{named} is gone{by}" if self.verdict is ClaimVerdict.GONE else f"{named} is not known here"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseReport(Answer):
    """What prose says that does not hold, by document and line; `documents` and `claims` count what was looked at."""

    findings: tuple[ClaimFinding, ...]
    doubtful: tuple[ClaimFinding, ...] = ()
    documents: int = 0
    claims: int = 0
    notices: tuple[str, ...] = ()

    JSON: ClassVar = "summary findings doubtful notices"

    @property
    def summary(self) -> dict[str, int]:
        """How many documents and claims there are, and how many claims of each verdict."""
        counts = Counter(one.verdict.value for one in (*self.findings, *self.doubtful))
        untrue = {verdict.value: counts[verdict] for verdict in ClaimVerdict if verdict is not ClaimVerdict.HOLDS}
        return {"documents": self.documents, "claims": self.claims, "holds": self.claims - counts.total(), **untrue}

    @property
    def unmended(self) -> list[ClaimFinding]:
        """What is still untrue."""
        return [one for one in self.findings if not one.mended]


class _Text(NamedTuple):
    """A document or the content of a learning; `since` is when that was written, where git does not tell."""

    path: str
    text: str
    learning: StoredLearning | None = None


class _Said(NamedTuple):
    text: _Text
    claim: Claim


class _Fate(NamedTuple):
    """What became of what a claim names; `now` is the path or name that it has."""

    removal: Removal | None
    now: str = ""
    was: str = ""
    is_known: bool = True


_DOUBT = _Fate(None, is_known=False)


class Verifying:
    """Verifies many claims at once, with few questions to git."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._root = kernel.place.root.path
        self._tree = kernel.checkout.tree
        self._repository = kernel.checkout.askable
        self._evidence: Evidence | None = kernel.one(evidence)

    def verdicts(self, said: Sequence[_Said]) -> dict[_Said, _Fate]:
        """Return what became of what does not hold any more, or is not known to have been."""
        missing = [one for one in said if not self._holds(one.claim)]
        if self._repository is None or self._repository.head() is None or not missing:
            return {}
        by_kind: defaultdict[ClaimKind, list[_Said]] = defaultdict(list)
        for one in missing:
            by_kind[one.claim.kind].append(one)
        found: dict[_Said, _Fate] = dict.fromkeys(missing, _DOUBT)
        paths = self._paths(by_kind[ClaimKind.PATH])
        sections = self._sections(by_kind[ClaimKind.SECTION])
        commands = self._commands(by_kind[ClaimKind.COMMAND])
        suspects = {**paths, **sections, **commands}
        names = [*by_kind[ClaimKind.NAME], *by_kind[ClaimKind.OPTION]]
        began = self._began([*suspects, *names]) if suspects or names else {}
        found |= {
            one: fate
            for one, fate in suspects.items()
            if fate.removal is None or self._is_since(fate.removal, began.get(one))
        }
        found |= self._names([one for one in names if one in began], began)
        return found

    # What is there

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(self._kernel.checkout.listed_files().paths)

    @cached_property
    def _directories(self) -> frozenset[str]:
        return frozenset(_above(self._files))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return _by_last({*self._files, *self._directories})

    def _holds(self, claim: Claim) -> bool:
        if claim.kind is ClaimKind.PATH:
            return self._is_there(claim)
        if claim.kind is ClaimKind.SECTION:
            documents = [(path, part) for path, _, part in (one.rpartition("#") for one in claim.places)]
            known = [(path, part) for path, part in documents if path in self._files]
            return not known or any(self._has_section(path, part) for path, part in known)
        if claim.kind is ClaimKind.COMMAND:
            entries = self._entries[claim.tool]
            return not entries or claim.target in entries or "%" in entries  # a rule for whatever is asked
        root, _, rest = claim.target.partition(".")
        if rest and root.islower() and not {root, f"{root}.py"} & self._by_name.keys():
            return True  # of another package, if it ever was of this one
        return claim.target.encode() in self._words if claim.kind is ClaimKind.NAME else self._has_option(claim.target)

    def _is_there(self, claim: Claim) -> bool:
        for place in claim.places:
            if (
                place in self._files
                or place in self._directories
                or self._tree.exists(place)
                or self._tree.is_directory(place)
            ):
                return True
        bare = claim.target.strip("/")
        parts = bare.split("/")
        stem, ending = posixpath.splitext(parts[-1])
        if ending == ".html" and any(f"{stem}{one}" in self._by_name for one in ENDINGS):
            return True  # generators of sites put pages of many directories into one
        if claim.is_link and not ending and self._is_numbered(claim):
            return True
        tails = ("/".join(parts[place:]) for place in range(1, len(parts) - 1))
        alike = self._by_name.get(parts[-1], ())
        is_end = any(one == bare or one.endswith(f"/{bare}") for one in alike)
        return is_end or any(tail in self._files for tail in tails)

    def _is_numbered(self, claim: Claim) -> bool:
        """Whether a document is here under a number that generators of sites leave out of links: `01-name.md`."""
        beside = {posixpath.dirname(place) for place in claim.places}
        return any(
            _ORDER.sub("", name).partition(".")[0] == posixpath.basename(claim.target.strip("/"))
            for directory in beside
            for name in self._numbered.get(directory, ())
        )

    @cached_property
    def _numbered(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._files:
            if _ORDER.match(posixpath.basename(path)):
                found[posixpath.dirname(path)].append(posixpath.basename(path))
        return found

    def _has_section(self, path: str, part: str) -> bool:
        names = self._sections_of(path)
        part = re.sub(r"-\d+$", "", part)  # the second of that name, by whatever way of counting
        return part in names or _plain(part) in {_plain(one) for one in names}

    def _sections_of(self, path: str) -> frozenset[str]:
        if path not in self._known_sections:
            text = self._tree.read_text(path) or ""
            names: set[str] = set(re.findall(r"(?:id|name)=[\"']([^\"']+)", text))
            names |= set(re.findall(r"^(\w+):", text, re.MULTILINE))  # front matter, of which sites may make sections
            for section in read_document(path, text).sections:
                bare = re.sub(r"\s*\[[^]]*\]$", "", section.title)  # generators of sites may leave badges out
                names |= {
                    section.slug,
                    re.sub(r"-\d+$", "", section.slug),
                    slug_of(bare),
                    slug_of(section.title),
                    *section.labels,
                }
            self._known_sections[path] = frozenset(names)
        return self._known_sections[path]

    @cached_property
    def _known_sections(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _words(self) -> frozenset[bytes]:
        """Every word of the files that are no documents."""
        words: set[bytes] = set()
        for path in self._files:
            if format_of(path) is None and not path.startswith(f"{DIRECTORY}/"):
                data = self._tree.read_listed(path, most=_LARGEST) or b""
                if b"\0" not in data[:8000]:
                    words.update(_TOKEN.findall(data))
        words |= {piece for word in words if b"-" in word for piece in (*word.split(b"-"), word.strip(b"-"))}
        return frozenset(words)

    @cached_property
    def _folded(self) -> frozenset[bytes]:
        return frozenset(word.lower().replace(b"_", b"").replace(b"-", b"") for word in self._words)

    def _has_option(self, option: str) -> bool:
        folded = option.replace("-", "").lower().encode()
        return folded in self._folded or folded.removeprefix(b"no") in self._folded

    @cached_property
    def _entries(self) -> dict[str, frozenset[str]]:
        """What each tool can run, in any of its files here."""
        found: dict[str, set[str]] = {"npm": set(), "make": set(), "just": set()}
        for path in self._files:
            if tool := _tool_of(path):
                found[tool] |= entries_of(tool, self._tree.read_text(path) or "").keys()
        return {tool: frozenset(names) for tool, names in found.items()}

    # What was there

    @cached_property
    def _removed(self) -> dict[str, Removal | None]:
        """Every path that is not here any more, with the commit that removed it, None where none has yet."""
        committed = removed_paths(self._root)
        not_yet = dict.fromkeys(blobs_of(self._root, "HEAD"))
        return {path: one for path, one in {**committed, **not_yet}.items() if path not in self._files}

    @cached_property
    def _removed_directories(self) -> dict[str, Removal | None]:
        found: dict[str, Removal | None] = {}
        for path, removal in self._removed.items():
            for directory in _above([path]):
                if directory not in self._directories:
                    known = found.get(directory, removal)
                    newer = removal is None or (known is not None and removal.time > known.time)
                    found[directory] = removal if newer else known
        return found

    @cached_property
    def _removed_by_name(self) -> dict[str, list[str]]:
        return _by_last(self._removed)

    def _paths(self, missing: Sequence[_Said]) -> dict[_Said, _Fate]:
        """Return what became of paths that were here, each as the one file or directory that it can mean."""
        meant: dict[_Said, str] = {}
        for one in missing:
            claim = one.claim
            direct = [place for place in claim.places if place in self._removed or place in self._removed_directories]
            if not direct and claim.is_tail and not _SETTINGS.search(claim.target):
                several = self._removed_by_name.get(posixpath.basename(claim.target), ())
                ending = [path for path in several if path == claim.target or path.endswith(f"/{claim.target}")]
                direct = ending if len(ending) == 1 else []
            if not direct and claim.is_link:
                direct = self._as_it_lay(one)
            if direct:
                meant[one] = max(direct, key=self._left_at)
        ignored = self._ignored(set(meant.values()))
        meant = {one: path for one, path in meant.items() if path not in ignored}
        below = {path: self._below(path) for path in meant.values() if path not in self._removed}
        asked = {path for path in meant.values() if path in self._removed}.union(*below.values())
        went: dict[str, str] = {}
        if self._evidence and asked:
            self._evidence.prepare((), gone=asked)
            went = {path: now for path in asked if (now := self._evidence.new_path(path))}
        found = {}
        for one, path in meant.items():
            if path in self._removed:
                now = went.get(path) or self._taken_up(path)
                found[one] = _Fate(self._removed[path], now, path)
            else:
                now = _new_directory(path, below[path], went)
                found[one] = _Fate(self._removed_directories[path], now, path)
        return found

    def _left_at(self, path: str) -> float:
        """Return when a path left, in seconds since the epoch: an uncommitted one leaves now."""
        removal = self._removed[path] if path in self._removed else self._removed_directories[path]
        return removal.time if removal else math.inf

    def _as_it_lay(self, one: _Said) -> list[str]:
        """Return what a relative link led to from where its document was before it moved."""
        target, name = one.claim.target, posixpath.basename(one.text.path)
        if target.startswith(("/", "http")) or _stem(name) in ("readme", "index", "_index"):
            return []
        homes = {posixpath.dirname(path) for path in self._removed_by_name.get(name, ())}
        places = {posixpath.normpath(posixpath.join(home, target)) for home in homes}
        found = [place for place in places if place in self._removed]
        return found if len(found) == 1 else []

    def _taken_up(self, path: str) -> str:
        """Return the only file that came under this name, whatever its ending, when a file went; it is here still."""
        removal = self._removed[path]
        altered = self._evidence.altered(removal.commit) if removal and self._evidence else []
        came = [new for old, new in altered if new and new != old and _stem(new) == _stem(path)]
        return came[0] if len(came) == 1 and came[0] in self._files else ""

    @cached_property
    def _past(self) -> Past:
        if self._repository is None:
            raise RepositoryError("There is no git repository here to ask for what was there.")
        return self._kernel.enter(Past(self._repository))

    def _below(self, directory: str) -> list[str]:
        return [path for path in self._removed if path.startswith(f"{directory}/")][:_MOST_IN_DIRECTORY]

    def _ignored(self, paths: Collection[str]) -> frozenset[str]:
        """Return those of some paths that git ignores: what is made here is not tracked any more, but not gone."""
        if not paths:
            return frozenset()
        question = "".join(f"{path}\0" for path in sorted(paths)).encode("utf-8", "surrogateescape")
        answer = ask_git(self._root, "check-ignore", "-z", "--stdin", "--no-index", fine=(0, 1, 128), question=question)
        return frozenset(filter(None, decode_path(answer.output).split("\0")))

    def _began(self, said: Iterable[_Said]) -> dict[_Said, int]:
        """Return when each text began to say something, in seconds since the epoch, where that is known."""
        wanted: defaultdict[str, set[str]] = defaultdict(set)
        found: dict[_Said, int] = {}
        asked = []
        for one in said:
            if learning := one.text.learning:
                found[one] = int(_seconds(learning))
            else:
                wanted[_stem(one.text.path)].add(one.claim.written)
                asked.append(one)
        first = first_said(self._root, wanted, _GLOBS) if wanted else {}
        for one in asked:
            if commit := first.get((_stem(one.text.path), one.claim.written)):
                found[one] = commit.time
                self._commits[commit.time] = commit.commit
        return found

    @cached_property
    def _commits(self) -> dict[int, str]:
        return {}

    def _is_since(self, removal: Removal, began: int | None) -> bool:
        """Whether something went after a text had begun to speak of it, so that it was true for a while."""
        return began is not None and removal.time >= began

    def _sections(self, missing: Sequence[_Said]) -> dict[_Said, _Fate]:
        """Return what became of sections that documents had."""
        lost: dict[Place, list[_Said]] = defaultdict(list)
        removals: dict[Place, Removal | None] = {}
        for one in missing:
            path, _, part = next(
                place for place in one.claim.places if place.rpartition("#")[0] in self._files
            ).rpartition("#")
            lost[path, f"#{part}"].append(one)
        if self._evidence:
            self._evidence.prepare({path for path, _ in lost})
            for place in lost:
                if departure := self._evidence.departure(*place):
                    removals[place] = self._removal_named(departure.base.removesuffix("^"))
        places = self._traced(removals)
        found: dict[_Said, _Fate] = {}
        for place, removal in removals.items():
            now = "".join(places.get(place, ()))
            found |= {one: _Fate(removal, now, "".join(place)) for one in lost[place]}
        return found

    def _removal_named(self, commit: str) -> Removal | None:
        if commit == "HEAD":
            return None
        line = decode_path(ask_git(self._root, "log", "-1", "--format=%H %ct %s", commit).output).strip("\n")
        full, time, subject = line.split(" ", 2)
        return Removal(full, int(time), subject)

    def _traced(self, lost: Iterable[Place]) -> dict[Place, Place]:
        if self._evidence is None:
            return {}
        uncommitted = lambda: self._kernel.checkout.changed_since("HEAD")  # noqa: E731
        return trace(
            self._evidence, dict.fromkeys(lost, False), sources=self._kernel.one(sources), uncommitted=uncommitted
        )

    def _commands(self, missing: Sequence[_Said]) -> dict[_Said, _Fate]:
        """Return what became of commands that the files of their tools had."""
        found = {}
        fates: dict[tuple[str, str], _Fate | None] = {}
        for one in missing:
            key = (one.claim.tool, one.claim.target)
            if key not in fates:
                fates[key] = self._command(*key)
            if fate := fates[key]:
                found[one] = fate
        return found

    def _command(self, tool: str, name: str) -> _Fate | None:
        patterns = {
            "npm": rf'"{re.escape(name)}" *:',
            "make": rf"^{re.escape(name)}( [^=]*)?:",
            "just": rf"^@?{re.escape(name)}( .*)?:",
        }
        globs = {
            "npm": ["*package.json"],
            "make": ["*Makefile", "*.mk", "*makefile"],
            "just": ["*justfile", "*Justfile"],
        }[tool]
        removal = last_change_of(self._root, patterns[tool], globs, is_line=True)
        if removal is None:
            return None
        altered = self._evidence.altered(removal.commit) if self._evidence else []
        for old, new in altered:
            if old is None or _tool_of(old) != tool:
                continue
            before = entries_of(tool, (self._past.at(f"{removal.commit}^", old) or b"").decode("utf-8", "replace"))
            if name in before:
                after = entries_of(tool, (self._past.at(removal.commit, new or old) or b"").decode("utf-8", "replace"))
                same = [one for one in after if one not in before and after[one] and after[one] == before[name]]
                now = same[0] if len(same) == 1 and same[0] in self._entries[tool] else ""
                return _Fate(removal, now, name)
        return None

    def _names(self, missing: Sequence[_Said], began: Mapping[_Said, int]) -> dict[_Said, _Fate]:
        """Return what became of names of code and options that were declared while a text spoke of them."""
        times = sorted({began[one] for one in missing if began[one] in self._commits}, reverse=True)
        if not times:
            return {}
        step = max(1, len(times) / _MOST_SNAPSHOTS)
        chosen = sorted(
            {times[min(int(place * step), len(times) - 1)] for place in range(_MOST_SNAPSHOTS)}, reverse=True
        )
        wanted: defaultdict[bytes, list[_Said]] = defaultdict(list)
        for one in missing:
            name = one.claim.target.rpartition(".")[2]
            bare = name.removeprefix("--")
            # Parsers are told of an option with its dashes, without them, or by the name of a variable.
            for spelt in {name, bare, bare.replace("-", "_")} if bare != name else {name}:
                wanted[spelt.encode()].append(one)
        open_words = set(wanted)
        holders: dict[bytes, tuple[str, list[str]]] = {}
        seen: dict[str, frozenset[bytes]] = {}
        for time in chosen:
            commit, by_word = self._commits[time], defaultdict[bytes, list[str]](list)
            for path, blob in blobs_of(self._root, commit).items():
                if language_of(path) is None or format_of(path) is not None or _ASIDE.search(path):
                    continue
                if blob not in seen:
                    data = self._past.blob(blob) or b""
                    seen[blob] = frozenset(open_words.intersection(_TOKEN.findall(data[:_LARGEST])))
                for word in seen[blob]:
                    by_word[word].append(path)
            for word, paths in by_word.items():
                # Newest first: the last state in which it was, while somebody spoke of it or later.
                if word not in holders and any(
                    began[one] <= time or _between(began[one], time, chosen) for one in wanted[word]
                ):
                    holders[word] = (commit, paths)
        return self._departed(wanted, holders, began)

    def _departed(
        self,
        wanted: Mapping[bytes, Sequence[_Said]],
        holders: Mapping[bytes, tuple[str, list[str]]],
        began: Mapping[_Said, int],
    ) -> dict[_Said, _Fate]:
        declared: dict[bytes, tuple[list[Place], Removal]] = {}
        for word, (commit, paths) in holders.items():
            name = word.decode()
            if name.replace("-", "").replace("_", "").lower().encode() in self._folded:
                continue
            claim = wanted[word][0].claim
            is_option = claim.kind is ClaimKind.OPTION
            places = [place for path in paths for place in self._declaring(commit, path, name, claim)]
            expression = name if is_option else rf"\b{name}\b"  # of letters, digits, `_` and `-`
            if places and (removal := last_change_of(self._root, expression, paths, after=commit)):
                declared[word] = (places, removal)
        single = {places[0]: word for word, (places, _) in declared.items() if len(places) == 1 and places[0][1]}
        if self._evidence and single:
            self._evidence.prepare({path for path, _ in single})
        traced = {single[place]: now for place, now in self._traced(single).items()} if single else {}
        found = {}
        for word, (places, removal) in declared.items():
            now = simple_name(traced[word][1]) if word in traced else ""
            for one in wanted[word]:
                is_own = not _is_made_up(one, word.decode()) and _is_of(one.claim, places)
                if is_own and self._is_since(removal, began[one]):
                    found[one] = _Fate(removal, now, word.decode())
        return found

    def _declaring(self, commit: str, path: str, name: str, claim: Claim) -> list[Place]:
        """Return the symbols of this simple name that a file had; options are where a parser is told of them."""
        source = self._evidence.version(commit, path) if self._evidence else None
        if source is None:
            return []
        if claim.kind is ClaimKind.OPTION:
            told = re.compile(rf"[\"'`]{re.escape(name)}[\"'`=,/ ]") if "_" not in name else re.compile(rf"\b{name}\b")
            is_told = any(told.search(line) and _DECLARES_OPTION.search(line) for line in source.lines)
            return [(path, "")] if is_told else []
        return [(path, one.name) for one in source.symbols if simple_name(one.name) == name]


def _is_made_up(one: _Said, name: str) -> bool:
    """Whether a document declares a name itself, in the code that it shows."""
    declares = r"(?:def|class|func|fn|function|const|let|var|val|type|struct|interface|enum)\s+"
    return bool(re.search(rf"{declares}{re.escape(name)}\b|[\"']{re.escape(name)}[\"']\s*[,):]", one.text.text))


def _is_of(claim: Claim, places: Sequence[Place]) -> bool:
    """Whether what qualifies a name may be what had it here: `React.createContext` is another's `createContext`."""
    _, *owners = reversed(claim.target.split("."))
    if not owners or claim.kind is ClaimKind.OPTION:
        return True
    known = {part for path, name in places for part in (*re.split(r"[/.]", path), *name.split("::"))}
    return any(one in known for one in owners) or owners[0].islower()


def _between(began: int, time: int, chosen: Sequence[int]) -> bool:
    """Whether no state that was looked at lies between a later beginning and this one."""
    return not any(time < one <= began for one in chosen)


def _above(paths: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for path in paths:
        directory = posixpath.dirname(path)
        while directory and directory not in found:
            found.add(directory)
            directory = posixpath.dirname(directory)
    return found


def _by_last(paths: Iterable[str]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[posixpath.basename(path)].append(path)
    return found


def _stem(path: str) -> str:
    return posixpath.basename(path).partition(".")[0].lower()


def _plain(part: str) -> str:
    return re.sub(r"[\W_]+", "", part).lower()


def _seconds(learning: StoredLearning) -> float:
    return datetime.fromisoformat(learning.learning.created_at).timestamp()


def _new_directory(old: str, below: Sequence[str], now: Mapping[str, str]) -> str:
    """Return where a directory went: there all of its files that are still here went, under their old names."""
    found = set()
    for path in below:
        rest = path[len(old) :]
        if path in now:
            found.add(now[path].removesuffix(rest) if now[path].endswith(rest) else "")
    return found.pop() if len(found) == 1 and len([path for path in below if path in now]) * 2 >= len(below) else ""


def _tool_of(path: str) -> str:
    name = posixpath.basename(path).lower()
    if name == "package.json":
        return "npm"
    return (
        "make"
        if name in ("makefile", "gnumakefile") or name.startswith("makefile.") or name.endswith(".mk")
        else "just"
        if name == "justfile"
        else ""
    )


_RULE = re.compile(
    r"^@?(?P<names>[\w./%-]+(?: [\w./ +*:=\"'-]*)?):(?![=:])(?P<body>[^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE
)


def entries_of(tool: str, text: str) -> dict[str, str]:
    """Return what a tool can run by its file, with what each does."""
    if tool == "npm":
        try:
            scripts = json.loads(text).get("scripts", {})
        except (ValueError, AttributeError):
            return {}
        return {str(name): str(body) for name, body in scripts.items()} if isinstance(scripts, dict) else {}
    return {name: found["body"].strip() for found in _RULE.finditer(text) for name in found["names"].split()}


def replacement_of(claim: Claim, fate: _Fate, document: str) -> str | None:
    """Return what is to be written instead of a claim, None where it is not certain how."""
    if not fate.now or claim.kind in (ClaimKind.NAME, ClaimKind.COMMAND):
        return fate.now or None
    target, old = claim.target, fate.was
    lead = claim.written[: len(claim.written) - len(target)]
    if claim.kind is not ClaimKind.PATH or not claim.written.endswith(target):
        return None
    new = None
    if old == posixpath.normpath(target) or (target.startswith("/") and target.strip("/") == old):
        new = f"{'/' if target.startswith('/') else ''}{fate.now}"
    elif posixpath.normpath(posixpath.join(posixpath.dirname(document), target)) == old:
        near = posixpath.relpath(fate.now, posixpath.dirname(document) or ".")
        new = f"./{near}" if target.startswith("./") and not near.startswith(".") else near
    elif old.endswith(f"/{target}") and fate.now.startswith(old[: -len(target)]):
        new = fate.now[len(old) - len(target) :]
    return None if new is None else f"{lead}{new}"


def mended_text(text: str, findings: Iterable[ClaimFinding]) -> tuple[str, list[ClaimFinding]]:
    """Return a text with what is certain written into its lines, and the findings that this mended."""
    lines, done = text.split("\n"), []
    for one in findings:
        if one.replacement is not None and one.line <= len(lines):
            pattern = rf"(?<![\w/.-]){re.escape(one.written)}(?![\w-]|/\w|\.\w)"
            if one.kind is ClaimKind.NAME:
                pattern = rf"(?<![\w-]){re.escape(one.written)}(?![\w-])"
            new, count = re.compile(pattern).subn(lambda _, one=one: one.replacement, lines[one.line - 1])  # type: ignore[misc]
            if count:
                lines[one.line - 1] = new
                done.append(one)
    return "\n".join(lines), done


@span("doc:verify")
def verify(
    kernel: Kernel,
    places: Annotated[
        Sequence[str], Arg("PATH...", "Only these documents, directories or globs.", is_split=False)
    ] = (),
    *,
    fix: Annotated[bool, Arg(help="Write new paths and names where they are certain.")] = False,
    since: Annotated[str | None, Arg("REV", "Only what was written or went since HEAD and REV parted.")] = None,
    doubtful: Annotated[bool, Arg(help="Also what is named but was never known here.")] = False,
) -> ProseReport:
    """Verify what prose claims: exit status 1 when it names what moved or is gone.

    Looked at are paths, links, sections, names of code and options in backticks, and commands of npm, make and just, in
    documents, in the files that agents are given, and in learnings. What is told was in this repository while the text
    spoke of it, and is nowhere any more; changelogs and sentences about the past are left alone.

    Example:
      tx doc:verify
      tx doc:verify README.md docs --fix
      tx doc:verify --since origin/main --format github
    """
    texts = _texts(kernel, places)
    verifying = Verifying(kernel)
    project = _project(kernel)
    said = [_Said(one, claim) for one in texts for claim in claims_in(one.path, one.text, project=project)]
    fates = verifying.verdicts(said)
    changed = frozenset(kernel.checkout.changed_since(since)) if since else frozenset()
    commits = _commits_since(kernel, since) if since else frozenset()
    found: list[ClaimFinding] = []
    for one, fate in fates.items():
        if since and one.text.path not in changed and fate.removal and fate.removal.commit not in commits:
            continue
        verdict = ClaimVerdict.MOVED if fate.now else ClaimVerdict.GONE
        found.append(
            ClaimFinding(
                document=one.text.path,
                line=one.claim.line,
                kind=one.claim.kind,
                written=one.claim.written,
                target=one.claim.target,
                verdict=verdict if fate.is_known else ClaimVerdict.DOUBTFUL,
                moved_to=fate.now or None,
                replacement=replacement_of(one.claim, fate, one.text.path),
                removal=fate.removal,
                learning=one.text.learning.ref if one.text.learning else None,
            )
        )
    found.sort(key=lambda one: (one.document, one.line, one.written))
    certain = [one for one in found if one.verdict is not ClaimVerdict.DOUBTFUL]
    if fix:
        mended = {one for text in texts for one in _mend(kernel, text, certain)}
        certain = [replace(one, mended=one in mended) for one in certain]
    return ProseReport(
        findings=tuple(certain),
        doubtful=tuple(one for one in found if doubtful and one.verdict is ClaimVerdict.DOUBTFUL),
        documents=len(texts),
        claims=len(said),
        notices=tuple(filter(None, (kernel.checkout.caveat, _caveat(kernel)))),
    )


def _caveat(kernel: Kernel) -> str:
    repository = kernel.checkout.askable
    if repository is None or not repository.is_shallow():
        return ""
    return "This clone is shallow, its history ends early: what went before that is not told."


def _texts(kernel: Kernel, places: Sequence[str]) -> list[_Text]:
    """Return the documents and learnings to look at."""
    checkout = kernel.checkout
    tracked = [file.path for file in checkout.list_tracked(is_checked)]
    records = f"{DIRECTORY}/{LEARNINGS}"
    learnings = {
        f"{records}/{one.record}": one
        for one in LearningStore(kernel.database).every()
        if one.learning.status is Status.ACTIVE and one.learning.removed_at is None
    }
    matcher = PathMatcher([*(path for path in tracked if not path.startswith(f"{DIRECTORY}/")), *learnings])
    asked = set(matcher.paths)
    asked -= {path for one in kernel.config.texts("documents.exclude") for path in matcher.matching(one)}
    if places:
        named: set[str] = set()
        for one in places:
            there = checkout.tree.existing(one)
            pattern = (
                one
                if there is None
                else "**"
                if there == "."
                else f"/{there}/**"
                if checkout.tree.is_directory(there)
                else f"/{there}"
            )
            found = set(matcher.matching(pattern))
            if not found:
                raise NotFound(f"'{one}' names no document that is checked.", candidates=matcher.nearest(one))
            named |= found
        asked &= named
    texts = []
    for path in sorted(asked):
        if learning := learnings.get(path):
            texts.append(_Text(path, learning.learning.content, learning))
        elif (text := checkout.tree.read_text(path)) is not None:
            texts.append(_Text(path, text.replace("\r\n", "\n")))
    return texts


def _project(kernel: Kernel) -> str:
    """Return `owner/name` of the remote that the repository came from, empty where it has none."""
    repository = kernel.checkout.askable
    if repository is None:
        return ""
    answer = ask_git(repository.root, "config", "--get", "remote.origin.url", fine=(0, 1))
    found = _REMOTE.search(decode_path(answer.output).strip())
    return found[1] if found else ""


def _commits_since(kernel: Kernel, revision: str) -> frozenset[str]:
    name = kernel.checkout.commit_named(revision)
    return frozenset(decode_path(ask_git(kernel.place.root.path, "rev-list", f"{name}..HEAD").output).split())


def _mend(kernel: Kernel, text: _Text, findings: Iterable[ClaimFinding]) -> Iterator[ClaimFinding]:
    """Write into a document or the record of a learning what is certain; yield the findings that are mended."""
    own = [one for one in findings if one.document == text.path and one.replacement is not None]
    if not own:
        return
    if text.learning:
        content, done = mended_text(text.text, own)
        rewritten(kernel, text.learning, replace(text.learning.learning, content=record_content(content)))
    else:
        path = os.path.join(kernel.place.root.path, text.path)
        with open(path, "rb") as stream:
            whole = stream.read().decode("utf-8", "surrogateescape")
        mended, done = mended_text(whole, own)
        if done:
            with open(path, "wb") as stream:
                stream.write(mended.encode("utf-8", "surrogateescape"))
    yield from done
