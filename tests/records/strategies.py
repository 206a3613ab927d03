"""Arbitrary learnings, with a liking for what YAML, git and Unicode give a meaning to."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.fakes import uid_of
from tx_graph.core.errors import UsageError
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, Invalidation, distinct_anchors
from tx_graph.records.learning import Learning, Link, SourceType, Status
from tx_graph.records.learning_record import distinct_links, record_content

TRICKY = [
    "no", "yes", "null", "~", "1e3", "0x12", "0o17", "1_000", "12:30:45", "2026-01-01", "2026-01-01T00:00:00Z", "-",
    "---", "- a", "a: b", "a #b", "# a", "'", '"', "\\", "{}", "[]", "&a", "*a", "!!str", "%", "@", "`", "|", ">", "<<",
    "=", "?", ",", "😀", "\u2028", "\u00ad", "\ufeff", "\U0010ffff", "....", ".5", "+1", "0", "é", "e\u0301",
]  # fmt: skip
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


def _clean(text: str) -> str:
    try:
        return record_content(text)
    except UsageError:
        return "content"


contents = st.one_of(
    texts, st.lists(st.one_of(texts, st.sampled_from([*TRICKY, "", "<<<<<<< HEAD", ">>>>>>> x"]))).map("\n".join)
).map(_clean)
labels = st.one_of(texts, st.sampled_from(TRICKY)).map(str.strip).filter(lambda text: text and text.isprintable())
paths = st.one_of(texts, st.sampled_from([*TRICKY, " lead", "trail ", "tab\tbed", "two\nlines", "a\n---\nb"])).filter(
    str.strip
)
uids = st.integers(min_value=1).map(uid_of)
units = st.floats(min_value=0, max_value=1)
times = st.datetimes().map(lambda moment: f"{moment.replace(microsecond=0).isoformat()}Z")
digests = st.sampled_from(["0" * 64, "1e" * 32, "ab" * 32])
some = st.just("") | st.sampled_from(["00", "1e5", "0x1f", "true", "-_", "~"])
commits = st.sampled_from(["", "1" * 40, "1e" * 20, "ab" * 32])
fingerprints = st.none() | st.builds(
    Fingerprints, content=digests, tokens=some, unnamed=some, signature=some, comments=some, sketch=some, commit=commits
)
invalidations = st.none() | st.builds(Invalidation, reason=texts | st.sampled_from(TRICKY), at=times)
spans = st.tuples(st.integers(1, 10**6), st.integers(0, 10**6)).map(lambda pair: (pair[0], pair[0] + pair[1]))
covered = st.none() | st.lists(
    texts | st.sampled_from([*TRICKY, "\tindented", "    deep", "", "---", "end  ", "<<<<<<< ours"])
).map("\n".join)
states: dict[str, st.SearchStrategy[Any]] = {"pinned": st.booleans(), "invalidated": invalidations}
taken: dict[str, st.SearchStrategy[Any]] = {"fingerprints": fingerprints}
anchors = st.one_of(
    st.builds(Anchor, path=paths, type=st.just(AnchorType.GLOB), fallback=st.booleans(), **states),
    st.builds(Anchor, path=paths, type=st.just(AnchorType.HASH), fallback=st.booleans(), **states, **taken),
    st.builds(Anchor, path=paths, type=st.just(AnchorType.HASH), lines=st.none() | spans, **states, **taken),
    st.builds(Anchor, path=paths, type=st.just(AnchorType.SYMBOL), symbol=labels, **states, **taken),
    st.builds(Anchor, path=paths, type=st.just(AnchorType.LINES), lines=spans, text=covered, **states, **taken),
)
links = st.builds(Link, target=uids, relation=st.sampled_from(Relation), weight=units)
learnings = st.builds(
    Learning,
    uid=uids,
    content=contents,
    created_at=times,
    category=st.none() | labels,
    keywords=st.lists(labels, unique=True).map(tuple),
    status=st.sampled_from(Status),
    confidence=units,
    source_type=st.sampled_from(SourceType),
    source_ref=st.none() | labels,
    anchors=st.lists(anchors).map(distinct_anchors),
    links=st.lists(links).map(distinct_links),
    superseded_by=st.none() | uids,
    removed_at=st.none() | times,
    removal_reason=st.none() | labels,
)
