"""What a page could tell, made up: values as the services give them, with any text in them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.fakes import learning
from tx_graph.anchors.verdict import Standing
from tx_graph.context.page import ContextLearning, ContextPartner, ContextSection, Material, Part
from tx_graph.context.ranking_evidence import Because, RankedFile
from tx_graph.context.search import SearchResult
from tx_graph.documents.search import State
from tx_graph.records.learning import SourceType, Status, StoredLearning
from tx_graph.work.values import Outcome, Run, Task

NOON = "2026-11-20T12:00:00Z"


def told(
    content: str,
    *reasons: str,
    number: int = 1,
    standing: Standing = Standing.FRESH,
    **fields: Any,  # noqa: ANN401 - each field has its type
) -> ContextLearning:
    """A learning as a search found it."""
    stored = StoredLearning(
        id=number, node=number, learning=learning(content, number=number, **fields), updated_at=NOON, record="r.md"
    )
    result = SearchResult(
        stored=stored, relevance=0.5, bm25=1.0, vector=0.0, recency=1.0, rrf=1.0, feedback=0.5, standing=standing
    )
    return ContextLearning(result=result, reasons=reasons)


def written(
    excerpt: str,
    *reasons: str,
    ref: str = "docs/auth.md#tokens",
    **fields: Any,  # noqa: ANN401 - each field has its type
) -> ContextSection:
    """A section of a document, as a search found it."""
    standard: dict[str, Any] = {"line_start": 5, "line_end": 9, "headings": ("Authentication", "Tokens"), "score": 0.5}
    return ContextSection(
        ref=ref, path=ref.partition("#")[0], excerpt=excerpt, reasons=reasons, **{**standard, **fields}
    )


def task(title: str, *, number: int = 7, **fields: Any) -> Task:  # noqa: ANN401 - each field has its type
    """A task made at noon."""
    return Task(id=number, node=number, title=title, created_at=NOON, updated_at=NOON, **fields)


def ranked(path: str, *reasons: str) -> RankedFile:
    """A file to look at."""
    return RankedFile(path=path, score=0.5, reasons=tuple(Because(text=text, share=0.5) for text in reasons))


_HARD = (
    "```\ncode\n```",
    "# Heading\n## What we learned\n- item",
    "~~~\nunclosed",
    "\x1b[2J\x1b[31mred\x07\r\u2028\u202e\U000e0069",
    "认证令牌必须先验证" * 9,
    "🚀👩‍💻" * 30,
    "… and 12 more learnings",
    "> quoted\n>> twice\n\n\n<!-- hidden",
    "word " * 4000,
    "\n" * 50,
)
TEXTS = st.one_of(st.text(max_size=300), st.sampled_from(_HARD))
_LINES = st.text(min_size=1, max_size=60)
_LEARNINGS = st.builds(
    told,
    TEXTS,
    _LINES,
    number=st.integers(1, 10**9),
    standing=st.sampled_from(Standing),
    status=st.sampled_from([Status.ACTIVE, Status.STAGED]),
    category=st.none() | _LINES,
    confidence=st.floats(0, 1),
    source_type=st.sampled_from(SourceType),
    source_ref=st.none() | _LINES,
)
_SECTIONS = st.builds(
    written,
    TEXTS,
    TEXTS,
    ref=_LINES,
    headings=st.lists(TEXTS, max_size=3).map(tuple),
    state=st.sampled_from(State),
    superseded_by=st.none() | _LINES,
)
_TASKS = st.builds(task, _LINES, number=st.integers(1, 10**9), description=TEXTS, external_id=st.none() | _LINES)
_RUNS = st.builds(
    Run,
    id=st.integers(1, 10**9),
    node=st.just(1),
    started_at=st.just(NOON),
    agent=st.none() | _LINES,
    outcome=st.none() | st.sampled_from(Outcome),
    task=st.none() | _TASKS,
)
_PARTNERS = st.builds(
    ContextPartner, path=_LINES, file=_LINES, shared=st.integers(1, 10**6), commits=st.integers(1, 10**6)
)


def some(items: st.SearchStrategy[Any], most: int = 6) -> st.SearchStrategy[tuple[Any, ...]]:
    """Up to `most` of them."""
    return st.lists(items, max_size=most).map(tuple)


MATERIAL = st.builds(
    Material,
    task=st.none() | _TASKS,
    learnings=some(_LEARNINGS),
    sections=some(_SECTIONS, most=4),
    files=some(st.builds(ranked, _LINES, _LINES, TEXTS)),
    partners=some(_PARTNERS),
    tasks=some(_TASKS),
    runs=some(_RUNS),
    found=st.dictionaries(st.just(Part.LEARNINGS), st.integers(0, 10_000)),
)
