"""Paths and links that prose claims to lead somewhere."""

from __future__ import annotations

import math
import os
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache, cached_property

from tx_graph.code.languages import language_of
from tx_graph.core.git import ask_git, decode_path
from tx_graph.documents.claims.ground import Fate, Ground, Said, above, by_last
from tx_graph.documents.claims.reading import ENDINGS, Claim, folded, is_telling
from tx_graph.history.departed import Moment

_MOST_IN_DIRECTORY = 200  # files of a directory that are followed to tell where it went
_MOST_RENAMES = 5  # of a file before it went
_OFTEN = 5  # commits that change a document that is no record
_MANY = 5  # files of one name, which then says little of what is in them
_FLOOD = 20  # pages that one commit took away
_ANY = ("index", "_index", "readme", "main", "mod", "__init__")  # names that say nothing of what is in a file
_FORMER = "^ *(- +[^ ]*/[^ ]* *(#.*)?|(aliases|redirect_from|slug|permalink) *[:=] *[^ ].*)$"
_FORMER_PATH = re.compile(r"(?<![\w./-])[\w./-]*\w[\w./-]*")
_LANGUAGES = ("en", "en-us", "en-US", "zh", "zh-cn", "zh-CN", "ja", "ko", "de", "fr", "es")
_GENERATED = re.compile(r"\b(?:auto-?)?generated?\b", re.IGNORECASE)  # what is made anew need not be tracked
# A link, by what it is shown as.
_SHOWN = re.compile(r"(?:\[(?P<label>[^\[\]]{1,80})\]\(|`(?P<text>[^`<>]{1,80}) <)(?P<to>[^()<>\s]+)")
_NAMED = re.compile(r"`(?P<marked>\w+)(?:\(\))?`|(?P<bare>\w+)")
_CARRIED = re.compile(r"(?:^|/)(?:_?vendor|node_modules|(?:third|3rd)[_-]?party)/")  # what others take away
_ASIDE = re.compile(
    r"(?:^|[/._ -])"
    r"(?:archived?|archives|attic|backups?|bak|closed|completed|contrib|deprecated|disabled|done|finished|legacy|obsolete"
    r"|old|orig|retired|unused)"
    r"(?:[/._ -]|$)",
    re.IGNORECASE,
)
"""Paths of what was put aside rather than moved."""
_SERVED = re.compile(r"(?:^|(?<=/))(?:public|static|themes?)/")  # whose contents a site has at its root
_MOST_CHANGED = 0.5  # the share of a file's lines that are others where it went, of what a link leads to
_MOST_REWORDED = 0.05  # and of what is said in words, which mean what is in it, under another path
_VARIANT = re.compile(r"(?<=\w)[-_.][^\W_]+(?=\.\w+$)")
_ORDER = re.compile(r"(?:^|(?<=/))\d+[-_. ]+")


