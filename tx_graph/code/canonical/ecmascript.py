"""JavaScript and TypeScript: what prettier may change."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tx_graph.code.canonical import lexing as literals
from tx_graph.code.canonical.lexing import BRACED, STYLES, Family, lexed
from tx_graph.code.canonical.shapes import (
    MARK,
    Part,
    Rules,
    Source,
    all_of,
    bare,
    chained,
    rebracket,
    unbracketed,
    unlisted,
    without,
    without_first,
)

SPACE = f"{MARK}space"
JOINT = f"{MARK}joint"
"""Where two words would touch if a comment were not between them."""
_TEXTS = frozenset({"", "jsx_text", "html_character_reference"})
_BLANK = re.compile(r"[ \t\r\n]+")
_PIECE = re.compile(r"[ \t\r\n]+|[^ \t\r\n]+")


def _children(part: Part, source: Source) -> None:
    """Put words and the spaces that show in place of an element's text.

    White space with a line break in it shows only between words, where it goes without saying; at the edge of a text
    it is layout.
    """
    parts = part.parts or []
    if not parts:
        return
    pieces = [parts[0], *_pieces(parts[1:-1], source), parts[-1]]
    part.parts = [
        one
        for index, one in enumerate(pieces)
        if one.text != SPACE or not pieces[index - 1].kind == "jsx_text" == pieces[index + 1].kind
    ]


def _pieces(parts: list[Part], source: Source) -> Iterator[Part]:
    index = 0
    while index < len(parts):
        one = parts[index]
        inner = one.parts or [] if one.kind == "jsx_expression" else []
        if len(inner) == 3 and bare(inner[1]).text == '" "':  # noqa: PLR2004 - it is `{" "}`
            yield Part("", one.start, one.end, SPACE)
        elif [brace.text for brace in inner] == ["{", "}"]:
            around = source.text[max(one.start - 1, 0) : one.start] + source.text[one.end : one.end + 1]
            if not any(sign.isspace() or sign in "<>{}" for sign in around):
                yield Part("", one.start, one.end, JOINT)
        elif one.parts is None and one.kind in _TEXTS:
            start = one.start
            while index + 1 < len(parts) and parts[index + 1].parts is None and parts[index + 1].kind in _TEXTS:
                index += 1
            text = source.text[start : parts[index].end]
            for match in _PIECE.finditer(text):
                piece, at = match[0], start + match.start()
                at_edge = match.start() == 0 or match.end() == len(text)
                if not _BLANK.fullmatch(piece):
                    yield Part("jsx_text", at, at + len(piece), piece)
                elif at_edge and "\n" not in piece:
                    yield Part("", at, at + len(piece), SPACE)
        else:
            yield one
        index += 1


_FORMATTED_TAG = re.compile(
    r"css|keyframes|injectGlobal|createGlobalStyle|styled\b.*|gql|graphql|html|svg|markdown|md|.*\.(?:css|each|attrs\b.*)",
    re.DOTALL,
)
"""The tags of templates whose content prettier formats too."""
_FORMATTED_PLACE = re.compile(r"/\*\s*(?:HTML|GraphQL)\s*\*/\s*$|<style\b[^>]*\bjsx\b[^>]*>\s*\{\s*$")
_INDEX = re.compile(r"0|[1-9]\d*")
_REACHING = frozenset({"member_expression", "subscript_expression", "call_expression", "non_null_expression"})
_OPTIONAL = frozenset({"optional_chain", "?."})
_PLAIN_NAMES = frozenset({"identifier", "undefined"})
_KEYED = ("pair", "pair_pattern", "property_signature", "method_definition", "enum_assignment")
_FIELDS = ("public_field_definition", "field_definition", "method_signature", "abstract_method_signature")
_CASTS = frozenset({"as_expression", "satisfies_expression"})
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_ENDED = ("return_statement", "break_statement", "continue_statement", "yield_expression")
_IMPORTING = frozenset({"import_statement", "export_statement"})
_SEPARATED = ("interface_body", "object_type", "class_body", "index_signature", "enum_body")
_BLOCKS = ("program", "statement_block", "switch_case", "switch_default")
_STATEMENTS = (
    "lexical_declaration variable_declaration throw_statement debugger_statement import_statement export_statement"
    " do_statement type_alias_declaration function_signature import_alias ambient_declaration"
).split()


def _ended(part: Part, source: Source) -> None:
    """Mark a line break that ends a statement, though the grammar takes what follows for its value."""
    without(";")(part, source)
    parts = part.parts or []
    if len(parts) > 1:
        end = parts[0].end
        between = _COMMENT.sub(lambda comment: "\n" if "\n" in comment[0] else "", source.text[end : parts[1].start])
        if "\n" in between.partition("(")[0]:
            parts.insert(1, Part("", end, end, f"{MARK}break"))


def _arrow(part: Part, source: Source) -> None:
    """Put brackets around a parameter that stands alone."""
    for index, one in enumerate(part.parts or ()):
        if one.text == "=>":
            return
        if one.kind in _PLAIN_NAMES and part.parts:
            brackets = [Part("(", one.start, one.start + 1, "("), one, Part(")", one.end - 1, one.end, ")")]
            part.parts[index] = Part("formal_parameters", one.start, one.end, parts=brackets)
            return


def _tight(part: Part, source: Source) -> None:
    """Let `await a as B` cast what was awaited; the grammar takes it for `await (a as B)`."""
    operand = part.parts[-1] if part.parts else part
    target = operand
    while target.kind in _CASTS and target.parts and target.parts[0].kind in _CASTS:
        target = target.parts[0]
    if target.kind in _CASTS and target.parts and part.parts and operand.parts:
        inner = target.parts[0]
        target.parts[0] = Part(part.kind, part.start, inner.end, parts=[*part.parts[:-1], inner])
        part.kind, part.parts = operand.kind, operand.parts


def _reaching(part: Part, source: Source) -> None:
    """Leave the brackets that end an optional chain, as in `(a?.b).c`."""
    target = part.parts[0] if part.parts else part
    link = bare(target) if target.kind == "parenthesized_expression" else target
    while link is not target and link.kind in _REACHING and link.parts:
        if any(one.kind in _OPTIONAL for one in link.parts):
            rebracket(target)
            return
        link = bare(link.parts[0])


def _directive(part: Part, source: Source) -> None:
    """Leave brackets around a string that would be a directive without them."""
    text = source.text[part.start : part.end]
    if text.startswith("(") and (inner := bare(part)).kind == "string" and inner.parts is None:
        part.parts = [Part("(", part.start, part.start, "("), *(part.parts or ())]


def _keyed(part: Part, source: Source) -> None:
    """Take the quotes off a key that needs none."""
    for one in (part.parts or ())[:4]:  # modifiers stand before it
        if one.text in {":", "="}:
            return
        if one.kind == "string" and one.parts is None:
            key = one.text[1:-1]
            if key.replace("$", "_").isidentifier() or _INDEX.fullmatch(key):
                one.text, one.kind = key, "property_identifier"


def _tagged(part: Part, source: Source) -> None:
    """Let white space count for nothing in a template that is formatted as what it holds.

    The grammar takes `styled(A)<B>` before a template for comparisons.
    """
    parts = part.parts or []
    if len(parts) > 1 and parts[-1].kind == "template_string":
        tag = source.text[part.start : parts[-1].start]
        if _FORMATTED_TAG.fullmatch(tag.strip()):
            _reword(parts[-1], source, dropped="," if tag.startswith(("gql", "graphql")) else "")


def _template(part: Part, source: Source) -> None:
    if _FORMATTED_PLACE.search(source.text, max(part.start - 80, 0), part.start):
        _reword(part, source)


def _reword(template: Part, source: Source, dropped: str = "") -> None:
    parts: list[Part] = []
    for one in template.parts or ():
        is_text = one.parts is None and one.text != "`"
        parts += _lexed(source, one.start, one.end, STYLES) if is_text else [one]
    template.parts = [one for one in parts if one.text != dropped or one.parts is not None]


def _lexed(source: Source, start: int, end: int, family: Family = BRACED) -> list[Part]:
    parts = lexed(source, start, end, family)
    for one in parts:
        if len(one.text) > 1 and one.text[0] in "'\"":
            one.text = literals.javascript_string(one.text)
    return parts


def _statements(part: Part, source: Source) -> None:
    """Drop semicolons, and give imports back their `with { type: "json" }`, which the grammar does not always know."""
    kept: list[Part] = []
    for one in part.parts or ():
        if one.kind == "" and one.text != ";" and kept and kept[-1].kind in _IMPORTING and kept[-1].parts:
            kept[-1].parts.append(one)
        else:
            kept.append(one)
    part.parts = [one for one in kept if one.text != ";" and one.kind != "empty_statement"]


RULES = Rules(
    spellings={
        "string": literals.javascript_string,
        "number": literals.plain_number,
        "regex_flags": lambda text: "".join(sorted(text)),
    },
    shapes={
        **dict.fromkeys(_STATEMENTS, without(";")),
        **dict.fromkeys(_ENDED, _ended),
        **dict.fromkeys(_BLOCKS, _statements),
        **dict.fromkeys(_KEYED, _keyed),
        **dict.fromkeys(_SEPARATED, without(";", ",")),
        **dict.fromkeys(_FIELDS, all_of(without(";"), _keyed)),
        "expression_statement": all_of(without(";"), _directive),
        **dict.fromkeys(_REACHING, _reaching),
        "parenthesized_expression": unbracketed,
        "parenthesized_type": unbracketed,
        "arrow_function": _arrow,
        **dict.fromkeys(("await_expression", "unary_expression"), _tight),
        "binary_expression": all_of(_tagged, chained("&&", "||", "??")),
        "union_type": all_of(without_first("|", "&"), chained("|")),
        "intersection_type": all_of(without_first("|", "&"), chained("&")),
        "call_expression": all_of(_reaching, _tagged),
        "template_string": _template,
        **dict.fromkeys(("jsx_element", "jsx_fragment"), _children),
    },
    every=unlisted,
    between=_lexed,
    verbatim=frozenset({"template_string", "string", "regex", "jsx_element", "jsx_fragment"}),
    comments=frozenset({"comment", "html_comment"}),
)
