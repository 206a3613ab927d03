"""What can be written as UTF-8."""

from __future__ import annotations

import pytest

from tx_graph.core.labels import is_unicode


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", True), ("src/auth.ts", True), ("数据库 🚀", True), ("caf\udce9.py", False), ("\ud800", False)],
    ids=["empty", "path", "any script", "latin-1 bytes", "half a pair"],
)
def test_bytes_that_are_no_utf_8_are_no_text(text: str, *, expected: bool) -> None:
    assert is_unicode(text) is expected
