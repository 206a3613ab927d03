"""Runs an operation as a command, once its options are read (`faces/cli/options.py`), and prints the result.

At the end stands what hand-written commands need, too: the directory, stdin, files, lists of names.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from importlib import import_module
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from tx_graph.core.arguments import Parameter, Reads, parameters_of
from tx_graph.core.errors import NotInitialised, RepositoryError, UsageError
from tx_graph.core.kernel import Kernel, find
from tx_graph.core.labels import is_unicode
from tx_graph.core.place import place_of
from tx_graph.core.text import counted
from tx_graph.core.tracing import span
from tx_graph.faces.cli.render.pager import paged
from tx_graph.faces.cli.render.terminal import echo, note, print_json, print_tsv, printable, progress
from tx_graph.faces.operations import Operation
from tx_graph.records.watch import Records
from tx_graph.workspace import open_kernel, open_nowhere, prepare

if TYPE_CHECKING:
    from tx_graph.workspace.health import Age
    from tx_graph.workspace.updating import Updating

_LARGEST = 1 << 62  # from here on no database and no library can count
_MOST_WARNINGS = 3  # skipped records to name; a broken merge may leave hundreds


class Runner(NamedTuple):
    """An operation as a command: what runs it with the values of its parameters, and those that have options."""

    run: Callable[..., None]
    use_case: Callable[..., Any]
    parameters: Sequence[Parameter]


def runner_of(operation: Operation) -> Runner:
    """Return what runs an operation and prints its result, once its options are read."""
    use_case = find(operation.use_case)
    parameters = [one for one in parameters_of(use_case.function) if one.arg]
    taken = inspect.signature(use_case.function).parameters
    module, _, render = operation.render.partition(":")
    renderer = import_module(f"tx_graph.faces.cli.render.{module}")
    show = getattr(renderer, render)

    def run(
        *,
        as_json: bool,
        fields: str | None = None,
        as_tsv: bool = False,
        as_tree: bool = False,
        **given: Any,  # noqa: ANN401 - what the signature says
    ) -> None:
        wanted = None
        if fields is not None:
            from tx_graph.faces.fields import Fields

            as_json, wanted = True, Fields(operation, fields)
        values = {one.name: _value(one, given[one.name]) for one in parameters}
        check = getattr(renderer, operation.check) if operation.check else None
        form = str((operation.forms and given["form"]) or "")
        switches = {"--json": as_json and form != "json", "--tsv": as_tsv, "--tree": as_tree, f"--format {form}": form}
        asked_for = [name for name, is_asked in switches.items() if is_asked]
        if len(asked_for) > 1 and not (check and "as_tsv" in inspect.signature(check).parameters):
            raise UsageError(f"{' and '.join(asked_for[:2])} cannot go together.")
        if check:
            _call(check, operation.name, values | {"as_json": as_json, "as_tsv": as_tsv})
        values |= {one.name: _text_of(one, values[one.name], operation.name) for one in parameters}
        as_json, form = as_json or form == "json", form or ("json" if as_json else "text")
        asked = {"as_json": as_json, "form": form, "command": operation.name, "fields": wanted} | values
        offered = _offered(is_script=as_tsv or form != "text")
        told: dict[str, Any] = {name: one for name, one in offered.items() if name in taken}
        told |= {"prepared": prepare(here())} if "prepared" in taken else {}
        with ExitStack() as stack:
            target: Any = here() if next(iter(taken)) == "start" else stack.enter_context(opened(operation.anywhere))
            updating = updated(target, operation.update, values)
            with ExitStack() as bars:
                if operation.progress[0]:
                    told["progress"] = bars.enter_context(progress(operation.progress[0], unit=operation.progress[1]))
                if "layout" in taken:
                    told["layout"] = _call(renderer.layout, target, asked)
                with span("command", command=operation.name):
                    result = _result(use_case.bound(target, values | told), parameters, values)
            age = _age(operation.age, renderer, target, result) if operation.age else None
        lagging = [] if age or not updating else updating.notices
        notes = partial(_notes, operation.notes, renderer, result, asked)
        sentences = [*filter(None, notes())] if age else []
        with paged():
            if as_json and "as_json" not in inspect.signature(show).parameters:
                shown = _call(getattr(renderer, operation.shape), result, asked) if operation.shape else result
                from tx_graph.core.shape import as_json as as_shape

                shape = as_shape({operation.plural: shown} if operation.plural else shown)
                if age:
                    shape |= {"freshness": as_shape(age.freshness), "notices": [*sentences, *age.notices]}
                if first := [*filter(None, [getattr(target, "caveat", ""), updating and updating.told]), *lagging]:
                    shape["notices"] = [*first, *shape.get("notices", ())]
                print_json(wanted.of(shape) if wanted else shape)
            elif as_tsv:
                print_tsv(*_table(operation.tsv, renderer, result, asked))
            else:
                place = operation.tree if as_tree else operation.places.get(form, operation.render)
                _call(find(f"faces.cli.render.{place}").function, result, asked)
            _say(chain(sentences, [" ".join(age.notices)]) if age else chain(notes(), lagging))
        if operation.findings and given.get("strict", True) and attrgetter(operation.findings)(result):
            raise SystemExit(1)

    return Runner(run, use_case.function, parameters)


def _age(rests_on: str, renderer: ModuleType, kernel: Kernel, result: Any) -> Age | None:  # noqa: ANN401 - any result
    """Return how old what a result rests on is."""
    if rests_on not in ("files", "graph"):
        found: Age | None = getattr(renderer, rests_on)(kernel, result)
        return found
    from tx_graph.workspace.health import Health

    place, node = getattr(result, "place", None), getattr(result, "node", None)
    path = place.path if place else node.reference.path if node else None
    return kernel.one(Health).age(path=path, with_cochanges=rests_on == "graph")


def _say(sentences: Iterable[str]) -> None:
    """Print sentences on stderr as they come, each once; an empty one is none."""
    said = {""}
    for sentence in sentences:
        if sentence not in said:
            note(sentence)
            said.add(sentence)


def _result(work: Callable[[], Any], parameters: Iterable[Parameter], values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any result
    """Return what a use case returns, which may itself not know that one of the numbers it was given is too large."""
    try:
        return work()
    except (OverflowError, ValueError):
        for one in parameters:
            if one.kind is int and abs(values[one.name] or 0) >= _LARGEST:
                raise UsageError(f"{_flag(one)} is a larger number than can be counted.") from None
        raise


def _offered(*, is_script: bool) -> dict[str, Any]:
    """Return what a use case may be given of the terminal, by the names of parameters."""

    def agree(question: str) -> bool:
        import typer

        return sys.stdin.isatty() and typer.confirm(question, abort=True, err=True)

    def ask(question: str) -> str:
        if not sys.stdin.isatty():
            hint = "Without one: tx learning:list --status staged, then tx learning:promote or tx learning:reject."
            raise UsageError("A review needs a terminal, where it can ask.", hint=hint)
        echo("\n".join(map(printable, question.split("\n"))) + " ", err=True, nl=False)
        line = sys.stdin.readline()
        return line.strip() if line else "q"  # the end of the input

    def editor(text: str) -> AbstractContextManager[str]:
        from tx_graph.faces.cli.editing import editing

        return editing(text)

    def put(piece: bytes) -> None:
        sys.stdout.buffer.write(piece)

    talk = {"agree": agree, "ask": ask, "editor": editor}
    return {"stages": progress, "tell": note, "is_script": is_script, "put": put} | talk


def updated(target: object, what: str, given: Mapping[str, Any]) -> Updating | None:
    """Bring up to date what an operation reads, as far as that is little, and say on stderr what was taken in."""
    if not what or not isinstance(target, Kernel):
        return None
    from tx_graph.workspace.updating import Updating

    updating = target.one(Updating)
    updating.run(what, given)
    if updating.told:
        note(updating.told, is_dim=True)
    return updating


@contextmanager
def opened(anywhere: str = "") -> Iterator[Kernel]:
    """Open the workspace of the working directory; say on stderr which records were skipped.

    Where there is none, but an environment variable of the name `anywhere`, it is an empty one.
    """
    try:
        opening = open_kernel(place_of(here()))
    except NotInitialised:
        if not os.environ.get(anywhere):
            raise
        opening = open_nowhere(here())
    with opening as kernel:
        warn(kernel.one(Records))
        if kernel.caveat:
            note(f"tx: warning: {kernel.caveat}")
        yield kernel


def warn(records: Records) -> None:
    """Say on stderr which records were skipped, or could not be taken in."""
    problems = records.problems()
    for problem in problems[:_MOST_WARNINGS]:
        note(f"tx: warning: {problem}.")
    if len(problems) > _MOST_WARNINGS:
        note(f"tx: warning: {len(problems) - _MOST_WARNINGS} more records are skipped; see 'tx doctor'.")
    if pending := records.synced.pending:
        note(f"tx: warning: {counted(pending, 'changed record')} not taken in: the database is read-only.")


def _text_of(one: Parameter, given: Any, command: str) -> Any:  # noqa: ANN401 - any value
    """Return the text of a file that was named, of anything else what it is."""
    if not one.arg or one.arg.reads is not Reads.FILE or given is None:
        return given
    return text_of_file(given, most=one.arg.most_bytes, what=one.name, command=command, flag=_flag(one))


def _flag(one: Parameter) -> str:
    return one.arg.flag.split()[-1] if one.arg and one.arg.flag else f"--{one.name.replace('_', '-')}"


def _value(one: Parameter, given: Any) -> Any:  # noqa: ANN401 - any value
    """Return what was given as the use case takes it, but for the texts of files."""
    arg = one.arg
    assert arg is not None  # noqa: S101 - others are not given
    for each in given if isinstance(given, list) else [given]:
        if isinstance(each, str) and not is_unicode(each) and arg.reads is not Reads.FILE:
            readable = each.encode("utf-8", "backslashreplace").decode()
            raise UsageError(f"'{readable}' is not valid UTF-8.", hint="tx keeps names and texts as UTF-8.")
    if one.choices and arg.none:
        return None if given == arg.none else one.choices(given)
    if one.is_many and (given is not None or one.default is not None):
        return tuple(split_names(given) if arg.is_split else given or ())
    if given == "-" and arg.reads is Reads.DASH:
        return text_from(given)
    if arg.reads is Reads.STDIN and (given or not (one.is_keyword or arg.flag)):
        return text_from(given)
    return given


def _call(render: Callable[..., Any], result: Any, given: dict[str, Any]) -> Any:  # noqa: ANN401 - any result
    """Call a renderer with a result, and with those of the parameters that it names."""
    _, *wanted = inspect.signature(render).parameters
    return render(result, **{name: given[name] for name in wanted})


def _notes(notes: str, renderer: ModuleType, result: Any, given: dict[str, Any]) -> Sequence[str]:  # noqa: ANN401 - any result
    if not notes.startswith("result."):
        return _call(getattr(renderer, notes), result, given) or () if notes else ()
    found = attrgetter(notes.removeprefix("result."))(result)
    return ([f"tx: warning: {found}"] if found else []) if isinstance(found, str) else found


def _table(
    spec: str,
    renderer: ModuleType,
    result: Any,  # noqa: ANN401 - any result
    given: dict[str, Any],
) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
    """Return the headings and the rows of --tsv."""
    things, _, columns = spec.partition(": ")
    if not columns:
        table: tuple[Sequence[str], Iterable[Sequence[object]]] = _call(getattr(renderer, spec), result, given)
        return table
    found = result if things == "result" else attrgetter(things.removeprefix("result."))(result)
    pairs = [column.partition("=") for column in columns.split()]
    getters = [attrgetter(path or name) for name, _, path in pairs]
    return [name for name, *_ in pairs], [[get(one) for get in getters] for one in found]


def here() -> Path:
    """Return the working directory."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise RepositoryError("The working directory no longer exists.", hint="Change to another one.") from None


