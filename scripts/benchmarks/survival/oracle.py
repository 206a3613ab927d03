"""What people said became of Java's methods, held against the verifier: CodeTracker's oracle of moves with edits.

The oracle is the folder `src/main/resources/oracle/method` of https://github.com/jodavimehran/code-tracker. A case is a
commit in which a method went to another file and was edited, by the oracle's own words: anchored at the parent,
verified at the commit.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.benchmarks.survival.answers import Answer
from scripts.benchmarks.survival.git import git_output
from scripts.benchmarks.survival.verifier import TxVerifier
from scripts.benchmarks.workdir import Workdir, default_workdir
from tx_graph.code.parsing import read_symbols

_EDITS = frozenset(f"{what} change" for what in ("body", "parameter", "return type", "exception", "modifier")) | {
    "rename",
    "annotation change",
}
_GENERIC, _ANNOTATION = re.compile(r"<[^<>]*>"), re.compile(r"@\w+(\([^()]*\))?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A method that went from one place to another: FQNames, the second empty where tx reads no such symbol."""

    part: str
    repository: Path
    parent: str
    commit: str
    before: str
    after: str
    is_by_itself: bool
    """Whether the method went to another class; else its file was renamed."""


def main(arguments: Sequence[str]) -> int:
    """Print what the verifier says of each case, and how many of them it finds."""
    options = _parser().parse_args(arguments)
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    groups: dict[tuple[Path, str, str], set[Case]] = defaultdict(set)
    for case in cases(options.oracle, options.repositories):
        groups[case.repository, case.parent, case.commit].add(case)
    for (repository, parent, commit), several in sorted(groups.items()):
        with Workdir(path=options.workdir).temporary() as directory:
            clone = directory / repository.name
            git_output(None, "clone", "--quiet", "--shared", "--no-checkout", str(repository.resolve()), str(clone))
            git_output(clone, "checkout", "--quiet", "--detach", parent)
            verifier = TxVerifier()
            verifier.anchor(clone, sorted({case.before for case in several}))
            git_output(clone, "checkout", "--quiet", "--force", "--detach", commit)
            answers = verifier.verify(clone)
        for case in sorted(several, key=lambda one: one.before):
            kind = "by itself" if case.is_by_itself else "with its file"
            outcome = _outcome(case, answers[case.before])
            counts[case.part, kind][outcome] += 1
            said = f"{answers[case.before].relocated_to} {' '.join(answers[case.before].candidates)}".strip()
            print("\t".join((case.part, repository.name, commit[:9], kind, outcome, case.before, case.after, said)))
    for (part, kind), outcomes in sorted(counts.items()):
        print(f"{part}, {kind}: {outcomes['found']} of {outcomes.total()} found, {dict(outcomes)}")
    return 0


def cases(oracle: Path, repositories: Path) -> Iterator[Case]:
    """Yield the moves with edits of which both sides are symbols to tx, in the repositories that are there."""
    for file in sorted(oracle.glob("*/*.json")):
        told = json.loads(file.read_bytes())
        repository = repositories / told["repositoryName"]
        by_commit: dict[str, list[dict[str, str]]] = defaultdict(list)
        for change in told["expectedChanges"] if repository.is_dir() else ():
            by_commit[change["commitId"]].append(change)
        for commit, changes in by_commit.items():
            kinds, change = {one["changeType"] for one in changes}, changes[0]
            went = change["elementFileBefore"] != change["elementFileAfter"]
            if "introduced" in kinds or not went or not kinds & _EDITS:
                continue
            parent = change["parentCommitId"]
            before = _symbol(repository, parent, change["elementFileBefore"], change["elementNameBefore"])
            after = _symbol(repository, commit, change["elementFileAfter"], change["elementNameAfter"])
            if (
                before
                and after
                and not _symbol(repository, commit, before.partition("::")[0], change["elementNameBefore"])
            ):
                yield Case(
                    part=file.parent.name,
                    repository=repository,
                    parent=parent,
                    commit=commit,
                    before=before,
                    after=after,
                    is_by_itself="moved" in kinds,
                )


def _outcome(case: Case, answer: Answer) -> str:
    """Return what an answer is worth: the method is found, in a wrong place, or said to be gone or still there."""
    if answer.relocated_to:
        return "found" if answer.relocated_to == case.after else "wrong place"
    return "gone" if answer.verdict == "invalid" else "still there"


def _symbol(repository: Path, commit: str, path: str, key: str) -> str:
    """Return the FQName of a method that the oracle calls `path/of.packages.Outer.Inner#method(Type, Type)`."""
    if not git_output(repository, "ls-tree", commit, "--", path):
        return ""
    source = git_output(repository, "cat-file", "blob", f"{commit}:{path}")
    lines = source.decode("utf-8", "replace").split("\n")
    owner, _, method = key.partition("#")
    name, _, types = method.rstrip(")").partition("(")
    classes = owner.rpartition("/")[2].split(".")
    stem = path.rpartition("/")[2].removesuffix(".java")
    wanted = "::".join([*classes[classes.index(stem) if stem in classes else -1 :], name])
    for symbol in read_symbols(path, source):
        text = "\n".join(lines[symbol.line_start - 1 : symbol.line_end])
        if re.sub(r"#\d+$", "", symbol.name) == wanted and _types(text, name) == re.split(r",\s*", types):
            return symbol.fqname
    return ""


def _types(text: str, name: str) -> list[str]:
    """Return the simple types of a method's parameters."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    while (flat := _GENERIC.sub("", _ANNOTATION.sub("", text))) != text:
        text = flat
    found = re.search(rf"\b{re.escape(name)}\s*\(([^()]*)\)", text)
    several = (re.sub(r"\bfinal\s", "", one).split() for one in (found[1] if found else "").split(","))
    return [" ".join(one[:-1]).replace("...", "[]") for one in several]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench anchors", description="Measure what becomes of methods that moved and were edited."
    )
    parser.add_argument("--oracle", type=Path, required=True, metavar="DIR", help="CodeTracker's folder oracle/method")
    parser.add_argument("--repositories", type=Path, required=True, metavar="DIR", help="repositories by their names")
    parser.add_argument(
        "--workdir", type=Path, default=default_workdir(), metavar="DIR", help="where clones lie (%(default)s)"
    )
    return parser
