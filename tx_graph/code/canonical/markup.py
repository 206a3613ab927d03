"""Markup: tags, attributes and words; scripts, styles and expressions in it are read as what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tx_graph.code.canonical.grammars import rules_of, tree_of
from tx_graph.code.canonical.lexing import BRACED, STYLES, lexed
from tx_graph.code.canonical.shapes import MARK, Part, Source, grown


def embedded(source: Source, start: int, end: int, path: str) -> list[Part] | None:
    """Return a stretch of text read as a file of this name would be; None where there is no grammar for it."""
    return _read(source, source.text[start:end], start, path)


def expression(source: Source, start: int, end: int, path: str) -> list[Part] | None:
    """Return a stretch of text read as an expression; the characters around it are taken for brackets."""
    return _read(source, f"({source.text[start:end]})", start - 1, path)


def _read(source: Source, text: str, start: int, path: str) -> list[Part] | None:
    tree = tree_of(path, text)
    if tree is None:
        return None
    inner = Source(text=text)
    top = grown(tree.root, inner, rules_of(path))
    source.remarks.extend(remark.moved(start) for remark in inner.remarks)
    waiting = [top]
    while waiting:
        part = waiting.pop()
        part.start += start
        part.end += start
        waiting += part.parts or ()
    return [Part("code", top.start, top.end, parts=top.parts)]


_PIECE = re.compile(
    r"(?P<comment><!--.*?-->)"
    r"|(?P<declaration><![^>]*>)"
    r"|(?P<kept><(?P<keeper>pre|textarea)\b(?P<marks>(?:\"[^\"]*\"|'[^']*'|[^>\"'/]|/(?!>))*)>)(?P<lines>.*?)(?=</(?P=keeper)\b)"
    r"|(?P<open><(?P<tag>script|style)\b(?P<flags>(?:\"[^\"]*\"|'[^']*'|[^>\"'])*)>)(?P<code>.*?)(?=</(?P=tag)\b|\Z)"
    r"|(?P<element></?[A-Za-z][^\s>/]*)(?P<attributes>(?:\"[^\"]*\"|'[^']*'|[^>\"'])*?)(?P<end>/?>|\Z)"
    r"|\{\{(?P<hole>.*?)\}\}"
    r"|(?P<word>(?:(?!\{\{|<[/!A-Za-z])\S)+|\S)",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s=>"']+)(?:\s*=\s*(?:(?P<quote>["'])(?P<quoted>.*?)(?P=quote)|(?P<plain>[^\s>]+)))?""", re.DOTALL
)
_LANGUAGE = re.compile(r"""\blang\s*=\s*["']?(\w+)""")
_HOLE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
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
            source.remark(at, last)
        elif match["kept"]:
            yield from _element(source, match, "kept", "marks", ">")
            yield from _kept(source, *match.span("lines"))
        elif match["declaration"]:
            yield Part("", at, last, " ".join(match[0].lower().split()))
        elif match["open"]:
            yield from _element(source, match, "open", "flags", ">")
            yield from _code(source, match)
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
        yield from _hole(
            source, (start, end), is_code=name.startswith(_HANDLERS) and not value.lstrip().startswith("{")
        )
    elif name in _LISTS:
        yield Part("", start, end, " ".join(value.split()))
    elif name == "style":
        parts = lexed(source, start, end, STYLES)
        yield from parts[:-1] if parts and parts[-1].text == ";" else parts
    else:
        yield Part("", start, end, value.replace("&quot;", '"').replace("&apos;", "'"))


def _hole(source: Source, place: tuple[int, int], *, is_code: bool = False) -> Iterator[Part]:
    """Yield what a hole in the markup says: an expression or statements."""
    start, end = place
    if is_code:
        yield from embedded(source, start, end, "a.ts") or lexed(source, start, end, BRACED)
    elif source.text[start:end].strip():
        yield from expression(source, start, end, "a.ts") or lexed(source, start, end, BRACED)


def _code(source: Source, match: re.Match[str]) -> Iterator[Part]:
    told = _LANGUAGE.search(match["flags"])
    is_style = match["tag"].lower() == "style"
    extension = told[1] if told else "css" if is_style else "js"
    start, end = match.span("code")
    yield from embedded(source, start, end, f"a.{extension}") or lexed(
        source, start, end, STYLES if is_style else BRACED
    )
