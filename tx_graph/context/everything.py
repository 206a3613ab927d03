"""One question to all that is known: learnings, sections, facts, files, symbols and commits, each by its own search."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, ClassVar

from tx_graph.code.symbol_index import SymbolIndex
from tx_graph.code.symbols import Match
from tx_graph.context.gate import CANDIDATES, direct_matches
from tx_graph.context.gathering import reasons, written
from tx_graph.context.ranking import rank_files
from tx_graph.context.recall import Recall
from tx_graph.context.search import Query, Search
from tx_graph.core.arguments import Arg, choices
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit
from tx_graph.core.shape import NodeReference, Rows, Word, canonical_reference
from tx_graph.graph.references import NodeKind
from tx_graph.history.commit_store import CommitStore
from tx_graph.records.anchor import Drift
from tx_graph.vectors.embedding import Embedding

_OF_EACH, _OF_ONE = 3, 10  # hits of each kind: six kinds fit one screen
_IDENTIFIER = re.compile(r"\w(?:_|::|\.)\w|[a-z0-9][A-Z]|\(\)$")
_MOST_JOINED = 4  # words that may be one name: "parse reference" is parse_reference
_SCORES = {Match.EXACT: 1.0, Match.CASE: 0.9, Match.BEGINNING: 0.6, Match.PART: 0.4}


class HitKind(StrEnum):
    """What a hit is; in this order they are told."""

    LEARNING = "learning"
    SECTION = "section"
    FACT = "fact"
    FILE = "file"
    SYMBOL = "symbol"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyHit:
    """Something that answers a question: what other commands call it, where it stands, and why it is here.

    `score` is what its own search gives it, from 0 on, to be compared among hits of one kind. `verdict` says whether it
    still holds, None where that is no question; `uid` is the lasting name of a learning, fact or commit.
    """

    JSON: ClassVar = "node=reference kind ref uid path line score why verdict=word drift old_verdict!=verdict text"

    kind: HitKind
    ref: str
    text: str
    score: float
    why: str
    uid: str | None = None
    path: str | None = None
    line: int | None = None
    verdict: str | None = None

    @property
    def reference(self) -> NodeReference:
        """How JSON refers to it."""
        named = f"{self.kind}:{self.uid}" if self.kind in (HitKind.LEARNING, HitKind.FACT) else self.ref
        return NodeReference(kind=self.kind.value, id=self.uid or self.ref, ref=named, path=self.path, line=self.line)

    @property
    def word(self) -> Word | None:
        """The verdict without its grade."""
        return Word(self.verdict.partition(":")[0]) if self.verdict else None

    @property
    def drift(self) -> Drift | None:
        """What changed, of what has drifted."""
        return Drift(self.verdict.partition(":")[2]) if self.verdict and self.word is Word.DRIFTED else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyAnswer(Rows[AnyHit]):
    """The hits by their kinds, best first in each; `notices` say what could not be done."""

    ROWS: ClassVar = "hits"
    JSON: ClassVar = "query kinds hits"

    query: str
    kinds: tuple[HitKind, ...]
    hits: tuple[AnyHit, ...]
    notices: tuple[str, ...] = ()


def search_all(
    kernel: Kernel,
    question: Annotated[str, Arg("QUERY", "What to find: words, a question, a name.", mcp="")],
    *,
    kinds: Annotated[
        Sequence[str],
        Arg("KIND", f"Only these: {choices(HitKind)}; repeatable, or with commas.", flag="--kind", mcp=""),
    ] = (),
    limit: Annotated[
        int | None,
        Arg("N", f"Most of each kind: {_OF_EACH}, or {_OF_ONE} of a single one.", flag="-n --limit", mcp=""),
    ] = None,
) -> AnyAnswer:
    """Ask everything at once: learnings, sections of documents, facts, files, symbols and commits.

    Each kind is found and ranked by its own search, so scores compare within a kind alone. Symbols are those whose name
    the question has; for what a kind knows beyond this, ask it alone: learning:search, doc:search, recall, context.

    Example:
      tx search "how are tokens validated"
      tx search parse_reference --kind symbol,file
      tx search "retry policy" --kind learning -n 20 --json
    """
    if not question.strip():
        raise UsageError("The query is empty.", hint="Say what to look for, in quotes.")
    if unknown := next((name for name in kinds if name.strip() not in set(HitKind)), None):
        raise UsageError(f"'{unknown}' is no kind.", hint=f"Choose from {choices(HitKind)}.")
    wanted = tuple(kind for kind in HitKind if not kinds or kind in {name.strip() for name in kinds})
    most = checked_limit(limit) if limit is not None else _OF_ONE if len(wanted) == 1 else _OF_EACH
    search = _Everything(kernel, question, most)
    hits = tuple(hit for kind in wanted for hit in search.by_kind[kind]())
    if kernel.one(Embedding).is_missed:
        search.notices.append("By words alone: there are no vectors ('tx model install', then 'tx sync').")
    return AnyAnswer(query=question, kinds=wanted, hits=hits, notices=tuple(dict.fromkeys(search.notices)))


class _Everything:
    """Asks each kind's own search, and makes hits of what it finds."""

    def __init__(self, kernel: Kernel, question: str, most: int) -> None:
        self._kernel, self._question, self._most = kernel, question, most
        self._direct = direct_matches(kernel, question, count=max(CANDIDATES, 3 * most))
        self.notices: list[str] = []
        self.by_kind: dict[HitKind, Callable[[], Iterator[AnyHit]]] = {
            HitKind.LEARNING: self._learnings,
            HitKind.SECTION: self._sections,
            HitKind.FACT: self._facts,
            HitKind.FILE: self._files,
            HitKind.SYMBOL: self._symbols,
            HitKind.COMMIT: self._commits,
        }

    def _learnings(self) -> Iterator[AnyHit]:
        query = Query(text=self._question, limit=self._most)
        for one in self._kernel.one(Search).run(query, direct=self._direct).results:
            anchor = next(iter(one.anchors), None)
            yield AnyHit(
                kind=HitKind.LEARNING,
                ref=one.stored.ref,
                uid=one.stored.learning.uid,
                path=anchor.anchor.path if anchor else None,
                score=one.relevance,
                why="; ".join(reasons(one, ())),
                verdict=one.standing.value,
                text=one.stored.learning.content,
            )

    def _sections(self) -> Iterator[AnyHit]:
        for one in written(self._kernel, self._question, (), limit=self._most):
            yield AnyHit(
                kind=HitKind.SECTION,
                ref=one.ref,
                path=one.path,
                line=one.line_start,
                score=one.score,
                why="; ".join(one.reasons),
                verdict=one.state.value,
                text=one.excerpt,
            )

    def _facts(self) -> Iterator[AnyHit]:
        recall = self._kernel.one(Recall)
        limits = replace(recall.limits, max_facts=self._most)
        answer = recall.ask(self._question, limits=limits, is_counted=False)
        self.notices += answer.notices
        for one in answer.facts:
            stored = one.stored
            yield AnyHit(
                kind=HitKind.FACT,
                ref=stored.ref,
                uid=stored.fact.uid,
                path=stored.path,
                score=one.score,
                why="; ".join((f"about {' '.join(one.path)}", *one.marks)),
                verdict=one.state.value if one.state else None,
                text=f"{stored.subject_name} {stored.fact.predicate}: {stored.told}",
            )

    def _files(self) -> Iterator[AnyHit]:
        files = rank_files(self._kernel, self._question, limit=self._most, with_places=True, direct=self._direct)
        for one in files:
            yield AnyHit(
                kind=HitKind.FILE,
                ref=one.path,
                path=one.path,
                line=one.line_start,
                score=one.score,
                why="; ".join(one.texts),
                text=f"in {one.symbol.replace('::', '.')}" if one.symbol else "",
            )

    def _symbols(self) -> Iterator[AnyHit]:
        """Yield what is declared by a name in the question; by a part of one only where it is all of the question."""
        index, words = self._kernel.one(SymbolIndex), self._question.split()
        names = [word.strip("`'\",;:?!") for word in words if _IDENTIFIER.search(word)]
        joined = ["_".join(words), "".join(words)] if len(words) <= _MOST_JOINED else []
        shown: set[str] = set()
        for name in dict.fromkeys(filter(None, (*names, *joined))):
            found = index.find_symbol(name)
            if found.match in (Match.EXACT, Match.CASE) or (found.match and len(words) == 1):
                for one in found.symbols:
                    if one.fqname not in shown and len(shown) < self._most:
                        shown.add(one.fqname)
                        yield AnyHit(
                            kind=HitKind.SYMBOL,
                            ref=one.fqname,
                            path=one.path,
                            line=one.line_start,
                            score=_SCORES[found.match],
                            why=f"declares {name}" if found.match is Match.EXACT else f"is called like {name}",
                            text=one.signature or one.kind,
                        )

    def _commits(self) -> Iterator[AnyHit]:
        store = CommitStore(self._kernel.database)
        found = store.search(self._direct.question.words, limit=self._most)
        briefs = store.briefs([number for number, _ in found])
        for number, score in found:
            if brief := briefs.get(number):
                yield AnyHit(
                    kind=HitKind.COMMIT,
                    ref=canonical_reference(NodeKind.COMMIT, brief.sha),
                    uid=brief.sha,
                    score=score / found[0][1],
                    why="its message has words of the question",
                    text=brief.subject,
                )
