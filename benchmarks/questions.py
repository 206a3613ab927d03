"""Asks questions whose answers are annotated, such as semble's, and says how well `tx context` answers them.

The checkouts and the annotations are yours: a directory with a repository per question set, and one with `NAME.json`
per repository, beside which `repos.json` names languages and the directories that the questions are about. Each
repository is indexed in a copy, so that it stays as it is.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from pathlib import Path, PurePosixPath
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.definitions import defining_lines
from tx_graph import Page, RankedFile, Workspace, open_workspace
from tx_graph.core.text import by_characters

_FIRST = 10  # files of an answer that count
_DEVELOPMENT = 30
"""So many repositories, the first by name, are there to fit by; the others are held out."""
_ENOUGH = (100, 1_000, 10_000)
"""How many files to ask for until ten of them lie below the directory that the questions are about."""
_CODE = frozenset(
    """.bash .c .cpp .cs .dart .ex .exs .go .h .hpp .hs .java .js .jsx .kt .kts .lua .php .py .rb .rs .sbt .scala .sh
    .sql .swift .ts .tsx .zig""".split()
)
"""The endings of the files that semble's own methods are given."""
_PER_FILE = 200  # tokens of a page that one of so many files may take


@dataclass(frozen=True, slots=True)
class Target:
    """A file that answers a question and, where the annotation has them, its lines, counted from 1."""

    path: str
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A checkout, its language, and the directory that its questions are about, empty for all of it."""

    name: str
    checkout: Path
    language: str
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, its sort (symbol, semantic, architecture), and all that answers it."""

    text: str
    category: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of one question.

    Attributes:
        files: The first ten of the page, as they come.
        whole: NDCG@10 of these.
        candidates: NDCG@10 of the same ranking, of code below the directory that the questions are about.
        line: Whether a file that answers is shown with lines that do; None where nobody knows which do.
        definition: Whether one is shown with a line that defines the symbol asked for; None where none is seen.
        tokens: What must be read until the right code is seen; None where the page does not name a file that answers.
        named: How many lines of each file are named, of those of which any are.
        seconds: What the page took.
    """

    repository: str
    language: str
    category: str
    question: str
    files: tuple[str, ...]
    whole: float
    candidates: float
    line: bool | None
    definition: bool | None
    tokens: int | None
    named: tuple[int, ...]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """A repository that was indexed: how many files, how long it took where that is known, bytes of the database."""

    name: str
    files: int
    seconds: float | None
    bytes: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the questions that are chosen, print what came of them, and return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not (options.annotations.parent / "repos.json").is_file():
        parser.error(f"there is no repos.json beside {options.annotations}")
    chosen = _chosen(repositories(options.annotations, options.repos), options)
    if not chosen:
        raise SystemExit(f"No repository below {options.repos} has annotations in {options.annotations}.")
    answers, indexes = list[Answer](), list[Indexed]()
    with TemporaryDirectory(prefix="tx-questions-") as directory:
        for repository in chosen:
            print(f"{repository.name} ...", file=sys.stderr, flush=True)
            place, seconds = indexed(repository, (options.keep or Path(directory)).absolute())
            with open_workspace(place) as workspace:
                status = workspace.status()
                size = status.database.stat().st_size
                indexes.append(Indexed(name=repository.name, files=status.graph.files, seconds=seconds, bytes=size))
                for question in questions(options.annotations / f"{repository.name}.json"):
                    answers.append(asked(workspace, repository, question))
    if not answers:
        raise SystemExit("There are no questions in these annotations.")
    told = summary(answers, indexes)
    document = told | {"answers": [asdict(one) for one in answers], "indexed": [asdict(one) for one in indexes]}
    print(json.dumps(document, indent=1, ensure_ascii=False) if options.json else as_text(told))
    return 0


def repositories(annotations: Path, checkouts: Path) -> list[Repository]:
    """Return the repositories that have both a checkout and annotations, by name."""
    named = json.loads((annotations.parent / "repos.json").read_text(encoding="utf-8"))
    found = [
        Repository(
            name=one["name"],
            checkout=checkouts / one["name"],
            language=one["language"],
            root=(one.get("benchmark_root") or "").strip("/"),
        )
        for one in named
        if (checkouts / one["name"]).is_dir() and (annotations / f"{one['name']}.json").is_file()
    ]
    return sorted(found, key=lambda one: one.name.lower())


def questions(annotations: Path) -> Iterator[Question]:
    """Yield the questions of one file of annotations."""
    for one in json.loads(annotations.read_text(encoding="utf-8")):
        targets = (
            Target(raw) if isinstance(raw, str) else Target(raw["path"], _span(raw))
            for raw in (*one.get("relevant", ()), *one.get("secondary", ()))
        )
        yield Question(text=one["query"], category=one.get("category") or "semantic", targets=tuple(targets))


def _span(raw: Mapping[str, Any]) -> tuple[int, int] | None:
    if raw.get("start_line") is None or raw.get("end_line") is None:
        return None
    return int(raw["start_line"]), int(raw["end_line"])


def indexed(repository: Repository, directory: Path) -> tuple[Path, float | None]:
    """Return the indexed copy of a repository below a directory, and the seconds that `tx init` took there."""
    place, note = directory / repository.name, directory / f"{repository.name}.seconds"
    if not place.exists():
        shutil.copytree(repository.checkout, place, symlinks=True, ignore=shutil.ignore_patterns(".tx"))
    is_new = not (place / ".tx").exists()
    started = time.perf_counter()
    # With -P, for a repository may have modules that are called like those of tx.
    command = [sys.executable, "-P", "-m", "tx_graph", "init" if is_new else "index"]
    subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
    if is_new:
        note.write_text(f"{time.perf_counter() - started:.2f}\n", encoding="utf-8")
    return place, float(note.read_text(encoding="utf-8")) if note.exists() else None


def asked(workspace: Workspace, repository: Repository, question: Question) -> Answer:
    """Return what came of a question: the page as users get it, and the ranking below the directory it is about."""
    started = time.perf_counter()
    page = workspace.context(question.text)
    seconds = time.perf_counter() - started
    shown = page.shown.files
    texts = {one.path: _text(workspace.root / one.path) for one in shown}
    return Answer(
        repository=repository.name,
        language=repository.language,
        category=question.category,
        question=question.text,
        files=tuple(one.path for one in shown[:_FIRST]),
        whole=ndcg([one.path for one in shown], question.targets),
        candidates=ndcg(_candidates(workspace, repository, question), question.targets),
        line=_has_right_line(shown, question),
        definition=_has_definition(workspace.root, shown, question),
        tokens=tokens_until_seen(page, question, texts),
        named=tuple(lines[1] - lines[0] + 1 for one in shown if (lines := _lines(one))),
        seconds=seconds,
    )


def _candidates(workspace: Workspace, repository: Repository, question: Question) -> list[str]:
    """Return the first ten of the ranking that semble's own methods would be given: code below the directory."""
    below: list[str] = []
    for enough in _ENOUGH:
        ranked = [
            one.path
            for one in workspace.context(question.text, limit_files=enough, budget=_PER_FILE * enough).shown.files
        ]
        inside = (path for path in ranked if path.startswith(f"{repository.root}/") or not repository.root)
        below = [path for path in inside if PurePosixPath(path).suffix.lower() in _CODE][:_FIRST]
        if len(below) == _FIRST or len(ranked) < enough:
            break
    return below


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def answers(path: str, target: Target) -> bool:
    """Return whether a file is the one of a target. As in semble, one path may be the end of the other."""
    return path == target.path or path.endswith(f"/{target.path}") or target.path.endswith(f"/{path}")