class Paths:
    """Holds paths against the files that are here, and were."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def holds(self, claim: Claim) -> bool:
        """Whether a path leads to something, be it by what a generator of sites makes of it, or is the reader's own."""
        ground, tree = self._ground, self._ground.tree
        if claim.target.startswith(f".{posixpath.basename(ground.project) or ground.root.name}/"):
            return True  # what a program keeps in the repositories of those that use it
        for place in claim.places:
            if place in ground.files or place in ground.directories or tree.exists(place) or tree.is_directory(place):
                return True
            stem, dot, ending = place.rpartition(".")
            languages = (f"{stem}.{language}{dot}{ending}" for language in _LANGUAGES if stem)
            if os.path.islink(ground.root / place) or not ground.files.isdisjoint(languages):
                return True  # wherever that leads, and a site has pages in several languages
        if claim.branch and ground.has_elsewhere(claim.branch, claim.target):
            return True
        if _is_whole(claim) and "." in posixpath.basename(claim.target):
            return False
        stem, ending = posixpath.splitext(posixpath.basename(claim.target.strip("/")))
        if stem + ending in self._pages:
            return True  # generators of sites put pages of many directories into one
        if claim.is_link and not ending and self._is_numbered(claim):
            return True
        return self.is_elsewhere(claim) and ground.removed.keys().isdisjoint(claim.places)

    def is_elsewhere(self, claim: Claim) -> bool:
        """Whether a path is there below another root: what was at its own holds unless it is proven to have gone."""
        ground = self._ground
        if _is_whole(claim) and "." in posixpath.basename(claim.target):
            return False
        bare = posixpath.normpath(claim.target.strip("/"))
        parts = bare.split("/")
        tails = ["/".join(parts[place:]) for place in range(1, len(parts) - 1)]
        # A site has its own root, and may look for a link from there, too.
        ends = [bare]
        if claim.is_link and not claim.target.startswith("/"):
            ends = [place for place in (*claim.places, bare) if "/" in place]
            tails += [f"{one}/{bare}" for one in above(claim.places)]
            if "mix.exs" in ground.by_name:  # what makes documents of Elixir finds pages by their names
                ends.append(posixpath.basename(bare))
        alike = ((f"/{one}", f"/{end}") for end in ends for one in ground.by_name.get(posixpath.basename(end), ()))
        is_below = any(one.endswith(end) for one, end in alike) or any(tail in ground.files for tail in tails)
        numbered = {_ORDER.sub("", place) for place in claim.places} if claim.is_link and _ORDER.search(bare) else set()
        return is_below or not self._variants.isdisjoint(claim.places) or not self._unnumbered.isdisjoint(numbered)

    @cached_property
    def _variants(self) -> frozenset[str]:
        """What pages may be served as that are here in several versions: `setup.md` for `setup-js.md`."""
        found = (_VARIANT.sub("", path) for path in self._ground.files if path.endswith(ENDINGS))
        return frozenset(path for path in found if posixpath.splitext(posixpath.basename(path))[1])

    @cached_property
    def _unnumbered(self) -> frozenset[str]:
        """What pages are called where a site leaves numbers out and shows a directory's own page under its name."""
        pages = [_ORDER.sub("", path) for path in self._ground.files if path.endswith(ENDINGS)]
        own = (f"{posixpath.dirname(path)}.md" for path in pages if stem(path) in _ANY)
        return frozenset((*pages, *own))

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
        for path in self._ground.files:
            if _ORDER.match(posixpath.basename(path)):
                found[posixpath.dirname(path)].append(posixpath.basename(path))
        return found

    def lost(self, missing: Mapping[Said, Moment]) -> dict[Said, Fate]:
        """Return what became of paths that were here, each as the one file or directory that it can mean."""
        removed, evidence = self._ground.removed, self._ground.evidence
        meant = {one: max(several, key=self._left_at) for one in missing if (several := self._meant(one))}
        last = {path: self._last_path(path) for path in set(meant.values())}
        ignored = self._ignored({*last, *last.values(), *(place for one in meant for place in one.claim.places)})
        meant = {
            one: path
            for one, path in meant.items()
            if ignored.isdisjoint((path, last[path], *one.claim.places)) and not self._is_inside(one)
        }
        below = {path: self._below(path) for path in meant.values() if path not in removed}
        asked = {path for path in meant.values() if path in removed}.union(*below.values())
        went: dict[str, str] = {}
        if evidence and asked:
            evidence.prepare((), gone=asked)
            went = {path: now for path in asked if (now := evidence.new_path(path))}
        unfollowed = evidence.unfollowed if evidence else set()
        found = {}
        for one, path in meant.items():
            places = self._places_now(one, path, missing[one], below.get(path), went)
            if places is None:
                continue
            now, perhaps = places
            # A text whose root is another one would say so, and name that.
            new = now or perhaps
            root = new.removesuffix(f"/{path}") if new.endswith(f"/{path}") else ""
            may_be_there = one.claim.is_link or not root or root in one.prose.text
            removal = self._removal(path)
            is_served = _SERVED.sub("", new) == path
            is_unsure = one.claim.is_unsure or is_served or (may_be_there and self.is_elsewhere(one.claim))
            is_unsure = is_unsure or not unfollowed.isdisjoint(below.get(path, (path,)))
            if one.prose.is_translated and path.endswith(ENDINGS) and not _is_whole(one.claim):
                # Sites have pages that are not translated as they were written.
                is_unsure = is_unsure or posixpath.basename(path) in self._ground.by_name
            if not one.claim.is_link and not is_unsure:
                is_unsure = _CARRIED.search(path) is not None or self._is_left(one.prose.path, removal)
            has_end = not now and not perhaps and path in removed and last[path] != path
            end = Fate(self._removal(last[path]), was=last[path]) if has_end else None
            found[one] = Fate(removal, now, path, is_unsure, perhaps, end)
        found = {
            one: fate for one, fate in found.items() if not (fate.removal and _GENERATED.search(fate.removal.subject))
        }
        found = self._without_records(_without_floods(self._together(found, missing)))
        led = self._led_on({fate.was for one, fate in found.items() if _is_route(one.claim)})
        return {one: fate for one, fate in found.items() if not (_is_route(one.claim) and fate.was in led)}

    def _places_now(
        self, one: Said, path: str, begun: Moment, below: Sequence[str] | None, went: Mapping[str, str]
    ) -> tuple[str, str] | None:
        """Return where a path is now for certain, and where it may be else; None where a directory's is in doubt."""
        if below is None:
            new = self._new_path(one, path, went.get(path), begun)
            now = new if new and _is_kept(path, new) and self._has_stayed(one.claim, path, new) else ""
            now = now or self._by_small.get(path.lower(), "")  # in other letters it is there
            perhaps = "" if now else new or went.get(path, "")
        elif (directory := _new_directory(path, below, went)) is None:
            return None
        else:
            at_last = {file for file in below if self._ground.removed[file] == self._removed_directories[path]}
            has_moved = not at_last.isdisjoint(went)  # else the last of it was deleted
            is_alike = folded(posixpath.basename(directory)) == folded(posixpath.basename(path))
            is_certain = has_moved and is_alike and _is_kept(path, directory)
            # What each of several projects has now, none has alone.
            root, name = f"{posixpath.dirname(path)}/".lstrip("/"), f"/{posixpath.basename(directory)}"
            others = (one for one in self._ground.directories if one.startswith(root) and one.endswith(name))
            is_certain = is_certain and all(one == directory for one in others)
            now, perhaps = (directory, "") if is_certain else ("", directory)
        beside = posixpath.join(one.prose.directory, posixpath.basename(now))
        if now and stem(now) not in _ANY and now != beside and beside in self._ground.files:
            now = ""  # copied text speaks of what went with the original, and means its own
        return now, perhaps

    @cached_property
    def _pages(self) -> frozenset[str]:
        """Names of pages that a site makes of documents and notebooks, or whose files say that: `setup.html.erb`."""
        found: set[str] = set()
        for stem, ending in map(posixpath.splitext, self._ground.by_name):
            found |= {f"{stem}.html"} if ending in (*ENDINGS, ".ipynb") else set()
            found |= {f"{stem}{one}" for one in ENDINGS} if ending == ".ipynb" else set()
            found |= {f"{stem.partition('.html')[0]}.html"} if ".html" in stem else set()
        return frozenset(found)

    def _led_on(self, paths: Collection[str]) -> set[str]:
        """Return those of some paths from which a site leads on.

        A page says in its front matter what it was called, or the site's configuration has the path.
        """
        if not paths:
            return set()
        pages = [f"*{ending}{more}" for ending in ENDINGS for more in ("", ".erb")]
        lines = decode_path(ask_git(self._ground.root, "grep", "-hIE", _FORMER, "--", *pages, fine=(0, 1)).output)
        parts = (re.split(r"[:=]|^ *-", line, maxsplit=1) for line in lines.split("\n"))
        former = {
            (path, key) for key, *rest in parts for path in _FORMER_PATH.findall("".join(rest).partition(" #")[0])
        }
        routes = {_route(path) for path, _ in former}
        ends = {_route(path) for path, key in former if key or path.startswith((".", "/"))}  # else it is any list's
        longer = {f"/{route}" for path in paths if "/" in (route := _route(path))}
        elsewhere = self._grep(longer, *(f":(exclude){page}" for page in pages), is_any_case=True)
        set_up = {word.strip("/").lower() for _, word in elsewhere}
        names = {posixpath.basename(_route(path)) for path in paths} - {""}
        ends |= {word.lower() for _, word in self._grep(names, ":(icase)*redirect*", "*conf.py", is_any_case=True)}
        return {
            path
            for path in paths
            if (route := _route(path)) in routes or route in set_up or route.rpartition("/")[2] in ends
        }

    def _is_left(self, document: str, removal: Moment | None) -> bool:
        """Whether the commit that took something changed the document as well, and left there what it says of that."""
        if removal is None or self._ground.evidence is None:
            return False
        changed = {new for _, new in self._ground.evidence.altered(removal.commit) if new}
        name = posixpath.basename(document)
        former = (one for one in changed - self._ground.files if posixpath.basename(one) == name)
        return document in changed or any(former)

    def _together(self, found: Mapping[Said, Fate], begun: Mapping[Said, Moment]) -> dict[Said, Fate]:
        """Return what became of what was there where a text began to speak of it, or came where that led to.

        Histories of several projects may have been joined: each had a root, and files there that the others never had.
        """
        asked = {one: (begun[one].commit, fate.was) for one, fate in found.items() if begun[one].commit}
        had, leads_to = self._ground.had(asked.values()), cache(self._ground.leads_to)
        return {
            one: fate
            for one, fate in found.items()
            if not fate.removal
            or one not in asked
            or asked[one] in had
            or leads_to(begun[one].commit, fate.removal.commit)
        }

    def _without_records(self, found: Mapping[Said, Fate]) -> dict[Said, Fate]:
        """Return what became of paths; in doubt is what is said in words by documents that hardly anybody changes."""
        said = {one.prose.path for one in found if not (one.claim.is_link or one.learning or one.prose.is_instruction)}
        records = {path for path in said if not self._ground.is_changed_often(path, _OFTEN)}
        return {
            one: fate._replace(is_unsure=fate.is_unsure or (one.prose.path in records and not one.claim.is_link))
            for one, fate in found.items()
        }

    def _is_inside(self, one: Said) -> bool:
        """Whether a path is there from a directory that the document is in: a project in it has its root, too."""
        inside = (f"{directory}/{one.claim.target}" for directory in above([one.prose.path]))
        here = (self._ground.files, self._ground.directories)
        return not one.claim.is_link and any(place in paths for place in inside for paths in here)

    def made(self, fates: Mapping[Said, Fate]) -> set[Said]:
        """Return what means paths that code still speaks of: a program may make or fetch what is not tracked."""
        # Of what went elsewhere, code has the old path as wrong as a link to it.
        asked = {one: fate.was for one, fate in fates.items() if not (one.claim.is_link and (fate.now or fate.perhaps))}
        named = {path: posixpath.split(path) for path in asked.values()}
        ends = {path: "/".join(path.split("/")[-2:]) for path in named}
        wanted = {*ends.values(), *(name for _, name in named.values())}
        code = self._grep(wanted, *(f":(exclude,icase)*{ending}" for ending in ENDINGS))
        found = {(posixpath.dirname(path), word) for path, word in code}
        words = {word for _, word in found}
        made = {
            path
            for path, (_, name) in named.items()
            if ends[path] in words
            or named[path] in found
            # What is no code, a program may write from the name of the file alone.
            or (name in words and not (language_of(path) or path.endswith(ENDINGS)))
        }
        return {one for one, path in asked.items() if path in made}

    def _grep(self, words: Collection[str], *where: str, is_any_case: bool = False) -> set[tuple[str, str]]:
        """Return the files of some pathspecs that have some words, each with the word as it stands there."""
        if not words:
            return set()  # git would take an empty question for every line
        asked = ("grep", "-oIwFzi" if is_any_case else "-oIwFz", "-f", "-", "--", *where)
        question = "\n".join(words).encode("utf-8", "surrogateescape")
        lines = decode_path(ask_git(self._ground.root, *asked, fine=(0, 1), question=question).output).split("\n")
        return {(path, word) for path, _, word in (line.partition("\0") for line in lines)}

    def _meant(self, one: Said) -> Sequence[str]:
        """Return the paths of the past that a claim may mean."""
        claim, removed = one.claim, self._ground.removed
        # What begins with a slash, the host looks for in the root; a site may have it from anywhere.
        places = (claim.target.strip("/"),) if claim.target.startswith("/") else claim.places
        gone = self._removed_directories
        # `owner/name` is how images, repositories and packages go, too.
        direct = [one for one in places if one in removed or (one in gone and (claim.is_link or one.count("/") > 1))]
        name = posixpath.basename(one.prose.path)
        is_moving = not claim.target.startswith(("/", "http")) and stem(name) not in ("readme", "index", "_index")
        if not direct and claim.is_link and is_moving:  # from where the document was before it moved
            homes = {posixpath.dirname(path) for path in self._removed_by_name.get(name, ())}
            former = {posixpath.normpath(posixpath.join(home, claim.target)) for home in homes}
            direct = [place for place in former if place in removed]
            return direct if len(direct) == 1 else []
        return direct

    @cached_property
    def _removed_directories(self) -> dict[str, Moment | None]:
        """Directories that are not here any more, with the commit that took the last of their files."""
        found: dict[str, Moment | None] = {}
        for path, removal in sorted(self._ground.removed.items(), key=lambda one: self._left_at(one[0])):
            found |= dict.fromkeys(above([path]) - self._ground.directories, removal)
        return found

    @cached_property
    def _by_small(self) -> dict[str, str]:
        return {path.lower(): path for path in self._ground.files}

    @cached_property
    def _by_stem(self) -> Counter[str]:
        return Counter(map(stem, self._ground.files))

    @cached_property
    def _removed_by_name(self) -> dict[str, list[str]]:
        return by_last(self._ground.removed)

    def _removal(self, path: str) -> Moment | None:
        return self._ground.removed[path] if path in self._ground.removed else self._removed_directories[path]

    def _last_path(self, path: str) -> str:
        """Return what a file was called when it went for good, after commits that renamed it."""
        for _ in range(_MOST_RENAMES):
            removal = self._removal(path)
            files = {path} if path in self._ground.removed else set(self._below(path))
            went = self._ground.renamed(files, removal.commit) & self._ground.removed.keys() if removal else set()
            if not went:
                break
            path = max(went, key=self._left_at)
        return path

    def _left_at(self, path: str) -> float:
        """Return when a path left, in seconds since the epoch: an uncommitted one leaves now."""
        removal = self._removal(path)
        return removal.time if removal else math.inf

    def _new_path(self, one: Said, path: str, renamed: str | None, begun: Moment) -> str:
        """Return where a file is now: where git's renames lead, unless the only page that came under its name is here.

        Its ending may be another one. Git pairs by likeness: what has another name, too, may be another thing by now.
        """
        removal, evidence = self._ground.removed[path], self._ground.evidence
        altered = evidence.altered(removal.commit) if removal and evidence else []
        is_same = renamed is not None and self._is_same(path, altered)
        came = [new for old, new in altered if new and new != old and stem(new) == stem(path)]
        here = [new for new in came if new in self._ground.files]
        if renamed and stem(renamed) == stem(path):
            is_common = len(self._ground.by_name.get(posixpath.basename(path), ())) > _MANY
            others, ending = [new for new in here if new != renamed], posixpath.splitext(renamed)[1]
            is_beside = any(posixpath.dirname(new) == posixpath.dirname(path) for new in others)
            is_split = any(
                posixpath.dirname(new) == posixpath.dirname(renamed) and new.endswith(ending) for new in others
            )
            if not (is_beside or is_split) and (not is_common or is_same):
                return renamed if self._is_meant_there(one, path, renamed, begun) else ""
        if here:  # what git does not pair is told by a name that no other file has; pages are written anew most often
            are_pages = path.endswith(ENDINGS) and here[0].endswith(ENDINGS)
            # What came through as it was is the page, under whatever name.
            is_told = here[0] == renamed or (are_pages and not is_same and self._by_stem[stem(path)] == 1)
            return here[0] if len(came) == 1 and is_told else ""
        if not renamed:
            return ""
        is_near = posixpath.dirname(renamed) == posixpath.dirname(path)
        is_certain = _is_alike(path, renamed) or (is_same and is_near and self._is_single(renamed))
        return renamed if is_certain else ""

    def _is_meant_there(self, one: Said, path: str, now: str, begun: Moment) -> bool:
        """Whether a file still has what a text says of it, and the name of code that a link to it is shown as."""
        line = one.prose.lines[one.claim.line - 1]
        links = _SHOWN.finditer(line)
        shown = next((link["label"] or link["text"] for link in links if one.claim.written in link["to"]), "")
        names, said = _names_in(shown), _names_in(line.replace(one.claim.written, " "))
        if not names and not said:
            return True
        content = self._ground.tree.read_listed(now) or b""
        is_shown = not names or any(name.encode() in content or folded(name) == folded(stem(now)) for name in names)
        left = [name for name in said if name.encode() not in content]
        before = (self._ground.past.at(begun.commit or "HEAD", path) or b"") if left else b""
        return is_shown and not any(name.encode() in before for name in left)

    def _has_stayed(self, claim: Claim, path: str, now: str) -> bool:
        """Whether a file still holds most of what it held when it went from a path: else it may be another thing.

        Pages are written anew, and links mean them by their names.
        """
        if claim.is_link and path.endswith(ENDINGS):
            return True
        before, after = self._held(path) or b"", self._ground.tree.read_listed(now) or b""
        first, second = Counter(before.split(b"\n")), Counter(after.split(b"\n"))
        changed = 1 - (first & second).total() / max(first.total(), second.total())
        is_same_place = claim.is_link or now.endswith(f"/{path}")  # below another root, as all that is there
        return changed <= (_MOST_CHANGED if is_same_place else _MOST_REWORDED)

    def _is_single(self, path: str) -> bool:
        """Whether no file beside one begins with the same word: of several versions one is not what the old one was."""
        words = [one for one in re.split(r"[\W_\d]+", stem(path)) if one][:1]
        directory = posixpath.dirname(path)
        beside = (one for one in self._ground.files if posixpath.dirname(one) == directory and one != path)
        return not words or not any(stem(one).startswith(words[0]) for one in beside)

    def _is_same(self, path: str, altered: Collection[tuple[str | None, str | None]]) -> bool:
        """Whether the commit that renamed a file left what it holds as it was."""
        removal, new = self._ground.removed[path], next((new for old, new in altered if old == path and new), None)
        if removal is None or new is None:
            return removal is None
        return self._held(path) == self._ground.past.at(removal.commit, new)

    def _held(self, path: str) -> bytes | None:
        """Return what a file held when it went from a path."""
        removal = self._ground.removed[path]
        return self._ground.past.at(f"{removal.commit}^" if removal else "HEAD", path)

    def _below(self, directory: str) -> list[str]:
        return [path for path in self._ground.removed if path.startswith(f"{directory}/")][:_MOST_IN_DIRECTORY]

    def _ignored(self, paths: Collection[str]) -> frozenset[str]:
        """Return those of some paths that git ignores: what is made here is not tracked any more, but not gone."""
        if not paths:
            return frozenset()
        question = "".join(f"{path}\0" for path in sorted(paths)).encode("utf-8", "surrogateescape")
        options = ("check-ignore", "-z", "--stdin", "--no-index")
        answer = ask_git(self._ground.root, *options, fine=(0, 1, 128), question=question)
        return frozenset(filter(None, decode_path(answer.output).split("\0")))


