"""Asks LoCoMo's questions about long conversations: is what answers them among the first that a search finds?

Each conversation becomes a workspace of its own, twice over: each turn is a learning, whose source is its session, and
each session is a Markdown document whose sections are its turns. The data is yours: the files of LoCoMo, one list of
conversations or a file for each.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from tx_graph import DocQuery, Query, Workspace, init_workspace, open_workspace

_FIRST, _MANY = 10, 50
_PLACES = (5, _FIRST, _MANY)
"""Among so many is evidence looked for; the first two stand in an answer of ten, as users get it."""
_MODEL, _WORDS = "default", "words"
_NO_EMBEDDER = "none"
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What somebody said; `ref` is LoCoMo's name of it, such as `D3:12`, which says in which session."""

    ref: str
    session: int
    date: str
    speaker: str
    said: str

    @property
    def content(self) -> str:
        """The turn as a learning."""
        return f"{self.date} {self.speaker}: {self.said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, LoCoMo's number of its sort, and the turns that answer it."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """All turns of one conversation, and the questions about it that have evidence among them."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one search found: `hit` and `recall` by how many of the first results are looked at.

    A hit is a question with some of its evidence there (1.0) or none (0.0), recall the share of its evidence.
    """

    conversation: str
    question: str
    category: int
    searched: str
    setting: str
    hit: Mapping[int, float]
    recall: Mapping[int, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask all questions of the files, print how much of the evidence was found, and return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if missing := next((file for file in options.files if not file.is_file()), None):
        parser.error(f"there is no file {missing}")
    if options.every < 1:
        parser.error("--every must be at least 1")
    answers: list[Answer] = []
    with TemporaryDirectory(prefix="tx-locomo-") as directory:
        for whole in (one for file in options.files for one in conversations(file)):
            print(f"{whole.name} ...", file=sys.stderr, flush=True)
            place = (options.keep or Path(directory)).absolute() / whole.name
            conversation = replace(whole, questions=whole.questions[:: options.every])
            made(place, conversation, embed=not options.words_only)
            for setting in (_WORDS,) if options.words_only else (_MODEL, _WORDS):
                with _opened(place, setting) as workspace:
                    answers.extend(asked(workspace, conversation, setting))
    table = summary(answers)
    document = {"summary": table, "answers": [asdict(one) for one in answers]}
    print(json.dumps(document, indent=1, ensure_ascii=False) if options.json else as_text(table))
    return 0


def conversations(file: Path) -> Iterator[Conversation]:
    """Yield the conversations of a file: a list of them, or one alone; what was said may stand beside the questions."""
    read = json.loads(file.read_text(encoding="utf-8"))
    for one in read if isinstance(read, list) else [read]:
        spoken = one.get("conversation", one)
        turns = tuple(_turns(spoken))
        known = {turn.ref for turn in turns}
        # Some evidence names several turns in one text, some names none that there is.
        questions = (
            Question(
                text=str(asked["question"]),
                category=int(asked.get("category", 0)),
                evidence=frozenset(_TURN.findall(" ".join(asked.get("evidence", ())))) & known,
            )
            for asked in one.get("qa", ())
        )
        yield Conversation(
            name=str(one.get("sample_id", file.stem)),
            turns=turns,
            questions=tuple(question for question in questions if question.evidence),
        )


def _turns(spoken: Mapping[str, Any]) -> Iterator[Turn]:
    sessions = sorted(int(key.removeprefix("session_")) for key in spoken if re.fullmatch(r"session_\d+", key))
    for session in sessions:
        date = str(spoken.get(f"session_{session}_date_time", ""))
        for turn in spoken[f"session_{session}"]:
            shared = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            said = " ".join(f"{turn.get('text', '')}{shared}".split())
            yield Turn(ref=turn["dia_id"], session=session, date=date, speaker=turn["speaker"], said=said)


def made(place: Path, conversation: Conversation, *, embed: bool) -> None:
    """Make the workspace of a conversation, with vectors if they are wanted; what is there already stays."""
    if not (place / ".tx").exists():
        place.mkdir(parents=True, exist_ok=True)
        for name, text in documents(conversation).items():
            (place / name).write_text(text, encoding="utf-8")
        for arguments in (["init", "-q"], ["add", "--all"]):  # documents are what git tracks
            subprocess.run(["git", "-C", str(place), *arguments], check=True)
        lines = [
            json.dumps({"content": turn.content, "source_type": "manual", "source_ref": f"session {turn.session}"})
            for turn in conversation.turns
        ]
        with init_workspace(place) as workspace:
            workspace.learnings.import_(lines, force=True)  # no secrets, though some of what was said looks like one
    if embed:
        with open_workspace(place) as workspace:
            workspace.learnings.embed()
            workspace.documents.ingest()


def documents(conversation: Conversation) -> dict[str, str]:
    """Return the sessions as Markdown by the names of their files, each turn a section of four lines."""
    texts: dict[str, str] = {}
    for turn in conversation.turns:
        name = _document(turn.session)
        title = f"# Session {turn.session}, {turn.date}\n\n"
        texts[name] = f"{texts.get(name, title)}## {turn.ref}\n\n{turn.speaker}: {turn.said}\n\n"
    return texts


def _document(session: int) -> str:
    return f"session_{session}.md"


@contextmanager
def _opened(place: Path, setting: str) -> Iterator[Workspace]:
    """Open a workspace, for the time of the block without a model where words alone are to count."""
    with open_workspace(place) as workspace:
        model = str(workspace.config.get("embedder"))
        workspace.config.set("embedder", _NO_EMBEDDER if setting == _WORDS else model)
        try:
            yield workspace
        finally:
            workspace.config.set("embedder", model)


def asked(workspace: Workspace, conversation: Conversation, setting: str) -> Iterator[Answer]:
    """Yield what a search of learnings and one of documents find for each question."""
    spoken: dict[str, set[str]] = {}  # what was said twice is one learning
    for turn in conversation.turns:
        spoken.setdefault(" ".join(turn.content.split()), set()).add(turn.ref)

    def learnings(text: str, limit: int) -> list[Collection[str]]:
        found = workspace.search(Query(text=text, limit=limit)).results
        return [spoken.get(" ".join(one.stored.learning.content.split()), ()) for one in found]

    def sections(text: str, limit: int) -> list[Collection[str]]:
        found = workspace.documents.search(DocQuery(text=text, limit=limit)).results
        return [[one.unit.title] for one in found]

    searches: dict[str, Callable[[str, int], list[Collection[str]]]] = {"learnings": learnings, "documents": sections}
    for question in conversation.questions:
        for searched, search in searches.items():
            ranked, many = (search(question.text, limit) for limit in (_FIRST, _MANY))
            met = {
                most: question.evidence & {ref for one in (ranked if most <= _FIRST else many)[:most] for ref in one}
                for most in _PLACES
            }
            yield Answer(
                conversation=conversation.name,
                question=question.text,
                category=question.category,
                searched=searched,
                setting=setting,
                hit={most: float(bool(found)) for most, found in met.items()},
                recall={most: len(found) / len(question.evidence) for most, found in met.items()},
            )


def summary(answers: Sequence[Answer]) -> dict[str, dict[str, Any]]:
    """Return the means by what was searched and how, over all questions, and of the first ten by category."""
    groups: dict[str, list[Answer]] = {}
    for one in answers:
        groups.setdefault(f"{one.searched}, {one.setting}", []).append(one)
    return {
        name: {
            "questions": len(found),
            "hit": {most: fmean(one.hit[most] for one in found) for most in _PLACES},
            "recall": {most: fmean(one.recall[most] for one in found) for most in _PLACES},
            "hit by category": {
                category: fmean(one.hit[_FIRST] for one in found if one.category == category)
                for category in sorted({one.category for one in found})
            },
        }
        for name, found in groups.items()
    }


def as_text(table: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the means as a table."""
    columns = [f"{measure}@{most}" for measure in ("hit", "recall") for most in _PLACES]
    rows = [f"{'':20}{'questions':>10}" + "".join(f"{column:>11}" for column in columns)]
    for name, one in table.items():
        means = [one[measure][most] for measure in ("hit", "recall") for most in _PLACES]
        rows.append(f"{name:20}{one['questions']:>10,}" + "".join(f"{mean:>11.3f}" for mean in means))
    return "\n".join(rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.locomo", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="conversations as JSON")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the workspaces stay, to be used again")
    parser.add_argument("--words-only", action="store_true", help="without vectors, which take minutes to make")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth question of a conversation")
    parser.add_argument("--json", action="store_true", help="print one JSON document, each answer included")
    return parser


if __name__ == "__main__":
    sys.exit(main())
