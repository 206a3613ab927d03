"""Records as text: YAML front matter with sorted keys, then Markdown. What all kinds of record share.

Rendering is canonical: the same thing gives the same bytes on every machine, and nothing in it is driven by a clock
after it was made, so that branches which touch different records merge in plain git.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields as fields_of
from datetime import datetime
from functools import cache
from typing import Any, Generic, Protocol, TypeVar

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import clean_label, is_uid, slug
from tx_graph.core.shape import as_json
from tx_graph.records.anchor import (
    Anchor,
    AnchorRequest,
    AnchorType,
    Fingerprints,
    Invalidation,
    can_be_fallback,
    parse_lines,
)
from tx_graph.records.learning import unit_interval

V = TypeVar("V")


class HasUid(Protocol):
    """What has a record of its own."""

    @property
    def uid(self) -> str:
        """Its name in every clone."""


T = TypeVar("T", bound=HasUid)

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


class FieldError(UsageError):
    """A field of a record that holds what it must not; `key` is its name."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key


def checked(key: str, clean: Callable[[Any], V], value: Any) -> V:
    """Return what `clean` makes of the value of a field; what it refuses is told of the field."""
    try:
        return clean(value)
    except UsageError as error:
        raise FieldError(key, error.message) from None


_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", re.ASCII)


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
        return checked(key, lambda number: unit_interval(number, what=what or key), float(value))
    except (TypeError, ValueError, OverflowError):
        raise FieldError(key, f"The {what or key} must be a number from 0 to 1.") from None


def utc_time(value: str, key: str) -> str:
    """Return `value` if it is a UTC time as a record holds it."""
    if not is_time(value):
        raise FieldError(key, f"'{key}' must be a UTC time such as 2026-11-20T22:00:00Z, not '{value}'.")
    return value


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


def text_of(fields: Mapping[str, Any], key: str) -> str | None:
    """Return a field that is one line of text of any length, None where there is none."""
    value = fields.get(key)
    if value and not (isinstance(value, str) and value.isprintable()):
        raise FieldError(key, f"'{key}' must hold one line of plain text")
    return value or None


def cleaned(key: str, value: Any) -> str:
    """Return a value of a field as one line of text."""
    if isinstance(value, dict | list):
        raise FieldError(key, f"'{key}' must hold plain text")
    return checked(key, lambda text: clean_label(text, what=key), str(value))


def time_of(fields: Mapping[str, Any], key: str, *, required: bool = False) -> str | None:
    """Return a field that is a UTC time, None where there is none and none is `required`."""
    value = fields.get(key)
    if not value and not required:
        return None
    return utc_time("" if value is None else str(value), key)


def source_field(kind: str, ref: str | None) -> dict[str, str]:
    """Return where a thing comes from, as a field of its record."""
    return {"type": kind} if ref is None else {"type": kind, "ref": ref}


ANCHOR_KEYS = frozenset(
    {"fallback", "fingerprints", "invalidated", "lines", "path", "pinned", "symbol", "text", "type"}
)
"""What an entry for an anchor may hold."""
_FALLBACK = "fallback"
"""What `text` says in the record of a fallback: of what is no anchor by lines, versions that know no fallbacks read it
and pass over it, where they would refuse the whole record for a key of its own."""
_COMMIT = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})?")
_FINGERPRINTS = frozenset(one.name for one in fields_of(Fingerprints))


class Verbatim(str):
    """Text that a record shows line by line, as it stands in its file."""

    __slots__ = ()


def anchor_fields(anchor: Anchor) -> dict[str, Any]:
    """Return an anchor as an entry of a record; `read_anchor` gives it back."""
    said = as_json(anchor) | {"text": None if anchor.text is None else Verbatim(anchor.text), "fallback": None}
    if anchor.fallback:
        said["text"] = _FALLBACK
    return {key: value for key, value in said.items() if key in ANCHOR_KEYS and value not in (None, False)}


def _is_text(value: Any) -> bool:
    """Whether `value` is text that SQLite and a file system can hold, or stands for none."""
    if isinstance(value, dict | list):
        return False
    return "\0" not in str(value) and str(value).encode("utf-8", "ignore").decode() == str(value)


