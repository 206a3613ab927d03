"""Fingerprints: what anchored code was like, short enough to travel in a record, good enough to judge it later."""

from __future__ import annotations

import re
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING
from zlib import crc32

from tx_graph.core.dataclass import dataclass
from tx_graph.records.anchor import Drift, Fingerprints

if TYPE_CHECKING:
    from tx_graph.code.passages import Passage  # it brings the parser along

MARK = "\0"
"""What tokens start with that stand for structure, not for text."""

_OWN_NAME = "\x01"  # stands for a symbol's own name, so that the code can be known again under another one
_SEPARATOR = "\x02"
_DIGITS = 16
"""Hexadecimal digits of the hashes that need not be SHA-256 in full: 64 bits, for a handful of comparisons each."""

_BINS = 64
_SHINGLE = 3
_WORDS = 8
_WORD = re.compile(r"\w{3,}")
_LAYOUT = struct.Struct(f"<BHI{_WORDS}I{_BINS}B")
_MANY = 0xFF
_LONG = 0xFFFF
_BYTE = 0xFF
_32_BITS = 0xFFFFFFFF


def fingerprints(passage: Passage, *, name: str = "", twins: int = 0) -> Fingerprints:
    """Return the fingerprints of a passage, which declares the symbol of this simple `name`, if any.

    So many `twins` of the same file have the same code but for their names.
    """
    unnamed = [_OWN_NAME if token == name else token for token in passage.tokens] if name else passage.tokens
    head = [_OWN_NAME if token == name else token for token in passage.head] if name else passage.head
    return Fingerprints(
        content=content_hash(passage.text),
        tokens=_digest(passage.tokens),
        unnamed=_digest(unnamed) if name else "",
        signature=_digest(head) if head else "",
        comments=_digest(passage.comments) if passage.comments else "",
        sketch=flat_sketch(flat(unnamed), twins=twins).encoded(),
    )


def content_hash(text: str) -> str:
    """Return the SHA-256 of exact text in hexadecimal; Windows line ends count as Unix ones."""
    return sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()


def drift(old: Fingerprints, new: Fingerprints) -> Drift | None:
    """Return how far code has drifted from its fingerprints; None when it is the same to the byte.

    What cannot be graded, for want of one of the fingerprints, counts as a drift of the body.
    """
    if old.content == new.content:
        return None
    if old.tokens and old.tokens == new.tokens:
        return Drift.FORMAT if old.comments == new.comments else Drift.COMMENT
    return Drift.SIGNATURE if old.signature and old.signature != new.signature else Drift.BODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A summary of code for finding it again after it was edited.

    `twins` and `size` (code tokens) say how telling an equal fingerprint is. `checksum` is that of the tokens without
    structure. `words` are hashes of words that any copy has, almost surely: the smallest of all. `bins` is a one
    permutation MinHash with 64 bins of 8 bits over shingles of three tokens (Li, Owen, Zhang: One Permutation Hashing,
    2012; Li, König: b-Bit Minwise Hashing, 2010); 0 is an empty bin.
    """

    twins: int
    size: int
    checksum: int
    words: tuple[int, ...]
    bins: tuple[int, ...]

    def encoded(self) -> str:
        """Return the sketch as text, 138 characters."""
        words = (*self.words, *[0] * (_WORDS - len(self.words)))
        packed = _LAYOUT.pack(min(self.twins, _MANY), min(self.size, _LONG), self.checksum, *words, *self.bins)
        return urlsafe_b64encode(packed).decode().rstrip("=")


def sketch_of(old: Fingerprints) -> Sketch | None:
    """Return the sketch among some fingerprints; None when there is none, or when it is damaged."""
    try:
        packed = urlsafe_b64decode(old.sketch + "=" * (-len(old.sketch) % 4))
        twins, size, checksum, *rest = _LAYOUT.unpack(packed)
    except (ValueError, struct.error):
        return None
    words = tuple(word for word in rest[:_WORDS] if word)
    return Sketch(twins=twins, size=size, checksum=checksum, words=words, bins=tuple(rest[_WORDS:]))


def similarity(one: Sketch, other: Sketch) -> float:
    """Return the estimated Jaccard index of the shingles of two sketches, in [0, 1]; its standard error is about 0.06.

    Bins agree by chance once in 255 times, which is taken off.
    """
    pairs = [(a, b) for a, b in zip(one.bins, other.bins, strict=True) if a or b]
    if not pairs:
        return float(one.checksum == other.checksum)
    share = sum(a == b for a, b in pairs) / len(pairs)
    chance = 1 / _BYTE
    return max(0.0, (share - chance) / (1 - chance))


def word_hashes(text: str) -> frozenset[int]:
    """Return the hashes of the words of a text, to be compared with those of a sketch."""
    return frozenset(_word_hash(word) for word in set(_WORD.findall(text)))


def flat(tokens: Iterable[str]) -> list[str]:
    """Return tokens without those that stand for structure."""
    return [token for token in tokens if not token.startswith(MARK)]


def checksum(tokens: Sequence[str]) -> int:
    """Return a checksum of tokens without structure, 32 bits."""
    return crc32(_SEPARATOR.join(tokens).encode("utf-8", "surrogatepass"))


def flat_sketch(code: Sequence[str], *, twins: int = 0) -> Sketch:
    """Return the sketch of tokens without structure."""
    words = {word for token in code for word in _WORD.findall(token)}
    least = [_32_BITS + 1] * _BINS
    for start in range(max(1, len(code) - _SHINGLE + 1)):
        value = _mixed(checksum(code[start : start + _SHINGLE]))
        least[value % _BINS] = min(least[value % _BINS], value // _BINS)
    return Sketch(
        twins=twins,
        size=len(code),
        checksum=checksum(code),
        words=tuple(sorted(filter(None, map(_word_hash, words)))[:_WORDS]),
        bins=tuple(0 if value > _32_BITS else value % _BYTE + 1 for value in least),
    )


def _digest(tokens: Iterable[str]) -> str:
    joined = _SEPARATOR.join(tokens).encode("utf-8", "surrogatepass")
    return sha256(joined).hexdigest()[:_DIGITS]


def _word_hash(word: str) -> int:
    return _mixed(crc32(word.encode("utf-8", "surrogatepass")))


def _mixed(value: int) -> int:
    """Return 32 bits that depend on all of `value` (the finaliser of MurmurHash3): a CRC alone is linear."""
    value ^= value >> 16
    value = value * 0x85EBCA6B & _32_BITS
    value ^= value >> 13
    value = value * 0xC2B2AE35 & _32_BITS
    return value ^ value >> 16
