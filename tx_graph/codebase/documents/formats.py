"""Formats: which paths are documents, told by their names alone."""

from __future__ import annotations

import re

from tx_graph.domain.document import Format

_ENDINGS = {
    Format.MARKDOWN: "md markdown mdown mkd mkdn mdx",
    Format.RST: "rst rest",
    Format.TEXT: "txt text",
}
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