def ndcg(files: Sequence[str], targets: Sequence[Target], *, most: int = _FIRST) -> float:
    """Return the NDCG of the first files, in [0, 1], as semble computes it: by the best rank of each target."""
    ranks = {next((rank for rank, path in enumerate(files[:most]) if answers(path, one)), None) for one in targets}
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(most, len(targets))))
    return sum(1 / math.log2(rank + 2) for rank in ranks if rank is not None) / ideal if ideal else 0.0


def _lines(file: RankedFile) -> tuple[int, int] | None:
    """Return the lines of a file that the page shows or names."""
    return (file.line_start, file.line_end or file.line_start) if file.line_start else None


def _meets(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _has_right_line(shown: Sequence[RankedFile], question: Question) -> bool | None:
    """Return whether a file is shown with lines that the annotation names; None where it names none."""
    wanted = [one for one in question.targets if one.lines]
    if not wanted:
        return None
    return any(
        _meets(lines, one.lines)
        for file in shown
        for one in wanted
        if one.lines and answers(file.path, one) and (lines := _lines(file))
    )


def _defining(question: Question, text: str) -> list[int]:
    return defining_lines(text, question.text) if question.category == "symbol" else []


def _has_definition(repository: Path, shown: Sequence[RankedFile], question: Question) -> bool | None:
    """Return whether a line that is shown defines the symbol asked for; None where no file that answers defines it."""
    defined = {one.path: _defining(question, _text(repository / one.path)) for one in question.targets}
    if not any(defined.values()):
        return None
    return any(
        _meets(lines, (number, number))
        for file in shown
        for target in question.targets
        if answers(file.path, target) and (lines := _lines(file))
        for number in defined[target.path]
    )


def tokens_until_seen(page: Page, question: Question, texts: Mapping[str, str]) -> int | None:
    """Return the tokens, as characters / 4, that are read until the right code is seen; None where it never is.

    One reads the page down to the last line about the first file that answers, and on the way of each file what the
    page does not show: the lines that it names without a snippet, else the whole file. Of the file that answers the
    lines that are named are read where the snippet has none of those of the annotation or of the definition, and the
    whole file where these lines have none of them either.
    """
    read = 0
    for file in page.shown.files:
        text, named = texts[file.path], _lines(file)
        right = [one for one in question.targets if answers(file.path, one)]
        wanted = [one.lines for one in right if one.lines] or [(one, one) for one in _defining(question, text)]
        seen = _snippet(file, text.split("\n"))
        if named is None or (right and wanted and not any(_meets(named, one) for one in wanted)):
            read += by_characters(text)
        elif seen is None or (right and wanted and not any(_meets(seen, one) for one in wanted)):
            read += by_characters("\n".join(text.split("\n")[named[0] - 1 : named[1]]))
        if right:
            return read + by_characters(_down_to(page.text, file.path))
    return None


def _snippet(file: RankedFile, lines: Sequence[str]) -> tuple[int, int] | None:
    """Return which of a file's lines its snippet shows; None where there is none."""
    if (named := _lines(file)) is None or not file.snippet:
        return None
    shown = file.snippet.split("\n")
    places = (first for first in range(named[0] - 1, named[1]) if lines[first : first + len(shown)] == shown)
    first = next(places, named[0] - 1)
    return first + 1, first + len(shown)


def _down_to(page: str, path: str) -> str:
    """Return a page down to the last line about a file: its own, and those that are indented or quoted below it."""
    begin = re.search(rf"^- `+ ?{re.escape(path)}[ `:].*$", page, re.MULTILINE)
    end = re.compile(r"^(?:- |## |… )", re.MULTILINE).search(page, begin.end()) if begin else None
    return page[: end.start()] if end else page


def summary(found: Sequence[Answer], indexes: Sequence[Indexed]) -> dict[str, Any]:
    """Return NDCG@10 by sort, language and repository, and the other figures; None where there is nothing to count."""
    groups: dict[str, list[Answer]] = defaultdict(list)
    for name in ("category", "language", "repository"):
        for one in sorted(found, key=attrgetter(name)):
            groups[f"{name} {getattr(one, name)}"].append(one)
    means = {name: _scores(those) for name, those in groups.items()}
    repositories = [one for name, one in means.items() if name.startswith("repository ")]
    by_repository = {key: fmean(one[key] for one in repositories) for key in ("whole", "candidates")}
    lines, definitions = ([getattr(one, name) for one in found] for name in ("line", "definition"))
    seen = [math.inf if one.tokens is None else one.tokens for one in found]
    files = sum(one.files for one in indexes)
    figures: dict[str, float | None] = {
        "questions with lines": sum(one is not None for one in lines),
        "of these the right line is shown": _mean(lines),
        "questions for a definition": sum(one is not None for one in definitions),
        "of these a defining line is shown": _mean(definitions),
        "lines named a file, median": median([count for one in found for count in one.named] or [0]),
        "share of pages with the right file": _mean([one < math.inf for one in seen]),
        "tokens until the right code is seen, median of these": _median([one for one in seen if one < math.inf]),
        "tokens until the right code is seen, median of all": _median(seen),
        "seconds a page, median": median(one.seconds for one in found),
        "files indexed": files,
        "seconds to index": sum(one.seconds or 0.0 for one in indexes),
        "bytes of database a file": sum(one.bytes for one in indexes) / max(1, files),
    }
    every = _scores(found)
    over = {"mean over questions": every, "mean over repositories": by_repository | {"questions": every["questions"]}}
    return {"ndcg": over | means, "figures": figures}


def _scores(found: Sequence[Answer]) -> dict[str, float]:
    whole, candidates = (fmean(getattr(one, name) for one in found) for name in ("whole", "candidates"))
    return {"questions": len(found), "whole": whole, "candidates": candidates}


def _mean(found: Iterable[bool | None]) -> float | None:
    known = [one for one in found if one is not None]
    return fmean(known) if known else None


def _median(found: Sequence[float]) -> float | None:
    """Return the median, None where it is endless."""
    middle = median(found or [math.inf])
    return middle if middle < math.inf else None


def as_text(told: Mapping[str, Any]) -> str:
    """Return the figures as a table."""
    table = [f"{'':32}{'questions':>10}{'whole':>8}{'candidates':>12}"]
    table += [
        f"{name:32}{one['questions']:>10,}{one['whole']:>8.3f}{one['candidates']:>12.3f}"
        for name, one in told["ndcg"].items()
    ]
    figures = {
        name: "–" if one is None else f"{one:,.3f}" if isinstance(one, float) and one < 1 else f"{one:,.0f}"
        for name, one in told["figures"].items()
    }
    return "\n".join((*table, *(f"{name}: {figure}" for name, figure in figures.items())))


def _chosen(found: Sequence[Repository], options: argparse.Namespace) -> list[Repository]:
    """Return the repositories asked for; a name that there is none for is refused."""
    if unknown := sorted({*options.repo} - {one.name for one in found}):
        raise SystemExit(f"There are no annotations and checkout of {', '.join(unknown)}.")
    part = found[_DEVELOPMENT if options.held_out else 0 : _DEVELOPMENT if options.development else None]
    return [one for one in part if not options.repo or one.name in options.repo]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.questions", description=__doc__)
    parser.add_argument("--annotations", type=Path, required=True, metavar="DIR", help="NAME.json per repository")
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="the checkouts, each in DIR/NAME")
    parser.add_argument("--repo", action="append", default=[], metavar="NAME", help="only this one; repeatable")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the indexed copies stay, to be used again")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--development", action="store_true", help=f"only the first {_DEVELOPMENT} repositories by name")
    which.add_argument("--held-out", action="store_true", help="only the others")
    parser.add_argument("--json", action="store_true", help="print one JSON document, each answer included")
    return parser


if __name__ == "__main__":
    sys.exit(main())
