"""Asks manuals what they answer and what they are not about, and prints how often they say the latter."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence
from pathlib import Path

from scripts.benchmarks.documents.asking import ingested
from scripts.benchmarks.documents.questions import QuestionSet, question_sets
from scripts.opened import open_workspace
from tx_graph.documents.search import DocQuery, DocSearch

_ASKED = Path(__file__).with_name("floor.toml")


def main(arguments: Sequence[str]) -> int:
    """Ask the repositories that are named; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench floor",
        description="Measure how often doc:search says that nothing is about a question, rightly and wrongly.",
    )
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO", help="a clone that questions are about")
    parser.add_argument("--keep", type=Path, required=True, metavar="DIR", help="where clones and vectors are kept")
    parser.add_argument("--wrong", action="store_true", help="also print what was told wrongly")
    options = parser.parse_args(arguments)
    content = tomllib.loads(_ASKED.read_text(encoding="utf-8"))
    manuals = {one["name"]: one for one in content["manual"]}
    sets = {one.name: one for one in question_sets()}
    total = {False: [0, 0, 0, 0], True: [0, 0, 0, 0]}
    print("| manual | held out | unrelated told so | answerable taken for unrelated |\n| --- | --- | ---: | ---: |")
    for repository in options.repositories:
        name = repository.resolve().name
        if name in sets:
            manual, held, asked = sets[name], False, [one.text for one in sets[name].questions]
        elif name not in manuals:
            raise SystemExit(f"There are no questions about {name}, only about {', '.join([*sets, *manuals])}.")
        else:
            one = manuals[name]
            manual = QuestionSet(name=name, url=one["url"], commit=one["commit"], questions=())
            held, asked = one.get("held_out", False), one["questions"]
        unrelated = content["unrelated_held_out" if held else "unrelated"]
        with open_workspace(ingested(repository, manual, options.keep, strategy="parent-child")) as workspace:
            search = workspace.kernel.one(DocSearch)
            silent = [text for text in [*unrelated, *asked] if not search.run(DocQuery(text=text)).results]
        lost, told = [text for text in asked if text in silent], len([text for text in unrelated if text in silent])
        counts = (told, len(unrelated), len(lost), len(asked))
        total[held] = [sum(both) for both in zip(total[held], counts, strict=True)]
        print(f"| {name} | {'yes' if held else 'no'} | {told} of {counts[1]} | {len(lost)} of {counts[3]} |")
        if options.wrong:
            print(*(f"lost: {text}" for text in lost), sep="\n")
            print(*(f"answered: {text}" for text in unrelated if text not in silent), sep="\n")
    for held, (silence, every, losses, answerable) in total.items():
        if answerable:
            shares = f"{silence / every:.1%} of {every} | {losses / answerable:.1%} of {answerable}"
            print(f"| together | {'yes' if held else 'no'} | {shares} |")
    return 0
