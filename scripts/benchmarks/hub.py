"""What a hub answers, and how fast, as the organisation grows: as its owner, and as a role that may read half of it."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from scripts.benchmarks import hub_data, source_tree, vocabulary
from scripts.benchmarks.clones import cloned
from scripts.benchmarks.environment import having
from scripts.benchmarks.report import TIMES, Quantity, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile, timed, tx
from scripts.opened import Workspace, open_workspace
from tx_graph.context.page import ContextRequest, Markdown
from tx_graph.core.text import by_characters
from tx_graph.graph.edges import Direction, EdgeType
from tx_graph.graph.elsewhere import HubPlace
from tx_graph.graph.expand import Limits, Profile
from tx_graph.hub.dependents import dependents
from tx_graph.hub.reading import Line, Reading, leaving
from tx_graph.hub.rights import grant
from tx_graph.hub.search_store import Meant
from tx_graph.hub.store import VARIABLE, Hub, HubError, read_address

_QUESTIONS = 200
"""What has to be told not to leak what it is given, or no index of words is used under rights: see docs/hub.md."""
_REPEATS = 3
"""Times that each page is asked for, the best of which counts, as in `graph`."""
_P95 = 0.95
_OWN = "git.example/own/asking"
_READER = "reader"
_SHARE = 0.6  # that words count beside vectors, about as a workspace has it
_PAGES = 30
_ENDING = 2.0  # seconds that a connection may take to end


def rows(settings: Settings) -> Iterator[Row]:
    """Yield what questions cost among ever more repositories; among most of them also pages, publishing and sizes."""
    with settings.workdir.temporary() as directory:
        asking = source_tree_of(directory / "asking", files=1)
        for repositories, make in hub_data.SIZES.items():
            with hub_data.started(settings.workdir.made(f"hub-{repositories}", make)) as server:
                url = server.get_uri(hub_data.DATABASE)
                as_reader = f"{url}{'&' if '?' in url else '?'}user={_READER}"
                with having({VARIABLE: url}), open_workspace(asking) as workspace:
                    _let_read(workspace, url)
                for who, address in (("owner", url), ("reader of half", as_reader)):
                    with having({VARIABLE: address}), open_workspace(asking) as workspace:
                        for row in _answers(workspace, address, repositories, server.get_pid()):
                            yield replace(row, what=f"{row.what}, {repositories:,} repositories, {who}, p95")
                yield from _sizes(url, repositories)
                with having({VARIABLE: as_reader}):
                    yield from _pages(settings)
                with having({VARIABLE: url}):
                    yield from _publishing(directory / f"published-{repositories}", repositories, server.get_pid())


def source_tree_of(root: Path, *, files: int) -> Path:
    """Return a new repository of generated files, committed, that is a workspace and has a name in a hub."""
    source_tree.write(root, files=files)
    tx("init", directory=root).run()
    tx("config", "set", "hub.repository", f"git.example/own/{root.name}", directory=root).run()
    author = ("-c", "user.name=Bench", "-c", "user.email=bench@example.org")
    for arguments in (("add", "--all"), (*author, "commit", "--quiet", "--message", "Generated files")):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


def _let_read(workspace: Workspace, url: str) -> None:
    with Hub(read_address(url)) as hub:
        if not hub.rows("SELECT FROM pg_roles WHERE rolname = %s", (_READER,)):
            hub.write(f"CREATE ROLE {_READER} LOGIN")
    grant(workspace.kernel, _READER, repositories="git.example/alpha/*", read=True)


def _answers(workspace: Workspace, url: str, repositories: int, server: int) -> Iterator[Row]:
    address, now = read_address(url), datetime.now(UTC)
    texts, generator = hub_data.Texts(7), np.random.default_rng(8)
    questions = [texts.text(int(words)) for words in generator.integers(3, 6, _QUESTIONS)]
    meanings = {text: one.tobytes() for text, one in zip(questions, texts.vectors(_QUESTIONS), strict=True)}
    # What the reader may read, so that both are asked about the same.
    known = hub_data.popular(generator, _QUESTIONS, repositories=repositories // 2)
    files = [(hub_data.name_of(2 * repository), hub_data.path_of(module)) for repository, module in known]

    def search(opened: Reading, text: str, *, kind: str, has_meaning: bool) -> object:
        meant = Meant(meanings[text], hub_data.MODEL) if has_meaning else None
        return opened.search(text, {kind: _SHARE}, lambda: meant, limit=10, least=0.0)

    def walk(opened: Reading, place: tuple[str, str]) -> object:
        around, start = leaving(tuple(EdgeType), {}, Direction.BOTH), HubPlace(place[1], repository=place[0])
        return opened.around(start, around, limits=Limits(), profile=Profile.DECAY, limit=20).found

    def users(place: tuple[str, str]) -> object:
        return dependents(workspace.kernel, ":".join(place)).dependents

    learned = [
        (
            hub_data.name_of(2 * (number % (repositories // 2))),
            hub_data.learning_of(2 * (number % (repositories // 2)), 1),
        )
        for number in range(_QUESTIONS)
    ]
    asking: list[tuple[str, Callable[[Reading, Any], Any], Sequence[Any], float]] = []
    for kind in ("learning", "section"):
        asking.append((f"{kind}s by words", partial(search, kind=kind, has_meaning=False), questions, 100))
        asking.append((f"{kind}s by words and vectors", partial(search, kind=kind, has_meaning=True), questions, 100))
    asking.append(("expansion depth 2 from a learning", walk, learned, 50))
    asking.append(("expansion depth 2 from a popular file", walk, files, 50))
    for what, ask, asked, budget in asking:
        line = Line()

        def over(one: Any, *, line: Line = line, ask: Callable[[Reading, Any], Any] = ask, ends: bool) -> Any:  # noqa: ANN401
            with line.reading(address, own=_OWN, now=now) as opened:
                found = ask(opened, one)
            if ends:
                line.close()
            return found

        yield _row(f"{what}, first on its connection", partial(over, ends=True), asked, budget, server)
        yield _row(what, partial(over, ends=False), asked, budget)
        line.close()
    yield _row("dependents of a popular file", users, files, 50, server)


def _row(what: str, ask: Callable[[Any], Any], asked: Sequence[Any], budget: float, server: int | None = None) -> Row:
    """Return how long questions take, and what of a processor where each has a connection to the server of its own."""
    found: list[int] = []
    walls, spent = [], []
    for one in asked:
        before, start = _processor(server) if server else 0.0, time.perf_counter()
        with suppress(HubError):  # a hub gives a statement up that takes too long
            found.append(len(ask(one)))
        walls.append(1000 * (time.perf_counter() - start))
        spent.append(_processor(server) - before if server else 0.0)
    processor = f"processor p50 {percentile(spent, 0.5):.0f} ms, p95 {percentile(spent, _P95):.0f}; " if server else ""
    late = f"; {len(asked) - len(found)} not answered in time" if len(found) < len(asked) else ""
    return Row(
        what=what,
        measured=ms(percentile(walls, _P95)),
        budget=at_most(budget, "ms"),
        note=f"p50 {percentile(walls, 0.5):.0f} ms; {processor}{len(asked)} questions, "
        f"{sum(found) / max(len(found), 1):.0f} found each{late}",
    )


def _processor(server: int) -> float:
    """Return the ms of processor time of this process and of all connections of a server, once these have ended."""
    deadline = time.perf_counter() + _ENDING
    while _is_serving(server) and time.perf_counter() < deadline:
        time.sleep(0.001)
    ticks = Path(f"/proc/{server}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[13:15]
    return 1000 * (time.process_time() + sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"))


def _is_serving(server: int) -> bool:
    for child in Path(f"/proc/{server}/task/{server}/children").read_text(encoding="utf-8").split():
        try:
            called = Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8")
        except OSError:
            continue
        if "[local]" in called:
            return True
    return False


def _sizes(url: str, repositories: int) -> Iterator[Row]:
    sizes: Mapping[str, int]
    with Hub(read_address(url)) as hub:
        sizes = dict(
            hub.rows(
                """
                SELECT p.relname::text, sum(pg_total_relation_size(i.inhrelid))::bigint
                FROM pg_inherits i
                JOIN pg_class p ON p.oid = i.inhparent AND p.relkind = 'p' AND p.relnamespace = 'tx'::regnamespace
                GROUP BY p.relname
                ORDER BY 2 DESC
                """
            )
        )
        edges = hub.rows("SELECT count(*) FROM tx.edges")[0][0]
    parts = ", ".join(f"{table} {size / repositories / 1e6:.2f}" for table, size in sizes.items())
    yield Row(
        what=f"bytes an edge with its indexes, {repositories:,} repositories",
        measured=Quantity(value=sizes["edges"] / edges, unit="bytes"),
        budget=at_most(120, "bytes"),
        note=f"{edges:,} edges",
    )
    yield Row(
        what=f"size of a repository, {repositories:,} repositories",
        measured=Quantity(value=sum(sizes.values()) / repositories / 1e6, unit="MB"),
        note=f"{hub_data.FILES:,} files; MB: {parts}",
    )


def _pages(settings: Settings) -> Iterator[Row]:
    if not settings.repositories:
        yield Row(what="context with the hub against without", note="no --repo")
    for repository in settings.repositories:
        with cloned(repository, settings) as clone:
            tx("sync", directory=clone).run()  # a page with nothing on it costs nothing
            yield _page(repository.name, clone)


def _page(name: str, clone: Path) -> Row:
    with open_workspace(clone) as workspace:
        texts = hub_data.Texts(9)
        asked = [f"{one} {texts.text(2)}" for one in vocabulary.questions(_PAGES)]

        def page(text: str, *, hub: bool, workspace: Workspace = workspace) -> None:
            workspace.context.page(ContextRequest(text=text, hub=hub), Markdown(), count=by_characters)

        for hub in (False, True):
            page("warm up", hub=hub)
        # Blanks make it another question, which no cache has the answer to.
        alone, both = (
            [min(timed(page, f"{one}{' ' * time}", hub=hub) for time in range(_REPEATS)) for one in asked]
            for hub in (False, True)
        )
        return Row(
            what=f"context with the hub, {name}, p95",
            measured=ms(percentile(both, _P95)),
            baseline="without",
            against=ms(percentile(alone, _P95)),
            budget=at_most(2, TIMES),
            note=f"p50 {percentile(both, 0.5):.1f} ms, without {percentile(alone, 0.5):.1f} ms",
        )


def _publishing(root: Path, repositories: int, server: int) -> Iterator[Row]:
    source_tree_of(root, files=source_tree.FILES)
    publish = tx("hub:publish", directory=root)
    for what, budget in (("from nothing", 15), ("unchanged", 1)):
        before = _processor(server) + _children()
        wall = publish.run()
        spent = _processor(server) + _children() - before
        yield Row(
            what=f"hub:publish of {source_tree.FILES:,} files, {what}, into {repositories:,} repositories",
            measured=Quantity(value=wall / 1000, unit="s"),
            budget=at_most(budget, "s"),
            note=f"processor {spent / 1000:.1f} s; analysed already",
        )
    tx("hub:forget", f"git.example/own/{root.name}", "--yes", directory=root).run()


def _children() -> float:
    """Return the ms of processor time of the processes that this one has run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)
