"""Documents: what Markdown, reStructuredText and plain text say, as trees of sections. Text in, values out."""

from __future__ import annotations

import re

from tx_graph.core.labels import is_unicode
from tx_graph.documents.document import Format, ReadDocument

_ENDINGS = {Format.MARKDOWN: "md markdown mdown mkd mkdn mdx", Format.RST: "rst rest", Format.TEXT: "txt text"}
_BY_ENDING = {ending: written for written, endings in _ENDINGS.items() for ending in endings.split()}
_NAMES = frozenset(
    """architecture authors bugs changelog changes code_of_conduct contributing contributors copying copyright credits
    design faq governance hacking history install installing licence license maintainers news notice patents readme
    roadmap security support thanks todo upgrading usage""".split()
)
"""Files that people write without an ending. Lower case would be a command (`install`), but for `readme`."""
_FOR_MACHINES = re.compile(
    r"""
    cmakelists | robots | humans | ads | app-ads | sources | top_level | entry_points | dependency_links
    | namespace_packages | manifest | wordlist | stopwords | versions? | meson_options | .*\.lock
    | (?:.*[-_.])? (?:requirements|constraints|excludes?|allowlist|blocklist|whitelist|blacklist|ignore) (?:[-_.].*)?
    """,
    re.VERBOSE,
)
"""Names of text files that programs read, without their ending."""
_DATA = frozenset(
    """__snapshots__ constraints corpora corpus data fixture fixtures golden requirements snapshots test-data test_data
    testdata""".split()
)
"""Directories whose text files are data; Markdown in them may well be for people."""


def format_of(path: str) -> Format | None:
    """Return how a document is written, None for a path that is no document."""
    directory, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not dot or not stem:
        return Format.TEXT if _is_named_so(name) else None
    found = _BY_ENDING.get(ending.lower())
    return None if found is Format.TEXT and _is_data(directory, stem.lower()) else found


def _is_named_so(name: str) -> bool:
    low = name.lower()
    return (name.isupper() or low == "readme" or name == low.capitalize()) and low.partition("-")[0] in _NAMES


def _is_data(directory: str, stem: str) -> bool:
    return bool(_FOR_MACHINES.fullmatch(stem)) or not _DATA.isdisjoint(directory.lower().split("/"))


def read_document(path: str, text: str) -> ReadDocument:
    """Return what a document says; a path that is none is read as plain text.

    Line ends become Unix ones and a byte order mark goes before anything is read, so offsets are those of the texts
    of the sections, not of the file; line numbers are the same in both. Nothing here raises, whatever the text is.
    """
    clean = text.removeprefix("\ufeff")
    if "\r" in clean:
        clean = clean.replace("\r\n", "\n").replace("\r", "\n")
    if not is_unicode(clean):
        clean = clean.encode("utf-8", "replace").decode()
    kind = format_of(path)
    if kind is Format.MARKDOWN:
        from tx_graph.documents.markdown import read_markdown

        return read_markdown(clean)
    if kind is Format.RST:
        from tx_graph.documents.rst import read_rst

        return read_rst(clean)
    from tx_graph.documents.plain import read_plain

    return read_plain(clean)
