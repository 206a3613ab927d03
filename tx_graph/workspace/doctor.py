"""Says what is wrong with a workspace, even one that does not open, and mends what is derived."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar

from tx_graph.code.parsing import why_unable
from tx_graph.context.freshness import (
    SYNC,
    asking,
    cochange_notices,
    document_notices,
    first_of,
    index_notices,
    message_notices,
    options_of,
)
from tx_graph.context.gate import standard_retriever
from tx_graph.context.graph import Graph
from tx_graph.context.retrievers import installed
from tx_graph.core.arguments import Arg
from tx_graph.core.database import DamagedDatabase, Database
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import RepositoryError, StorageError, TxError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import place_of
from tx_graph.core.ports import Clock, Embedder
from tx_graph.core.secrets import INSTALL_DETECTOR, has_detector
from tx_graph.core.settings import Config, literal
from tx_graph.core.shape import Answer
from tx_graph.core.text import counted
from tx_graph.core.times import ago
from tx_graph.documents.documents import documents_state
from tx_graph.history.cochanges import age_of
from tx_graph.history.commit_store import CommitStore
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.facts import Facts
from tx_graph.records.watch import KINDS, RECORDS, SyncReport
from tx_graph.vectors.embedding import NO_EMBEDDER, Embedding, Sort
from tx_graph.workspace import open_kernel
from tx_graph.workspace.health import TEMPORARY, Health, record_problems
from tx_graph.workspace.health_store import Maintenance

_FIX = "Run 'tx doctor --fix'."
_MOST_NAMED = 3


class Level(StrEnum):
    """How much a finding matters. Only a problem makes `tx doctor` fail."""

    OK = "ok"
    ADVICE = "advice"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing the doctor looked at."""

    check: str
    level: Level
    detail: str
    hint: str = ""


def ok(check: str, detail: str) -> Finding:
    """Return a finding that is as it should be."""
    return Finding(check, Level.OK, detail)


def advice(check: str, detail: str, hint: str = "") -> Finding:
    """Return a finding that could be better, and is no problem."""
    return Finding(check, Level.ADVICE, detail, hint)


