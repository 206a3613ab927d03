"""Asks `tx recall` questions whose answer is a fact on record: is that fact told, and how early?

Two sets. `decisions`: facts that decision records of three public repositories state, with questions about them and
some that nothing answers (`data/decisions.txt`, which says how it is to be read). `locomo`: LoCoMo's observations of
its conversations are the facts, what a speaker said or did each time; its questions (of one fact, category 4, and of
several, category 1) count where an observation of a turn that is evidence has all words of the answer that have three
letters or more. LoCoMo's files are yours. Of either set a half by the hash of the question is there to fit by.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tx_graph import Workspace, init_workspace, open_workspace

DECISIONS = Path(__file__).with_name("data") / "decisions.txt"
_FACT = re.compile(r"(?P<key>[\w-]+): (?P<subject>.+?) \| (?P<predicate>\w+) \| (?P<told>.+)")
_TURN = re.compile(r"D\d+:\d+")
_WORD = re.compile(r"\w{3,}")
_STATED = (1, 4)  # LoCoMo's categories of questions whose answer was said, by one speaker or in several places
_HALVES = ("fitted", "held")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A fact as the set has it: exactly one of `object` and `value` is there."""

    key: str
    subject: str
    predicate: str
    object: str | None = None
    value: str | None = None

    @property
    def said(self) -> tuple[str, str, str]:
        """What a fact that is told can be compared by."""
        return self.subject, self.predicate, self.object or self.value or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with the keys of the facts any of which answers it; none where nothing does."""

    text: str
    answers: frozenset[str]

    @property
    def half(self) -> str:
        """To which half it belongs, by its hash."""
        return _HALVES[hashlib.sha256(self.text.encode()).digest()[0] % 2]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSet:
    """What is on record in one workspace, and what is asked there."""

    name: str
    facts: tuple[Stated, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of a question: the place of the first right fact, None where none was told; the first that was told.

    `answered` is whether recall took any fact for an answer.
    """

    workspace: str
    question: str
    half: str
    answerable: bool
    answered: bool
    place: int | None
    first: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the questions that are chosen, print how many were answered right, and return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if missing := next((file for file in options.files if not file.is_file()), None):
        parser.error(f"there is no file {missing}")
    files = options.files or [DECISIONS]
    sets = [one for file in files for one in (decisions(file) if file.suffix == ".txt" else locomo(file))]
    asked: list[Asked] = []
    with TemporaryDirectory(prefix="tx-facts-") as directory:
        for one in sets:
            print(f"{one.name} ...", file=sys.stderr, flush=True)
            place = (options.keep or Path(directory)).absolute() / one.name.replace("/", "+")
            made(place, one)
            with open_workspace(place) as workspace:
                asked.extend(answer for answer in answers(workspace, one) if options.half in ("both", answer.half))
    table = summary(asked)
    document = {"summary": table, "questions": [asdict(one) for one in asked]}
    print(json.dumps(document, indent=1, ensure_ascii=False) if options.json else as_text(table, asked))
    return 0


