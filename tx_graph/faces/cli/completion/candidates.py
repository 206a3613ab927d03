"""What can stand where the cursor is. The names of commands cost no import but the register.

The database of a workspace is only ever read, never created, migrated or waited for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tx_graph.faces.cli.completion.line import is_redirected_file, without_redirections
from tx_graph.faces.operations import ALIASES, COMMANDS, EVERYDAY, GROUPS, spelled_out

if TYPE_CHECKING:
    from tx_graph.core.database import Database

_DESCRIPTION_LENGTH = 60
_ENTITY = "entity:"  # what stands before the name of an entity where other nodes may be meant too
_SECTION = "#"  # what stands between a document and one of its sections
_PATIENCE = 0.2  # seconds to wait for another process's lock: a Tab must not hang
_MOST_ENTITIES = 1_000  # those with most facts: nobody reads more
_MOST_WORK = 200  # the newest tasks or runs: older ones are hardly meant
_NOUN = re.compile(r"[A-Z]+")  # the first word of `PATH[::SYMBOL]` or `[KEY]`


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
            named = os.path.expandvars(os.path.expanduser(option[2:] or rest.pop(0)))  # noqa: PTH111 - as the shell will
            cursor = Cursor(word, cwd / named, is_moved=True)
    if rest in [[name] for name in GROUPS] and not word.startswith("-"):
        lead = f"{rest[0]}:"
        members = (one for one in COMMANDS.values() if one.name.startswith(lead))
        return _matching(word, (Candidate(one.name.removeprefix(lead), one.summary) for one in members))
    if rest:
        name, *given = spelled_out(rest)
        return _in_command(name, given, cursor) if name in COMMANDS else Answer()
    if not word.startswith("-"):
        full = {name: COMMANDS[ALIASES.get(name, name)].summary for name in (*EVERYDAY, *COMMANDS)}
        # All at once are too many to read: what belongs to a group comes with its first letter.
        shown = full if word else {name: text for name, text in full.items() if ":" not in name}
        return _matching(word, map(Candidate, *zip(*(shown | GROUPS).items(), strict=True)))
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
        if not word and parameter.param_type_name == "argument" and _is_given(context, parameter):
            return options(context, word)
        if choices := getattr(parameter.type, "choices", ()):
            return _matching(word, (Candidate(str(choice)) for choice in choices))
        source = source_of(parameter)
        return source(cursor._replace(word=word)) if source else Answer()

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
    return _behind(f"{option}=", answer) if is_attached else answer


def _unused_options(command: Any, context: Any, word: str) -> Answer:  # noqa: ANN401 - the same
    """Offer each option by its longest name, or by a short one that is typed out."""
    options = [one for one in command.get_params(context) if one.param_type_name == "option" and not one.hidden]
    unused = [one for one in options if one.multiple or not _is_given(context, one)]
    named = [((*one.opts, *one.secondary_opts), one.help or "") for one in unused]
    return _matching(word, (Candidate(word if word in names else max(names, key=len), text) for names, text in named))


def _is_given(context: Any, parameter: Any) -> bool:  # noqa: ANN401 - the same
    source = context.get_parameter_source(parameter.name)
    return source is not None and source.name == "COMMANDLINE"


def source_of(parameter: Any) -> Source | None:  # noqa: ANN401 - the same
    """Return where the values of an option (by its name) or argument (by what its help calls it) come from."""
    if parameter.param_type_name == "option":
        return _OF_OPTIONS.get([*parameter.opts, *parameter.secondary_opts][-1])
    noun = _NOUN.search(parameter.metavar or "")
    return _OF_ARGUMENTS.get(noun[0]) if noun else None


def _matching(word: str, candidates: Iterable[Candidate], *hints: Hint) -> Answer:
    start = word.casefold()
    return Answer(tuple(one for one in candidates if one.value.casefold().startswith(start)), hints)


@contextmanager
def _reading(directory: Path) -> Iterator[Database | None]:
    """Open the database of the workspace around a directory, only to be read; None where there is none."""
    from tx_graph.core.errors import NotInitialised
    from tx_graph.core.place import place_of

    path = None
    with suppress(NotInitialised):
        path = place_of(directory).database
    if path is None or not path.is_file():
        yield None
        return
    from tx_graph.core.database import Database
    from tx_graph.core.sqlite import binding

    # Without a write-ahead log nobody is writing; `immutable` then leaves no files beside the database.
    immutable = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    address = f"{path.resolve().as_uri()}?mode=ro{immutable}"
    with closing(binding().module.connect(address, timeout=_PATIENCE, isolation_level=None, uri=True)) as connection:
        yield Database(connection, path, read_only=True)


def things(kind: str, directory: Path) -> list[tuple[int, str, str]]:
    """Return (number, name, words) of the learnings, facts, tasks or runs around a directory, newest first.

    The name is a uid, or what a tracker calls a task. What is staged is marked so; of tasks, open ones come first.
    """
    with _reading(directory) as database:
        if database is None:
            return []
        if kind == "learning":
            from tx_graph.records.learning_store import LearningStore

            store = LearningStore(database)
            staged = store.staged()
            return [(one, uid, f"staged: {text}" if one in staged else text) for one, uid, text in store.labels()]
        if kind == "fact":
            from tx_graph.knowledge.fact_store import FactStore

            return FactStore(database).labels()
        from tx_graph.work.store import RunStore, TaskStore

        if kind == "run":
            found = RunStore(database).listed(limit=_MOST_WORK)
            return [(run.id, "", run.task.title if run.task else run.agent or "") for run in found]
        tasks = sorted(TaskStore(database).listed(None, limit=_MOST_WORK), key=lambda task: task.done_at is not None)
        return [(task.id, task.external_id or "", task.title) for task in tasks]


def _numbered(kind: str, cursor: Cursor) -> Answer:
    """Offer things by number, and by name once the beginning of one is typed."""
    mark = f"{kind}:"
    prefix = mark if cursor.word.startswith(mark) else ""
    start = cursor.word.removeprefix(prefix)
    by_name = bool(start) and not start.isdigit()
    found = (
        Candidate(f"{prefix}{name if by_name else number}", _first_words(text))
        for number, name, text in things(kind, cursor.directory)
        if name or not by_name
    )
    return _matching(cursor.word, found)


_learnings, _tasks, _runs, _facts = (partial(_numbered, kind) for kind in ("learning", "task", "run", "fact"))


def _first_words(text: str) -> str:
    """Return the beginning of `text` in one line; nothing in it can drive a terminal."""
    line = " ".join(text[: 4 * _DESCRIPTION_LENGTH].split())
    line = "".join(character for character in line if character.isprintable())
    return line if len(line) <= _DESCRIPTION_LENGTH else f"{line[: _DESCRIPTION_LENGTH - 1]}…"


def _entities(cursor: Cursor) -> Answer:
    """Offer entities by name, with what they are, those with most facts first."""
    prefix = _ENTITY if cursor.word.startswith(_ENTITY) else ""
    with _reading(cursor.directory) as database:
        if database is None:
            return Answer()
        from tx_graph.knowledge.entity_store import EntityStore

        found = EntityStore(database).listed(limit=_MOST_ENTITIES)
    named = (Candidate(f"{prefix}{one.name}", one.type) for one in found if one.name.isprintable())
    return _matching(cursor.word, named, Hint.NAMES)


def _predicates(cursor: Cursor) -> Answer:
    """Offer predicates that facts use."""
    with _reading(cursor.directory) as database:
        if database is None:
            return Answer()
        from tx_graph.knowledge.fact_store import FactStore

        return _matching(cursor.word, map(Candidate, FactStore(database).predicates()))


def _many_learnings(cursor: Cursor) -> Answer:
    """Offer learnings, also behind a comma."""
    head, comma, tail = cursor.word.rpartition(",")
    answer = _behind(head + comma, _learnings(cursor._replace(word=tail)))
    return answer._replace(hints=(Hint.OPEN,) if answer.candidates else ())


def _behind(lead: str, answer: Answer) -> Answer:
    """Return an answer of which each candidate stands behind something."""
    return answer._replace(candidates=tuple(one._replace(value=f"{lead}{one.value}") for one in answer.candidates))


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
    if cursor.word.startswith(("task:", "run:")):
        return _numbered(cursor.word.partition(":")[0], cursor)
    learnings, files = _learnings(cursor), _files(cursor)
    return Answer(learnings.candidates + files.candidates, files.hints)


def _sections(cursor: Cursor) -> Answer:
    """Offer files, and the sections of a document, typed as seen from the directory, once that is named."""
    from tx_graph.core.place import find_root

    document, mark, _ = cursor.word.rpartition(_SECTION)
    root, here = find_root(cursor.directory), (cursor.directory / document).resolve()
    answer = Answer()
    with _reading(cursor.directory) as database:
        if mark and root and here.is_relative_to(root.path) and database:
            from tx_graph.documents.store import DocumentStore, SectionStore

            known = DocumentStore(database).by_paths([here.relative_to(root.path).as_posix()])
            trees = SectionStore(database).of_documents([one.node for one in known.values()])
            rows = [row for tree in trees.values() for row in tree if row.slug and not row.part]
            offered = (Candidate(f"{document}{mark}{row.slug}", _first_words(row.title)) for row in rows)
            answer = _matching(cursor.word, offered, Hint.NAMES)
    return answer if answer.candidates else _files(cursor)


def _symbols(cursor: Cursor) -> Answer:
    """Offer the names of symbols, once one is begun; behind a path those of its file."""
    path, colons, _ = cursor.word.rpartition("::")
    with _reading(cursor.directory) as database:
        if database is None or not cursor.word:
            return Answer()
        from tx_graph.code.file_store import SymbolStore

        store = SymbolStore(database)
        names = [one.fqname for one in store.with_details(path)] if colons else store.simple_names()
    return _matching(cursor.word, map(Candidate, dict.fromkeys(names)), Hint.NAMES)


def _several(place: str, cursor: Cursor) -> Answer:
    """Offer the values of an enumeration, `module:Name`, also behind a comma; one that is typed out gets its space."""
    module, _, name = place.partition(":")
    values: Iterable[str] = getattr(import_module(f"tx_graph.{module}"), name)
    head, comma, tail = cursor.word.rpartition(",")
    left = [value for value in values if value not in head.split(",")]
    hints = () if tail in left else (Hint.OPEN,)
    return _matching(cursor.word, (Candidate(f"{head}{comma}{value}") for value in left), *hints)


_edge_types = partial(_several, "graph.edges:EdgeType")


def _types_at(cursor: Cursor) -> Answer:
    """Offer edge types behind the hop, as in `2=IMPORTS`."""
    hop, equals, names = cursor.word.partition("=")
    if not equals:
        return Answer()
    return _behind(f"{hop}=", _edge_types(cursor._replace(word=names)))


def _commands(cursor: Cursor) -> Answer:
    return _matching(cursor.word, map(Candidate, (*COMMANDS, *ALIASES, *GROUPS)))


def _settings(cursor: Cursor) -> Answer:
    from tx_graph.core.settings import SETTINGS

    return _matching(cursor.word, (Candidate(one.key, one.summary) for one in SETTINGS.values()))


def _retrievers(cursor: Cursor) -> Answer:
    """Offer what is built in and what other packages offer; none of them is loaded."""
    from importlib.metadata import entry_points

    from tx_graph.core.ports import BUILT_IN_RETRIEVERS, RETRIEVER_GROUP

    plug_ins = sorted(point.name for point in entry_points(group=RETRIEVER_GROUP))
    return _matching(cursor.word, (Candidate(name) for name in dict.fromkeys([*BUILT_IN_RETRIEVERS, *plug_ins])))


def _files(cursor: Cursor, *, only: Hint = Hint.FILES) -> Answer:
    """Offer files or, with a hint that says so, directories only."""
    if "::" in cursor.word and only is Hint.FILES:
        return Answer()  # a symbol: finding it would mean parsing the file
    if not cursor.is_moved:
        return Answer(hints=(only,))
    paths = sorted(path for path in _entries(cursor) if only is Hint.FILES or path.endswith("/"))
    answer = _matching(cursor.word, map(Candidate, paths), Hint.NAMES)
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
    **dict.fromkeys(("LEARNING", "OTHER", "KEEP", "OLD", "NEW"), _learnings),
    **dict.fromkeys(("REF", "FROM", "TO"), _nodes),
    **dict.fromkeys(("FILE", "GLOB"), _files),
    **dict.fromkeys(("ENTITY", "SUBJECT", "OBJECT", "INTO"), _entities),
    **dict.fromkeys(("PATH", "ANCHOR", "SECTION"), _sections),
    "SYMBOL": _symbols,
    "COMMAND": _commands,
    "KEY": _settings,
    "TASK": _tasks,
    "RUN": _runs,
    "FACT": _facts,
    "PREDICATE": _predicates,
}
_OF_OPTIONS: dict[str, Source] = {
    **dict.fromkeys(("--anchor", "--source-ref"), _sections),
    **dict.fromkeys(("--apply", "--docs", "--file", "--files", "--only", "--out", "--source", "--transcript"), _files),
    "--edge-types": _edge_types,
    "--exclude-edge-types": _edge_types,
    "--types": _edge_types,
    "--types-at": _types_at,
    "--methods": partial(_several, "context.ranking_evidence:Method"),
    "--retriever": _retrievers,
    "--from": partial(_several, "proposals.values:Origin"),
    "--link": _links,
    "--path": partial(_files, only=Hint.DIRECTORIES),
    "--predicate": _predicates,
    "--relations": partial(_several, "graph.edges:Relation"),
    "--task": _tasks,
    "--run": _runs,
    "--helpful": _many_learnings,
    "--unhelpful": _many_learnings,
}