def _without_floods(found: Mapping[Said, Fate]) -> dict[Said, Fate]:
    """Return what became of paths; in doubt where one commit took many pages that are still linked to.

    A program writes such pages, and those that link to them, or they are being written anew.
    """
    pages: defaultdict[Moment | None, set[str]] = defaultdict(set)
    for one, fate in found.items():
        if one.claim.is_link and not fate.now and fate.was.endswith(ENDINGS):
            pages[fate.removal].add(fate.was)
    return {
        one: fate._replace(is_unsure=True)
        if len(pages[fate.removal]) >= _FLOOD and fate.was in pages[fate.removal]
        else fate
        for one, fate in found.items()
    }


def _names_in(text: str) -> list[str]:
    """Return the words of a text that are marked as code, or whose writing tells them from words."""
    words = ((found["marked"], found["bare"]) for found in _NAMED.finditer(text))
    return [marked or bare for marked, bare in words if marked or is_telling(bare)]


def _is_kept(old: str, new: str) -> bool:
    """Whether what moved is as good as it was, rather than carried along or put aside."""
    return all(not aside.search(new) or aside.search(old) for aside in (_CARRIED, _ASIDE))


def _is_whole(claim: Claim) -> bool:
    """Whether a claim is a link that has the whole path, as those to this repository on its host have."""
    return claim.is_link and claim.places == (claim.target,)