def read_anchor(entry: Any) -> Anchor:
    """Return the anchor that an entry of a record describes."""
    if not isinstance(entry, dict) or not isinstance(entry.get("path"), str) or not entry["path"].strip():
        raise FieldError("anchors", "each anchor needs a 'path'")
    if unknown := sorted(str(key) for key in entry if key not in ANCHOR_KEYS):
        raise FieldError("anchors", f"an anchor has the unknown key '{unknown[0]}'")
    for key, value in entry.items():
        if key not in ("fingerprints", "invalidated") and not _is_text(value):
            raise FieldError("anchors", f"the '{key}' of an anchor must be text")
    symbol, lines = entry.get("symbol"), entry.get("lines")
    inferred = AnchorRequest(path=entry["path"], symbol=symbol, lines=lines).inferred_type(exists=False)
    kind = choice(AnchorType, entry.get("type") or inferred, "anchors", what="anchor type")
    if kind is AnchorType.SYMBOL and not symbol:
        raise FieldError("anchors", "an anchor of type 'symbol' needs a 'symbol'")
    if kind is AnchorType.LINES and not lines:
        raise FieldError("anchors", "an anchor of type 'lines' needs 'lines'")
    has_lines = lines and kind in (AnchorType.LINES, AnchorType.HASH)
    span = checked("anchors", parse_lines, str(lines)) if has_lines else None
    taken = _mapping(entry, "fingerprints", required="content", known=_FINGERPRINTS)
    if not _COMMIT.fullmatch(taken.get("commit", "")):
        raise FieldError("anchors", f"the 'commit' of an anchor must be its full name, not '{taken['commit']}'")
    dead = _mapping(entry, "invalidated", required="at", known={"at", "reason"})
    if dead and not is_time(dead["at"]):
        raise FieldError("anchors", f"an anchor's time of invalidation must be a UTC time, not '{dead['at']}'")
    return Anchor(
        path=entry["path"],
        type=kind,
        symbol=str(symbol) if kind is AnchorType.SYMBOL else None,
        lines=span,
        text=str(entry["text"]) if kind is AnchorType.LINES and entry.get("text") is not None else None,
        fingerprints=Fingerprints(**taken) if taken else None,
        pinned=_is_so(entry, "pinned"),
        invalidated=Invalidation(**{"reason": ""} | dead) if dead else None,
        fallback=can_be_fallback(kind, span) and (_is_so(entry, "fallback") or entry.get("text") == _FALLBACK),
    )


def _is_so(entry: Mapping[str, Any], key: str) -> bool:
    said = str(entry.get(key) or "false")
    if said.lower() not in ("true", "false"):
        raise FieldError("anchors", f"the '{key}' of an anchor must be true or false, not '{said}'")
    return said.lower() == "true"


def _mapping(entry: Mapping[str, Any], key: str, *, required: str, known: Collection[str]) -> dict[str, str]:
    """Return a mapping inside an anchor, empty where there is none; all of its values are text."""
    value = entry.get(key)
    if not value:
        return {}
    if not isinstance(value, dict) or not value.get(required):
        raise FieldError("anchors", f"the '{key}' of an anchor must be a mapping with '{required}'")
    if unknown := sorted(str(name) for name in value if name not in known):
        raise FieldError("anchors", f"the '{key}' of an anchor have the unknown key '{unknown[0]}'")
    if not all(map(_is_text, value.values())):
        raise FieldError("anchors", f"the '{key}' of an anchor must hold text")
    return {name: str(text) for name, text in value.items() if text}


FENCE = "---\n"
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?: |$)", re.MULTILINE)
"""What git leaves where a merge needs somebody to decide."""
_OURS = re.compile(r"^<{7} ", re.MULTILINE)
_THEIRS = re.compile(r"^>{7} ", re.MULTILINE)
"""The two of them that cannot be Markdown: `=======` makes the line above it a heading."""
_UNRESOLVED = "it has an unresolved merge conflict"


