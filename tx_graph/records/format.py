"""A learning as text: YAML front matter with sorted keys, then the content as Markdown.

Rendering is canonical: the same learning gives the same bytes on every machine, and nothing in it is driven
by a clock after the learning was made, so that branches which touch different learnings merge in plain git.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from tx_graph.analysis.nesting import nests_too_deep
from tx_graph.domain.anchor import distinct_anchors
from tx_graph.domain.edges import Relation
from tx_graph.domain.learning import Learning, Link, SourceType, Status, clean_content, clean_label
from tx_graph.domain.uid import is_uid, slug
from tx_graph.errors import UsageError
from tx_graph.records.anchor_entry import Verbatim, anchor_fields, read_anchor
from tx_graph.records.fields import FieldError, choice, unit, utc_time

FENCE = "---\n"
_KEYS = frozenset(
    """anchors category confidence created_at keywords links removal_reason removed_at source status superseded_by
    uid""".split()
)
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?: |$)", re.MULTILINE)
"""What git leaves where a merge needs somebody to decide."""
_OURS = re.compile(r"^<{7} ", re.MULTILINE)
_THEIRS = re.compile(r"^>{7} ", re.MULTILINE)
"""The two of them that cannot be Markdown: `=======` makes the line above it a heading."""
_UNRESOLVED = "it has an unresolved merge conflict"


class MalformedRecord(Exception):
    """A record that cannot be read: why, and the line of the file (from 1) where it goes wrong."""

    def __init__(self, reason: str, *, line: int) -> None:
        self.reason = reason.removesuffix(".")  # it is quoted within sentences
        super().__init__(self.reason)
        self.line = line


def canonical(learning: Learning) -> Learning:
    """Return the learning as its record gives it back: anchors and links in order. Equal ones have equal records."""
    return replace(learning, anchors=distinct_anchors(learning.anchors), links=distinct_links(learning.links))


def record_content(text: str) -> str:
    """Return `text` as a record can hold it: clean, and not to be taken for an unresolved merge.

    Raises:
        UsageError: It is empty, too long or no text, or has the markers of a merge conflict.
    """
    content = clean_content(text)
    if (line := _conflict_line(content)) is not None:
        raise UsageError(
            f"The content has git's conflict markers, from its line {line + 1} on; a record with them is skipped.",
            hint="Resolve the conflict; to write about markers, indent them.",
        )
    return content


def _conflict_line(content: str) -> int | None:
    """Return the line (from 0) of the first conflict marker, None when the content is no unresolved merge."""
    ours, theirs = _OURS.search(content), _THEIRS.search(content)
    if ours is None or theirs is None:
        return None
    return content.count("\n", 0, min(ours.start(), theirs.start()))


def file_name(learning: Learning) -> str:
    """Return the name of a new record, `<uid>-<slug>.md`; it stays when the content is edited."""
    return f"{learning.uid}-{slug(learning.content)}.md"


def render(learning: Learning) -> str:
    """Return the record's text."""
    import yaml

    head = yaml.dump(
        _front_matter(learning),
        Dumper=_dumper(),
        sort_keys=True,
        allow_unicode=True,
        default_flow_style=False,
        width=2**16,
    )
    return f"{FENCE}{head}{FENCE}{learning.content}\n"


