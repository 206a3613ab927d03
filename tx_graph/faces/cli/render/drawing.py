"""Pictures of graphs, as texts that other programs draw: Mermaid, which code hosts show in Markdown, and DOT.

Whatever a name holds stays text in them: it can end no label, name no keyword and hold no markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tx_graph.core.dataclass import dataclass
from tx_graph.core.text import counted, inert_line

_MOST_ITEMS, _MOST_TIES = 60, 120
"""What of a picture for Mermaid can be read on a page, from its first items on."""
_MOST_TEXT = 50_000  # characters from which on Mermaid draws nothing
_WIDEST = 60  # characters of a label
_LONGEST_REMARK = 200
_PLAIN = re.compile(
    r"[^\W_\ufb02]|[/,…·]|(?<=\S) (?=\S)|(?<!\d)\.|\.(?! )|:(?= )|(?<=[^\W_])_(?=[^\W_])|(?<=[^-])-(?=[^\W_])"
)
"""What stands in a label of Mermaid as it is. All else might be a quote, a directive, HTML or Markdown."""
_MEANS = re.compile(r"(?<=\$)(?=\$)|(?<=:)(?=fa-)|(?<=\ufb02)(?=°)|(?<=¶)(?=ß)")
"""Where formulas, icons and Mermaid's own marks begin, also of characters that stand as numbers."""
_APART = "\u200c"  # nobody sees it, and the two do not go together any more
_LOOKS = {
    "learning": ("#fff3c4", "#8a6d00"),
    "file": ("#f4f4f4", "#666666"),
    "symbol": ("#e8eef7", "#4a6fa5"),
    "section": ("#dff0fa", "#0072b2"),
    "document": ("#dff0fa", "#0072b2"),
    "entity": ("#dcf3ea", "#007a5a"),
}
"""Fill and line of what is of each kind: hues that the colour-blind tell apart, and shapes differ as well."""
_OTHERS = ("#ffffff", "#888888")
_WRONG = "#d55e00"  # the line around what may not hold any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A node of a picture. What stands in one directory, by its `path`, is drawn in one frame.

    `text` is said below its name, and before that a `mark` where it may not hold any more or nobody has confirmed it.
    The one that was asked about is the `start`.
    """

    ref: str
    kind: str
    text: str = ""
    path: str = ""
    mark: str = ""
    is_start: bool = False

    @property
    def directory(self) -> str:
        """The directory in which it stands, empty for what stands in none."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """An edge of a picture, between two items by their references; one that `stands_out` is drawn bold."""

    source: str
    target: str
    label: str = ""
    has_arrow: bool = True
    stands_out: bool = False


class Picture:
    """What is drawn, what matters most first; `remarks` say what is not in it. Of what comes twice the first counts."""

    def __init__(self, items: Iterable[Item], ties: Iterable[Tie], remarks: Iterable[str] = ()) -> None:
        self.items: dict[str, Item] = {}
        for one in items:
            self.items.setdefault(one.ref, one)
        self.ties = [one for one in dict.fromkeys(ties) if {one.source, one.target} <= self.items.keys()]
        self.remarks = [inert_line(one)[:_LONGEST_REMARK] for one in remarks if one]

    def limited(self, items: int, ties: int) -> Picture:
        """Return it with so many of its first items that there are no more ties between them; a remark counts the rest.

        So of those that are left none lacks a tie to another one.
        """
        places = {ref: place for place, ref in enumerate(self.items)}
        complete = sorted(max(places[one.source], places[one.target]) for one in self.ties)
        most = min(items, *complete[ties : ties + 1], len(self.items))
        cut = Picture([*self.items.values()][:most], self.ties, self.remarks)
        lost = {"node": len(self.items) - most, "edge": len(self.ties) - len(cut.ties)}
        if told := " and ".join(counted(number, thing) for thing, number in lost.items() if number):
            cut.remarks.append(f"{told} left out: the form dot has all.")
        return cut

    def frames(self) -> Iterator[tuple[str, list[Item]]]:
        """Yield each directory that holds several items with these, then all others below the name ''."""
        frames: dict[str, list[Item]] = {}
        for one in self.items.values():
            frames.setdefault(one.directory, []).append(one)
        alone = frames.pop("", [])
        for directory, those in frames.items():
            if len(those) > 1:
                yield directory, those
            else:
                alone += those
        yield "", alone


def mermaid(picture: Picture) -> str:
    """Return a flowchart, of which no more is drawn than a page holds."""
    text = ""
    for part in (1, 2, 4, 16):
        text = "\n".join(_mermaid_lines(picture.limited(_MOST_ITEMS // part, _MOST_TIES // part)))
        if len(text) < _MOST_TEXT:
            break
    return text


def _mermaid_lines(picture: Picture) -> Iterator[str]:
    yield "flowchart LR"
    for remark in picture.remarks:
        yield f"%% {_escaped(remark)}"
    names, looks = _named(picture), list[str]()
    for number, (frame, items) in enumerate(picture.frames(), start=1):
        if frame:
            yield f'subgraph g{number}["{_escaped(_cut(frame))}"]'
            looks.append(f"style g{number} fill:transparent,stroke:#999999")
        for one in items:
            label = "<br>".join(map(_escaped, _label(one, frame)))
            opening, closing = {"learning": ("(", ")"), "entity": ("([", "])")}.get(one.kind, ("[", "]"))
            yield f'{names[one.ref]}{opening}"{label}"{closing}'
        if frame:
            yield "end"
    for tie in picture.ties:
        line = "==" if tie.stands_out else "--"
        said = f'|"{_escaped(_cut(tie.label))}"|' if tie.label else ""
        yield f"{names[tie.source]} {line}{'>' if tie.has_arrow else line[0]}{said} {names[tie.target]}"
    if picture.remarks:
        yield f'left["{"<br>".join(map(_escaped, picture.remarks))}"]'
        yield "style left stroke-dasharray:4"
    kinds: dict[str, list[str]] = {}
    for one in picture.items.values():
        kinds.setdefault(one.kind if one.kind in _LOOKS else "other", []).append(names[one.ref])
    for kind, those in kinds.items():
        fill, line = _LOOKS.get(kind, _OTHERS)
        yield f"classDef {kind} fill:{fill},stroke:{line},color:#222222"
        yield f"class {','.join(those)} {kind}"
    for one in picture.items.values():
        if styles := [*["stroke-width:3px"] * one.is_start, *[f"stroke:{_WRONG}"] * bool(one.mark)]:
            looks.append(f"style {names[one.ref]} {','.join(styles)}")
    yield from looks


def dot(picture: Picture) -> str:
    """Return a graph for Graphviz, which has all of it."""
    return "\n".join(_dot_lines(picture))


def _dot_lines(picture: Picture) -> Iterator[str]:
    yield "digraph tx {"
    label = "".join(rf"{_dot_text(remark)}\l" for remark in picture.remarks)
    yield f'  graph [rankdir=LR, fontname="Helvetica", fontsize=10, labelloc=b, labeljust=l, label="{label}"];'
    yield '  node [shape=box, style=filled, fontname="Helvetica", fontsize=11, height=0.3, margin="0.12,0.06"];'
    yield '  edge [color="#555555", fontname="Helvetica", fontsize=9, arrowsize=0.7];'
    names = _named(picture)
    for number, (frame, items) in enumerate(picture.frames(), start=1):
        if frame:
            yield f"  subgraph cluster_{number} {{"
            yield f'  label="{_dot_text(_cut(frame))}"; color="#999999"; style=rounded; labelloc=t;'
        for one in items:
            fill, line = _LOOKS.get(one.kind, _OTHERS)
            how = {
                "label": r"\n".join(map(_dot_text, _label(one, frame))),
                "fillcolor": fill,
                "color": _WRONG if one.mark else line,
            }
            how |= {"penwidth": "2.5"} if one.is_start else {}
            how |= {"style": "filled,rounded"} if one.kind == "learning" else {}
            how |= {"shape": "ellipse"} if one.kind == "entity" else {}
            yield f"  {names[one.ref]} [{_attributes(how)}];"
        if frame:
            yield "  }"
    for tie in picture.ties:
        how = {"label": _dot_text(_cut(tie.label))} if tie.label else {}
        how |= {} if tie.has_arrow else {"dir": "none"}
        how |= {"penwidth": "2.5", "color": _WRONG} if tie.stands_out else {}
        yield f"  {names[tie.source]} -> {names[tie.target]}" + (f" [{_attributes(how)}];" if how else ";")
    yield "}"


def _attributes(how: Mapping[str, str]) -> str:
    return ", ".join(f'{name}="{value}"' for name, value in how.items())


def _named(picture: Picture) -> dict[str, str]:
    """Return a name of our own for each item: theirs might be a word of the language."""
    return {ref: f"n{number}" for number, ref in enumerate(picture.items, start=1)}


def _label(one: Item, frame: str) -> list[str]:
    """Return the lines of a label: its name, without the directory that the frame names, and what it says."""
    name = one.ref.removeprefix(f"{frame}/") if frame else one.ref
    return [line for line in (_cut(name), _cut(one.mark), _cut(one.text, tail=0)) if line]


def _cut(text: str, *, tail: int = _WIDEST // 2) -> str:
    """Return a line as it is shown. What is too long keeps its end as well: that is where paths differ."""
    line = inert_line(text)
    return line if len(line) <= _WIDEST else f"{line[: _WIDEST - tail - 1]}…{line[len(line) - tail :]}"


def _escaped(line: str) -> str:
    """Return a text for Mermaid: what may mean anything there, or in Markdown or HTML, stands as a number."""
    text = _MEANS.sub(_APART, line)
    plain = {match.start() for match in _PLAIN.finditer(text)}
    return "".join(one if place in plain else f"#{ord(one)};" for place, one in enumerate(text))


def _dot_text(line: str) -> str:
    """Return a text within quotes of DOT, which reads escapes and entities of HTML there."""
    return line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
