"""Asks the questions of repositories in every way that is compared, and prints how many answers were found."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.benchmarks.documents.asking import ask, ingested
from scripts.benchmarks.documents.questions import QuestionSet, question_sets
from scripts.benchmarks.documents.scoring import score
from scripts.benchmarks.documents.tables import Scores, as_document, as_markdown, parts
from scripts.benchmarks.documents.variants import STRATEGIES, Variant, few, variants
from scripts.benchmarks.workdir import Workdir, default_workdir

Results = Mapping[str, Sequence[Sequence[str]]]
"""By the name of a set, the references that were found for each of its questions."""


def main(arguments: Sequence[str]) -> int:
    """Compare ways of searching on the questions of the repositories that are named; return the exit status."""
    options = _parser().parse_args(arguments)
    chosen = [_questions_of(repository) for repository in options.repositories]
    with Workdir(path=options.workdir).temporary() as directory:
        places = {
            questions.name: ingested(repository, questions, options.keep or directory, strategy=options.strategy)
            for repository, questions in zip(options.repositories, chosen, strict=True)
        }
        found = [(variant, _found(variant, chosen, places)) for variant in (few() if options.few else variants())]
    if options.details:
        options.details.write_text("".join(f"{line}\n" for line in _details(chosen, found)), encoding="utf-8")
    table = parts(chosen, [(variant, _scored(chosen, results)) for variant, results in found])
    if options.markdown:
        options.markdown.write_text(as_markdown(table), encoding="utf-8")
    print(json.dumps(as_document(table), indent=2, ensure_ascii=False) if options.json else as_markdown(table))
    return 0


def _questions_of(repository: Path) -> QuestionSet:
    known = {one.name: one for one in question_sets()}
    name = repository.resolve().name
    if name not in known:
        raise SystemExit(f"There are no questions about {name}, only about {', '.join(known)}.")
    return known[name]


def _found(variant: Variant, sets: Sequence[QuestionSet], places: Mapping[str, Path]) -> Results:
    print(f"{variant.name} ...", file=sys.stderr)
    return {one.name: ask(places[one.name], variant, [question.text for question in one.questions]) for one in sets}


def _scored(sets: Sequence[QuestionSet], results: Results) -> Scores:
    return {
        one.name: [
            score(refs, question.answers) for question, refs in zip(one.questions, results[one.name], strict=True)
        ]
        for one in sets
    }


def _details(sets: Sequence[QuestionSet], found: Sequence[tuple[Variant, Results]]) -> Iterator[str]:
    """Yield a line for each way and each question that is not held out: by tabs both, missing answers, results."""
    for variant, results in found:
        for one in sets:
            for question, refs in zip(one.questions, results[one.name], strict=True):
                if not question.held_out:
                    missing = [answer for answer in question.answers if not score(refs, [answer]).recall]
                    yield "\t".join((variant.name, one.name, question.text, " ".join(missing), " ".join(refs)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench documents",
        description="Measure how often doc:search finds the sections that answer questions about real documentation.",
        epilog="'scripts/bench --only documents' measures how fast documents are read and searched.",
    )
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO", help="a clone that questions are about")
    parser.add_argument(
        "--strategy", choices=STRATEGIES, default=STRATEGIES[0], help="how long sections are cut (%(default)s)"
    )
    parser.add_argument("--few", action="store_true", help="compare only the default with a search without the graph")
    parser.add_argument(
        "--details", type=Path, metavar="FILE", help="write there what was found for each question that is not held out"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the tables there")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="keep clones and vectors there, so that the next run needs few new ones",
    )
    parser.add_argument(
        "--workdir",
        type=Path,
        default=default_workdir(),
        metavar="DIR",
        help="where repositories are cloned to for the time of the run (%(default)s)",
    )
    return parser
