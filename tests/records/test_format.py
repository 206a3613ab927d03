"""A record is canonical text: what is rendered is read back, and what cannot be read names its line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.fakes import learning, uid_of
from tests.records.strategies import TRICKY, learnings
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import is_uid
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, Invalidation
from tx_graph.records.front_matter import MOST_LEVELS, MalformedRecord, is_time, nests_too_deep, read_anchor
from tx_graph.records.learning import Learning, Link
from tx_graph.records.learning_record import LEARNING_FORMAT, record_content

parse, render, file_name = LEARNING_FORMAT.parse, LEARNING_FORMAT.render, LEARNING_FORMAT.file_name


@given(learnings)
@example(learning("---\n---\n\n---", keywords=tuple(filter(str.isprintable, TRICKY))))
@example(learning("a", anchors=(Anchor(path="a\n---\nb", type=AnchorType.HASH),)))
def test_what_is_rendered_is_read_back(one: Learning) -> None:
    text = render(one)
    assert parse(text.encode()) == one
    assert render(parse(text.encode())) == text


@given(learnings)
def test_windows_line_ends_and_a_byte_order_mark_make_no_difference(one: Learning) -> None:
    assume("\r" not in render(one))
    assert parse(b"\xef\xbb\xbf" + render(one).replace("\n", "\r\n").encode()) == one


def test_a_record_is_made_to_be_read_by_people() -> None:
    one = learning(
        "Compare tokens in constant time. 😀",
        number=1,
        category="security",
        keywords=("no", "jwt"),
        confidence=1,
        anchors=(
            Anchor(path="src/auth.py", type=AnchorType.SYMBOL, symbol="login", fingerprints=Fingerprints(content="00")),
            Anchor(
                path="src/auth.py",
                type=AnchorType.LINES,
                lines=(3, 4),
                text="if a:\n    b",
                invalidated=Invalidation(reason="moved to Go", at="2026-11-21T12:00:00Z"),
                pinned=True,
            ),
        ),
        links=(Link(target=uid_of(2), weight=1),),
    )
    assert render(one) == (
        "---\n"
        "anchors:\n"
        "- invalidated:\n"
        "    at: '2026-11-21T12:00:00Z'\n"
        "    reason: moved to Go\n"
        "  lines: 3-4\n"
        "  path: src/auth.py\n"
        "  pinned: true\n"
        "  text: |-\n"
        "    if a:\n"
        "        b\n"
        "  type: lines\n"
        "- fingerprints:\n"
        "    content: '00'\n"
        "  path: src/auth.py\n"
        "  symbol: login\n"
        "  type: symbol\n"
        "category: security\n"
        "confidence: 1.0\n"
        "created_at: '2026-11-20T12:00:00Z'\n"
        "keywords:\n"
        "- 'no'\n"
        "- jwt\n"
        "links:\n"
        "- relation: references\n"
        f"  target: {uid_of(2)}\n"
        "  weight: 1.0\n"
        "source:\n"
        "  type: manual\n"
        "status: active\n"
        f"uid: {uid_of(1)}\n"
        "---\n"
        "Compare tokens in constant time. 😀\n"
    )


def test_the_order_in_which_anchors_and_links_were_made_does_not_show() -> None:
    tied = [Anchor(path=path, type=AnchorType.HASH) for path in ("b.py", "a.py")]
    linked = [Link(target=uid_of(number)) for number in (1, 2)]
    one = learning("a", anchors=tuple(tied), links=tuple(linked))
    other = learning("a", anchors=tuple(reversed(tied)), links=tuple(reversed(linked)))
    assert render(one) == render(other)


def test_anchors_and_links_that_a_merge_doubled_count_once() -> None:
    text = render(
        learning("a", anchors=(Anchor(path="a.py", type=AnchorType.HASH, fingerprints=Fingerprints(content="00")),))
    )
    doubled = text.replace("anchors:\n", "anchors:\n- fingerprints: {content: '11'}\n  path: a.py\n  type: hash\n")
    assert [anchor.fingerprints for anchor in parse(doubled.encode()).anchors] == [Fingerprints(content="00")]
    doubled = text.replace("status:", f"links:\n- target: {uid_of(1)}\n- target: {uid_of(1)}\nstatus:")
    assert parse(doubled.encode()).links == (Link(target=uid_of(1)),)


def record(**fields: str) -> bytes:
    """A record written by hand: the least it must hold, and these lines of YAML."""
    lines = {"uid": uid_of(1), "created_at": "2026-11-20T12:00:00Z"} | fields
    head = "".join(f"{key}: {value}\n" for key, value in lines.items() if value)
    return f"---\n{head}---\nContent\n".encode()


def test_a_record_written_by_hand_needs_only_uid_time_and_content() -> None:
    assert parse(record()) == learning("Content", number=1)


@pytest.mark.parametrize("word", ["no", "1e3", "0x12", "2026-01-01", "12:30", "1_000", "null", "~", "on"])
def test_what_is_written_by_hand_is_what_is_meant(word: str) -> None:
    read = parse(record(keywords=f"[{word}]", category=word))
    assert (read.keywords, read.category) == ((word,), word)


@pytest.mark.parametrize("uid", ["0x1234567890", "0b1010101010", "12345678901e"])
def test_a_uid_that_looks_like_a_number_needs_no_quotes(uid: str) -> None:
    assert is_uid(uid)
    assert parse(record(uid=uid)).uid == uid
    assert parse(render(learning("a", uid=uid)).encode()).uid == uid


@pytest.mark.parametrize("field", ["category", "keywords", "anchors", "links", "source", "status", "confidence"])
def test_a_field_left_empty_has_its_default(field: str) -> None:
    assert parse(record(**{field: " "})) == learning("Content", number=1)


def test_a_closing_fence_without_a_line_end_is_one() -> None:
    with pytest.raises(MalformedRecord, match="needs content"):
        parse(record().removesuffix(b"\nContent\n"))


def test_the_type_of_an_anchor_may_be_left_out() -> None:
    entries = "\n- path: a.py\n- {path: a.py, symbol: f}\n- {path: a.py, lines: 3}\n- path: src/*.py"
    found = parse(record(anchors=entries)).anchors
    assert {(anchor.type, anchor.spec) for anchor in found} == {
        (AnchorType.HASH, "a.py"),
        (AnchorType.SYMBOL, "a.py::f"),
        (AnchorType.LINES, "a.py:L3-L3"),
        (AnchorType.GLOB, "src/*.py"),
    }


@pytest.mark.parametrize("kind", ["hash", "lines"])
def test_an_anchor_by_lines_keeps_its_lines_whichever_of_two_types_it_has(kind: str) -> None:
    (anchor,) = parse(record(anchors=f"[{{path: a.py, lines: L2-L5, type: {kind}}}]")).anchors
    assert (anchor.type, anchor.lines) == (AnchorType(kind), (2, 5))


@pytest.mark.parametrize(("word", "pinned"), [("true", True), ("True", True), ("false", False), ("", False)])
def test_an_anchor_is_pinned_by_a_word(word: str, pinned: bool) -> None:
    (anchor,) = parse(record(anchors=f"[{{path: a.py, pinned: {word}}}]")).anchors
    assert anchor.pinned is pinned


def record_with(content: str) -> bytes:
    """A record of three lines of front matter, written by hand, and this content."""
    return record().replace(b"Content\n", content.encode())


@pytest.mark.parametrize(
    "content",
    [
        "Heading\n=======\n\nText",
        "<<<<<<< HEAD\nis what git writes",
        "Text\n>>>>>>> is a quotation in a quotation",
        "<<<<<<<HEAD\n>>>>>>>x",
        "    <<<<<<< HEAD\n    >>>>>>> x",
        "<<<<<<<< eight\n>>>>>>>> eight",
    ],
)
def test_what_only_resembles_a_merge_conflict_is_content(content: str) -> None:
    assert parse(record_with(content)).content == content
    assert record_content(content) == content


def test_content_that_would_be_taken_for_a_merge_conflict_is_refused() -> None:
    with pytest.raises(UsageError, match="from its line 2 on") as caught:
        record_content("\nText\r\n<<<<<<< HEAD\r\n>>>>>>> x")
    assert "indent" in caught.value.hint


@pytest.mark.parametrize(
    "fields", [{"confidence": "7"}, {"keywords": "['']"}, {"status": "done"}, {"created_at": "now"}]
)
def test_a_reason_can_be_quoted_within_a_sentence(fields: dict[str, str]) -> None:
    with pytest.raises(MalformedRecord) as caught:
        parse(record(**fields))
    assert not caught.value.reason.endswith(".")


def changed(change: Callable[[bytes], bytes], **fields: str) -> bytes:
    return change(record(**fields))


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"", 1, "does not start with '---'"),
        (b"\n", 1, "does not start with '---'"),
        (b"Just a text\n", 1, "does not start with '---'"),
        (b"---\nuid: x\n", 2, "no closing '---'"),
        (b"---\nuid: x\ncategory: a\n\nContent\n", 5, "no closing '---'"),
        (b"---\n---\nContent\n", 2, "not a list of keys and values"),
        (b"---\n- a\n---\nContent\n", 2, "not a list of keys and values"),
        (record(keywords="[a, b"), 5, "not YAML"),
        (record(category="a: b"), 4, "not YAML"),
        (record(keywords="\n\t- a"), 5, "not YAML"),
        (record(category="\x01"), 4, "not YAML"),
        (record(category="a\n<<<<<<< HEAD\nstatus: staged\n=======\nstatus: active\n>>>>>>> x"), 5, "merge conflict"),
        (record_with("One\n<<<<<<< HEAD\ntwo\n=======\n2\n>>>>>>> x\n"), 6, "unresolved merge conflict"),
        (record_with("\r\n<<<<<<< HEAD\r\n>>>>>>> x\r\n"), 6, "unresolved merge conflict"),
        (record_with(">>>>>>> x\n<<<<<<< HEAD"), 5, "unresolved merge conflict"),
        (b"<<<<<<< HEAD\n" + record(), 1, "does not start with '---'"),
        (record(flavour="sweet"), 4, "unknown key 'flavour'"),
        (record(uid="abc"), 2, "'uid' is missing or malformed"),
        (record(uid="123456789012"), 2, "'uid' is missing or malformed"),
        (record(uid=""), 1, "'uid' is missing or malformed"),
        (record(created_at=""), 1, "'created_at' must be a UTC time"),
        (record(created_at="yesterday"), 3, "'created_at' must be a UTC time"),
        (record(created_at="2026-11-20"), 3, "'created_at' must be a UTC time"),
        (record(created_at="2026-11-20T12:00:00+01:00"), 3, "'created_at' must be a UTC time"),
        (record(created_at="'2026-02-30T12:00:00Z'"), 3, "'created_at' must be a UTC time"),
        (record(category="a", status="done"), 5, "'done' is no status; choose from staged, active"),
        (record(confidence="1.5"), 4, "must be a number from 0 to 1"),
        (record(confidence="high"), 4, "must be a number from 0 to 1"),
        (record(confidence=".nan"), 4, "must be a number from 0 to 1"),
        (record(confidence="[1]"), 4, "must be a number from 0 to 1"),
        (record(keywords="a"), 4, "'keywords' must be a list"),
        (record(keywords="[[a]]"), 4, "'keywords' must hold plain text"),
        (record(keywords=r'["a\nb"]'), 4, "printable"),
        (record(category="x" * 201), 4, "at most 200"),
        (record(source="{type: rumour}"), 4, "'rumour' is no source"),
        (record(anchors="[a.py]"), 4, "each anchor needs a 'path'"),
        (record(anchors="[{path: a.py, colour: red}]"), 4, "unknown key 'colour'"),
        (record(anchors="[{path: a.py, type: symbol}]"), 4, "needs a 'symbol'"),
        (record(anchors="[{path: a.py, lines: 9-3}]"), 4, "not a range of lines"),
        (record(anchors="[{path: a.py, type: lines}]"), 4, "needs 'lines'"),
        (record(anchors="[{path: a.py, fingerprints: '00'}]"), 4, "'fingerprints' of an anchor must be a mapping"),
        (record(anchors="[{path: a.py, fingerprints: {tokens: a}}]"), 4, "must be a mapping with 'content'"),
        (record(anchors="[{path: a.py, fingerprints: {content: a, hue: b}}]"), 4, "unknown key 'hue'"),
        (record(anchors="[{path: a.py, fingerprints: {content: [a]}}]"), 4, "must hold text"),
        (record(anchors="[{path: a.py, pinned: perhaps}]"), 4, "'pinned' of an anchor must be true or false"),
        (record(anchors="[{path: a.py, pinned: [true]}]"), 4, "must be text"),
        (record(anchors="[{path: a.py, invalidated: true}]"), 4, "must be a mapping with 'at'"),
        (record(anchors="[{path: a.py, invalidated: {reason: old}}]"), 4, "must be a mapping with 'at'"),
        (record(anchors="[{path: a.py, invalidated: {at: yesterday}}]"), 4, "must be a UTC time, not 'yesterday'"),
        (record(anchors="[{path: a.py, lines: 1-2, text: [one]}]"), 4, "must be text"),
        (record(anchors="[{path: a.py, symbol: [f]}]"), 4, "must be text"),
        (record(anchors=r'[{path: "a\0b"}]'), 4, "must be text"),
        (record(links="[{target: 12}]"), 4, "'target' that is a uid"),
        (record(links=f"[{{target: {uid_of(2)}, weight: 2}}]"), 4, "must be a number from 0 to 1"),
        (record(links=f"[{{target: {uid_of(2)}, relation: likes}}]"), 4, "'likes' is no relation"),
        (changed(lambda data: data.replace(b"Content", b" \n ")), 5, "needs content"),
        (changed(lambda data: data.replace(b"Content", b"a\0b")), 5, "NUL byte"),
        (changed(lambda data: data.replace(b"Content", b"one\ntwo \xff")), 6, "not valid UTF-8"),
        (changed(lambda data: data.replace(b"Content", b"x" * 1_000_001)), 5, "at most 1,000,000"),
    ],
)
def test_a_malformed_record_says_why_and_on_which_line(data: bytes, line: int, reason: str) -> None:
    with pytest.raises(MalformedRecord) as caught:
        parse(data)
    assert reason in caught.value.reason
    assert caught.value.line == line


@given(st.binary(max_size=300), st.integers(min_value=0, max_value=200))
def test_no_bytes_raise_anything_else(junk: bytes, place: int) -> None:
    whole = render(learning("Content", number=1, keywords=("a",), anchors=(Anchor(path="a", type=AnchorType.HASH),)))
    for data in (junk, whole.encode()[:place] + junk + whole.encode()[place:]):
        assert 0 <= line_of_complaint(data) <= data.count(b"\n") + 1


def line_of_complaint(data: bytes) -> int:
    """Return the line at which a record is malformed, 0 when it is not."""
    try:
        parse(data)
    except MalformedRecord as malformed:
        return malformed.line
    return 0


def test_a_long_line_of_aliases_is_not_unrolled() -> None:
    bomb = "&a [x, x]\n" + "".join(f"k{n}: &k{n} [*{'a' if not n else f'k{n - 1}'}, *a]\n" for n in range(50))
    with pytest.raises(MalformedRecord):
        parse(record(keywords=bomb))


def test_both_yaml_loaders_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    data = render(learning("Content", keywords=tuple(filter(str.isprintable, TRICKY)))).encode()
    quick = parse(data)
    monkeypatch.delattr(yaml, "CBaseLoader", raising=False)
    assert parse(data) == quick


TIMES = ("2026-11-20T22:00:00Z", "2026-11-20T22:00:00.5Z", "0001-01-01T00:00:00Z")


@pytest.mark.parametrize(
    "text", [*TIMES, "", "2026-11-20T22:00:00", "2026-13-20T22:00:00Z", "٢٠٢٦-11-20T22:00:00Z", "now"]
)
def test_only_a_time_in_utc_is_one(text: str) -> None:
    assert is_time(text) is (text in TIMES)


@pytest.mark.parametrize("entry", [None, "a.py", {}, {"path": ""}, {"path": 3}, {"path": "\ud800"}])
def test_an_entry_that_is_no_anchor_is_refused(entry: object) -> None:
    with pytest.raises(UsageError):
        read_anchor(entry)


def test_a_file_is_named_by_uid_and_first_words() -> None:
    assert file_name(learning("Compare Tokens!\nIn constant time", number=1)) == (
        f"{uid_of(1)}-compare-tokens-in-constant-time.md"
    )
    assert file_name(learning("数据库", number=1)) == f"{uid_of(1)}-learning.md"


def test_lines_that_begin_with_a_blank_need_no_block_that_says_how_far_it_is_indented() -> None:
    anchor = Anchor(path="a.py", type=AnchorType.LINES, lines=(2, 3), text="    if a:\n        b")
    text = render(learning("Held.", anchors=(anchor,)))
    assert '  text: "    if a:\\n        b"\n' in text
    assert parse(text.encode()).anchors == (anchor,)


def test_a_record_nested_beyond_measure_is_malformed_and_not_the_end_of_the_process() -> None:
    with pytest.raises(MalformedRecord, match="nested too deep"):
        parse(f"---\nuid: {'[' * 50_000}\n---\ntext\n".encode())


@pytest.mark.parametrize(
    ("text", "is_deep"),
    [
        *((text, False) for text in ("", "a: [1, 2]", "a: '" + "[" * 50_000 + "'", "a: [" + "[], " * 50_000 + "]")),
        *(("[" * 900, False), ("a: " + "[" * 50_000, True), ("- " * 50_000 + "x", True)),
        ("a: " + "{b: " * (MOST_LEVELS + 1), True),
    ],
)
def test_lists_in_lists_in_lists_are_deep_and_many_brackets_are_not(text: str, is_deep: bool) -> None:
    assert nests_too_deep(text) is is_deep
