"""What a ranking of files says: a path, a score, and why it is there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Method(StrEnum):
    """The ways to rank files, from plain search to what `tx context` uses; each but the last is there to compare.

    `bm25`: the files of the commits that match by words, best match first. `fusion`: that ranking, those of learnings
    that match by words and by vectors, and of paths, fused by their ranks: what plain search finds. `text`: the same
    and the words of files. `imports` and `cochanges`: the fusion with one more ranking, of the files one such edge away
    from its best ones. `decay`: two hops along all edges from all of it, the best path counts (PRD-016). `spread`: a
    random walk with restart from all evidence.
    """

    BM25 = "bm25"
    FUSION = "fusion"
    TEXT = "text"
    IMPORTS = "imports"
    COCHANGES = "cochanges"
    DECAY = "decay"
    SPREAD = "spread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Because:
    """One reason why a file is ranked: in words, and how much of the score it and its like brought, in [0, 1].

    `text` reads after the path, such as `imported by src/auth.py` or `changed in 1a2b3c4: "Fix token expiry"`.
    `ref` is the node it speaks of, as a canonical reference; empty where it speaks of the question itself.
    """

    text: str
    share: float
    ref: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedFile:
    """A file that is there now, its score in [0, 1] (the best of a ranking has 1), and the reasons, strongest first."""

    path: str
    score: float
    reasons: tuple[Because, ...] = ()