@cache
def _dumper() -> type[Any]:
    """Return what writes YAML: not libyaml, which escapes emoji and so gives other bytes on other machines."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    def represented(dumper: Dumper, text: str) -> yaml.ScalarNode:
        # What is not printable, line breaks of all sorts among it, is escaped, so that one value is one line.
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')

    def verbatim(dumper: Dumper, text: str) -> yaml.ScalarNode:
        # What no block can hold is written in quotes, and what starts with a blank too: its block would have to say how
        # far it is indented, and formatters that indent it otherwise break that.
        is_block = "\n" in text and not text[0].isspace() and text.replace("\n", "").replace("\t", "").isprintable()
        if not is_block:
            return represented(dumper, text)
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")

    Dumper.add_representer(str, represented)
    Dumper.add_representer(Verbatim, verbatim)
    return Dumper


def _front_matter(learning: Learning) -> dict[str, Any]:
    source = {"type": learning.source_type.value, "ref": learning.source_ref}
    everything: dict[str, Any] = {
        "uid": learning.uid,
        "created_at": learning.created_at,
        "category": learning.category,
        "keywords": list(learning.keywords),
        "status": learning.status.value,
        "confidence": float(learning.confidence),
        "source": {key: value for key, value in source.items() if value is not None},
        "anchors": [anchor_fields(anchor) for anchor in distinct_anchors(learning.anchors)],
        "links": [
            {"target": link.target, "relation": link.relation.value, "weight": float(link.weight)}
            for link in distinct_links(learning.links)
        ],
        "superseded_by": learning.superseded_by,
        "removed_at": learning.removed_at,
        "removal_reason": learning.removal_reason,
    }
    return {key: value for key, value in everything.items() if value not in (None, [])}


def parse(data: bytes) -> Learning:
    """Return the learning that a record's bytes hold.

    Raises:
        MalformedRecord: The bytes are no record.
    """
    head, content = _split(_decoded(data))
    fields = _loaded(head)
    body = head.count("\n") + 3
    if (conflict := _conflict_line(content.replace("\r", "\n"))) is not None:
        raise MalformedRecord(_UNRESOLVED, line=body + conflict)
    try:
        return _learning(fields, content)
    except FieldError as error:
        raise MalformedRecord(error.message, line=_line_of(error.key, head)) from None
    except UsageError as error:
        raise MalformedRecord(error.message, line=body) from None


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise MalformedRecord("it is not valid UTF-8", line=data[: error.start].count(b"\n") + 1) from None


def _split(text: str) -> tuple[str, str]:
    text = text if text.endswith("\n") else f"{text}\n"
    if not text.startswith(FENCE):
        raise MalformedRecord("it does not start with '---'", line=1)
    end = text.find(f"\n{FENCE}", len(FENCE) - 1)
    if end < 0:
        raise MalformedRecord("its front matter has no closing '---'", line=text.count("\n"))
    return text[len(FENCE) : end + 1], text[end + 1 + len(FENCE) :]


def _loaded(head: str) -> Mapping[str, Any]:
    import yaml

    if conflict := _CONFLICT.search(head):
        raise MalformedRecord(_UNRESOLVED, line=head[: conflict.start()].count("\n") + 2)
    if nests_too_deep(head):
        raise MalformedRecord("its front matter is nested too deep", line=2)
    try:
        # Every scalar stays the text it is written as: `no` is a keyword, `0x12` no number.
        fields = yaml.load(head, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 - makes only text
    except yaml.reader.ReaderError as error:
        line = head[: error.position].count("\n") + 2
        raise MalformedRecord(f"its front matter is not YAML: {error.reason}", line=line) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error)
        raise MalformedRecord(f"its front matter is not YAML: {reason}", line=mark.line + 2 if mark else 2) from None
    except (ValueError, RecursionError) as error:
        raise MalformedRecord(f"its front matter is not YAML: {error}", line=2) from None
    if not isinstance(fields, dict):
        raise MalformedRecord("its front matter is not a list of keys and values", line=2)
    return fields


def _line_of(key: str, head: str) -> int:
    for number, line in enumerate(head.split("\n"), start=2):
        if line.startswith(f"{key}:"):
            return number
    return 1


def _learning(fields: Mapping[str, Any], content: str) -> Learning:
    for key in fields:
        if key not in _KEYS:
            raise FieldError(str(key), f"unknown key '{key}'")
    if not is_uid(str(fields.get("uid", ""))):
        raise FieldError("uid", "'uid' is missing or malformed")
    source = _field(fields, "source", dict, {})
    return Learning(
        uid=str(fields["uid"]),
        content=clean_content(content),
        created_at=_time(fields, "created_at", required=True) or "",
        category=_label(fields, "category"),
        keywords=tuple(dict.fromkeys(_cleaned("keywords", word) for word in _field(fields, "keywords", list, []))),
        status=choice(Status, fields.get("status") or Status.ACTIVE, "status"),
        confidence=unit(fields.get("confidence") or 1.0, "confidence"),
        source_type=choice(SourceType, source.get("type") or SourceType.MANUAL, "source", what="source type"),
        source_ref=_cleaned("source", source["ref"]) if source.get("ref") else None,
        anchors=distinct_anchors(read_anchor(entry) for entry in _field(fields, "anchors", list, [])),
        links=distinct_links(read_link(entry) for entry in _field(fields, "links", list, [])),
        superseded_by=_label(fields, "superseded_by"),
        removed_at=_time(fields, "removed_at"),
        removal_reason=_label(fields, "removal_reason"),
    )


def _field(fields: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = fields.get(key)
    if not value:
        return default
    if not isinstance(value, kind):
        raise FieldError(key, f"'{key}' must be a {'list' if kind is list else 'mapping'}")
    return value


def _label(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    return _cleaned(key, value) if value else None


def _cleaned(key: str, value: Any) -> str:
    if isinstance(value, dict | list):
        raise FieldError(key, f"'{key}' must hold plain text")
    try:
        return clean_label(str(value), what=key)
    except UsageError as error:
        raise FieldError(key, error.message) from None


def _time(fields: Mapping[str, Any], key: str, *, required: bool = False) -> str | None:
    value = fields.get(key)
    if not value and not required:
        return None
    return utc_time("" if value is None else str(value), key)


def read_link(entry: Any) -> Link:
    """Return the link that an entry of a record describes.

    Raises:
        UsageError: It describes none.
    """
    if not isinstance(entry, dict) or not is_uid(str(entry.get("target", ""))):
        raise FieldError("links", "each link needs a 'target' that is a uid")
    return Link(
        target=str(entry["target"]),
        relation=choice(Relation, entry.get("relation") or Relation.REFERENCES, "links", what="relation"),
        weight=unit(entry.get("weight") or 1.0, "links", what="weight"),
    )


def distinct_links(links: Iterable[Link]) -> tuple[Link, ...]:
    """Return the links in order; of two with the same target and relation the later one stays."""
    by_key = {(link.target, link.relation): link for link in links}
    return tuple(by_key[key] for key in sorted(by_key))
