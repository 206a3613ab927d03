"""Markup and prose: tags, attributes, words and lines; scripts and code in them are read as what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tx_graph.code.canonical import ecmascript, rules_of, tree_of
from tx_graph.code.canonical.lexing import BRACED, STYLES, Family, lexed, stepped
from tx_graph.code.canonical.shapes import MARK, Part, Source, Span, grown


def read_as(path: str, source: Source, place: Span, *, is_expression: bool = False) -> list[Part] | None:
    """Return a stretch of text read as a file of this name would be; None where there is no grammar for it.

    Around an expression, the characters beside it are taken for brackets.
    """
    start, end = place
    text = source.text[start:end]
    if is_expression:
        text, start = f"({text})", start - 1
    tree = tree_of(path, text)
    if tree is None or tree.is_bare:
        return None
    inner = Source(text=text)
    top = grown(tree.root, inner, rules_of(path))
    source.remarks.extend((first + start, last + start) for first, last in inner.remarks)
    waiting = [top]
    while waiting:
        part = waiting.pop()
        part.start += start
        part.end += start
        waiting += part.parts or ()
    return [Part("code", top.start, top.end, parts=top.parts)]


_QUOTED = r"\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)"
"""What is not closed reaches to the end, here and below: looking for the end of each anew would take forever."""
_PIECE = re.compile(
    r"(?P<comment><!--.*?(?:-->|\Z))"
    r"|(?P<declaration><![^>]*+(?:>|\Z))"
    rf"|(?P<kept><(?P<keeper>pre|textarea)\b(?P<marks>(?:{_QUOTED}|[^>\"'/]|/(?!>))*+)>)"
    r"(?P<lines>.*?)(?=</(?P=keeper)\b|\Z)"
    rf"|(?P<open><(?P<tag>script|style)\b(?P<flags>(?:{_QUOTED}|[^>\"'])*+)>)(?P<code>.*?)(?=</(?P=tag)\b|\Z)"
    rf"|(?P<element></?[A-Za-z][^\s>/]*)(?P<attributes>(?:{_QUOTED}|[^>\"'])*?)(?P<end>/?>|\Z)"
    r"|\{\{(?P<hole>.*?)(?:\}\}|\Z)"
    r"|(?P<word>(?:(?!\{\{|<[/!A-Za-z])\S)+|\S)",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s=>"']+)(?:\s*=\s*(?:(?P<quote>["'])(?P<quoted>.*?)(?P=quote)|(?P<plain>[^\s>]+)))?""", re.DOTALL
)
_LANGUAGE = re.compile(r"""\blang\s*=\s*["']?(\w+)""")
_HOLE = re.compile(r"\{\{(.*?)(?:\}\}|\Z)", re.DOTALL)
_LISTS = frozenset({"allow", "class", "rel", "sizes", "srcset"})
_HANDLERS = ("@", "v-on")
_DYNAMIC = (":", "@", "#", "v-")
_BLOCK = re.compile(
    r"</?(?:address|article|aside|blockquote|body|br|button|dd|details|dialog|div|dl|dt|fieldset|figure|footer|form|h[1-6]"
    r"|head|header|hr|html|img|input|legend|li|link|main|meta|nav|ol|option|p|section|select|source|style|summary|table"
    r"|tbody|td|template|text|tfoot|th|thead|title|tr|ul|video)",
    re.IGNORECASE,
)
"""Elements that white space around means nothing to."""
_VOID = re.compile(r"<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)", re.IGNORECASE)


def marked(source: Source, start: int, end: int) -> list[Part]:
    """Return the tags and words of a stretch of markup."""
    return [*_pieces(source, start, end)]


