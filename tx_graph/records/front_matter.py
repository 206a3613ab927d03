"""Records as text: YAML front matter with sorted keys, then Markdown. What all kinds of record share.

Rendering is canonical: the same thing gives the same bytes on every machine, and nothing in it is driven by a clock
after it was made, so that branches which touch different records merge in plain git.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from dataclasses import fields as fields_of
from datetime import datetime
from functools import cache
from typing import Any, Generic, TypeVar

from tx_graph.core.errors import UsageError
from tx_graph.core.labels import clean_label, is_uid
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, Invalidation, looks_like_glob, parse_lines
from tx_graph.records.learning import unit_interval

_OPENING = re.compile(r"[\[{]|[-?][ \t]+(?=[-?][ \t])")
MOST_LEVELS = 1000
"""Levels that every loader can climb."""


def nests_too_deep(text: str) -> bool:
    """Whether a text is YAML that is nested too deep to be loaded."""
    if sum(1 for _ in _OPENING.finditer(text)) <= MOST_LEVELS:
        return False  # and nothing more was to be done: what follows takes as long as loading
    import yaml

    depth = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MOST_LEVELS:
                return True
    except yaml.YAMLError:
        return False  # loading it will say why
    return False


_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", re.ASCII)


class FieldError(UsageError):
    """A field of a record that holds what it must not; `key` is its name."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key


def is_time(text: str) -> bool:
    """Whether `text` is a UTC time as a record holds it, `2026-11-20T22:00:00Z`."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def choice(kind: Any, value: Any, key: str, *, what: str = "") -> Any:
    """Return the member of the enumeration `kind` that `value` names; `what` says what it is, if not the key."""
    try:
        return kind(value)
    except ValueError:
        raise FieldError(key, f"'{value}' is no {what or key}; choose from {', '.join(kind)}.") from None


def unit(value: Any, key: str, *, what: str = "") -> float:
    """Return the number from 0 to 1 that `value` is or spells; `what` says what it is, if not the key."""
    try:
        return unit_interval(float(value), what=what or key)
    except (TypeError, ValueError, OverflowError):
        raise FieldError(key, f"The {what or key} must be a number from 0 to 1.") from None
    except UsageError as error:
        raise FieldError(key, error.message) from None


def utc_time(value: str, key: str) -> str:
    """Return `value` if it is a UTC time as a record holds it."""
    if not is_time(value):
        raise FieldError(key, f"'{key}' must be a UTC time such as 2026-11-20T22:00:00Z, not '{value}'.")
    return value


def is_text(value: Any) -> bool:
    """Whether `value` is text that SQLite and a file system can hold, or stands for none."""
    if isinstance(value, dict | list):
        return False
    return "\0" not in str(value) and str(value).encode("utf-8", "ignore").decode() == str(value)


ANCHOR_KEYS = frozenset({"fingerprints", "invalidated", "lines", "path", "pinned", "symbol", "text", "type"})
"""What an entry for an anchor may hold."""
_NESTED = frozenset({"fingerprints", "invalidated"})
_FINGERPRINTS = frozenset(one.name for one in fields_of(Fingerprints))


class Verbatim(str):
    """Text that a record shows line by line, as it stands in its file."""

    __slots__ = ()


def anchor_fields(anchor: Anchor) -> dict[str, Any]:
    """Return an anchor as an entry of a record; `read_anchor` gives it back."""
    taken, dead = anchor.fingerprints, anchor.invalidated
    fields = {
        "path": anchor.path,
        "type": anchor.type.value,
        "symbol": anchor.symbol,
        "lines": f"{anchor.lines[0]}-{anchor.lines[1]}" if anchor.lines else None,
        "text": None if anchor.text is None else Verbatim(anchor.text),
        "fingerprints": {key: value for key, value in asdict(taken).items() if value} if taken else None,
        "pinned": True if anchor.pinned else None,
        "invalidated": {"reason": dead.reason, "at": dead.at} if dead else None,
    }
    return {key: value for key, value in fields.items() if value is not None}


def read_anchor(entry: Any) -> Anchor:
    """Return the anchor that an entry of a record describes."""
    if not isinstance(entry, dict) or not isinstance(entry.get("path"), str) or not entry["path"].strip():
        raise FieldError("anchors", "each anchor needs a 'path'")
    if unknown := sorted(str(key) for key in entry if key not in ANCHOR_KEYS):
        raise FieldError("anchors", f"an anchor has the unknown key '{unknown[0]}'")
    for key, value in entry.items():
        if key not in _NESTED and not is_text(value):
            raise FieldError("anchors", f"the '{key}' of an anchor must be text")
    symbol, lines, path = entry.get("symbol"), entry.get("lines"), entry["path"]
    kind = choice(AnchorType, entry.get("type") or _inferred(path, symbol, lines), "anchors", what="anchor type")
    if kind is AnchorType.SYMBOL and not symbol:
        raise FieldError("anchors", "an anchor of type 'symbol' needs a 'symbol'")
    if kind is AnchorType.LINES and not lines:
        raise FieldError("anchors", "an anchor of type 'lines' needs 'lines'")
    return Anchor(
        path=path,
        type=kind,
        symbol=str(symbol) if kind is AnchorType.SYMBOL else None,
        lines=_lines(lines) if lines and kind in (AnchorType.LINES, AnchorType.HASH) else None,
        text=str(entry["text"]) if kind is AnchorType.LINES and entry.get("text") is not None else None,
        fingerprints=_fingerprints(entry.get("fingerprints")),
        pinned=_flag(entry.get("pinned"), "pinned"),
        invalidated=_invalidation(entry.get("invalidated")),
    )


def _fingerprints(value: Any) -> Fingerprints | None:
    if not value:
        return None
    return Fingerprints(**_mapping(value, "fingerprints", required="content", known=_FINGERPRINTS))


def _invalidation(value: Any) -> Invalidation | None:
    if not value:
        return None
    found = _mapping(value, "invalidated", required="at", known={"at", "reason"})
    if not is_time(found["at"]):
        raise FieldError("anchors", f"an anchor's time of invalidation must be a UTC time, not '{found['at']}'")
    return Invalidation(reason=found.get("reason", ""), at=found["at"])


def _mapping(value: Any, key: str, *, required: str, known: Collection[str]) -> dict[str, str]:
    """Return a mapping inside an anchor; all of its values are text."""
    if not isinstance(value, dict) or not value.get(required):
        raise FieldError("anchors", f"the '{key}' of an anchor must be a mapping with '{required}'")
    if unknown := sorted(str(name) for name in value if name not in known):
        raise FieldError("anchors", f"the '{key}' of an anchor have the unknown key '{unknown[0]}'")
    if not all(map(is_text, value.values())):
        raise FieldError("anchors", f"the '{key}' of an anchor must hold text")
    return {name: str(text) for name, text in value.items() if text}


def _flag(value: Any, key: str) -> bool:
    if str(value or "false").lower() not in ("true", "false"):
        raise FieldError("anchors", f"the '{key}' of an anchor must be true or false, not '{value}'")
    return str(value).lower() == "true"


def _inferred(path: str, symbol: Any, lines: Any) -> AnchorType:
    if symbol:
        return AnchorType.SYMBOL
    if lines:
        return AnchorType.LINES
    return AnchorType.GLOB if looks_like_glob(path) else AnchorType.HASH


def _lines(value: Any) -> tuple[int, int]:
    try:
        return parse_lines(str(value))
    except UsageError as error:
        raise FieldError("anchors", error.message) from None


T = TypeVar("T")
FENCE = "---\n"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFormat(Generic[T]):
    """How one kind of thing is a record: in which directory, under which name and with which text.

    `canonical` returns a thing as its record gives it back: equal ones have equal records.
    """

    directory: str
    parse: Callable[[bytes], T]
    render: Callable[[T], str]
    file_name: Callable[[T], str]
    uid: Callable[[T], str]
    canonical: Callable[[T], T]


def conflict_line(content: str) -> int | None:
    """Return the line (from 0) of the first conflict marker, None when the content is no unresolved merge."""
    ours, theirs = _OURS.search(content), _THEIRS.search(content)
    if ours is None or theirs is None:
        return None
    return content.count("\n", 0, min(ours.start(), theirs.start()))


def rendered(fields: Mapping[str, Any], body: str) -> str:
    """Return the text of a record; fields that say nothing are left out."""
    import yaml

    head = yaml.dump(
        {key: value for key, value in fields.items() if value not in (None, [])},
        Dumper=_dumper(),
        sort_keys=True,
        allow_unicode=True,
        default_flow_style=False,
        width=2**16,
    )
    return f"{FENCE}{head}{FENCE}{body}\n" if body else f"{FENCE}{head}{FENCE}"


def parsed(data: bytes, read: Callable[[Mapping[str, Any], str], T], *, keys: Collection[str]) -> T:
    """Return what `read` makes of the fields and the body of a record's bytes; `keys` are all that it may have."""
    head, content = _split(_decoded(data))
    fields = _loaded(head)
    body = head.count("\n") + 3
    if (conflict := conflict_line(content.replace("\r", "\n"))) is not None:
        raise MalformedRecord(_UNRESOLVED, line=body + conflict)
    try:
        _check(fields, keys)
        return read(fields, content)
    except FieldError as error:
        raise MalformedRecord(error.message, line=_line_of(error.key, head)) from None
    except UsageError as error:
        raise MalformedRecord(error.message, line=body) from None


