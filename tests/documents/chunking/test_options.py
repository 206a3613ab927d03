"""Options that cannot be meant are refused."""

from __future__ import annotations

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.documents.chunking import ChunkOptions


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "size must be at least 1 token, not 0."),
        ({"child_size": -1}, "child_size must be at least 1 token, not -1."),
        ({"parent_size": 100}, r"child_size \(256\) must not exceed parent_size \(100\)."),
        ({"overlap": -1}, "overlap must be 0 tokens or more, not -1."),
        ({"percentile": 101}, "percentile must be between 0 and 100, not 101."),
        ({"percentile": float("nan")}, "percentile must be between 0 and 100, not nan."),
    ],
)
def test_a_size_without_meaning_is_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ChunkOptions(**options)  # type: ignore[arg-type]