def _is_route(claim: Claim) -> bool:
    """Whether a claim is a link to a page of a site rather than to a file."""
    return claim.is_link and not _is_whole(claim) and posixpath.splitext(claim.target)[1] in ("", ".html", ".htm")


def _route(path: str) -> str:
    """Return the end of a path by which a site's pages are told apart."""
    parts = [part for part in path.split("/") if part.strip(".")]
    if parts and stem(parts[-1]) in _ANY:
        parts.pop()
    return "/".join((*parts[-2:-1], stem(parts[-1]))).lower() if parts else ""


def stem(path: str) -> str:
    """Return the name of a file without its endings, in small letters."""
    return posixpath.basename(path).partition(".")[0].lower()


def _is_alike(old: str, new: str) -> bool:
    """Whether two files or directories are called the same but for how it is spelled: `set-up.md`, `setup/index.md`."""
    first, second = (stem(posixpath.dirname(one) if stem(one) in _ANY else one) for one in (old, new))
    return folded(first) == folded(second)


def _new_directory(old: str, below: Sequence[str], now: Mapping[str, str]) -> str | None:
    """Return where most files of a directory are now, empty where none is here, None where that is in doubt."""
    ends = {path: path[len(old) :] for path in now.keys() & below}
    went = Counter(now[path].removesuffix(end) if now[path].endswith(end) else "" for path, end in ends.items())
    if not went:
        return ""
    directory, count = went.most_common(1)[0]
    return directory if count * 2 > went.total() and went.total() * 2 >= len(below) else None


def written_anew(claim: Claim, fate: Fate, document: str) -> str | None:
    """Return how a path is written that leads to where it is now, None where that is not certain."""
    target, old = claim.target, fate.was
    if not claim.written.endswith(target):
        return None
    lead = claim.written[: len(claim.written) - len(target)]
    new = None
    if old == posixpath.normpath(target) or (target.startswith("/") and target.strip("/") == old):
        new = f"{'/' if target.startswith('/') else ''}{fate.now}"
    elif posixpath.normpath(posixpath.join(posixpath.dirname(document), target)) == old:
        near = posixpath.relpath(fate.now, posixpath.dirname(document) or ".")
        new = f"./{near}" if target.startswith("./") and not near.startswith(".") else near
    return None if new is None else f"{lead}{new}"