def _check(fields: Mapping[str, Any], keys: Collection[str]) -> None:
    for key in fields:
        if key not in keys:
            raise FieldError(str(key), f"unknown key '{key}'")
    if not is_uid(str(fields.get("uid", ""))):
        raise FieldError("uid", "'uid' is missing or malformed")


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


def field_of(fields: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    """Return a field that is a list or a mapping, `default` where there is none."""
    value = fields.get(key)
    if not value:
        return default
    if not isinstance(value, kind):
        raise FieldError(key, f"'{key}' must be a {'list' if kind is list else 'mapping'}")
    return value


def label_of(fields: Mapping[str, Any], key: str) -> str | None:
    """Return a field that is one line of text, None where there is none."""
    value = fields.get(key)
    return cleaned(key, value) if value else None


def cleaned(key: str, value: Any) -> str:
    """Return a value of a field as one line of text."""
    if isinstance(value, dict | list):
        raise FieldError(key, f"'{key}' must hold plain text")
    try:
        return clean_label(str(value), what=key)
    except UsageError as error:
        raise FieldError(key, error.message) from None


def time_of(fields: Mapping[str, Any], key: str, *, required: bool = False) -> str | None:
    """Return a field that is a UTC time, None where there is none and none is `required`."""
    value = fields.get(key)
    if not value and not required:
        return None
    return utc_time("" if value is None else str(value), key)
