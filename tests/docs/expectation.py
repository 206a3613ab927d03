"""What a page says that a command prints, held against what it printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

ANYTHING = "…"
"""On a line of its own any lines, inside a line any characters."""

_UID = r"[0-9abcdefghjkmnpqrstvwxyz]{12}"
_AGO = r"(?:\d+ (?:second|minute|hour|day|week|month|year)s? ago|just now|today|yesterday)"
_VARIES = re.compile(
    r"(?P<anything>…)"
    r"|(?P<ago>\d+ (?:second|minute|hour|day|week|month|year)s? ago|just now)"
    r"|(?P<time>\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?)"
    r"|(?P<commit>\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b)"
    rf"|(?P<uid>\b(?=[a-z]*[0-9])(?=[0-9]*[a-z]){_UID}\b)"
)
"""What no two machines or days agree on: a page shows an example, and any other of its kind is as good."""

_KINDS = {"anything": ".*", "ago": _AGO, "time": r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?", "commit": "[0-9a-f]{7,40}"}


@dataclass(slots=True)
class Names:
    """Which uid of this run stands for a uid that the page shows."""

    known: dict[str, str] = field(default_factory=dict)

    def translate(self, text: str) -> str:
        """Return a command with the uids that this run has."""
        for shown, real in self.known.items():
            text = text.replace(shown, real)
        return text


def difference(expected: str, printed: str, names: Names) -> str:
    """Return how what was printed differs from what the page shows, empty if it does not."""
    shown, real = _lines(expected), _lines(printed)
    groups: dict[str, str] = {}
    found = re.fullmatch("".join(_pattern(line, names.known, groups) for line in shown), _joined(real))
    if found is None:
        return "\n".join(_compared(shown, real, names.known))
    names.known |= {uid: found[group] for uid, group in groups.items()}
    return ""


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _pattern(line: str, known: Mapping[str, str], groups: dict[str, str]) -> str:
    """Return the regular expression for a line of the page; uids that it meets first get a group of their own."""
    if line.strip() == ANYTHING:
        return r"(?:.*\n)*?"
    parts, end = [], 0
    for match in _VARIES.finditer(line):
        parts += [re.escape(line[end : match.start()]), _part(match, known, groups)]
        end = match.end()
    return "".join([*parts, re.escape(line[end:])]) + r"\n"


def _part(match: re.Match[str], known: Mapping[str, str], groups: dict[str, str]) -> str:
    kind, text = match.lastgroup or "", match[0]
    if kind != "uid":
        return _KINDS[kind]
    if text in known:
        return re.escape(known[text])
    if text in groups:
        return f"(?P={groups[text]})"
    groups[text] = f"uid{len(groups)}"
    return f"(?P<{groups[text]}>{_UID})"


def _compared(shown: Sequence[str], real: Sequence[str], known: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a diff in which what varies is no difference; what agrees is cut to a little around that."""
    lines = list(aligned(shown, real, known))
    wanted = {near for at, line in enumerate(lines) if line[0] in "-+" for near in range(at - 2, at + 3)}
    yield "--- the page"
    yield "+++ printed"
    for at, line in enumerate(lines):
        if at in wanted:
            yield line
        elif at - 1 in wanted:
            yield " [...]"


def aligned(shown: Sequence[str], real: Sequence[str], known: Mapping[str, str]) -> Iterator[str]:
    """Yield all lines, ` ` in front, or `-` if only the page has them, or `+` if only the output: as few as can be."""
    tests = [None if line.strip() == ANYTHING else re.compile(_pattern(line, known, {})) for line in shown]
    costs = _costs(tests, real)
    at, now = 0, 0
    while at < len(shown) or now < len(real):
        cost = costs[at][now]
        test = tests[at] if at < len(shown) else _NOTHING
        if test is None and cost == costs[at + 1][now]:
            yield f" {shown[at]}"
            at += 1
        elif test is None:
            now += 1
        elif now < len(real) and test.fullmatch(real[now] + "\n") and cost == costs[at + 1][now + 1]:
            yield f" {real[now]}"
            at, now = at + 1, now + 1
        elif at < len(shown) and cost == costs[at + 1][now] + 1:
            yield f"-{shown[at]}"
            at += 1
        else:
            yield f"+{real[now]}"
            now += 1


_NOTHING = re.compile(r"(?!)")


def _costs(tests: Sequence[re.Pattern[str] | None], real: Sequence[str]) -> list[list[int]]:
    """Return how many lines differ at least between what is left of both, from each pair of lines on."""
    costs = [[0] * (len(real) + 1) for _ in range(len(tests) + 1)]
    for at in reversed(range(len(tests) + 1)):
        test = tests[at] if at < len(tests) else _NOTHING
        for now in reversed(range(len(real) + 1)):
            ways = []
            if now < len(real):
                ways.append(costs[at][now + 1] + (test is not None))
            if at < len(tests):
                ways.append(costs[at + 1][now] + (test is not None))
            if test is not None and now < len(real) and at < len(tests) and test.fullmatch(real[now] + "\n"):
                ways.append(costs[at + 1][now + 1])
            costs[at][now] = min(ways, default=0)
    return costs
