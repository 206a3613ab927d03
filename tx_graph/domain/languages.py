"""Languages: which one a path is written in, told by its name alone."""

from __future__ import annotations

_BY_EXTENSION = {
    ".py": "python",
    ".pyi": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "jsx",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".vue": "vue",
}


def language_of(path: str) -> str | None:
    """Return the language of a source file (`python`, `tsx`, `vue`, …), or None when we read none such."""
    dot = path.rfind(".")
    return _BY_EXTENSION.get(path[dot:]) if dot > path.rfind("/") + 1 else None