def split_names(values: list[str] | None) -> list[str]:
    """Return names that may be given by repeating an option or separated by commas."""
    return [name for value in values or () for name in value.split(",") if name.strip()]


def text_from(argument: str | None) -> str:
    """Return an argument's text, or what stands on stdin when it is '-' or missing."""
    if argument is not None and argument != "-":
        return argument
    if argument is None and sys.stdin.isatty():
        raise UsageError("The text is missing.", hint="Pass it as an argument, or '-' to read it from stdin.")
    return decoded(sys.stdin.buffer.read(), "stdin")


def text_of_file(name: str, *, most: int, what: str, command: str, flag: str) -> str:
    """Return the text of a file, or of stdin for '-'; not more of it is read than tells that it is too long."""
    source = "stdin" if name == "-" else name
    try:
        if name == "-":
            data = sys.stdin.buffer.read(most + 1 if most else -1)
        else:
            with Path(name).open("rb") as stream:
                data = stream.read(most + 1 if most else -1)
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}.") from None
    if most and len(data) > most:
        raise UsageError(
            f"{source} has more than {most:,} bytes, the most that a {what} may have.",
            hint=f"Keep its end: tail -c {most} FILE | tx {command} … {flag} -",
        )
    return decoded(data, source)


def decoded(data: bytes, source: str) -> str:
    """Return bytes as text."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"{source} is not valid UTF-8 (line {line}).", hint="Convert it to UTF-8 first.") from None
