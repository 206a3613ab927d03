"""How often `doc:verify` is right, and how much of what people mended in documents it would have told before.

python -m benchmarks.prose findings CLONE…            every finding on these clones, to be judged, as JSON lines: as
                                                      they are, and as they were some years before
python -m benchmarks.prose mine CLONE… > cases.jsonl  commits that mend a stale path or name in a document
python -m benchmarks.prose recall < cases.jsonl       which of them are told at the parent of that commit

A case is one line that a commit took away and one that it put in its place, which differ in a path or a name: the old
one is not in the parent's tree but was in an older one (a name when the document began to have it), the new one is
there. Clones are checked out at the parent, so that no later commit is known.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

from tx_graph import open_workspace
from tx_graph.core.repository import GitRepository
from tx_graph.documents.claims.reading import is_checked
from tx_graph.documents.claims.verifying import ProseReport
from tx_graph.history.departed import blobs_of
from tx_graph.history.past import Past

_MENDS = re.compile(
    r"fix|correct|updat|broken|stale|outdated|dead|typo|wrong|renam|repair|link|path|docs?\b|readme|refer",
    re.IGNORECASE,
)
_CHANGELOG = re.compile(
    r"(?:^|/)(?:changelog|changes|history|news|releases?)[^/]*$|changelog/|/releases?/", re.IGNORECASE
)
_TOKEN = re.compile(r"[\w./@+-]*\w/?")
_NAME = re.compile(r"[A-Za-z]\w*_\w+|[a-z]+(?:[A-Z][a-z\d]*)+|[A-Z][a-z\d]+(?:[A-Z][a-z\d]*)+|--[a-z][a-z-]+")
_MOST_OF_ONE = 5  # cases of one commit
_MOST_BESIDE = 3  # tokens beside each other that changed
_LEAST_NAME = 5
_COMPOUND = re.compile(rb"\w+_\w+|[A-Za-z\d]*[a-z\d][A-Z]\w*|[a-z]+(?:-[a-z]+)+")
_STATES = 9  # of the history, in which words are looked up before git is asked
_LARGEST = 1_000_000  # bytes of a file in which words are looked up
_ENDINGS = (".md", ".rst", ".mdx", ".txt", ".json", ".lock", ".svg", ".snap")
_DOCUMENTS = ("*.md", "*.rst", "*.mdx", "*.txt")
_PLAIN = re.compile(r"(?:^|/)(?:readme|install|contributing|hacking)[^/]*\.txt$|(?:^|/)docs?/", re.IGNORECASE)
"""Plain text that is prose: others may be lists or programs, such as CMakeLists.txt."""
_FIXED = re.compile(r"/(?:blob|tree)/[\da-f]{7,40}/")  # a link to one commit leads there for ever
_YEARS = (0, 2, 4.5)  # before the last commit; what is told twice counts once
_YEAR = 365.25 * 24 * 3600  # seconds


def git(root: Path, *arguments: str) -> str:
    """Return what git prints; nothing where it fails."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


def mine(root: Path) -> Iterator[dict[str, str]]:
    """Yield the cases of one repository, at most five of one commit."""
    log = (
        "log",
        "--no-merges",
        "-p",
        "-U0",
        "--no-renames",
        "--no-ext-diff",
        "--format=%x00%H %ct%x01%s",
        "HEAD",
        "--",
    )
    removed = set(
        git(root, "log", "--no-merges", "--no-renames", "--diff-filter=D", "--name-only", "--format=").split("\n")
    )
    states = _states(root)
    for record in git(root, *log, *_DOCUMENTS).split("\0")[1:]:
        head, _, patch = record.partition("\n")
        about, _, subject = head.partition("\1")
        commit, time = about.split()
        found = list(_replaced(patch)) if _MENDS.search(subject) else []
        if not found:
            continue
        files = set(git(root, "ls-tree", "-r", "-z", "--name-only", f"{commit}^").split("\0"))
        told: set[tuple[str, str]] = set()
        for document, line, old, new in found:
            is_prose = not document.endswith(".txt") or _PLAIN.search(document)
            if (
                not is_prose
                or _CHANGELOG.search(document)
                or len(told) >= _MOST_OF_ONE
                or (document, posixpath.basename(old)) in told
            ):
                continue
            is_path = _is_stale_path(document, old, new, files, removed)
            is_name = not is_path and _may_be_stale(states, int(time), old, new)
            if is_path or (is_name and _is_stale_name(root, commit, document, old, new)):
                told.add((document, posixpath.basename(old)))
                yield {
                    "kind": "path" if is_path else "name",
                    "repository": str(root),
                    "commit": commit,
                    "subject": subject,
                    "document": document,
                    "line": line,
                    "old": old,
                    "new": new,
                }


