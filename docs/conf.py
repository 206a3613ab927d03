"""How the site is built: Markdown as it stands in the repository, checked and rendered by Sphinx.

The source directory is the whole repository, so that README and the pages can link to each other and to files of the
code; `scripts/site` builds it. Nothing on a page comes from the network.
"""

from __future__ import annotations

import re
import sys
from enum import EnumType
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, get_origin, get_type_hints

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import tx_graph  # noqa: E402 (only now the package is on the path)
from tx_graph.core import arguments  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "tx"
author = "tx contributors"
version = release = tx_graph.__version__
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

# --- pages --------------------------------------------------------------------------------------

myst_heading_anchors = 6
suppress_warnings = ["misc.highlighting_failure"]  # blocks have `…` where something was left out
keep_warnings = False

# --- reference from docstrings ------------------------------------------------------------------

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_preserve_defaults = True  # a default that prints its address would differ in every build
add_module_names = False
napoleon_google_docstring = True
napoleon_numpy_docstring = False
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_EXAMPLE = re.compile(r"^( *Example):$", re.MULTILINE)
_GLOB = re.compile(r"(?<=\s)\*(?=\.\w)")
_BEFORE_NAPOLEON = 400

# --- the site -----------------------------------------------------------------------------------

html_theme = "furo"
html_title = "tx"
html_baseurl = ""
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = html_domain_indices = False
toc_object_entries = False  # hundreds of them, in the menu of every page
html_additional_pages = {"index": "to-the-start.html"}
templates_path = ["_templates"]
pygments_style = "friendly"
pygments_dark_style = "native"

# --- what is in the menu ------------------------------------------------------------------------

CONTENTS = ("docs/index", "docs/decisions/README")
"""Pages that list others: each part of such a page is a part of the menu, so that both always have the same pages."""
_PART = re.compile(r"^## (?P<caption>.+)$", re.MULTILINE)
_ENTRY = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)#:]+)\.md\)", re.MULTILINE)


def menu_of(page: str, text: str) -> str:
    """Return hidden directives that put what a page lists into the menu, part by part."""
    before, *parts = _PART.split(text)
    return _menu("", _pages(page, before)) + "".join(
        _menu(caption, _pages(page, body)) for caption, body in zip(parts[::2], parts[1::2], strict=True)
    )


def _pages(page: str, body: str) -> list[str]:
    directory = ROOT / PurePosixPath(page).parent
    found = ((one["title"], (directory / one["page"]).resolve().relative_to(ROOT)) for one in _ENTRY.finditer(body))
    return [f"{title} </{path.as_posix()}>" for title, path in found]


def _menu(caption: str, pages: list[str]) -> str:
    if not pages:
        return ""
    named = [f":caption: {caption}"] if caption else []
    return "\n".join(["\n\n```{toctree}", ":hidden:", *named, "", *pages, "```\n"])


def _with_menu(_app: Sphinx, page: str, source: list[str]) -> None:
    if page in CONTENTS:
        source[0] += menu_of(page, source[0])


def _with_code(*event: Any) -> None:  # noqa: ANN401 (the event's five other arguments do not matter)
    """Write code in docstrings as reStructuredText does, before napoleon takes a colon in it for the end of a type.

    What stands under `Example:` are command lines: a literal block, whatever stars and quotes they have. `*.jsonl` in a
    sentence is the name of files, not emphasis.
    """
    lines: list[str] = event[-1]
    text = _GLOB.sub(r"\*", _CODE.sub(r"``\1``", "\n".join(lines)))
    lines[:] = _EXAMPLE.sub(r"\1::\n", text).split("\n")


def _with_choices(*event: Any) -> None:  # noqa: ANN401 (as above)
    """Tell what one can choose from: an enumeration's members have no docstrings, and autodoc would leave them out."""
    thing, lines = event[3], event[5]
    if isinstance(thing, EnumType):
        lines += ["", "One of " + ", ".join(f"``{name}``" for name in thing.__members__) + "."]


def _without_arguments(_app: Sphinx, thing: Any, _is_bound: bool) -> None:  # noqa: ANN401, FBT001 (as Sphinx calls it)
    """Show the types of a use case's parameters, not what the command line is told of them."""
    notes = [str(note) for note in getattr(thing, "__annotations__", {}).values()]
    if any("Annotated[" in note or get_origin(getattr(arguments, note, None)) is Annotated for note in notes):
        thing.__annotations__ = get_type_hints(thing)


def _is_noise(*event: Any) -> bool | None:  # noqa: ANN401 (as above)
    return True if event[2] == "__new__" else None


def _with_public_names() -> None:
    """Let each class bear the name under which programs import it; autodoc would call it an alias, and say no more."""
    for name in tx_graph.__all__:
        thing = getattr(tx_graph, name)
        if isinstance(thing, type):
            thing.__name__ = thing.__qualname__ = name


def setup(app: Sphinx) -> None:
    """Have the menu written, docstrings understood, and crontab lines coloured like the shell's."""
    from pygments.lexers.shell import BashLexer

    _with_public_names()
    app.connect("source-read", _with_menu)
    app.connect("autodoc-process-docstring", _with_code, priority=_BEFORE_NAPOLEON)
    app.connect("autodoc-process-docstring", _with_choices)
    app.connect("autodoc-before-process-signature", _without_arguments)
    app.connect("autodoc-skip-member", _is_noise)
    app.add_lexer("cron", BashLexer)
