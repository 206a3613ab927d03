"""Finds texts that are hard for the package's regular expressions: `python -m scripts.hostile DIRECTORY`.

DIRECTORY is where `npm install recheck` ran; node is needed as well. What recheck finds is added to what
`fixtures/hostile/regular_expressions.json` has for each pattern: a text that was hard once should not be so again.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from tests.attack.patterns import ATTACKS, Parsed, collected

_ANALYSE = """
process.env.RECHECK_BACKEND ??= "native";
const {check} = require("recheck");
(async () => {
  for (const [place, source, flags] of JSON.parse(require("fs").readFileSync(0))) {
    const found = await check(source, flags, {timeout: 20000, attackLimit: 1e9, maxAttackStringSize: 20000});
    const parts = found.attack && [found.attack.pumps.map(one => [one.prefix, one.pump]), found.attack.suffix];
    console.log(JSON.stringify([place, found.status, found.complexity?.type ?? "", parts]));
  }
  process.exit(0);
})();
"""
_CATEGORIES = {
    str(getattr(_constants, f"CATEGORY_{name}")): sign
    for name, sign in (
        ("DIGIT", r"\d"),
        ("NOT_DIGIT", r"\D"),
        ("SPACE", r"\s"),
        ("NOT_SPACE", r"\S"),
        ("WORD", r"\w"),
        ("NOT_WORD", r"\W"),
    )
}
_PLACES = {
    "AT_BEGINNING": "^",
    "AT_BEGINNING_STRING": "(?<![^])",
    "AT_END": "$",
    "AT_END_STRING": "(?![^])",
    "AT_BOUNDARY": r"\b",
    "AT_NON_BOUNDARY": r"\B",
}


def in_javascript(items: Parsed) -> str:
    """Return a parsed pattern as JavaScript writes it, where nothing is atomic or possessive."""
    written = ""
    for operator, value in items:
        match str(operator), value:
            case "LITERAL", _:
                written += _character(value)
            case "NOT_LITERAL", _:
                written += f"[^{_character(value)}]"
            case "ANY", _:
                written += "."
            case "IN", _:
                written += "[" + "".join(map(_member, value)) + "]"
            case "BRANCH", (_, branches):
                written += f"(?:{'|'.join(map(in_javascript, branches))})"
            case "SUBPATTERN", (number, _, _, body):
                written += f"({'' if number else '?:'}{in_javascript(body)})"
            case "ATOMIC_GROUP", _:
                written += f"(?:{in_javascript(value)})"
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (least, most, body):
                times = f"{{{least},{'' if most is _constants.MAXREPEAT else most}}}"
                written += f"(?:{in_javascript(body)}){times}{'?' * (str(operator) == 'MIN_REPEAT')}"
            case "ASSERT" | "ASSERT_NOT", (direction, body):
                written += f"(?{'<' * (direction < 0)}{'=' if str(operator) == 'ASSERT' else '!'}{in_javascript(body)})"
            case "AT", _:
                written += _PLACES[str(value)]
            case "GROUPREF", _:
                written += rf"(?:\{value})"
            case "FAILURE", _:
                written += "(?!)"
            case _:
                raise ValueError(operator)
    return written


def _character(code: int) -> str:
    return chr(code) if chr(code).isascii() and chr(code).isalnum() else f"\\u{{{code:x}}}"


def _member(item: tuple[Any, Any]) -> str:
    operator, value = item
    match str(operator):
        case "NEGATE":
            return "^"
        case "RANGE":
            return "-".join(map(_character, value))
        case "CATEGORY":
            return _CATEGORIES[str(value)]
    return _character(value)


def main() -> None:
    """Analyse every pattern, and add what is new."""
    asked = []
    for used in collected()[0]:
        flags = used.pattern.flags & ~(re.UNICODE if isinstance(used.pattern.pattern, bytes) else 0)
        letters = "".join(
            letter for letter, flag in (("i", re.IGNORECASE), ("m", re.MULTILINE), ("s", re.DOTALL)) if flags & flag
        )
        asked.append((used.place, in_javascript(_parser.parse(used.pattern.pattern, flags)), f"{letters}u"))
    node = ["node", "-e", _ANALYSE]
    analysed = subprocess.run(
        node, cwd=sys.argv[1], input=json.dumps(asked), stdout=subprocess.PIPE, text=True, check=True
    )
    attacks: dict[str, list[Any]] = json.loads(ATTACKS.read_text(encoding="utf-8")) if ATTACKS.exists() else {}
    counts: Counter[str] = Counter()
    for place, status, complexity, parts in map(json.loads, analysed.stdout.splitlines()):
        counts[f"{status} {complexity}".strip()] += 1
        if parts and parts not in attacks.setdefault(place, []):
            attacks[place].append(parts)
    lines = (f"{json.dumps(place)}: {json.dumps(found)}" for place, found in sorted(attacks.items()))
    ATTACKS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(counts)


if __name__ == "__main__":
    main()
