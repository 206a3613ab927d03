"""What attackers send: texts, paths, references, numbers and times by kind, mutations, and command lines of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from tests.corpora import FIXTURES
from tx_graph.core.arguments import Parameter, parameters_of
from tx_graph.core.kernel import find
from tx_graph.faces.operations import COMMANDS, Operation

ATTACKS = FIXTURES / "attacks"
VALUES: dict[str, list[str]] = {
    # A long one is written as its beginning, what is repeated, how often, and its end.
    kind: [one if isinstance(one, str) else one[0] + one[1] * one[2] + one[3] for one in many]
    for kind, many in json.loads((ATTACKS / "values.json").read_text(encoding="utf-8")).items()
}
"""By kind; `pieces` are bytes, each as the character of that number."""
PIECES = [one.encode("latin-1") for one in VALUES["pieces"]]
METAVARS = {
    "paths": "PATH FILE GLOB DIR ANCHOR A,B SECTION",
    "references": "REF LEARNING LEARNING... FACT FACT... TASK RUN OTHER ENTITY",
    "times": "WHEN DATE REV AGE",
}
"""What the words of a metavar stand for; `REF|PATH` may be either."""
KINDS = {word: kind for kind, words in METAVARS.items() for word in words.split()}
DEEP = 100_000
ANYTHING: list[object] = [
    *(None, 0, -1, 1e308, 10**400, True, "", "x", "\0", "\ud800", "\x1b]0;x\x07", "/etc/passwd", "../..", "9" * 40),
    *([], {}, [[]], [None], {"a": {"b": []}}),
]


def mutated(data: bytes, chance: Random) -> bytes:
    """Return bytes with a few of them left out, doubled or replaced, or with something in between that hurts."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        place = chance.randrange(len(changed) + 1)
        end = min(len(changed), place + chance.choice((1, 2, 8, 60)))
        own = changed[place:end]
        changed[place:end] = chance.choice(
            (b"", own * 2, own * 50, chance.randbytes(end - place), chance.choice(PIECES))
        )
    return bytes(changed[: chance.randrange(len(changed) + 1)] if chance.random() < 0.05 else changed)


def distorted(value: object, chance: Random) -> object:
    """Return a JSON value of which something has another shape."""
    if chance.random() < 0.06:
        return chance.choice(ANYTHING)
    if isinstance(value, dict):
        return {name: distorted(one, chance) for name, one in value.items() if chance.random() > 0.03}
    if isinstance(value, list):
        return [distorted(one, chance) for one in value] * chance.choice((1, 1, 1, 2))
    return value


LEARNING = {"content": "x", "category": "x", "keywords": ["a"], "confidence": 0.5, "anchors": ["src/auth.py"]}


def stdin(chance: Random) -> bytes:
    """Return what may come on stdin: a text, JSON lines, or neither."""
    lines = f"{json.dumps(LEARNING)}\n".encode() * 2
    shapes = [json.dumps(distorted(LEARNING, chance)).encode() for _ in range(3)]
    numbers = b'{"content": "a", "content": "b"}\n{"content": 1e999}\n{"content": ' + b"9" * 5_000 + b"}\n"
    wrong = [b"[" * DEEP, b'{"a":' * DEEP, numbers, "\ufeff\u202ebidi \x1b[31m".encode(), b"x" * 1_000_001, b""]
    noise = chance.randbytes(chance.choice((1, 50, 5_000)))
    return chance.choice(
        [b"A text\nof two lines\n", lines, *shapes, *(mutated(lines, chance) for _ in range(4)), *wrong, noise]
    )


def value_of(one: Parameter, chance: Random) -> str:
    """Return something for a parameter: mostly of its kind, half right or all wrong."""
    if one.choices and chance.random() < 0.9:
        return str(chance.choice(list(one.choices)))
    if one.arg and one.arg.reads and chance.random() < 0.5:
        return "-"
    words = (one.arg.metavar if one.arg else "").translate({ord("["): "|", ord("]"): "|"}).split("|")
    kinds = [KINDS[word] for word in words if word in KINDS] + ["references"] * one.is_ref
    if issubclass(one.kind, int | float):
        kinds = ["numbers"]
    others = ["texts", "paths", "references", "times"] + ["numbers"] * (
        "references" not in kinds
    )  # which name any node
    kind = chance.choice(kinds if kinds and chance.random() < 0.7 else others)
    text = chance.choice(VALUES[kind])
    if chance.random() < 0.2:
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(VALUES["texts"])[:50] + text[place:]
    return text.replace("\0", "")  # no argument of a program can hold it


def words_of(name: str, chance: Random) -> Iterator[str]:
    """Yield a command with arguments that its declaration allows, or nearly."""
    yield name
    operation = COMMANDS[name]
    if not isinstance(operation, Operation):
        for _ in range(chance.randrange(4)):
            known = ["bash", "claude-code", "session-start", "file-opened", "--list", "--debug"]
            yield chance.choice([*known, *VALUES["texts"]]).replace("\0", "")
        return
    for one in parameters_of(find(operation.use_case).function):
        is_argument = one.arg and not one.is_keyword and not one.arg.flag
        if not one.arg or chance.random() < (0.05 if is_argument else 0.7):
            continue
        for _ in range(chance.choice((1, 1, 3)) if one.is_many else 1):
            if is_argument:
                yield value_of(one, chance)
            else:
                flag = flag_of(one)
                yield flag if issubclass(one.kind, bool) else f"{flag}={value_of(one, chance)}"
    if chance.random() < 0.3:
        yield chance.choice(["--json", "--tsv", "--help", "--format=json"])


def flag_of(one: Parameter) -> str:
    """Return the name of an option."""
    flags = one.arg.flag.split() if one.arg else []
    return flags[-1].split("/")[0] if flags else f"--{one.name.replace('_', '-')}"
