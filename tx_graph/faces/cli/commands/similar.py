"""graph:analyze-similar."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import shapes, words
from tx_graph.faces.cli.render.terminal import note, print_json, progress, reading_width, shortened, styled
from tx_graph.learnings.merging import SAME_MEANING, SAME_WORDS, SimilarPair, SimilarReport

_INDENT = " " * 6
_MOST_SHOWN = 20


def analyze(
    *,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="F",
            help=f"How alike, above 0 and up to 1; by default {SAME_MEANING:g} by meaning, {SAME_WORDS:g} by words.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find learnings that say much the same, and tie them by SIMILAR_TO edges, which replace those of the last time.

    Learnings are compared by their vectors (cosine), and where one of two has none by the words that they share
    (Jaccard). Merge what is a duplicate: its anchors, keywords and links come together in one learning.

    Example:
      tx graph:analyze-similar
      tx graph:analyze-similar --threshold 0.8 --json
    """
    with opened() as workspace, progress("Comparing", unit="learnings") as report:
        found = workspace.similar.analyse(threshold, progress=report)
    if as_json:
        print_json(_shape(found))
    else:
        _print(found)


def _shape(found: SimilarReport) -> dict[str, Any]:
    return {
        "edges": len(found.pairs),
        "compared": {"by_vectors": found.by_vectors, "by_words": found.by_words},
        "threshold": {"cosine": found.same_meaning, "words": found.same_words},
        "pairs": [
            {
                "weight": pair.weight,
                "basis": pair.basis,
                "learnings": [shapes.learning(pair.first), shapes.learning(pair.second)],
            }
            for pair in found.pairs
        ],
    }


def _print(found: SimilarReport) -> None:
    for pair in found.pairs[:_MOST_SHOWN]:
        _print_pair(pair)
    parts = [f"{found.by_vectors:,} by meaning (cosine at least {found.same_meaning:g})"] if found.by_vectors else []
    parts += [f"{found.by_words:,} by words (overlap at least {found.same_words:g})"] if found.by_words else []
    compared = " and ".join(parts) or "none"
    typer.echo(f"{words.counted(len(found.pairs), 'pair')} much alike; learnings compared: {compared}.")
    if len(found.pairs) > _MOST_SHOWN:
        note(f"{len(found.pairs) - _MOST_SHOWN:,} more pairs; --json has them all.")


def _print_pair(pair: SimilarPair) -> None:
    score = styled(words.score(pair.weight), fg="cyan")
    typer.echo(f"{score}  by {'meaning' if pair.basis == 'cosine' else 'words'}")
    for one in (pair.first, pair.second):
        typer.echo(f"{_INDENT}{words.heading(one)}")
        typer.echo(f"{_INDENT}{shortened(one.learning.content, reading_width() - len(_INDENT))}")
    typer.echo(styled(f"{_INDENT}tx learning:merge {pair.first.id} {pair.second.id}", fg="bright_black"))
