"""Literals: numbers and strings that mean the same, spelled the same."""

from __future__ import annotations

import re

_QUOTES = frozenset("\"'")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PREFIX = re.compile(r"[A-Za-z]*")
_HEXADECIMAL = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.DOTALL)


def as_written(text: str) -> str:
    """Return a literal that can only be spelled as it is."""
    return text


def lower(text: str) -> str:
    """Return a literal whose letters mean the same in either case."""
    return text.lower()


def python_number(text: str) -> str:
    """Return a number of Python in lower case, with a digit on either side of its point."""
    number = text.lower()
    return _TRAILING_POINT.sub(".0", f"0{number}" if number.startswith(".") else number)


def unescaped_quotes(content: str) -> str:
    r"""Return a string's content in which quotes stand for themselves, `\'` as `'`."""
    return _ESCAPED.sub(_plain_quote, content) if "\\" in content else content


def _plain_quote(match: re.Match[str]) -> str:
    return match[1] if match[1] in "'\"" else match[0]


def python_string(text: str) -> str | None:
    """Return a Python string; None for one with holes in it."""
    head = _PREFIX.match(text)
    prefix = head[0].lower() if head else ""
    if "f" in prefix or "t" in prefix:
        return None
    quote = 3 if text.startswith(('"""', "'''"), len(prefix)) else 1
    content = text[len(prefix) + quote : -quote]
    return python_start(text[: len(prefix) + quote]) + python_content(content, prefix) + '"' * quote


def python_start(text: str) -> str:
    """Return what a Python string begins with: its prefix and its quotes."""
    prefix = text.rstrip("\"'")
    return "".join(sorted(prefix.lower().replace("u", ""))) + '"' * (len(text) - len(prefix))


def python_content(content: str, prefix: str) -> str:
    """Return the content of a Python string; of a raw one as it is."""
    if "\\" not in content or "r" in prefix.lower():
        return content
    return _HEXADECIMAL.sub(_python_escape, content)


def _python_escape(match: re.Match[str]) -> str:
    escape = match[0]
    if escape[1] in "'\"":
        return escape[1]
    return escape.upper() if escape.startswith(r"\N{") else escape.lower() if len(escape) > 2 else escape  # noqa: PLR2004


def javascript_string(text: str) -> str:
    """Return a string of JavaScript with one kind of quotes; the type `string` stays as it is."""
    return text if text[0] not in _QUOTES else f'"{unescaped_quotes(text[1:-1])}"'


def element_string(text: str) -> str:
    """Return the value of an element's attribute, in which no backslash escapes."""
    return f'"{text[1:-1].replace("&quot;", chr(34)).replace("&apos;", chr(39))}"'


_TRAILING_POINT = re.compile(r"\.(?=[ej]|$)")
_POWER = re.compile(r"^([+-]?[\d.]+)e[+]?(\d)")
_NO_POWER = re.compile(r"^([+-]?[\d.]+)e[+-]?0+$")
_LEADING_POINT = re.compile(r"^([+-])?\.")
_ZEROS_AFTER = re.compile(r"(\.\d+?)0+(?=e|$)")
_ONLY_ZEROS = re.compile(r"\.(?:0*)(?=e|$)")


def plain_number(text: str) -> str:
    """Return a number without a plus, a zero or a point too many, and with a digit before its point."""
    number = text.lower()
    if number.startswith(("0x", "0b", "0o")):
        return number
    number = _NO_POWER.sub(r"\1", _POWER.sub(r"\1e\2", number))
    number = _LEADING_POINT.sub(r"\g<1>0.", number)
    return _ONLY_ZEROS.sub("", _ZEROS_AFTER.sub(r"\1", number))