def conflict_line(content: str) -> int | None:
    """Return the line (from 0) of the first conflict marker, None when the content is no unresolved merge."""
    ours, theirs = _OURS.search(content), _THEIRS.search(content)
    if ours is None or theirs is None:
        return None
    return content.count("\n", 0, min(ours.start(), theirs.start()))


class MalformedRecord(Exception):
    """A record that cannot be read: why, and the line of the file (from 1) where it goes wrong."""

    def __init__(self, reason: str, *, line: int) -> None:
        self.reason = reason.removesuffix(".")  # it is quoted within sentences
        super().__init__(self.reason)
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFormat(Generic[T]):
    """How one kind of thing is a record: in which directory, and with which `keys` in its front matter.

    `told` returns what people say in a thing, which no secret may be in.
    `read` makes a thing of fields and body, `written` gives both back; fields that say nothing are left out. `title`
    has the words that name a new file, `otherwise` what names it without any. `canonical` returns a thing as its
    record gives it back: equal ones have equal records.
    """

    directory: str
    keys: Collection[str]
    read: Callable[[Mapping[str, Any], str], T]
    written: Callable[[T], tuple[Mapping[str, Any], str]]
    title: Callable[[T], str]
    otherwise: str
    told: Callable[[T], Collection[str]]
    canonical: Callable[[T], T] = lambda thing: thing

    def file_name(self, thing: T) -> str:
        """Return the name of a new record, `<uid>-<slug>.md`; it stays when the thing is edited."""
        return f"{thing.uid}-{slug(self.title(thing), otherwise=self.otherwise)}.md"

    def render(self, thing: T) -> str:
        """Return the text of a thing's record."""
        import yaml

        fields, body = self.written(thing)
        head = yaml.dump(
            {key: value for key, value in fields.items() if value not in (None, [])},
            Dumper=_dumper(),
            sort_keys=True,
            allow_unicode=True,
            default_flow_style=False,
            width=2**16,
        )
        return f"{FENCE}{head}{FENCE}{body}\n" if body else f"{FENCE}{head}{FENCE}"

    def parse(self, data: bytes) -> T:
        """Return the thing that a record's bytes hold."""
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise MalformedRecord("it is not valid UTF-8", line=data[: error.start].count(b"\n") + 1) from None
        text = text if text.endswith("\n") else f"{text}\n"
        if not text.startswith(FENCE):
            raise MalformedRecord("it does not start with '---'", line=1)
        end = text.find(f"\n{FENCE}", len(FENCE) - 1)
        if end < 0:
            raise MalformedRecord("its front matter has no closing '---'", line=text.count("\n"))
        head, content = text[len(FENCE) : end + 1], text[end + 1 + len(FENCE) :]
        fields, first = _loaded(head), head.count("\n") + 3
        if (conflict := conflict_line(content.replace("\r", "\n"))) is not None:
            raise MalformedRecord(_UNRESOLVED, line=first + conflict)
        try:
            if unknown := [key for key in fields if key not in self.keys]:
                raise FieldError(str(unknown[0]), f"unknown key '{unknown[0]}'")  # noqa: TRY301 - one way to be bad
            if not is_uid(str(fields.get("uid", ""))):
                raise FieldError("uid", "'uid' is missing or malformed")  # noqa: TRY301 - the same
            return self.read(fields, content)
        except FieldError as error:
            places = (number for number, line in enumerate(head.split("\n"), 2) if line.startswith(f"{error.key}:"))
            raise MalformedRecord(error.message, line=next(places, 1)) from None
        except UsageError as error:
            raise MalformedRecord(error.message, line=first) from None


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


def _loaded(head: str) -> Mapping[str, Any]:
    """Return the front matter; every scalar stays the text it is written as: `no` is a keyword, `0x12` no number."""
    import yaml

    if conflict := _CONFLICT.search(head):
        raise MalformedRecord(_UNRESOLVED, line=head[: conflict.start()].count("\n") + 2)
    if nests_too_deep(head):
        raise MalformedRecord("its front matter is nested too deep", line=2)
    try:
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
