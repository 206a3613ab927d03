"""Imports of JavaScript, TypeScript and Vue files, beside those of TypeScript's resolution and of dependency-cruiser.

Neither follows the name of a package of the repository itself as long as nothing is installed and built. What tx says
by such names alone counts neither way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from benchmarks.accuracy import dependency_cruiser
from benchmarks.accuracy.comparison import Comparison, Subject, Unmeasured, difference, edge_lines
from benchmarks.accuracy.dependency_cruiser import Asked
from benchmarks.accuracy.indexed import Indexed, Pair
from benchmarks.accuracy.node import NodeTools, node_tools
from scripts.benchmarks.settings import Settings
from tx_graph.code.languages import language_of
from tx_graph.code.resolvers import RepositoryIndex, resolve_imports

LANGUAGE = "JavaScript and TypeScript"
_LANGUAGES = ("javascript", "jsx", "typescript", "tsx", "vue")
_TYPESCRIPT, _CRUISER = "typescript", "dependency-cruiser"


def compare(tree: Indexed, settings: Settings) -> Iterator[Comparison | Unmeasured]:
    """Yield both comparisons, if there are such files."""
    paths = tree.of_languages(*_LANGUAGES)
    if not paths:
        return
    tools = node_tools(settings)
    if isinstance(tools, str):
        yield from (_unmeasured(tool, tools) for tool in (_TYPESCRIPT, _CRUISER))
        return
    files = tools.lines("typescript_imports.mjs", tree.root, paths)
    whole = [file for file in files if not file["broken"]]
    sources = {file["source"] for file in whole}
    asked = [(file["source"], module, target) for file in whole for module, target in file["imports"]]
    yield _compared(tree, _TYPESCRIPT, sources, asked)
    yield _cruised(tree, tools, {file["source"]: file["config"] for file in whole})


def _cruised(tree: Indexed, tools: NodeTools, config_of: dict[str, str]) -> Comparison | Unmeasured:
    if not tools.has(dependency_cruiser.PROGRAM):
        return _unmeasured(_CRUISER, f"{tools.directory} has no dependency-cruiser")
    try:
        asked = list(dependency_cruiser.imports(tools, tree.root, config_of))
    except RuntimeError as error:
        return _unmeasured(_CRUISER, str(error))
    return _compared(tree, _CRUISER, config_of.keys(), asked)


def _compared(tree: Indexed, tool: str, sources: Collection[str], asked: list[Asked]) -> Comparison:
    theirs = {(source, target) for source, _, target in asked if target in tree.sources and target != source}
    ours = {pair for pair in tree.edges if pair[0] in sources}
    by_name = _by_name_alone(tree, ours - theirs, asked)
    found = difference(edge_lines(ours - by_name), edge_lines(theirs))
    return Comparison(
        language=LANGUAGE,
        subject=Subject.IMPORTS,
        tool=tool,
        both=found.both,
        only_tx=found.only_tx,
        only_tool=found.only_tool,
        beyond=tuple(sorted(edge_lines(by_name))),
        remark=f"{len(sources):,} files",
    )


def _by_name_alone(tree: Indexed, pairs: Iterable[Pair], asked: Iterable[Asked]) -> set[Pair]:
    """Return those of the pairs that follow from names, no paths, for which the other tool found nothing."""
    unknown: dict[str, set[str]] = defaultdict(set)
    for source, module, target in asked:
        if target is None and not module.startswith((".", "/")):
            unknown[source].add(module)
    index = RepositoryIndex(tree.files, lambda path: _text(tree, path), resolver="javascript")
    return {(a, b) for a, b in pairs if b in _reached(tree, a, unknown[a], index)}


def _reached(tree: Indexed, source: str, modules: Collection[str], index: RepositoryIndex) -> set[str]:
    specifiers = [one for one in tree.specifiers[source] if one.module in modules]
    found = resolve_imports(source=source, language=language_of(source) or "", specifiers=specifiers, index=index)
    return {edge.target for edge in found.edges}


def _text(tree: Indexed, path: str) -> str:
    return (tree.root / path).read_text(encoding="utf-8-sig", errors="replace")


def _unmeasured(tool: str, reason: str) -> Unmeasured:
    return Unmeasured(language=LANGUAGE, subject=Subject.IMPORTS, tool=tool, reason=reason)
