"""What can stand where the cursor is. The names of commands cost no import but the registry."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tx_graph.faces.cli.completion.line import is_redirected_file, without_redirections
from tx_graph.faces.operations import COMMANDS

_DESCRIPTION_LENGTH = 60
_TASK, _RUN = "task:", "run:"
"""What stands before the number of a task or run where other nodes may be meant too."""
_ENTITY, _FACT = "entity:", "fact:"
"""The same before the name of an entity and the number of a fact."""
_SECTION = "#"
"""What stands between a document and one of its sections."""
_NOUN = re.compile(r"[A-Z]+")
"""The first word of `PATH[::SYMBOL]` or `[KEY]`."""


class Hint(StrEnum):
    """What the shell is to do besides offering the candidates."""

    FILES = "files"  # offer files too: a shell knows its quoting, its tilde and its user's settings
    DIRECTORIES = "directories"  # offer directories
    NAMES = "names"  # the candidates are paths: quote them as such
    OPEN = "open"  # put no space behind the candidate: more may follow


class Candidate(NamedTuple):
    """One way to complete the word; `value` is the whole word."""

    value: str
    description: str = ""


class Answer(NamedTuple):
    """The candidates that fit the word, best first, and what the shell is to add."""

    candidates: tuple[Candidate, ...] = ()
    hints: tuple[Hint, ...] = ()


class Cursor(NamedTuple):
    """The word to complete, and the directory the command will run in.

    `is_moved` says that `-C` named that directory: the shell's own completion of files would look elsewhere.
    """

    word: str
    directory: Path
    is_moved: bool = False


def complete(words: Sequence[str], *, cwd: Path) -> Answer:
    """Return what can stand in place of the last of `words`, the words after `tx`."""
    *before, word = words
    if is_redirected_file(before, word):
        return Answer(hints=(Hint.FILES,))
    rest = without_redirections(before)
    cursor = Cursor(word, cwd)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option == "-C" and not rest:
            return Answer(hints=(Hint.DIRECTORIES,))
        if option.startswith("-C"):
            cursor = Cursor(word, cwd / _expanded(option[2:] or rest.pop(0)), is_moved=True)
    if rest:
        return _in_command(rest[0], rest[1:], cursor) if rest[0] in COMMANDS else Answer()
    return _root_options(word) if word.startswith("-") else _commands(word)


def _expanded(directory: str) -> str:
    return os.path.expandvars(os.path.expanduser(directory))  # noqa: PTH111 - as the shell will, not as a path


def _commands(word: str) -> Answer:
    return _matching(word, (Candidate(entry.name, entry.summary) for entry in COMMANDS.values()))


def _root_options(word: str) -> Answer:
    import typer.main

    from tx_graph.faces.cli.app import app

    command = typer.main.get_command(app)
    return _unused_options(command, command.make_context("tx", [], resilient_parsing=True), word)


def _in_command(name: str, before: Sequence[str], cursor: Cursor) -> Answer:
    """Have click find what the cursor is at, and ask that.

    Typer gives no public name to click's part of it, and one of its classes for shells is where it has been longest.
    """
    from typer._completion_classes import BashComplete

    from tx_graph.faces.cli.app import LazyGroup

    def options(context: Any, word: str) -> Answer:  # noqa: ANN401 - Typer keeps its click to itself
        return Answer() if word and "--" in before else _unused_options(command, context, word)

    def values(parameter: Any, context: Any, word: str) -> Answer:  # noqa: ANN401 - the same
        is_given = parameter.param_type_name == "argument" and _is_given(context, parameter)
        return options(context, word) if is_given and not word else _values(parameter, cursor._replace(word=word))

    command = LazyGroup().get_command(None, name)
    for one in command.params:
        one.shell_complete = partial(values, one)
    command.shell_complete = options
    option, equals, _ = cursor.word.partition("=")
    is_attached = bool(equals) and option.startswith("-") and "--" not in before
    if is_attached and not any(option in one.opts and not getattr(one, "is_flag", False) for one in command.params):
        return Answer()
    shell: Any = BashComplete(command, {}, name, "")
    answer: Answer = shell.get_completions([*before], cursor.word)
    if not is_attached:
        return answer
    whole = (Candidate(f"{option}={one.value}", one.description) for one in answer.candidates)
    return answer._replace(candidates=tuple(whole))


def _unused_options(command: Any, context: Any, word: str) -> Answer:  # noqa: ANN401 - the same
    """Offer each option by its longest name, or by a short one that is typed out."""
    options = [one for one in command.get_params(context) if one.param_type_name == "option" and not one.hidden]
    unused = [one for one in options if one.multiple or not _is_given(context, one)]
    named = [((*one.opts, *one.secondary_opts), one.help or "") for one in unused]
    return _matching(word, (Candidate(word if word in names else max(names, key=len), text) for names, text in named))


def _is_given(context: Any, parameter: Any) -> bool:  # noqa: ANN401 - the same
    source = context.get_parameter_source(parameter.name)
    return source is not None and source.name == "COMMANDLINE"


def _values(parameter: Any, cursor: Cursor) -> Answer:  # noqa: ANN401 - the same
    if choices := getattr(parameter.type, "choices", ()):
        return _matching(cursor.word, (Candidate(str(choice)) for choice in choices))
    source = source_of(parameter)
    return source(cursor) if source else Answer()


def source_of(parameter: Any) -> Source | None:  # noqa: ANN401 - the same
    """Return where the values of an option (by its name) or argument (by what its help calls it) come from."""
    if parameter.param_type_name == "option":
        return _OF_OPTIONS.get([*parameter.opts, *parameter.secondary_opts][-1])
    noun = _NOUN.search(parameter.metavar or "")
    return _OF_ARGUMENTS.get(noun[0]) if noun else None


def _matching(word: str, candidates: Iterable[Candidate], *hints: Hint) -> Answer:
    start = word.casefold()
    return Answer(tuple(one for one in candidates if one.value.casefold().startswith(start)), hints)


def _learnings(cursor: Cursor) -> Answer:
    """Offer learnings by number, and by uid once its beginning is typed."""
    from tx_graph.faces.cli.completion.known import learnings
    from tx_graph.graph.references import NodeKind

    explicit = f"{NodeKind.LEARNING}:"
    prefix = explicit if cursor.word.startswith(explicit) else ""
    start = cursor.word.removeprefix(prefix)
    by_uid = bool(start) and not start.isdigit()
    found = (
        Candidate(f"{prefix}{uid if by_uid else number}", _first_words(text))
        for number, uid, text in learnings(cursor.directory)
    )
    return _matching(cursor.word, found)


def _first_words(text: str) -> str:
    """Return the beginning of `text` in one line; nothing in it can drive a terminal."""
    line = " ".join(text[: 4 * _DESCRIPTION_LENGTH].split())
    line = "".join(character for character in line if character.isprintable())
    return line if len(line) <= _DESCRIPTION_LENGTH else f"{line[: _DESCRIPTION_LENGTH - 1]}…"


def _tasks(cursor: Cursor) -> Answer:
    """Offer tasks by number, and by what a tracker calls them once its beginning is typed."""
    from tx_graph.faces.cli.completion.known import tasks

    prefix = _TASK if cursor.word.startswith(_TASK) else ""
    start = cursor.word.removeprefix(prefix)
    by_name = bool(start) and not start.isdigit()
    found = (
        Candidate(f"{prefix}{task.external_id if by_name else task.id}", _first_words(task.title))
        for task in tasks(cursor.directory)
        if task.external_id or not by_name
    )
    return _matching(cursor.word, found)


def _runs(cursor: Cursor) -> Answer:
    """Offer runs by number, with what they were for."""
    from tx_graph.faces.cli.completion.known import runs

    prefix = _RUN if cursor.word.startswith(_RUN) else ""
    found = (
        Candidate(f"{prefix}{run.id}", _first_words(run.task.title if run.task else run.agent or ""))
        for run in runs(cursor.directory)
    )
    return _matching(cursor.word, found)


def _entities(cursor: Cursor) -> Answer:
    """Offer entities by name, with what they are."""
    from tx_graph.faces.cli.completion.known import entities

    prefix = _ENTITY if cursor.word.startswith(_ENTITY) else ""
    known = ((name, type_) for name, type_ in entities(cursor.directory) if name.isprintable())
    return _matching(cursor.word, (Candidate(f"{prefix}{name}", type_) for name, type_ in known), Hint.NAMES)


def _facts(cursor: Cursor) -> Answer:
    """Offer facts by number, and by uid once its beginning is typed."""
    from tx_graph.faces.cli.completion.known import facts

    prefix = _FACT if cursor.word.startswith(_FACT) else ""
    start = cursor.word.removeprefix(prefix)
    by_uid = bool(start) and not start.isdigit()
    found = (
        Candidate(f"{prefix}{uid if by_uid else number}", _first_words(text))
        for number, uid, text in facts(cursor.directory)
    )
    return _matching(cursor.word, found)


def _predicates(cursor: Cursor) -> Answer:
    """Offer predicates that facts use."""
    from tx_graph.faces.cli.completion.known import predicates

    return _matching(cursor.word, map(Candidate, predicates(cursor.directory)))


def _many_learnings(cursor: Cursor) -> Answer:
    """Offer learnings, also behind a comma."""
    head, comma, tail = cursor.word.rpartition(",")
    answer = _learnings(cursor._replace(word=tail))
    listed = tuple(one._replace(value=f"{head}{comma}{one.value}") for one in answer.candidates)
    return answer._replace(candidates=listed, hints=(Hint.OPEN,) if listed else ())


def _links(cursor: Cursor) -> Answer:
    """Offer learnings, then what a link to one can mean."""
    from tx_graph.graph.edges import Relation

    number, colon, _ = cursor.word.partition(":")
    if colon and number.isdigit():
        return _matching(cursor.word, (Candidate(f"{number}:{relation}") for relation in Relation))
    answer = _learnings(cursor)
    return answer._replace(hints=(Hint.OPEN,)) if answer.candidates else answer


def _nodes(cursor: Cursor) -> Answer:
    """Offer learnings and files, and sections behind a document; tasks, runs or entities once one says so."""
    if _SECTION in cursor.word:
        return _sections(cursor)
    if cursor.word.startswith(_ENTITY):
        return _entities(cursor)
    if cursor.word.startswith((_TASK, _RUN)):
        return _tasks(cursor) if cursor.word.startswith(_TASK) else _runs(cursor)
    learnings, files = _learnings(cursor), _files(cursor)
    return Answer(learnings.candidates + files.candidates, files.hints)


def _sections(cursor: Cursor) -> Answer:
    """Offer files, and the sections of a document once that is named."""
    from tx_graph.faces.cli.completion.known import sections

    document, mark, _ = cursor.word.rpartition(_SECTION)
    if not mark:
        return _files(cursor)
    found = sections(cursor.directory, document)
    offered = (Candidate(f"{document}{mark}{slug}", _first_words(title)) for slug, title in found)
    answer = _matching(cursor.word, offered, Hint.NAMES)
    return answer if answer.candidates else _files(cursor)


def _edge_types(cursor: Cursor) -> Answer:
    """Offer edge types."""
    from tx_graph.graph.edges import EdgeType

    return _several(cursor, EdgeType)


def _relations(cursor: Cursor) -> Answer:
    """Offer what an edge between two sections can mean."""
    from tx_graph.graph.edges import Relation

    return _several(cursor, Relation)


def _origins(cursor: Cursor) -> Answer:
    """Offer what proposals can come from."""
    from tx_graph.proposals.values import Origin

    return _several(cursor, Origin)


def _types_at(cursor: Cursor) -> Answer:
    """Offer edge types behind the hop, as in `2=IMPORTS`."""
    hop, equals, names = cursor.word.partition("=")
    if not equals:
        return Answer()
    answer = _edge_types(cursor._replace(word=names))
    return answer._replace(candidates=tuple(Candidate(f"{hop}={one.value}") for one in answer.candidates))


def _ranking_methods(cursor: Cursor) -> Answer:
    """Offer ways to rank files."""
    from tx_graph.context.ranking_evidence import Method

    return _several(cursor, Method)


def _several(cursor: Cursor, names: Iterable[str]) -> Answer:
    """Offer names, also behind a comma; one that is typed out gets its space."""
    head, comma, tail = cursor.word.rpartition(",")
    left = [name for name in names if name not in head.split(",")]
    hints = () if tail in left else (Hint.OPEN,)
    return _matching(cursor.word, (Candidate(f"{head}{comma}{name}") for name in left), *hints)


def _settings(cursor: Cursor) -> Answer:
    from tx_graph.core.settings import SETTINGS

    return _matching(cursor.word, (Candidate(one.key, one.summary) for one in SETTINGS.values()))


def _retrievers(cursor: Cursor) -> Answer:
    """Offer what is built in and what other packages offer; none of them is loaded."""
    from importlib.metadata import entry_points

    from tx_graph.core.ports import BUILT_IN_RETRIEVERS, RETRIEVER_GROUP

    plug_ins = sorted(point.name for point in entry_points(group=RETRIEVER_GROUP))
    return _matching(cursor.word, (Candidate(name) for name in dict.fromkeys([*BUILT_IN_RETRIEVERS, *plug_ins])))


def _files(cursor: Cursor) -> Answer:
    if "::" in cursor.word:
        return Answer()  # a symbol: finding it would mean parsing the file
    return _listed(cursor, _entries(cursor)) if cursor.is_moved else Answer(hints=(Hint.FILES,))


def _directories(cursor: Cursor) -> Answer:
    if not cursor.is_moved:
        return Answer(hints=(Hint.DIRECTORIES,))
    return _listed(cursor, (path for path in _entries(cursor) if path.endswith("/")))


def _listed(cursor: Cursor, paths: Iterable[str]) -> Answer:
    answer = _matching(cursor.word, (Candidate(path) for path in sorted(paths)), Hint.NAMES)
    ends_in_directory = len(answer.candidates) == 1 and answer.candidates[0].value.endswith("/")
    return answer._replace(hints=(Hint.NAMES, Hint.OPEN)) if ends_in_directory else answer


def _entries(cursor: Cursor) -> Iterator[str]:
    """Yield the paths beside the word, directories with a slash; hidden ones only when asked for by their dot."""
    folder, start = os.path.split(cursor.word)
    lead = cursor.word.removesuffix(start) if start else cursor.word
    with os.scandir(cursor.directory / folder) as entries:
        for entry in entries:
            if entry.name.isprintable() and (start.startswith(".") or not entry.name.startswith(".")):
                yield f"{lead}{entry.name}{'/' if entry.is_dir() else ''}"


Source = Callable[[Cursor], Answer]

_OF_ARGUMENTS: dict[str, Source] = {
    "LEARNING": _learnings,
    "OTHER": _learnings,
    "KEEP": _learnings,
    "OLD": _learnings,
    "NEW": _learnings,
    "REF": _nodes,
    "FROM": _nodes,
    "TO": _nodes,
    "PATH": _files,
    "ANCHOR": _files,
    "FILE": _files,
    "GLOB": _files,
    "SECTION": _sections,
    "KEY": _settings,
    "TASK": _tasks,
    "RUN": _runs,
    "ENTITY": _entities,
    "SUBJECT": _entities,
    "OBJECT": _entities,
    "INTO": _entities,
    "FACT": _facts,
    "PREDICATE": _predicates,
}
_OF_OPTIONS: dict[str, Source] = {
    "--anchor": _files,
    "--apply": _files,
    "--docs": _files,
    "--edge-types": _edge_types,
    "--exclude-edge-types": _edge_types,
    "--types-at": _types_at,
    "--file": _files,
    "--methods": _ranking_methods,
    "--retriever": _retrievers,
    "--from": _origins,
    "--files": _files,
    "--link": _links,
    "--path": _directories,
    "--predicate": _predicates,
    "--relations": _relations,
    "--source": _files,
    "--task": _tasks,
    "--run": _runs,
    "--helpful": _many_learnings,
    "--unhelpful": _many_learnings,
    "--transcript": _files,
}
