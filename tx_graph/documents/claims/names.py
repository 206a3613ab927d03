"""Names of code and options of the command line that prose uses."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from tx_graph.anchors.tracing import Place
from tx_graph.code.languages import LANGUAGES, language_of
from tx_graph.code.sorts import looks_generated
from tx_graph.code.symbols import simple_name
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.place import DIRECTORY
from tx_graph.documents.claims.ground import Fate, Ground, Said
from tx_graph.documents.claims.paths import stem
from tx_graph.documents.claims.reading import Claim, ClaimKind, folded, parts_of, shares_half
from tx_graph.documents.document import Format, format_of
from tx_graph.history.departed import Moment, blobs_of, removed_words

_MOST_SNAPSHOTS = 12  # states of the past in which names are looked up
_MOST_HOLDERS = 3  # files of a word that no symbol is called, in which it is asked when it went
_MOST_RENAMES = 3  # of a file that are followed to where it lost a word
SHORTLY = 14 * 24 * 3600  # seconds in which code and the text about it follow each other
_LARGEST = 2_000_000  # bytes of a file in which names are looked up
_TRIED = frozenset("fake mock spec stub test tested tests".split())  # words of names that go with another
_TOKEN = re.compile(rb"[\w-]+")
_PACKAGE = re.compile(r"\"name\"\s*:\s*\"([^\"]+)\"")
_WORD = re.compile(r"\w+")
_BESIDE = 3  # lines up to that of a name, and as many from there
_APART = re.compile(
    r"(?:^|/)(?:docs?\w*|examples?|(?:\w+[_-]|fun|unit)?tests?|testing|__tests__|specs?|bench\w*|samples?|fixtures|demos?|playground"
    r"|website|site|vendor|third_party|dist|build|releases|node_modules)/|(?:^|/)(?:test_|conftest)"
    r"|[._-](?:test|spec|min)s?\.\w+$",
    re.IGNORECASE,
)
"""Code whose names are nobody's but its own: what examples and tests declare is not what a document speaks of."""