def decisions(file: Path) -> Iterator[FactSet]:
    """Yield the sets of a file of facts and questions, one for each repository."""
    for part in re.split(r"^= ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, *lines = part.splitlines()
        facts = [_stated(line) for line in lines if line and not line.startswith("? ")]
        known = {fact.key for fact in facts}
        questions = []
        for line in lines:
            if line.startswith("? "):
                text, _, keys = line[2:].rpartition(" -> ")
                right = frozenset() if keys == "nothing" else frozenset(keys.split(", "))
                if not right <= known:
                    raise ValueError(f"no fact is called {right - known}: {line}")
                questions.append(Question(text=text, answers=right))
        yield FactSet(name=name, facts=tuple(facts), questions=tuple(questions))


def _stated(line: str) -> Stated:
    found = _FACT.fullmatch(line)
    if found is None:
        raise ValueError(f"neither a fact nor a question: {line}")
    told = found["told"]
    said = {"object": told[1:]} if told.startswith("@") else {"value": told}
    return Stated(key=found["key"], subject=found["subject"], predicate=found["predicate"], **said)


def locomo(file: Path) -> Iterator[FactSet]:
    """Yield what was observed in the conversations of one of LoCoMo's files, and the questions that this answers."""
    read = json.loads(file.read_text(encoding="utf-8"))
    for number, one in enumerate(read if isinstance(read, list) else [read]):
        spoken = one.get("observation", one)
        facts, turns = list[Stated](), dict[str, frozenset[str]]()
        for session in (key for key in spoken if re.fullmatch(r"session_\d+_observation", key)):
            for speaker, observed in spoken[session].items():
                for text, refs in observed:
                    key = f"{session}-{len(facts)}"
                    predicate, value = "said", " ".join(text.split())
                    if split := re.fullmatch(rf"{re.escape(speaker)} (\w+) (.+)", value):
                        predicate, value = split[1].lower(), split[2]
                    facts.append(Stated(key=key, subject=speaker, predicate=predicate, value=value))
                    turns[key] = frozenset(_TURN.findall(str(refs)))
        questions = []
        for asked in one.get("qa", ()):
            evidence = frozenset(_TURN.findall(" ".join(asked.get("evidence", ()))))
            words = _words(str(asked.get("answer", "")))
            right = frozenset(
                fact.key
                for fact in facts
                if words and evidence & turns[fact.key] and words <= _words(" ".join(fact.said))
            )
            if right and asked.get("category") in _STATED:
                questions.append(Question(text=str(asked["question"]), answers=right))
        name = str(one.get("sample_id", file.stem if not number else f"{file.stem}-{number}"))
        yield FactSet(name=name, facts=tuple(facts), questions=tuple(questions))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def made(place: Path, facts: FactSet) -> None:
    """Make the workspace of a set, where there is none yet."""
    if (place / ".tx").exists():
        return
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "-C", str(place), "init", "-q"], check=True)
    with init_workspace(place) as workspace:
        for one in facts.facts:
            workspace.facts.add(one.subject, one.predicate, one.object, value=one.value, force=True)


def answers(workspace: Workspace, facts: FactSet) -> Iterator[Asked]:
    """Yield what recall tells of each question."""
    by_key = {fact.key: fact.said for fact in facts.facts}
    for question in facts.questions:
        right = {by_key[key] for key in question.answers}
        found: Any = workspace.recall(question.text)
        told = [(one.stored.subject_name, one.stored.fact.predicate, one.stored.told) for one in found.facts]
        yield Asked(
            workspace=facts.name,
            question=question.text,
            half=question.half,
            answerable=bool(right),
            answered=bool(getattr(found, "answered", told)),
            place=next((place for place, said in enumerate(told, 1) if said in right), None),
            first=" ".join(told[0]) if told else "",
        )


def summary(asked: Sequence[Asked]) -> dict[str, Any]:
    """Return the shares of right facts among the first told, and of questions that are taken for what they are."""
    some, none = [one for one in asked if one.answerable], [one for one in asked if not one.answerable]

    def share(most: int) -> float:
        return sum(one.place is not None and one.place <= most for one in some) / (len(some) or 1)

    return {
        "answerable": len(some),
        "right first": share(1),
        "right among ten": share(10),
        "taken for unknown": sum(not one.answered for one in some),
        "unanswerable": len(none),
        "told as unknown": sum(not one.answered for one in none),
    }


def as_text(table: dict[str, Any], asked: Sequence[Asked]) -> str:
    """Return the figures, and below them each question of which the right fact was not told first, or any was."""
    rows = [f"{name:20}{round(value, 3):>8}" for name, value in table.items()]
    wrong = [
        f"  {one.place or '-':>3} {'' if one.answered else '(unknown) '}{one.question}  [{one.first}]"
        for one in asked
        if (one.place != 1 or not one.answered if one.answerable else one.answered)
    ]
    return "\n".join([*rows, *wrong])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.facts", description=__doc__)
    parser.add_argument(
        "files",
        type=Path,
        nargs="*",
        metavar="FILE",
        help="LoCoMo's files, or .txt as the decisions, which are asked without any",
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the workspaces stay, to be used again")
    parser.add_argument("--half", choices=("both", *_HALVES), default="both", help="which half of the questions")
    parser.add_argument("--json", action="store_true", help="print one JSON document, each question included")
    return parser


if __name__ == "__main__":
    sys.exit(main())