def _states(root: Path) -> list[tuple[int, frozenset[bytes]]]:
    """Return the compound words of the files that are no documents at some times, oldest first."""
    commits = git(root, "log", "--first-parent", "--reverse", "--format=%H %ct").split("\n")[:-1]
    seen: dict[str, frozenset[bytes]] = {}
    found = []
    with Past(GitRepository(root)) as past:
        for place in range(_STATES):
            commit, time = commits[(len(commits) - 1) * place // (_STATES - 1)].split()
            words: set[bytes] = set()
            for path, blob in blobs_of(root, commit).items():
                if not path.endswith(_ENDINGS):
                    if blob not in seen:
                        seen[blob] = frozenset(_COMPOUND.findall((past.blob(blob) or b"")[:_LARGEST]))
                    words |= seen[blob]
            found.append((int(time), frozenset(words)))
    return found


def _may_be_stale(states: list[tuple[int, frozenset[bytes]]], time: int, old: str, new: str) -> bool:
    """Whether some state had the old word, and the next one after a time has the new one alone."""
    mended, stale = new.removeprefix("--").encode(), old.removeprefix("--").encode()
    after = next((words for then, words in states if then >= time), states[-1][1])
    return any(stale in words for then, words in states if then < time) and stale not in after and mended in after


def _replaced(patch: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield (document, old line, old token, new token) where a hunk changed tokens of lines one by one."""
    for part in patch.split("\ndiff --git ")[0:]:
        document = next((line[6:] for line in part.split("\n") if line.startswith("+++ b/")), "")
        for hunk in part.split("\n@@")[1:]:
            lines = hunk.split("\n")[1:]
            old, new = ([line[1:] for line in lines if line.startswith(sign)] for sign in "-+")
            if len(old) != len(new) or not document:
                continue
            for before, after in zip(old, new, strict=True):
                mine, others = _TOKEN.findall(before), _TOKEN.findall(after)
                matcher = SequenceMatcher(None, mine, others, autojunk=False)
                for tag, a, b, c, d in matcher.get_opcodes():
                    if tag == "replace" and b - a == d - c <= _MOST_BESIDE:
                        for was, now in zip(mine[a:b], others[c:d], strict=True):
                            yield document, before, was.rstrip("."), now.rstrip(".")


def _places(document: str, token: str) -> set[str]:
    bare = token.strip("/")
    own = posixpath.normpath(posixpath.join(posixpath.dirname(document), token.lstrip("/")))
    inner = re.sub(r"^.*?github\.com/[\w.-]+/[\w.-]+/(?:blob|tree)/\w+/", "", bare)
    return {posixpath.normpath(bare), own, inner}


def _is_stale_path(document: str, old: str, new: str, files: set[str], removed: set[str]) -> bool:
    if ("/" not in old and "." not in old) or _FIXED.search(old):
        return False
    above = {posixpath.dirname(path) for path in files}
    if any(place in files or place in above for place in _places(document, old)):
        return False
    was = any(place in removed for place in _places(document, old))
    return was and any(place in files or place in above for place in _places(document, new))


def _is_stale_name(root: Path, commit: str, document: str, old: str, new: str) -> bool:
    if not (_NAME.fullmatch(old) and _NAME.fullmatch(new)) or len(old) < _LEAST_NAME:
        return False
    is_stale = not _has(root, f"{commit}^", old) and _has(root, f"{commit}^", new)
    return is_stale and _was_true(root, commit, document, old)


def _has(root: Path, commit: str, word: str) -> bool:
    """Whether a file that is no document has a word."""
    return bool(git(root, "grep", "-lwF", "-e", word, commit, "--", ".", *(f":!{glob}" for glob in _DOCUMENTS)))


def _was_true(root: Path, commit: str, document: str, word: str) -> bool:
    """Whether the code had a word when a document began to have it."""
    said = git(root, "log", "--format=%H", f"-S{word}", f"{commit}^", "--", document).split()
    return bool(said) and _has(root, said[-1], word)


def recall(cases: list[dict[str, str]]) -> None:
    """Print each case with whether it was told, and the sum on stderr."""
    told: Counter[str] = Counter()
    for (root, commit), group in groupby(cases, key=lambda one: (Path(one["repository"]), one["commit"])):
        several = list(group)
        git(root, "checkout", "-q", "-f", "--detach", f"{commit}^")
        (root / ".tx").mkdir(exist_ok=True)
        checked = (case["document"] for case in several if is_checked(case["document"]))
        documents = {path for path in checked if (root / path).is_file() and not (root / path).is_symlink()}
        with open_workspace(root) as workspace:
            report = workspace.documents.verify(*documents, doubtful=True) if documents else ProseReport(findings=())
        for case in several:
            old = case["old"].strip("/")
            mine = [one for one in (*report.findings, *report.doubtful) if one.document == case["document"]]
            found = [one for one in mine if old in one.written or one.written in case["old"]]
            case["told"] = found[0].verdict.value if found else "" if is_checked(case["document"]) else "not looked at"
            case["moved_to"] = (found[0].moved_to or "") if found else ""
            told[f"{case['kind']}, {case['told'] or 'not told'}"] += 1
            print(json.dumps(case), flush=True)
    print(dict(sorted(told.items())), file=sys.stderr)


def findings(root: Path) -> None:
    """Print every finding with its line, and the processor time on stderr."""
    (root / ".tx").mkdir(exist_ok=True)
    tip, last = git(root, "log", "-1", "--format=%H %ct").split()
    told: set[tuple[str, str]] = set()
    for years in _YEARS:
        then = int(last) - int(years * _YEAR)
        commit = git(root, "rev-list", "-1", "--first-parent", f"--before={then}", tip).strip()
        if not commit:
            break
        git(root, "checkout", "-q", "-f", "--detach", commit)
        before = sum(os.times()[:4])
        with open_workspace(root) as workspace:
            report = workspace.documents.verify()
        took = sum(os.times()[:4]) - before
        for one in report.findings:
            if one.removal is None or (one.document, one.target) in told:
                continue  # nothing is uncommitted here: what was not checked out, this clone lacks
            told.add((one.document, one.target))
            line = (root / one.document).read_text("utf-8", "replace").split("\n")[one.line - 1].strip()
            print(json.dumps({"repository": root.name, "at": commit, "text": line, "told": one.told, **one.to_dict()}))
        print(root.name, years, report.summary, f"{took:.1f} s", file=sys.stderr)
    git(root, "checkout", "-q", "-f", "--detach", tip)


if __name__ == "__main__":
    action, *clones = sys.argv[1:]
    if action == "recall":
        recall([json.loads(line) for line in sys.stdin])
    for clone in clones:
        if action == "findings":
            findings(Path(clone))
        else:
            for case in mine(Path(clone).resolve()):
                print(json.dumps(case), flush=True)
