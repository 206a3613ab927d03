"""Anchors every symbol of a repository at one revision, verifies at another, and prints the table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.benchmarks.survival.answers import Answer, Verifier
from scripts.benchmarks.survival.baselines import ByLines, ByName
from scripts.benchmarks.survival.fates import Truth
from scripts.benchmarks.survival.git import git_output
from scripts.benchmarks.survival.report import as_document, as_markdown, as_text, census, details
from scripts.benchmarks.survival.scoring import score
from scripts.benchmarks.survival.snapshot import renames, snapshot
from scripts.benchmarks.survival.steps import followed
from scripts.benchmarks.survival.truth import truths
from scripts.benchmarks.survival.verifier import TxVerifier
from scripts.benchmarks.workdir import Workdir, default_workdir

_VERIFIERS: Mapping[str, Callable[[], Verifier]] = {"tx": TxVerifier, "names": ByName, "lines": ByLines}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A repository and two of its revisions."""

    repository: Path
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.repository.resolve().name}, {self.before} to {self.after}"


def main(arguments: Sequence[str], *, verifier: Verifier | None = None) -> int:
    """Compare a verifier with the truth and print the table; return the exit status."""
    options = _parser().parse_args(arguments)
    span = Span(repository=options.repository, before=options.before, after=options.after)
    truth = true_details(span) if options.inner else true_fates(span)
    if options.steps:
        truth = followed(span.repository, span.before, span.after, truth)
    asked = verifier or _VERIFIERS[options.verifier]()
    answers = {} if options.census else answered(span, asked, sorted(truth), Workdir(path=options.workdir))
    if options.details:
        options.details.write_text("".join(f"{line}\n" for line in details(truth, answers)), encoding="utf-8")
    if options.census:
        print(census(truth, heading=str(span)))
        return 0
    table = score(truth, answers)
    if options.markdown:
        options.markdown.write_text(as_markdown(table, heading=str(span)), encoding="utf-8")
    document = json.dumps(as_document(table, heading=str(span)), indent=2, ensure_ascii=False)
    print(document if options.json else as_text(table, heading=str(span)))
    return 0


def true_fates(span: Span) -> dict[str, Truth]:
    """Return what became of each symbol, by its FQName at the first revision."""
    before, after = snapshot(span.repository, span.before), snapshot(span.repository, span.after)
    return truths(before, after, renames(span.repository, span.before, span.after))


def true_details(span: Span) -> dict[str, Truth]:
    """Return the same of constants, fields, and what else stands in symbols or beside them."""
    before, after = (snapshot(span.repository, one, has_details=True) for one in (span.before, span.after))
    found = truths(before, after, renames(span.repository, span.before, span.after))
    inner = {symbol.fqname for symbol in before.symbols if symbol.is_detail}
    return {name: truth for name, truth in found.items() if name in inner}


def answered(span: Span, verifier: Verifier, symbols: Sequence[str], workdir: Workdir) -> Mapping[str, Answer]:
    """Return what the verifier says at the second revision of anchors taken at the first, in a clone."""
    with workdir.temporary() as directory:
        clone = directory / span.repository.resolve().name
        git_output(None, "clone", "--quiet", "--no-checkout", str(span.repository.resolve()), str(clone))
        _check_out(clone, span.repository, span.before)
        verifier.anchor(clone, symbols)
        _check_out(clone, span.repository, span.after)
        return verifier.verify(clone)


def _check_out(clone: Path, repository: Path, revision: str) -> None:
    """Check a revision out by the name that it has in the repository, which a clone may not know."""
    commit = git_output(repository, "rev-parse", f"{revision}^{{commit}}").decode().strip()
    git_output(clone, "checkout", "--quiet", "--force", "--detach", commit)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench anchors",
        description="Measure how anchors survive the history of a repository.",
        epilog="With --reformat COMMAND or --crlf instead of --from and --to: how they survive a change of format. "
        "With --oracle DIR and --repositories DIR: what becomes of Java's methods that moved and were edited.",
    )
    parser.add_argument("repository", type=Path, metavar="REPO", help="a git repository")
    parser.add_argument("--from", dest="before", required=True, metavar="REV", help="where every symbol is anchored")
    parser.add_argument("--to", dest="after", required=True, metavar="REV", help="where the anchors are verified")
    parser.add_argument(
        "--verifier", choices=_VERIFIERS, default="tx", help="who answers: tx, names alone, or lines and their hash"
    )
    parser.add_argument("--steps", action="store_true", help="ask each commit where uncertain symbols went")
    parser.add_argument("--inner", action="store_true", help="anchor constants, fields and other details instead")
    parser.add_argument("--census", action="store_true", help="print the truth alone, without verifying anything")
    parser.add_argument("--details", type=Path, metavar="FILE", help="write there a line for each symbol")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table there")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--workdir",
        type=Path,
        default=default_workdir(),
        metavar="DIR",
        help="where the repository is cloned to for the time of the run (%(default)s)",
    )
    return parser
