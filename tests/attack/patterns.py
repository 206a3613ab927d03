"""Every regular expression of the package, and texts that are hard for it.

`python -m tests.attack.patterns [WORD…]` times those whose place contains a word, and prints a line of JSON for each.
"""

# ruff: noqa: T201
from __future__ import annotations

import ast
import importlib
import itertools
import json
import os
import pkgutil
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
ATTACKS = ROOT / "fixtures" / "hostile" / "regular_expressions.json"
"""By place, what an analyser found (`scripts/hostile.py`): parts to repeat, each behind a beginning, and an end."""

SMALL, LARGE = 500, 20_000
"""Characters: what is hard for a pattern shows on few, and is measured on many."""
PARTS, LINEAR = 5, 2.5
"""How many parts a text has, and how many times longer it takes at most than all of them: a quadratic pattern 5."""
QUICK, SECONDS = 0.02, 30
"""Of the processor, for one text: what takes less needs no second look, what takes more ends the process."""

SAMPLES: dict[str, object] = {
    "any_of": "word|wor",
    "begin": "# tx:begin",
    "declares": "def",
    "end": "# tx:end",
    "first": "^(?>(?:.+?/)??a(?>[^/]*?b)[^/]*c(?=/))",
    "imported": r"from\s+([\w.]+)\s+import\s[^\n]{0,200}\bword\b",
    "key": "title",
    "last": None,
    "meaning": {},
    "name": "lang",
    "own": "word",
    "pattern": ".+",
    "required": r"import\s[^;\"']{0,200}\bword\b[^;\"']{0,200}\bfrom\s+[\"']([^\"']+)",
    "rest": ["(?:.*/)?", "b"],
    "settled": ["(?>.*?a)"],
    "tag": "template",
    "text": "1",
    "tokens": "a",
    "whole": r"\bword\b",
    "word": "word",
}
"""What stands for the local names that patterns inside functions are made of."""

BOUNDS = {
    "code.canonical.ecmascript:_FORMATTED_PLACE": 80,  # before a part
    **dict.fromkeys((f"code.readers.{name}" for name in ("lua:READER", "elixir:_clauses")), 200),
    **dict.fromkeys((f"code.readers.symbols_only:{name}" for name in ("RUBY", "SCALA")), 200),
    "core.guard:described": 40,  # before a secret
    "core.identifiers:_LAST_WORD": 64,  # before an ending
    "documents.chunking:_WORD_BEFORE": 16,  # before a full stop
    "documents.reading:_TWO_WORDS": 200,  # of a word
    "documents.rst:_WORD_BEFORE": 80,  # before an underscore
    "documents.statements:_EMPHASIS": 1200,  # of what a key has for a value
    "documents.statements:_RELATED": 500,  # of a status
    **dict.fromkeys((f"proposals.calls:{name}" for name in ("_WATCHING", "_PAGER", "_AFTER", "_PURPOSES")), 300),
    "proposals.commits:_PULL_REQUEST": 1000,  # of a subject
    "proposals.speech:_SURROUNDINGS": 1000,  # of a line
    **dict.fromkeys((f"proposals.speech:{name}" for name in ("Trouble", "_QUOTED")), 200),
    **dict.fromkeys((f"proposals.speech:{name}" for name in ("_SPELT", "_END", "_ASKING_END")), 1500),  # of a message
    **dict.fromkeys((f"proposals.speech:{name}" for name in ("_CUES", "_DISCOUNTS")), 600),  # of a sentence, spelt out
}
"""Characters of the longest text that a pattern is given, where the code around it sees to that."""


def _lexed(lexeme: re.Pattern[str], text: str) -> None:
    from tx_graph.code.canonical import lexing, shapes

    family = next(one for one in vars(lexing).values() if getattr(one, "lexeme", None) is lexeme)
    lexing.lexed(shapes.Source(text=text), 0, len(text), family)


GUARDED: Mapping[str, Callable[[re.Pattern[str], str], None]] = {"code.canonical.lexing:Family": _lexed}
"""Patterns that are only as fast as the code around them makes them, with that code."""

HANDED = dict.fromkeys(
    (
        "code.resolvers.haskell:MANIFESTS",
        "code.resolvers.ruby:_GEM",
        "core.suspicions:_PLACEHOLDER",
        "documents.claims.commands:_TOOLS",
        "hub.ecosystems.pypi:_MANIFESTS",
        "hub.ecosystems.pypi:_REQUIREMENTS",
        "proposals.calls:_PURPOSES",
    ),
    ("fullmatch",),
)
"""What patterns are used with that are handed on, where it is not everything."""

_METHODS = {"match": "match", "fullmatch": "fullmatch"} | dict.fromkeys(
    ("search", "findall", "finditer", "sub", "subn", "split"), "finditer"
)
Parsed = Any
"""A part of a pattern as the parser of `re` has it, for which there are no types."""


