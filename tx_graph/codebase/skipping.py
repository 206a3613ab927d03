"""Source files that nobody wrote: what is told by their content alone."""

from __future__ import annotations

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LONG_LINES = 500
"""Bytes per line on average from which a script is minified: written code has about 30, tables of data 100."""
_LEAST = 2_000
"""Bytes below which a script is read whatever its lines: there is little to lose."""
_SCRIPTS = frozenset({"javascript", "jsx", "typescript", "tsx", "vue"})
_BUNDLES = (".min.js", ".min.mjs", ".min.cjs", ".bundle.js", "-min.js")


def why_skipped(path: str, language: str, content: bytes) -> str:
    """Return, as a sentence's end, why a source file is not worth reading; empty when it is."""
    if b"\0" in content and not content.startswith(_UTF16_MARKS):
        return "is binary"
    if language in _SCRIPTS and (path.endswith(_BUNDLES) or _is_minified(content)):
        return "is minified"
    return ""


def _is_minified(content: bytes) -> bool:
    return len(content) >= _LEAST and len(content) > _LONG_LINES * (content.count(b"\n") + 1)
