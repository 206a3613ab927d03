"""What a page says that a command prints, held against what it printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

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

_NEAR = 2
"""Lines that agree which are shown before a difference."""
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
    """Yield the lines of a diff in which what varies is no difference, and `…` stands for what it leaves out."""
    tests = [re.compile(_pattern(line, known, {}).removesuffix(r"\n")) for line in shown if line.strip() != ANYTHING]
    told = [next((test.pattern for test in tests if test.fullmatch(line)), line) for line in real]
    wanted = [_pattern(line, known, {}).removesuffix(r"\n") for line in shown]
    yield "--- the page"
    yield "+++ printed"
    for kind, first, last, start, end in SequenceMatcher(None, wanted, told, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (f" {line}" for line in real[start:end][-_NEAR:])
            continue
        missing = [line for line in shown[first:last] if line.strip() != ANYTHING]
        yield from (f"-{line}" for line in missing)
        if len(missing) == last - first:
            yield from (f"+{line}" for line in real[start:end])
