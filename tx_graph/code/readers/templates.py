"""Templates of Vue components as scripts that use the same names in the same lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

TAG_ATTRIBUTES = r"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^<>"'])*+"""
"""What a tag has behind its name. It ends before the next one begins, a comment or a quoted value that nobody closes
with the file: else each that nobody closes is read to its end."""
_TOKEN = re.compile(
    rf"<!--.*?(?:-->|\Z)|<(?P<slash>/?)(?P<tag>[A-Za-z][\w.:-]*+)(?P<attributes>{TAG_ATTRIBUTES})(?:>|\Z)"
    r"|\{\{(?P<said>.*?)(?:\}\}|\Z)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"(?P<a>[^"]*+)"|'(?P<b>[^']*+)'|(?P<c>[^\s"'=<>`]++)))?+""")
_EACH = re.compile(r"\s*+\(?(?P<names>.{1,300}?)\)?\s++(?:in|of)\s++", re.DOTALL)
_ALONE = frozenset("area base br col embed hr img input link meta param source track wbr".split())
"""Elements that nothing closes."""
_OWN = frozenset("bind cloak else else-if for html if is memo model on once pre show slot text".split())
"""Directives that Vue has; others are named by a variable."""
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_COMPONENTS = re.compile(r"\bcomponents\s*:\s*\{([^{}]*)\}")
_REGISTERED = re.compile(r"""(?:["']?([\w-]{1,80}+)["']?\s*+:\s*+)?+([A-Za-z_$][\w$]{0,80}+)\s*+(?:,|\Z)""")


def registered(script: str) -> dict[str, str]:
    """Return the components that a script without `setup` registers: its variables, by their names in PascalCase."""
    found = _COMPONENTS.search(script)
    return {_pascal(name or value): value for name, value in _REGISTERED.findall(found[1] if found else "")}


def script_of(text: str, start: int, end: int, components: Mapping[str, str] | None) -> str:
    """Return a script that uses in each line what the template between two offsets of a text uses there.

    `components` has the only names that the template knows; None: it knows all that its script has. Elements are
    called, `v-model` and `ref` write, all else is as it is written; what `v-for` and `v-slot` name is known inside.
    """
    pieces: list[str] = []
    line = seen = position = 0
    for at, piece in _pieces(text, start, end, components):
        seen, position = seen + text.count("\n", position, at), at
        pieces.append("\n" * (seen - line) + piece)
        line = max(line, seen) + piece.count("\n")
    return "".join(pieces)


def _pieces(text: str, start: int, end: int, components: Mapping[str, str] | None) -> Iterator[tuple[int, str]]:
    """Yield offsets and what stands there."""
    around: list[tuple[str, str]] = []  # elements that are open, with what ends their names
    for one in _TOKEN.finditer(text, start, end):
        tag, attributes = one["tag"], one["attributes"] or ""
        if one["said"] is not None and components is None:
            yield one.start("said"), f";({one['said']});"
        elif one["slash"]:
            while any(name == tag for name, _ in around):
                name, closing = around.pop()
                yield one.start(), closing
                if name == tag:
                    break
        elif tag:
            is_path = "." in tag and components is None
            called = tag if is_path else _pascal(tag) if tag[:1].isupper() or "-" in tag else ""
            called = called if components is None else components.get(called, "")
            yield one.start(), f";{called}();" if called else ""
            names = list(_named(attributes)) if components is None else []
            yield one.start(), f"{{{''.join(f'let [{name}]=0;' for name in names)}" if names else ""
            if components is None:
                for attribute in _ATTRIBUTE.finditer(attributes):
                    yield one.start("attributes") + attribute.start(), ""
                    yield from _used(attribute, one.start("attributes"))
            closing = "}" if names else ""
            if attributes.endswith("/") or tag.lower() in _ALONE:
                yield one.end() - 1, closing
            else:
                around.append((tag, closing))
    yield end, "".join(closing for _, closing in around)


def _named(attributes: str) -> Iterator[str]:
    """Yield patterns of the names that an element makes known."""
    for one in _ATTRIBUTE.finditer(attributes):
        value = one["a"] or one["b"] or one["c"] or ""
        if one[1] == "v-for" and (each := _EACH.match(value)):
            yield " ".join(each["names"].split())
        elif value and (one[1].startswith("#") or re.match(r"v-slot\b|slot-scope\Z", one[1])):
            yield " ".join(value.split())


def _used(one: re.Match[str], before: int) -> Iterator[tuple[int, str]]:
    """Yield what an attribute of an element uses."""
    name, group = one[1], next((group for group in "abc" if one[group] is not None), "")
    value, at = (one[group], before + one.start(group)) if group else ("", before + one.start())
    directive, _, argument = name.partition(".")[0].partition(":")
    word = directive.removeprefix("v-") if directive.startswith("v-") else ""
    if word and word not in _OWN and word != "slot":
        yield at, f";v{_pascal(word)};"
    if name[:1] in ":@" and argument.startswith("["):
        yield at, f";({argument.strip('[]')});"
    if word == "for" and (each := _EACH.match(value)):
        yield at + each.end(), f";({value[each.end() :]});"
    elif word == "model" and value.strip():
        yield at, f";{value}++;"
    elif word == "on" or name.startswith("@"):
        yield at, f";{value};"
    elif word == "bind" or name[:1] in ":.":
        own = _camel(argument or name[1:].partition(".")[0])
        yield at, f";({value or own});" if value or (own != "" and _NAME.fullmatch(own)) else ""
    elif name == "ref" and _NAME.fullmatch(value):
        yield at, f";{value}++;"
    elif word and word not in {"for", "slot", "else", "pre", "cloak", "once"} and value:
        yield at, f";({value});"


def _camel(name: str) -> str:
    return re.sub(r"-(\w)", lambda one: one[1].upper(), name)


def _pascal(name: str) -> str:
    camel = _camel(name)
    return camel[:1].upper() + camel[1:]
