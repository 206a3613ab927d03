"""Uids never collide with local numbers, slugs are safe file names, and only UTF-8 is text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.core.labels import ALPHABET, UID_BYTES, UID_LENGTH, is_uid, is_unicode, slug, uid_from


@settings(deadline=None)
@given(st.binary(min_size=UID_BYTES, max_size=UID_BYTES))
def test_a_uid_is_twelve_characters_of_the_alphabet_and_never_a_number(randomness: bytes) -> None:
    uid = uid_from(randomness)
    assert len(uid) == UID_LENGTH
    assert set(uid) <= set(ALPHABET)
    assert not uid.isdigit()
    assert is_uid(uid)


def test_randomness_that_spells_only_digits_still_gives_no_number() -> None:
    assert uid_from(bytes(UID_BYTES)) == "x00000000000"


def test_different_randomness_gives_different_uids() -> None:
    uids = {uid_from((number << 10 | 0x3FF).to_bytes(UID_BYTES, "big")) for number in range(5000)}
    assert len(uids) == 5000


@pytest.mark.parametrize("text", ["", "k7f3q", "123456789012", "k7f3qxxxxxxI", "k7f3qxxxxxxxx", "K7F3QXXXXXXX"])
def test_what_is_too_short_too_long_all_digits_or_of_other_characters_is_no_uid(text: str) -> None:
    assert not is_uid(text)


@pytest.mark.parametrize(("text", "expected"), [
    ("Always validate JWT expiry", "always-validate-jwt-expiry"), ("Größe über alles", "groe-uber-alles"),
    ("认证", "learning"), ("", "learning"), ("../../etc/passwd", "etc-passwd"), ("x" * 300, "learning"),
    ("one\ntwo", "one-two"),
])  # fmt: skip
def test_a_slug_is_the_first_words_in_ascii(text: str, expected: str) -> None:
    assert slug(text) == expected


@settings(deadline=None)
@given(st.text(max_size=600))
def test_a_slug_is_a_short_safe_file_name(text: str) -> None:
    name = slug(text)
    assert 0 < len(name) <= 40
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not name.startswith("-")
    assert not name.endswith("-")


@pytest.mark.parametrize(("text", "expected"), [
    ("", True), ("src/auth.ts", True), ("数据库 🚀", True), ("caf\udce9.py", False), ("\ud800", False),
], ids=["empty", "path", "any script", "latin-1 bytes", "half a pair"])  # fmt: skip
def test_bytes_that_are_no_utf_8_are_no_text(text: str, *, expected: bool) -> None:
    assert is_unicode(text) is expected
