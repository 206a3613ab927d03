"""From the outline and the prose of reStructuredText to the sections of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tx_graph.codebase.documents.draft import Draft, Found, line_starts, links_of, parents, title_of
from tx_graph.codebase.documents.rst.inline import plain_text
from tx_graph.codebase.documents.rst.links import field_of, found_in
from tx_graph.codebase.documents.rst.outline import Levels, Piece, Title, outlined
from tx_graph.codebase.documents.rst.prose import Prose, prose_of
from tx_graph.codebase.documents.slugs import Slugs
from tx_graph.codebase.documents.targets import may_be_here
from tx_graph.domain.document import Block, BlockKind, Field, LinkKind, ReadSection

_LABEL_OR_BLANK = re.compile(r"(?:\.\. _(?:`[^`]+`|[^`:]+):)?\Z")


@dataclass(slots=True)
class RstDraft(Draft):
    """A section of reStructuredText: lines from `start` up to, but not including, `end`, counted from 0."""

    end: int = 0
    heading: Title | None = None
    pieces: list[Piece] = field(default_factory=list)
    prose: Prose = field(default_factory=Prose)


class RstDocument:
    """A text taken apart: first into drafts and then, as all its names are known, into sections."""

    def __init__(self, text: str) -> None:
        self._text = text
        written = text.split("\n")
        self._starts = line_starts(written)
        self._lines = [line.rstrip() for line in written]
        self._levels = Levels()
        self.drafts = self._drafted()
        for draft in self.drafts:
            draft.prose = prose_of(self._own_lines(draft))
        self._give_labels()
        self._targets = {name: target for draft in self.drafts for name, target in draft.prose.targets.items()}
        self._labels = {label.lower() for draft in self.drafts for label in draft.labels}
        self._slugs = {" ".join(draft.title.lower().split()): draft.slug for draft in reversed(self.drafts[1:])}
        self._fields = [*self._top_fields()]

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be made sense of, as ends of sentences."""
        return tuple(f"has a title in line {line + 1} whose level was skipped" for line in self._levels.skipped[:1])

    @property
    def fields(self) -> tuple[Field, ...]:
        """What the fields at the top say, by the first line of each."""
        said = filter(None, (field_of(self._lines[piece.first]) for piece in self._fields))
        return tuple(Field(key, (plain_text(value),)) for key, value in said)

    @property
    def title(self) -> str:
        """The title that the fields at the top give, else the first of the highest level."""
        fields = dict(filter(None, (field_of(self._lines[piece.first]) for piece in self._fields)))
        return fields.get("title") or title_of([(draft.level, draft.title) for draft in self.drafts[1:]])

    def sections(self) -> Iterator[ReadSection]:
        """Yield the sections in the order of the source."""
        for draft, parent in zip(self.drafts, parents(draft.level for draft in self.drafts), strict=True):
            yield self._section(draft, parent)

    def _drafted(self) -> list[RstDraft]:
        first = next((number for number, line in enumerate(self._lines) if line), 0)
        drafts = [RstDraft(0, first)]
        slugs = Slugs()
        for piece in outlined(self._lines):
            if isinstance(piece, Piece):
                drafts[-1].pieces.append(piece)
                continue
            drafts[-1].end = piece.first
            title = plain_text(piece.text)
            level = self._levels.of(piece)
            drafts.append(RstDraft(level, piece.first, title, slugs.give(title), heading=piece))
        drafts[-1].end = len(self._lines)
        return drafts

    def _own_lines(self, draft: RstDraft) -> list[str]:
        """Return the lines of a section without those that adorn its title."""
        own = self._lines[draft.start : draft.end]
        if title := draft.heading:
            adorned = title.end - title.first
            own[:adorned] = [title.text, ""] if adorned == 2 else ["", title.text, ""]  # noqa: PLR2004 - no overline
        return own

    def _give_labels(self) -> None:
        """Give labels to their sections: those right above a title to the section that it begins."""
        for draft, following in zip(self.drafts, [*self.drafts[1:], None], strict=True):
            tail = self._tail(draft) if draft.prose.labels else 0
            for number, label in draft.prose.labels:
                is_above = following is not None and draft.start + number >= tail
                (following if following and is_above else draft).labels.append(label)

    def _tail(self, draft: RstDraft) -> int:
        """Return the line from which on a section has nothing but labels."""
        line = draft.end
        while line > draft.start and _LABEL_OR_BLANK.match(self._lines[line - 1]):
            line -= 1
        return line

    def _section(self, draft: RstDraft, parent: int | None) -> ReadSection:
        origin = self._starts[draft.start]
        text = self._text[origin : self._starts[draft.end]].rstrip()
        line = draft.start + 1 if text else 1
        return ReadSection(
            level=draft.level,
            title=draft.title,
            slug=draft.slug,
            parent=parent,
            text=text,
            line_start=line,
            line_end=line + text.count("\n"),
            labels=tuple(dict.fromkeys(draft.labels)),
            blocks=tuple(self._blocks(draft, origin)),
            links=tuple(links_of(self._found(draft), "\n".join(draft.prose.lines), start=0, line=draft.start + 1)),
        )

    def _blocks(self, draft: RstDraft, origin: int) -> Iterator[Block]:
        heading = [Piece(draft.heading.first, draft.heading.end, BlockKind.HEADING)] if draft.heading else []
        for first, end, kind, _ in (*heading, *draft.pieces):
            yield Block(kind, self._starts[first] - origin, self._starts[end - 1] + len(self._lines[end - 1]) - origin)

    def _found(self, draft: RstDraft) -> list[Found]:
        fields = max((piece.end for piece in self._fields), default=0) - draft.start
        is_status = draft.title.lower() == "status"
        return found_in(draft.prose, self._target_of, fields=fields, is_status=is_status)

    def _target_of(self, name: str) -> tuple[LinkKind, str] | None:
        """Return what a reference by name leads to, None where that is not in the repository."""
        low = " ".join(name.lower().split())
        if target := self._targets.get(low):
            return (LinkKind.LINK, target) if may_be_here(target) and not target.endswith("_") else None
        if low in self._labels:
            return LinkKind.LABEL, name
        return (LinkKind.LINK, f"#{self._slugs[low]}") if low in self._slugs else None

    def _top_fields(self) -> Iterator[Piece]:
        """Yield the fields at the top of the document: above the first title, or right under it."""
        for draft in self.drafts[:2]:
            for piece in draft.pieces:
                line = self._lines[piece.first]
                if field_of(line):
                    yield piece
                elif not line.startswith(".."):
                    return