def problem(check: str, detail: str, hint: str) -> Finding:
    """Return a finding that makes `tx doctor` fail."""
    return Finding(check, Level.PROBLEM, detail, hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckUp(Answer):
    """What the doctor found, and what it mended before."""

    JSON: ClassVar = "fixed=done findings"

    findings: tuple[Finding, ...]
    done: tuple[str, ...] = ()

    @property
    def problems(self) -> list[Finding]:
        """What makes the command fail."""
        return [one for one in self.findings if one.level is Level.PROBLEM]


def check_up(
    start: Path | str | None = None,
    *,
    fix: Annotated[bool, Arg(help="Mend what can be mended, then look again.")] = False,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
) -> CheckUp:
    """Find what is wrong with the workspace; exit status 1 if anything is.

    Advice is no problem: everything works, and could work better. With --fix a damaged
    database is moved aside, and another one is built from the records and the journal, with tasks, runs and votes; run
    'tx sync' then.

    Example:
      tx doctor
      tx doctor --fix

    Raises:
        NotInitialised: There is no `.tx` directory there.
        RepositoryError: `start` is inside a git directory or a bare repository.
        StorageError: What was to be mended cannot be written, or the records cannot be read.
    """
    place = place_of(start)
    wrong: list[Finding] = []
    try:
        config = Config(place.config)
    except (StorageError, UsageError) as error:
        config, wrong = Config(Path(os.devnull)), [problem("config", error.message, error.hint)]
    opened = partial(open_kernel, place, config=config, clock=clock, embedder=embedder)
    is_open = False
    done: tuple[str, ...] = ()
    try:
        with opened() as kernel:
            is_open = True
            done = tuple(mend(kernel)) if fix else ()
            findings = examine(kernel)
    except StorageError as error:
        damage = error if fix and isinstance(error, DamagedDatabase) else None
        if fix and is_open and not damage:
            raise  # it opens, but what was to be mended cannot be written
        from tx_graph.core.rescue import is_database, move_aside

        if damage and (place.is_at_home or is_database(place.database)):  # TX_DB may name anything
            moved = f"moved the damaged database to {move_aside(place.database)}"
            with opened() as kernel:
                done = (moved, "built another one from the records and the journal", *mend(kernel))
                findings = examine(kernel)
        else:
            with opened(database=Database.in_memory(place.database)) as kernel:
                findings = [
                    ok("sqlite", Maintenance(kernel.database).describe_binding()),
                    problem("database", error.message, error.hint),
                    *(finding for check in (check_git, check_parsers, check_records) for finding in check(kernel)),
                ]
    return CheckUp(findings=(*wrong, *findings), done=done)


def examine(kernel: Kernel) -> list[Finding]:
    """Return what every check found."""
    return [finding for check in CHECKS for finding in check(kernel)]


def mend(kernel: Kernel) -> list[str]:
    """Repair what is derived: read all records again, drop orphans, compact. Return what was done.

    Raises:
        DamagedDatabase: It is beyond mending.
        StorageError: The database cannot be written.
    """
    database, maintenance = kernel.database, Maintenance(kernel.database)
    _refuse(database, maintenance.corruption())
    with database.transaction():
        maintenance.forget_records()
    report = SyncReport.sum([kernel.registered(RECORDS, kind).refresh() for kind in KINDS])
    orphans = maintenance.orphans()
    with database.transaction():
        dangling = maintenance.remove_orphans()
    _refuse(database, maintenance.integrity())
    maintenance.compact()
    done = [f"read all records again ({report.changed} taken in)"]
    done += [f"removed {count} {name}" for name, count in orphans.items()]
    done += [f"removed {count} of {table} about what is not there" for table, count in dangling.items()]
    return [*done, "compacted the database"]


def _refuse(database: Database, damage: Sequence[str]) -> None:
    if damage:
        raise DamagedDatabase(f"{database.path} is damaged: {damage[0]}.", hint=_FIX)


def check_storage(kernel: Kernel) -> Iterator[Finding]:
    """Look at the database as a file."""
    database, maintenance = kernel.database, Maintenance(kernel.database)
    yield ok("sqlite", maintenance.describe_binding())
    detail = maintenance.describe_vectors()
    slower = "Same results, slower on many learnings."
    yield ok("vectors", detail) if database.has_vectors else advice("vectors", detail, slower)
    damage = maintenance.integrity()
    if damage:
        yield problem("database", "; ".join(damage[:_MOST_NAMED]), _FIX)
    elif database.is_temporary:
        yield advice("database", TEMPORARY)
    else:
        yield ok("database", f"{database.path} is sound")
    for kept, what in maintenance.losses():
        if Path(kept).exists():
            yield advice("losses", f"not carried over from {kept}: {what}", "Delete that file if nothing misses it.")
    orphans = maintenance.orphans()
    detail = ", ".join(f"{count} {name}" for name, count in orphans.items())
    yield problem("orphans", detail, _FIX) if orphans else ok("orphans", "none")


def check_rows(kernel: Kernel) -> Iterator[Finding]:
    """Look for what the records say and the database does not."""
    maintenance = Maintenance(kernel.database)
    lacking = maintenance.lacking_text()
    differing = [f"{kind}/{name}" for kind in KINDS for name in kernel.registered(RECORDS, kind).differing()]
    if lacking:
        yield problem("text", f"search by words does not know {counted(lacking, 'learning')}", _FIX)
    if differing:
        yield problem("rows", f"the database differs from {_named(differing, 'record')}", _FIX)
    if not lacking and not differing:
        yield ok("rows", "the database says what the records say")
    if dangling := maintenance.dangling_links():
        ends = [f"learning:{number} to {uid}" for number, uid in dangling]
        detail = f"{_named(ends, 'link')}: no such learning here"
        yield advice("links", detail, "It may be on another branch; else take it back in the record.")


def check_git(kernel: Kernel) -> Iterator[Finding]:
    """Look whether git answers."""
    repository = kernel.checkout.repository
    if repository is None:
        detail = "not a git repository: no co-changes, and nobody carries the learnings"
        yield advice("git", detail, "Run 'git init'.")
        return
    try:
        head = repository.head()
        shallow = ", shallow" if repository.is_shallow() else ""
    except TxError as error:
        yield problem("git", error.message, error.hint)
    else:
        yield ok("git", f"at {head[:12]}{shallow}" if head else "no commit yet")


def check_analyses(kernel: Kernel) -> Iterator[Finding]:
    """Look at how old is what was read of files and of history."""
    graph, now = kernel.one(Graph).stats(), kernel.clock.now()
    index, run = graph.analyses["index"], graph.analyses["cochanges"]
    is_git = kernel.checkout.repository is not None
    if index is None:
        yield advice("index", "never indexed", f"Run '{SYNC}'.")
    elif (freshness := kernel.one(Health).freshness()) and freshness.is_behind:
        yield advice("index", " ".join(asking(index_notices(freshness))))
    else:
        yield ok("index", f"{graph.files:,} files, {ago(age_of(index, now=now))}")
    if index is not None:
        commits = CommitStore(kernel.database)
        with suppress(RepositoryError):  # is found as a problem of git
            messages = message_notices(commits, kernel.checkout.repository)
            yield from (advice("messages", notice) for notice in asking(messages))
            if not messages and is_git:
                yield ok("messages", f"of {commits.count():,} commits")
    notices = cochange_notices(run, now=now, is_git=is_git)
    yield from (advice("cochanges", notice) for notice in asking(notices))
    if not notices and is_git:
        pairs = graph.edges.get("CO_CHANGES_WITH", 0)
        yield ok("cochanges", f"{counted(pairs, 'pair')}{options_of(run)}")


def check_records(kernel: Kernel) -> Iterator[Finding]:
    """Look for records that are skipped."""
    problems = record_problems(kernel)
    for name, reason in problems:
        yield problem("records", f"{name}: {reason}", "Correct it in an editor; it is skipped until then.")
    if not problems:
        yield ok("records", "all parse")


def check_parsers(_: Kernel) -> Iterator[Finding]:
    """Look whether source can be parsed."""
    hint = "Imports and symbols are not read without it: install it where there is a wheel for this platform."
    yield advice("parsers", reason, hint) if (reason := why_unable()) else ok("parsers", "ast-grep-py loads")


def _named(names: Sequence[str], thing: str) -> str:
    """Return how many there are, and the first few of them."""
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return f"{counted(len(names), thing)} ({', '.join(names[:_MOST_NAMED])}{more})"


def check_allowed(kernel: Kernel) -> Iterator[Finding]:
    """Look for settings that wait for the user's word; nothing where there is none that needs it."""
    if withheld := kernel.config.withheld:
        told = "; ".join(f"{key} = {literal(value)}" for key, value in withheld.items())
        yield advice("allowed", f"not allowed here, so not in force: {told}", "If you trust them, run 'tx allow'.")
    elif asked := kernel.config.asked:
        yield ok("allowed", ", ".join(asked))


def check_model(kernel: Kernel) -> Iterator[Finding]:
    """Yield what is said of the embedding model, and of the vectors it made."""
    embedding = kernel.one(Embedding)
    if embedding.name == NO_EMBEDDER:
        yield ok("model", "turned off (embedder = none); search is by words")
        return
    from tx_graph.vectors.installation import ModelState, ModelStore
    from tx_graph.vectors.models import DEFAULT_MODEL, INSTALL_RUNTIME, has_runtime

    if not has_runtime():
        yield advice("model", "what computes vectors is not installed; search is by words", INSTALL_RUNTIME)
        return
    if embedding.name != DEFAULT_MODEL:
        yield ok("model", embedding.name)
    elif (status := ModelStore().status()).state is ModelState.INSTALLED:
        yield ok("model", f"{DEFAULT_MODEL} in {status.path}")
    else:
        why = f": {status.detail}" if status.state is ModelState.DAMAGED else ""
        yield advice("model", f"{DEFAULT_MODEL} is {status.state}{why}", "Run 'tx model install'.")
        return
    if lacking := embedding.lacking():
        whose = f"{counted(lacking, 'learning')} {'has' if lacking == 1 else 'have'}"
        yield advice("embeddings", f"{whose} no vector of {embedding.name}", f"Run '{SYNC}'.")
    else:
        yield ok("embeddings", "every learning has its vector")
    others: tuple[tuple[Sort, str], ...] = (("entities", "entity"), ("facts", "fact"))
    for sort, thing in others:
        if number := embedding.lacking(sort):
            whose = f"{counted(number, thing)} {'has' if number == 1 else 'have'}"
            yield advice(f"{thing} vectors", f"{whose} no vector of {embedding.name}", f"Run '{SYNC} --all'.")


def check_retrievers(kernel: Kernel) -> Iterator[Finding]:
    """Yield what is said of the retrievers that are installed, and of the one in the settings."""
    standard = kernel.lacking_retriever or standard_retriever(kernel)
    found = {one.name: one for one in installed()}
    chosen = found.get(standard)
    if chosen is None:
        detail = f"the setting search.retriever names '{standard}', which is not installed"
        yield problem("retrievers", detail, "Install its package, or run 'tx config set search.retriever hybrid'.")
    elif chosen.problem:
        yield problem("retrievers", chosen.problem, "Mend its package, or run 'tx config set search.retriever hybrid'.")
    for one in found.values():
        if one.problem and one is not chosen:
            yield advice("retrievers", one.problem, "It is not used unless asked for.")
    working = [f"{one.name} ({one.origin})" for one in found.values() if not one.problem]
    yield ok("retrievers", ", ".join(working))


def check_documents(kernel: Kernel) -> Iterator[Finding]:
    """Yield what is said of documents; nothing where there are none to read."""
    embedding = kernel.one(Embedding)
    try:
        state = documents_state(kernel)
    except RepositoryError:
        return  # is found as a problem of git
    if state.run is None and not state.new:
        return
    notices = document_notices(state)
    yield from (advice("documents", notice) for notice in asking(notices))
    if not notices:
        yield ok("documents", f"{state.documents:,} with {state.sections:,} sections in {state.chunks:,} chunks")
    if state.unread:
        detail = first_of([f"{path} {why}" for path, why in state.unread])
        yield advice("unread", f"{len(state.unread):,} of the documents could not be read: {detail}")
    if state.broken:
        places = first_of([f"{link.document}:{link.line}: {link.problem}" for link in state.broken])
        detail = f"{len(state.broken):,} in documents lead nowhere: {places}"
        yield advice("doc links", detail, "'tx doc:ingest --json' names them all.")
    if embedding.available and (lacking := embedding.lacking("chunks")):
        detail = f"{lacking:,} of {state.chunks:,} chunks have no vector of {embedding.name}"
        yield advice("doc vectors", detail, f"Run '{SYNC} --all'.")


def check_secrets(kernel: Kernel) -> Iterator[Finding]:
    """Look whether secrets would be found, and for records that may hold one."""
    suspected = [(kind, *one) for kind in KINDS for one in kernel.registered(RECORDS, kind).suspected()]
    # The end of a name is of the first words, which may be those that nobody should read.
    found = [f"{kind}/{name.partition('-')[0]}-\u2026: {what}" for kind, name, what in suspected]
    if found:
        hint = "Take it out of the record and of git's history, and have it changed where it is used."
        yield advice("secrets", f"{len(found):,} may be in records that git carries: {first_of(found)}", hint)
    if not has_detector():
        missing = "rules of tx alone look for them, which know few vendors; no transcript is read"
        yield advice("secrets", missing, INSTALL_DETECTOR)
    elif not found:
        yield ok("secrets", "none is seen in records; rules of tx and kingfisher look for them")


def check_facts(kernel: Kernel) -> Iterator[Finding]:
    """Look for facts that contradict each other."""
    if conflicts := kernel.one(Facts).conflicts():
        first = conflicts[0]
        detail = f"{len(conflicts)} with several values, such as {first.subject} {first.predicate}"
        yield advice("facts", detail, "See 'tx fact:conflicts'.")
    else:
        numbers = FactStore(kernel.database).numbers_by_status()
        told = ", ".join(f"{count:,} {status}" for status, count in numbers.items())
        yield ok("facts", f"{told}, without conflict" if told else "none")


CHECKS = (
    check_storage,
    check_rows,
    check_allowed,
    check_model,
    check_documents,
    check_retrievers,
    check_secrets,
    check_facts,
    check_git,
    check_parsers,
    check_analyses,
    check_records,
)
"""What is looked at, in this order."""
