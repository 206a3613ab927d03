"""What a verifier of anchors is asked, and what it may answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol


class Verdict(StrEnum):
    """Whether an anchor still holds."""

    VALID = "valid"
    RELOCATED = "relocated"
    DRIFTED = "drifted"
    INVALID = "invalid"


class Grade(StrEnum):
    """How far code drifted."""

    FORMAT = "format"
    COMMENT = "comment"
    BODY = "body"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the verifier says of one anchor; `relocated_to` is an FQName, `candidates` those it could not decide on."""

    verdict: Verdict
    drift: Grade | None = None
    relocated_to: str = ""
    candidates: tuple[str, ...] = ()


class Verifier(Protocol):
    """Anchors symbols in a working tree, and says later what became of them."""

    def anchor(self, root: Path, symbols: Sequence[str]) -> None:
        """Take an anchor for each FQName as the working tree is now."""

    def verify(self, root: Path) -> Mapping[str, Answer]:
        """Return the answer for each FQName that was anchored, as the working tree is now."""
