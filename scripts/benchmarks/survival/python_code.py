"""Python's code as the interpreter's own parser sees it: equal trees are the same program."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterable, Iterator

from scripts.benchmarks.survival.code import LITERAL, MARK, Code, comment_words

_UNSEEN = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
"""Fields that say nothing about what a program does."""

_Declaration = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class PythonFile:
    """One file's tree and comments.

    Raises:
        SyntaxError: The file is not of this interpreter's Python.
    """

    def __init__(self, text: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in strings that will be errors some day
            self._body = ast.parse(text).body
        self._comments = _comments(text)

    def code(self, first: int, last: int) -> Code | None:
        """Return the code of the statements from one line to another; None if there are none."""
        statements = list(_within(self._body, first, last))
        if not statements:
            return None
        documents = [node for statement in statements for node in ast.walk(statement) if is_document(node)]
        comments = [(line, text) for line, text in self._comments if first <= line <= last]
        comments += [(node.lineno, str(node.value.value)) for node in documents]  # type: ignore[attr-defined]
        return Code(
            tokens=tuple(_tokens(statements)),
            head=_head(statements),
            comments=tuple(word for _, text in sorted(comments) for word in comment_words(text)),
            exact=True,
        )


def is_document(node: ast.AST) -> bool:
    """Whether a node is a string on its own, which no program notices."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _comments(text: str) -> list[tuple[int, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def _within(body: Iterable[ast.stmt], first: int, last: int) -> Iterator[ast.stmt]:
    """Yield the outermost statements that lie wholly in these lines."""
    for statement in body:
        begin, end = _lines(statement)
        if first <= begin and end <= last:
            yield statement
        elif begin <= last and first <= end:
            yield from _within(_beneath(statement), first, last)


def _lines(statement: ast.stmt) -> tuple[int, int]:
    decorators = getattr(statement, "decorator_list", ())
    begin = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return begin, statement.end_lineno or begin


def _beneath(statement: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.iter_child_nodes(statement):
        if isinstance(node, ast.stmt):
            yield node
        elif isinstance(node, ast.ExceptHandler | ast.match_case):
            yield from node.body


def _head(statements: list[ast.stmt]) -> tuple[str, ...] | None:
    """Return the tokens before the body, which are also the first of the whole."""
    declaration = statements[0]
    if len(statements) > 1 or not isinstance(declaration, _Declaration):
        return None
    return tuple(_tokens([declaration], with_body=False))


def _tokens(value: object, *, with_body: bool = True) -> Iterator[str]:
    """Yield a tree as tokens: marks for its nodes, names as they are, literals marked as such."""
    if isinstance(value, list):
        for item in value:
            yield from _tokens(item, with_body=with_body)
        yield f"{MARK}end of list"
    elif is_document(value):  # type: ignore[arg-type]
        return
    elif isinstance(value, ast.Constant):
        yield f"{LITERAL}{value.value!r}"
    elif isinstance(value, ast.AST):
        yield f"{MARK}{type(value).__name__}"
        for field in _fields(value):
            if with_body or field != "body":
                yield from _tokens(getattr(value, field), with_body=with_body)
    else:
        yield f"{MARK}nothing" if value is None else str(value)


def _fields(node: ast.AST) -> list[str]:
    """Return a node's fields, a declaration's body last."""
    return sorted((field for field in node._fields if field not in _UNSEEN), key="body".__eq__)