class Used(NamedTuple):
    """A pattern, where it is made, and the methods that it is used with: `finditer` for all that look for it."""

    place: str
    pattern: re.Pattern[Any]
    methods: tuple[str, ...]


def collected() -> tuple[list[Used], list[str]]:
    """Return the patterns, and the places whose patterns were neither made by importing nor can be made of samples."""
    made: dict[tuple[str, int], list[re.Pattern[Any]]] = defaultdict(list)
    compiled = re._compile  # type: ignore[attr-defined]

    def noted(pattern: str | bytes, flags: int) -> re.Pattern[Any]:
        caller, found = sys._getframe(2), compiled(pattern, flags)
        made[caller.f_code.co_filename, caller.f_lineno].append(found)
        return found  # type: ignore[no-any-return]

    re._compile = noted  # type: ignore[attr-defined]
    import tx_graph

    names = [name for _, name, _ in pkgutil.walk_packages(tx_graph.__path__, "tx_graph.") if "__main__" not in name]
    modules = {name: importlib.import_module(name) for name in names}
    re._compile = compiled  # type: ignore[attr-defined]
    trees = {name: ast.parse(Path(str(one.__file__)).read_text(encoding="utf-8")) for name, one in modules.items()}
    uses, found, unknown = _uses(trees), list[Used](), list[str]()
    for name, module in modules.items():
        for given, method, call in _calls(trees[name]):
            place = f"{name.removeprefix('tx_graph.')}:{given}"
            lines = range(call.lineno, (call.end_lineno or 0) + 1)
            here = [one for line in lines for one in made[str(module.__file__), line]]
            try:
                here = here or [_made_of(call, method, vars(module))]
            except NameError as error:
                unknown.append(f"{place}: {error}")
            methods = tuple(sorted(uses[name, given])) or ("finditer", "fullmatch")
            methods = HANDED.get(place, methods) if method == "compile" else (_METHODS[method],)
            found += [Used(place, pattern, methods) for pattern in dict.fromkeys(here)]
    return found, unknown


def _calls(tree: ast.Module) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield the calls of `re` that take a pattern, each with the name of the module's statement that it stands in."""
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        name = target.id if isinstance(target, ast.Name) else getattr(statement, "name", "")
        for node in ast.walk(statement):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name("re"), attr=method)) if method in {
                    "compile",
                    *_METHODS,
                }:
                    yield name, method, node


def _made_of(call: ast.Call, method: str, names: dict[str, Any]) -> re.Pattern[Any]:
    flags = [one.value for one in call.keywords if one.arg == "flags"] or call.args[1 if method == "compile" else 2 :]
    wanted = [call.args[0], *(flags if method != "sub" else ())]
    values = [eval(compile(ast.Expression(one), "", "eval"), names, SAMPLES) for one in wanted]
    return re.compile(*values)


def _uses(trees: Mapping[str, ast.Module]) -> dict[tuple[str, str], set[str]]:
    """Return the methods with which each module's patterns are used, there and where they are imported."""
    uses: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, tree in trees.items():
        imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
        home = {alias.asname or alias.name: str(one.module) for one in imports for alias in one.names}
        said: set[ast.AST] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=ast.Name(name) as known, attr=attribute):
                    said.add(known)
                    uses[home.get(name, module), name] |= {_METHODS[attribute]} if attribute in _METHODS else set()
                case ast.Name(name, ctx=ast.Load()) if node not in said:  # it is handed on, to whatever use
                    uses[home.get(name, module), name] |= {"finditer", "fullmatch"}
    return uses