def _pieces(source: Source, start: int, end: int) -> Iterator[Part]:
    touched = -1
    for match in _PIECE.finditer(source.text, start, end):
        at, last = match.span()
        if match["comment"]:
            source.remarks.append((at, last))
        elif match["kept"]:
            yield from _element(source, match, "kept", "marks", ">")
            yield from _kept(source, *match.span("lines"))
        elif match["declaration"]:
            yield Part("", at, last, " ".join(match[0].lower().split()))
        elif match["open"]:
            yield from _element(source, match, "open", "flags", ">")
            told, is_style = _LANGUAGE.search(match["flags"]), match["tag"].lower() == "style"
            extension = told[1] if told else "css" if is_style else "js"
            yield from _read(f"a.{extension}", source, match.span("code"), STYLES if is_style else BRACED)
        elif match["element"]:
            inline = not _BLOCK.fullmatch(match["element"])
            if inline and touched == at:
                yield Part("", at, at + 1, f"{MARK}joint")
            yield from _element(source, match, "element", "attributes", match["end"])
            touched = last if inline else -1
        elif match["hole"] is not None:
            yield Part("", at, at + 2, "{{")
            yield from _hole(source, match.span("hole"))
            yield Part("", last - 2, last, "}}")
        else:
            if touched == at:
                yield Part("", at, at + 1, f"{MARK}joint")
            yield Part("", at, last, match[0])
            touched = last


def _kept(source: Source, start: int, end: int) -> Iterator[Part]:
    """Yield text in which white space shows, but for a line end at its start."""
    position = start + source.text.startswith("\n", start, end)
    for match in _HOLE.finditer(source.text, start, end):
        yield Part("", position, match.start(), source.text[position : match.start()])
        yield from _hole(source, match.span(1))
        position = match.end()
    yield Part("", position, end, source.text[position:end])


def _element(source: Source, match: re.Match[str], name: str, attributes: str, end: str) -> Iterator[Part]:
    start = match.start(name)
    tag = match[name] if name == "element" else f"<{match['tag'] or match['keeper']}"
    yield Part("", start, start + len(tag), tag)
    for one in _ATTRIBUTE.finditer(source.text, *match.span(attributes)):
        yield from _attribute(source, one)
    place = match.end("end" if name == "element" else name)
    yield Part("", place - 1, place, ">" if _VOID.fullmatch(tag) or not end else end)


def _attribute(source: Source, match: re.Match[str]) -> Iterator[Part]:
    name, first = match["name"], match.start()
    yield Part("", first, match.end("name"), name)
    group = "quoted" if match["quoted"] is not None else "plain"
    value, (start, end) = match[group], match.span(group)
    if value is None:
        return
    yield Part("", start - 1, start, "=")
    if name.startswith(_DYNAMIC) and group == "quoted":
        if name.startswith(_HANDLERS) and not value.lstrip().startswith("{"):
            yield from _read("a.ts", source, (start, end), BRACED)
        else:
            yield from _hole(source, (start, end))
    elif name in _LISTS:
        yield Part("", start, end, " ".join(value.split()))
    elif name == "style":
        parts = lexed(source, start, end, STYLES)
        yield from parts[:-1] if parts and parts[-1].text == ";" else parts
    else:
        yield Part("", start, end, value.replace("&quot;", '"').replace("&apos;", "'"))


def _hole(source: Source, place: Span) -> Iterator[Part]:
    """Yield the expression that a hole in the markup has."""
    if source.text[slice(*place)].strip():
        yield from read_as("a.ts", source, place, is_expression=True) or lexed(source, *place, BRACED)


def _read(path: str, source: Source, place: Span, family: Family) -> list[Part]:
    return read_as(path, source, place) or lexed(source, *place, family)


VUE = replace(ecmascript.RULES, between=marked)
"""Vue: scripts as JavaScript, and all around them as markup."""

_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)*(`{3,}|~{3,})")
_WORD = re.compile(r"\w*")
_FORMATTED = {
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "javascript"), "jsx"),
    **dict.fromkeys(("ts", "typescript", "mts"), "ts"),
    **{name: name for name in ("tsx", "json", "jsonc", "json5", "css", "html")},
    **dict.fromkeys(("yaml", "yml"), "yaml"),
}
"""The languages that prettier formats in documents too, with an extension of their files."""
_UNDERLINE = re.compile(r"[ \t]*(=+|-+)[ \t]*")
_RULE = re.compile(r"[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_RULER = re.compile(r":?-+:?")
_EMPHASIS = re.compile(r"(?<![\w*_\\])(\*\*|__|\*|_)(?=\S)|(?<=[^\s\\])(\*\*|__|\*|_)(?![\w*_])")
_CODE = re.compile(r"(`{1,32}).+?\1")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")
_ANY, _DEEP = -1, 3
_STRUCTURE = re.compile(r"[ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|#{1,6}[ \t]|\||`{3}|~{3}|<|>|\[[^\]]*\]:)")