class Names:
    """Holds names against every word of the files that are no documents, and against what older code declared."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._found: dict[tuple[str, str], bool] = {}

    def holds(self, claim: Claim) -> bool:
        """Whether a name is anywhere in the code, or is another package's; an option in any spelling."""
        root, _, rest = claim.target.partition(".")
        if rest and root.islower() and not {root, f"{root}.py"} & self._ground.by_name.keys():
            return True
        if claim.kind is ClaimKind.NAME:
            return claim.written in self._words or claim.written.lower() in self._programs  # a page may be meant
        words, name = claim.tool.split(), folded(claim.written)
        is_ours = not words or any("/" in word or word in self._programs for word in words)
        return not is_ours or name in self._spellings or name.removeprefix("no") in self._spellings

    @cached_property
    def _words(self) -> frozenset[str]:
        words: set[bytes] = set()
        for path in self._ground.files:
            if format_of(path) in (None, Format.TEXT) and not path.startswith(f"{DIRECTORY}/"):
                data = self._ground.tree.read_listed(path, most=_LARGEST) or b""
                if b"\0" not in data[:8000]:
                    words.update(_TOKEN.findall(data))
        words |= {piece for word in words if b"-" in word for piece in (*word.split(b"-"), word.strip(b"-"))}
        return frozenset(word.decode() for word in words)

    @cached_property
    def _spellings(self) -> frozenset[str]:
        """The words as they are in any spelling: `dry_run`, `dryRun` and `dry-run` are one."""
        return frozenset(word.lower().replace("_", "").replace("-", "") for word in self._words)

    @cached_property
    def _programs(self) -> frozenset[str]:
        """What a command of this project may be called by: its files and directories, and the project itself."""
        project = posixpath.basename(self._ground.project)
        return frozenset({*self._ground.by_name, *map(stem, self._ground.by_name), project, self._ground.root.name})

    @cached_property
    def _packages(self) -> frozenset[str]:
        """What the packages of JavaScript that are made here are called."""
        texts = (self._ground.tree.read_text(path) or "" for path in self._ground.by_name.get("package.json", ()))
        return frozenset(found[1] for text in texts if (found := _PACKAGE.search(text)))

    def lost(self, missing: Mapping[Said, Moment]) -> dict[Said, Fate]:
        """Return what became of names that the project's own code had while a text used them."""
        wanted: defaultdict[str, list[Said]] = defaultdict(list)
        for one in missing:
            if one.claim.kind is ClaimKind.NAME:
                wanted[one.claim.written].append(one)
        holders = self._holders(wanted.keys(), missing.values()) if wanted else {}
        # What no symbol is called, such as a key or a variable of the environment, stands in the whole file.
        had = {
            word: (
                commit,
                [place for path in paths for place in self._declaring(commit, path, word)]
                or [(path, "") for path in paths[:_MOST_HOLDERS]],
            )
            for word, (commit, paths) in holders.items()
        }
        removals = self._removals({word: {path for path, _ in places} for word, (_, places) in had.items()})
        single = {places[0]: word for word, (_, places) in had.items() if len(places) == 1 and places[0][1]}
        if self._ground.evidence and single:
            self._ground.evidence.prepare({path for path, _ in single})
        # What went to another directory as well is called in another way, by its package. Under a name that has little
        # of the old one it took over some code, but is something else; what became private nobody is told to use.
        alike = {
            word: new
            for old, new in self._ground.traced(single).items()
            if posixpath.dirname(old[0]) == posixpath.dirname(new[0])
            and shares_half(word := single[old], to := simple_name(new[1]))
            and to.lstrip("_") != word
            and not self._has_rival(word, to)
        }
        renamed = {word for place, word in single.items() if self._came_through(word, place, alike, removals)}
        said = {(one.prose, one.claim.written) for one in missing if not one.claim.shown}
        found = {}
        for word, (commit, places) in had.items():
            removal = removals.get(word)
            is_known = removal is not None or commit == "HEAD"  # what HEAD still has is not committed as gone
            for one in wanted[word] if is_known else ():
                begun = missing[one]
                is_since = removal is None or removal.time >= begun.time
                was_there = word not in alike or self._was_there(word, begun, places)  # else it is doubtful anyway
                if is_since and was_there and self._is_meant(one, word, places):
                    to = simple_name(alike[word][1]) if word in alike else ""
                    now, perhaps = (to, "") if word in renamed else ("", to)
                    # What is shown alone is an example, and beside its new name the old one is told of.
                    beside = " ".join(one.prose.lines[max(0, one.claim.line - _BESIDE) : one.claim.line + _BESIDE - 1])
                    is_unsure = (one.prose, word) not in said or bool(to and to in _WORD.findall(beside))
                    found[one] = Fate(removal, now, word, is_unsure, perhaps)
        return found

    def _came_through(
        self, word: str, place: Place, alike: Mapping[str, Place], removals: Mapping[str, Moment]
    ) -> bool:
        """Whether all that a name stood for came through as it was but for that."""
        evidence, removal = self._ground.evidence, removals.get(word)
        if word not in alike or evidence is None:
            return False
        path, to = alike[word][0], simple_name(alike[word][1])
        before = evidence.version(f"{removal.commit}^" if removal else "HEAD", place[0])
        old = next((one for one in before.symbols if one.name == place[1]), None) if before else None
        after = self._ground.past.at(removal.commit, path) if removal else self._ground.tree.read_listed(path)
        if before is None or old is None or not after or old.line_start == old.line_end:
            return False  # what one line says, others say too
        body = "\n".join(before.text.split("\n")[old.line_start - 1 : old.line_end])
        return re.sub(rf"\b{re.escape(word)}\b", to, body).encode() in after.replace(b"\r\n", b"\n")

    def _has_rival(self, word: str, now: str) -> bool:
        """Whether another name has all words of an old one and more: a text may mean what is several by now."""
        wanted, came = parts_of(word), parts_of(now)
        alike = (one for one in self._words if all(part in one.lower() for part in wanted))
        return any(wanted < (has := parts_of(one)) and not came <= has and has.isdisjoint(_TRIED) for one in alike)

    def _was_there(self, word: str, begun: Moment, places: Sequence[Place]) -> bool:
        """Whether the code had a word when a text began to use it, or shortly after."""
        if not begun.commit:  # a learning, of which the day alone is known
            return True
        key = (word, begun.commit)
        if key not in self._found:
            files = sorted({f"*{posixpath.splitext(path)[1]}" for path, _ in places})
            later = ask_git(self._ground.root, "rev-list", "-1", f"--before={begun.time + SHORTLY}", "HEAD").output
            commits = {begun.commit, decode_path(later).strip() or begun.commit}
            asked = ("grep", "-qwF", "-e", word)
            answers = (ask_git(self._ground.root, *asked, one, "--", *files, fine=(0, 1)) for one in commits)
            self._found[key] = any(answer.status == 0 for answer in answers)
        return self._found[key]

    def _removals(self, files: Mapping[str, set[str]]) -> dict[str, Moment]:
        """Return the commits that took words out of the files that had them, wherever these were renamed to."""
        found: dict[str, Moment] = {}
        for _ in range(_MOST_RENAMES):
            found |= removed_words(self._ground.root, files, self._ground.lacking) if files else {}
            went = {word: self._ground.renamed(files[word], found[word].commit) for word in files if word in found}
            files = {word: paths for word, paths in went.items() if paths}
        return found

    def _holders(self, wanted: Collection[str], begun: Collection[Moment]) -> dict[str, tuple[str, list[str]]]:
        """Return the newest of some states that has a word in the project's own code, with the files that have it."""
        unchanged = blobs_of(self._ground.root, "HEAD")
        for path in self._ground.kernel.checkout.changed_since("HEAD"):
            unchanged.pop(path, None)
        seen = dict.fromkeys(unchanged.values(), frozenset[bytes]())  # what is missing is not in what is here
        asked = frozenset(word.encode() for word in wanted)
        holders: dict[str, tuple[str, list[str]]] = {}
        for commit in self._states(begun):
            by_word = defaultdict[str, list[str]](list)
            for path, blob in blobs_of(self._ground.root, commit).items():
                if language_of(path) is None or format_of(path) is not None or _APART.search(path):
                    continue
                if blob not in seen:
                    seen[blob] = asked.intersection(_TOKEN.findall((self._ground.past.blob(blob) or b"")[:_LARGEST]))
                for word in seen[blob]:
                    by_word[word.decode()].append(path)
            holders |= {word: (commit, paths) for word, paths in by_word.items() if word not in holders}
        return holders

    def _states(self, begun: Collection[Moment]) -> list[str]:
        """Return commits to look at, newest first: those in which many texts began, which then knew what they said."""
        times = sorted((one.time, one.commit) for one in begun if one.commit)
        step = max(1, len(times) / _MOST_SNAPSHOTS)
        chosen = {times[int(place * step)] for place in range(min(_MOST_SNAPSHOTS, len(times)))}
        return ["HEAD", *(commit for _, commit in sorted(chosen, reverse=True))]

    def _declaring(self, commit: str, path: str, name: str) -> Iterator[Place]:
        """Yield the symbols of this simple name that a file had."""
        source = self._ground.evidence.version(commit, path) if self._ground.evidence else None
        if source is None or looks_generated(source.text):  # what a program wrote it may write anew elsewhere
            return
        # Of fields and variables a name says too little: others have such a one too.
        yield from ((path, one.name) for one in source.symbols if simple_name(one.name) == name)

    def _is_meant(self, one: Said, name: str, places: Sequence[Place]) -> bool:
        """Whether a document means what was here: what it declares, imports or shows in another language is not."""
        word, text = re.escape(name), one.prose.text
        declares = r"(?:def|class|func|fn|function|const|let|var|val|type|struct|interface|enum)\s+"
        if re.search(rf"(?m){declares}{word}\b|[\"']{word}[\"']\s*[,):]|^[ \t>.]*{word} ?=(?!=)", text):
            return False
        imported = rf"from\s+([\w.]+)\s+import\s[^\n]{{0,200}}\b{word}\b"
        required = rf"import\s[^;\"']{{0,200}}\b{word}\b[^;\"']{{0,200}}\bfrom\s+[\"']([^\"']+)"
        for module in (*re.findall(imported, text), *re.findall(required, text)):
            root = re.split(r"[./]", module.strip("@$~#"))[0]
            if not module.startswith(".") and root not in self._programs and module not in self._packages:
                return False
        shown = _family(language_of(f"x.{one.claim.tool}") or one.claim.tool)
        if shown and shown not in {_family(language_of(path)) for path, _ in places}:
            return False
        _, *owners = reversed(one.claim.target.split("."))
        if one.claim.shown and not owners and all("::" in symbol for _, symbol in places):
            return False  # a member is not called by its name alone
        known = {folded(part) for path, symbol in places for part in (*re.split(r"[/.]", path), *symbol.split("::"))}
        return not owners or any(folded(owner) in known for owner in owners)


def _family(language: str | None) -> str:
    """Return what languages share whose names mean the same, empty for what is none."""
    return LANGUAGES[language].resolver if language in LANGUAGES else ""