class Text(NamedTuple):
    """A text that is made of parts to repeat as often as there is room, each with what stands before it, and an end."""

    parts: tuple[tuple[str, str], ...]
    end: str

    def of(self, size: int) -> str:
        """Return so many characters of it."""
        room = (size - len(self.end) - sum(len(head) for head, _ in self.parts)) // len(self.parts)
        return "".join(head + pump * (room // (len(pump) or 1)) for head, pump in self.parts) + self.end


def hostile(pattern: re.Pattern[Any]) -> Iterator[Text]:
    """Yield what a glance at a pattern suggests: whatever it repeats, behind what must stand before it, then an end."""
    source = pattern.pattern
    tree = _parser.parse(source, pattern.flags & ~(re.UNICODE if isinstance(source, bytes) else 0))
    literals = dict.fromkeys(chr(value) for operator, value in _operators(tree) if operator is _constants.LITERAL)
    repeated = list(_repeated(tree, "", tree))
    heads, found = dict.fromkeys(["", *(head for head, _ in repeated)]), dict.fromkeys(pump for _, pump in repeated)
    pumps = dict.fromkeys([*list(found)[:12], *" \n\ta0", *list(literals)[:12]])
    for head, pump in itertools.product(list(heads)[:8], pumps):
        yield Text(((head, pump),), "\0")
        if head:
            yield Text((("", head + pump),), "")


def _operators(found: Parsed) -> Iterator[tuple[Parsed, Parsed]]:
    if isinstance(found, tuple) and len(found) == 2 and found[0] in _constants.OPCODES:
        yield found
    if isinstance(found, tuple | list | _parser.SubPattern):
        yield from (one for part in found for one in _operators(part))


def _repeated(items: Parsed, head: str, tree: Parsed) -> Iterator[tuple[str, str]]:
    """Yield what may stand before each repetition with what it repeats; at last all of it."""
    for operator, value in items:
        match str(operator), value:
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (_, most, body):
                if most > 3:
                    yield from ((head, _sample(body, tree, choice)) for choice in range(4))
                yield from _repeated(body, head, tree)
            case "BRANCH", (_, branches):
                yield from (one for branch in branches for one in _repeated(branch, head, tree))
            case ("SUBPATTERN", (*_, body)) | ("ATOMIC_GROUP", body) | (("ASSERT" | "ASSERT_NOT"), (_, body)):
                yield from _repeated(body, head, tree)
        head += _sample([(operator, value)], tree)
    yield head, head


def _sample(items: Parsed, tree: Parsed, choice: int = 0) -> str:
    """Return a text that the items match, or nearly; `choice` says which of several alternatives."""
    text = ""
    for operator, value in items:
        match str(operator), value:
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (least, _, body):
                text += _sample(body, tree, choice) * least
            case "BRANCH", (_, branches):
                text += _sample(branches[choice % len(branches)], tree, choice)
            case ("SUBPATTERN", (*_, body)) | ("ATOMIC_GROUP", body):
                text += _sample(body, tree, choice)
            case "LITERAL", _:
                text += chr(value)
            case (("NOT_LITERAL" | "IN" | "ANY"), _):
                single = _compiler.compile(_parser.SubPattern(tree.state, [(operator, value)]), tree.state.flags)
                said = (one for _, one in (value if operator is _constants.IN else ()))
                begins = (one[0] if isinstance(one, tuple) else one for one in said if isinstance(one, int | tuple))
                text += next((one for one in [*map(chr, begins), *'a0A (\n"'] if single.match(one)), "")
    return text


def timed(used: Used, known: Iterable[Text]) -> Iterator[tuple[float, str, Text]]:
    """Yield how many times longer each of the worst texts takes than its parts; what is tried is printed before."""
    bound, guarded = BOUNDS.get(used.place, LARGE), GUARDED.get(used.place)

    def seconds(method: str, text: Text, size: int, times: int = 1) -> float:
        whole: Any = text.of(min(size, bound))
        whole = whole.encode("utf-8", "replace") if isinstance(used.pattern.pattern, bytes) else whole
        print(json.dumps([0, method, text, size]), flush=True)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # ends the process: the engine hears of nothing else
        begun = time.process_time()
        for _ in range(max(times, size // bound)):
            if guarded:
                guarded(used.pattern, whole)
            elif method == "finditer":
                any(False for _ in used.pattern.finditer(whole))
            else:
                getattr(used.pattern, method)(whole)
        return time.process_time() - begun

    def growth(method: str, text: Text) -> float:
        if (whole := seconds(method, text, LARGE)) < QUICK or bound < LARGE:  # many short texts: each has an end
            return 0
        # A machine that does other work too is slow now and then: the least of a few is what it takes.
        parts = min(seconds(method, text, LARGE // PARTS, PARTS) for _ in range(3))
        return min(whole, seconds(method, text, LARGE), seconds(method, text, LARGE)) / parts

    for method in used.methods[: 1 if guarded else None]:
        worst = sorted(hostile(used.pattern), key=lambda text: seconds(method, text, SMALL))[-2:]
        yield from ((growth(method, text), method, text) for text in (*worst, *known))


def main() -> None:
    """Time the patterns in another process, which ends when the time of one is up; then the next has the rest."""
    attacks = json.loads(ATTACKS.read_text(encoding="utf-8"))
    found, unknown = collected()
    print(json.dumps({"patterns": len(found), "unknown": unknown}))
    left = [used for used in found if len(sys.argv) == 1 or any(word in used.place for word in sys.argv[1:])]
    while left:
        reading, writing = os.pipe()
        sys.stdout.flush()
        if not (child := os.fork()):
            os.dup2(writing, 1)
            for used in left:
                known = [Text(tuple(map(tuple, parts)), end) for parts, end in attacks.get(used.place, ())]
                print(json.dumps({"place": used.place, "failed": 0, "worst": max(timed(used, known))}), flush=True)
            os._exit(0)
        os.close(writing)
        tried = ""
        with open(reading, encoding="utf-8") as said:  # noqa: PTH123 - a descriptor has no path
            for line in said:
                if line.startswith("{"):
                    print(line, end="")
                    del left[0]
                tried = line
        if failed := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            print(json.dumps({"place": left.pop(0).place, "failed": failed, "worst": json.loads(tried)}))


if __name__ == "__main__":
    main()
