"""Front matter: what stands between `---` (YAML) or `+++` (TOML) at the top of a Markdown file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, time
from itertools import islice
from typing import NamedTuple

from tx_graph.documents.document import Field, Format, Link, LinkKind, format_of
from tx_graph.documents.reading import may_be_here
from tx_graph.graph.edges import PREDICATES, predicate_of
from tx_graph.records.front_matter import nests_too_deep

_LARGEST = 100_000  # characters; what is longer is no front matter
_MOST_VALUES = 200
_LONGEST_VALUE = 300
_DEEPEST = 3  # how deep lists lie in lists: YAML takes an unquoted `- [[page]]` for three
_CLOSING = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE),
}
_LOOKS_LIKE_YAML = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*(?:[^\s#>*-][^\n]*?:(?:\s|\Z)|\{|\Z)")
"""A document may begin with a rule instead, and have another one further down."""
_WIKI = re.compile(r"!?\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]")
_MARKDOWN = re.compile(r"\[([^\[\]]*)\]\(([^()\s]+)\)")


class FrontMatter(NamedTuple):
    """What front matter says; `length` is how many characters of the file it takes, with its fences."""

    length: int = 0
    title: str = ""
    aliases: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    fields: tuple[Field, ...] = ()
    problems: tuple[str, ...] = ()


def read_front_matter(text: str) -> FrontMatter:
    """Return what the front matter of a text says; none of it where there is none."""
    fence = text[:3]
    first = text.find("\n") + 1
    if fence not in _CLOSING or not first or text[3:first].strip():
        return FrontMatter()
    closing = _CLOSING[fence].search(text, first, first + _LARGEST)
    head = text[first : closing.start()] if closing else ""
    if not closing or (fence == "---" and not _LOOKS_LIKE_YAML.match(head)):
        return FrontMatter()
    length = min(closing.end() + 1, len(text))
    try:
        fields = _yaml(head) if fence == "---" else _toml(head)
    except ValueError as error:
        return FrontMatter(length=length, problems=(str(error),))
    title = fields.get("title")
    own = []
    for key, value in fields.items():
        # Numbers, dates and truths become texts, but not in lists of lists: aliases of YAML may make a few lines of
        # them stand for billions of values.
        written = [_as_text(one) for one in islice(value if isinstance(value, list) else [value], _MOST_VALUES)]
        if values := tuple(islice(_texts(written), _MOST_VALUES)):
            own.append(Field(key, values))
    return FrontMatter(
        length=length,
        title=" ".join(title[:_LONGEST_VALUE].split()) if isinstance(title, str) else "",
        aliases=tuple(_texts(fields.get("aliases"))),
        links=tuple(_links(fields, head)),
        fields=tuple(own),
    )


def _yaml(head: str) -> Mapping[str, object]:
    import yaml

    if nests_too_deep(head):
        raise ValueError("has front matter that is nested too deep")
    try:
        # Every scalar stays the text it is written as: `0003` is a name, no number.
        fields = yaml.load(head, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 - makes only text
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 2}" if mark else ""
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or type(error).__name__
        raise ValueError(f"has front matter that is not YAML ({reason}{place})") from None
    return _named(fields)


def _toml(head: str) -> Mapping[str, object]:
    import tomllib

    try:
        return _named(tomllib.loads(head))
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else type(error).__name__
        raise ValueError(f"has front matter that is not TOML ({reason})") from None


def _named(fields: object) -> Mapping[str, object]:
    return {str(key): value for key, value in fields.items()} if isinstance(fields, dict) else {}


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        if value.strip() and len(value) <= _LONGEST_VALUE and "\n" not in value:
            yield value.strip()
    elif isinstance(value, list) and depth < _DEEPEST:
        for one in islice(value, _MOST_VALUES):
            yield from _texts(one, depth + 1)


def _as_text(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (int, float, date, time)) else value


def _links(fields: Mapping[str, object], head: str) -> Iterator[Link]:
    """Yield what relations point at, and any other value that is the path of a document."""
    for key, value in fields.items():
        predicate = predicate_of(key)
        named = re.search(rf"^[\"']?{re.escape(key)}[\"']?\s*[:=]", head, re.MULTILINE)
        start = named.start() if named else 0
        for text in islice(_texts(value), _MOST_VALUES):
            if link := _link(text, predicate):
                # The line of the file on which the value stands, or at least its key.
                yield link._replace(line=head.count("\n", 0, max(head.find(text, start), start)) + 2)


def _link(text: str, predicate: str) -> Link | None:
    if found := _WIKI.fullmatch(text):
        return Link(LinkKind.WIKI, found[1].strip(), 0, predicate=predicate)
    if found := _MARKDOWN.fullmatch(text):
        is_here = may_be_here(found[2])
        return Link(LinkKind.LINK, found[2], 0, found[1], predicate) if is_here else None
    is_target = predicate in PREDICATES or (" " not in text and format_of(text) in {Format.MARKDOWN, Format.RST})
    # Without quotes `[[page|its name]]` is a list in a list.
    target = text.partition("|")[0].strip()
    return Link(LinkKind.WIKI, target, 0, predicate=predicate) if is_target and may_be_here(target) else None
