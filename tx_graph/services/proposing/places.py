"""Places: what a commit is about in the code as it is now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from posixpath import basename

from tx_graph.analysis.proposals.routine import code_paths
from tx_graph.codebase.diffs import Hunk, changed_lines
from tx_graph.codebase.git import ask_git
from tx_graph.codebase.parsing import read_symbols
from tx_graph.codebase.repository import GitRepository
from tx_graph.domain.anchor import AnchorRequest
from tx_graph.domain.commit_message import CommitMessage
from tx_graph.domain.languages import language_of
from tx_graph.domain.symbols import Symbol
from tx_graph.errors import RepositoryError

_MOST = 4
"""Anchors of a proposal: what touches more is about none of it in particular."""
_SYMBOLS_OF_A_FILE = 2
_TESTS = ("tests::", "test::", "test_")
"""How declarations begin that test others of the same file."""
_TELLING = 12
"""Characters from which on a line of code is told from others."""
_FEWEST_LINES = 2
_LARGEST_SYMBOL = 200
"""Lines of a declaration beyond which it says no more than its file."""
_LONGEST_SOURCE = 500_000
"""Bytes of a file that is read as it was to find declarations."""


class Places:
    """Finds where commits did their work, as far as it is still there."""

    def __init__(
        self, repository: GitRepository, *, files: Collection[str], text_of: Callable[[str], str | None]
    ) -> None:
        self._repository = repository
        self._text_of = text_of
        self._changed: dict[str, dict[str, list[Hunk]]] = {}
        self._files = frozenset(files)
        self._by_name = defaultdict(list)
        for path in sorted(files):
            self._by_name[basename(path)].append(path)

    def of(self, message: CommitMessage) -> list[AnchorRequest]:
        """Return the files of a commit that still exist, or what it changed in them: the four most changed."""
        living = {path: found for path in code_paths(message.paths) if (found := self._now(path))}
        if not living:
            return []
        changed = self.changed(message)
        size = {path: sum(hunk.size for hunk in changed.get(path, ())) for path in living}
        ranked = sorted(living, key=lambda path: (-size[path], path))
        all_of = (self._requests(message, path, living[path], changed.get(path, [])) for path in ranked)
        return list(dict.fromkeys(chain.from_iterable(all_of)))[:_MOST]

    def _now(self, path: str) -> str | None:
        """Return where a file is now: there, or at the only place that ends like it, as when all went below `src/`."""
        if path in self._files:
            return path
        moved = [other for other in self._by_name.get(basename(path), ()) if f"/{other}".endswith(f"/{path}")]
        return moved[0] if len(moved) == 1 else None

    def changed(self, message: CommitMessage) -> dict[str, list[Hunk]]:
        """Return the hunks of a commit by path; nothing where a partial clone lacks them."""
        if message.sha not in self._changed:
            try:
                self._changed[message.sha] = changed_lines(self._repository, message.sha)
            except RepositoryError:
                self._changed[message.sha] = {}
        return self._changed[message.sha]

    def still_there(self, message: CommitMessage) -> float:
        """Return which share of the lines that a commit wrote is still there; 1 for one that wrote next to none."""
        written = there = 0
        for path in code_paths(message.paths):
            lines = [line.strip() for hunk in self.changed(message).get(path, ()) for line in hunk.added]
            lines = [line for line in lines if len(line) >= _TELLING]
            now = self._now(path)
            text = self._text_of(now) if now and lines else None
            known = {line.strip() for line in text.split("\n")} if text else set()
            written += len(lines)
            there += sum(line in known for line in lines)
        return there / written if written >= _FEWEST_LINES else 1.0

    def _requests(self, message: CommitMessage, path: str, now: str, hunks: Sequence[Hunk]) -> Iterator[AnchorRequest]:
        names = self._symbols(message, path, hunks) if hunks and language_of(path) else []
        if 1 <= len(names) <= _SYMBOLS_OF_A_FILE:
            yield from (AnchorRequest(path=now, symbol=name) for name in names)
        else:
            yield AnchorRequest(path=now)

    def _symbols(self, message: CommitMessage, path: str, hunks: Sequence[Hunk]) -> list[str]:
        """Return the declarations that hold all changes to a file as the commit left it; none if some lie outside."""
        answer = ask_git(self._repository.root, "cat-file", "blob", f"{message.sha}:{path}", fine=(0, 128))
        if answer.status or len(answer.output) > _LONGEST_SOURCE:
            return []
        symbols = read_symbols(path, answer.output)
        around = [_around(symbols, hunk.lines) for hunk in hunks]
        tests = [name for name in around if name and name.startswith(_TESTS)]
        around = [name for name in around if name not in tests] or around
        return list(dict.fromkeys(name for name in around if name)) if all(around) else []


def _around(symbols: Sequence[Symbol], lines: tuple[int, int]) -> str | None:
    """Return the smallest declaration around some lines that is not too large to say anything."""
    found = [one for one in symbols if one.line_start <= lines[0] and lines[1] <= one.line_end]
    best = min(found, key=lambda one: one.line_end - one.line_start, default=None)
    return best.name if best and best.line_end - best.line_start < _LARGEST_SYMBOL else None