def worded(source: Source, start: int, end: int) -> list[Part]:
    """Return the words of a text, however its paragraphs are broken into lines; in fences, lines stay as they are."""
    joined: set[int] = set()
    return [*stepped(_lines(source, start, end, joined), source.text, joined)]


def _lines(source: Source, start: int, end: int, joined: set[int]) -> Iterator[Part]:
    """Yield the words, and note in `joined` where lines begin that go on with a paragraph or an item."""
    fence, blank, plain = "", False, False
    inset: int | None = None  # of a line that would go on with what is before it
    lines: list[tuple[int, str]] = []
    for line in source.text[start:end].split("\n"):
        lines.append((start, line))
        start += len(line) + 1
    fenced = _fenced(source, lines)
    for index, (at, line) in enumerate(lines):
        if at in fenced:
            yield from fenced[at]
            continue
        if fence:
            closes = _closes(line, fence)
            fence = "" if closes else fence
            if line.strip():
                yield Part("", at, at + len(line), MARK + "fence" if closes else line.strip())
            continue
        if not line.strip():
            blank, inset = True, None
            continue
        opening = _FENCE.match(line)
        fence = opening[1] if opening else ""
        was_plain, plain = plain, not _STRUCTURE.match(line)
        own = len(line) - len(line.lstrip())
        if plain and was_plain and not blank and _UNDERLINE.fullmatch(line):
            plain, inset = False, None
        elif plain and inset in (own, _ANY):
            joined.add(at)
            inset = own
        else:  # a deep inset is code
            inset = _ANY if _ITEM.match(line) else own if plain and own < _DEEP else None
        inset = None if line.endswith(("  ", "\\")) else inset
        if blank and plain and was_plain:
            yield Part("", at, at + 1, f"{MARK}paragraph")
        below = lines[index + 1][1] if index + 1 < len(lines) else ""
        yield from _words(line, at, below, after_text=was_plain and not blank)
        blank = False


def _closes(line: str, fence: str) -> bool:
    return bool(_FENCE.match(line)) and line.strip().startswith(fence) and not line.strip(fence[0] + " \t")


def _fenced(source: Source, lines: list[tuple[int, str]]) -> dict[int, list[Part]]:
    """Return the code in fences that name a language, by the offsets of its lines."""
    found: dict[int, list[Part]] = {}
    fence, extension, inside = "", None, list[int]()
    for at, line in lines:
        opening = _FENCE.match(line)
        if not fence and opening:
            named = _WORD.search(line, opening.end())
            fence, extension, inside = opening[1], _FORMATTED.get(named[0].lower() if named else ""), []
        elif fence and _closes(line, fence):
            if extension and inside:
                place = (inside[0], at)
                is_markup = extension == "html"
                code = marked(source, *place) if is_markup else read_as(f"a.{extension}", source, place)
                if code:
                    found |= {line_at: [] for line_at in inside} | {inside[0]: code}
            fence = ""
        elif fence:
            inside.append(at)
    return found


def _words(line: str, at: int, below: str, *, after_text: bool) -> Iterator[Part]:
    if after_text and _UNDERLINE.fullmatch(line):
        return
    if _RULE.fullmatch(line):
        yield Part("", at, at + len(line), "---")
        return
    underline = _UNDERLINE.fullmatch(below)
    if underline and not _STRUCTURE.match(line):
        yield Part("", at, at + 1, "#" if underline[1][0] == "=" else "##")
    if "|" in line:
        yield from (
            Part("", at, at + len(line), _spelled(piece)) for piece in line.replace("|", " | ").strip(" |").split()
        )
        return
    spans = [one.span() for one in _CODE.finditer(line)] if "`" in line else []
    for match in re.finditer(r"\S+", line):
        first, last = match.span()
        is_code = any(first < end and last > start for start, end in spans)
        yield Part("", at + first, at + last, match[0] if is_code else _spelled(match[0]))


def _spelled(word: str) -> str:
    if _RULER.fullmatch(word) and len(word) > 1:
        return word.replace("-", "") + "-"
    if word in {"*", "+"}:
        return "-"
    return _EMPHASIS.sub(lambda match: "_" * len(match[1] or match[2]), word)
