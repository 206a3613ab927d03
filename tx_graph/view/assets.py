"""The files that the page is made of: served by name, or joined in one that needs nothing else."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from importlib.resources import files
from importlib.resources.abc import Traversable

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
"""What is served, by the ends of names."""

_LINK = re.compile(r'<link rel="stylesheet" href="page/([^"]+)">')
_SCRIPT = re.compile(r'<script (type="module" )?src="page/([^"]+)"( defer)?></script>')
_IMPORT = re.compile(r'^import \{([^}]{0,2000})\} from "\./([\w-]+\.js)";', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|const|class) ([\w$]+)", re.MULTILINE)
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def assets() -> dict[str, Traversable]:
    """Return the files of the page by their names below its directory: `index.html`, `vendor/sigma.js`."""
    return dict(_below(files("tx_graph.view") / "page", ""))


def _below(directory: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for one in directory.iterdir():
        if one.is_dir():
            yield from _below(one, f"{path}{one.name}/")
        elif one.name.rpartition(".")[2] in TYPES:
            yield f"{path}{one.name}", one


def one_file(snapshots: Mapping[str, str], *, head: str) -> str:
    """Return the page with all its parts in it, below `head`, and snapshots, which are JSON by name.

    What may run, and what it looks like, is told at its head by digests: nothing that came with the data is run.
    """
    texts = {name: one.read_text("utf-8") for name, one in assets().items()}
    styles, scripts = list[str](), list[str]()

    def style(found: re.Match[str]) -> str:
        styles.append(texts[found[1]])
        return f"<style>{styles[-1]}</style>"

    def script(found: re.Match[str]) -> str:
        scripts.append(joined(texts, found[2]) if found[1] else texts[found[2]])
        return ""  # it goes to the end, where all that it looks for is there

    page = _SCRIPT.sub(script, _LINK.sub(style, texts["index.html"]))
    policy = (
        f"default-src 'none'; script-src {_digests(scripts)}; style-src {_digests(styles)}; img-src data:; "
        "connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    opening, _, page = page.partition("<head>")
    page, _, closing = page.rpartition("</body>")
    data = [
        f'<script type="application/json" id="data-{name}">{text.translate(_ESCAPES)}</script>'
        for name, text in snapshots.items()
    ]
    return "\n".join(
        [
            f"{opening}<head>",
            head,
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            page,
            *data,
            *(f"<script>{text}</script>" for text in scripts),
            f"</body>{closing}",
        ]
    )


def joined(texts: Mapping[str, str], main: str) -> str:
    """Return a module and all that it imports as one classic script; `texts` are modules by name.

    Modules know each other by `import { a, b } from "./name.js";` alone, and export functions, constants and classes.
    """
    imports: dict[str, list[tuple[str, str]]] = {}
    pending = [main]
    while pending:
        name = pending.pop()
        if name not in imports:
            imports[name] = [(names, target) for names, target in _IMPORT.findall(texts[name])]
            pending += [target for _, target in imports[name]]
    order = TopologicalSorter({name: [target for _, target in those] for name, those in imports.items()})
    parts = ['"use strict";']
    for name in order.static_order():
        own = [f"const {{{names}}} = {_variable(target)};" for names, target in imports[name]]
        body = _EXPORT.sub(r"\1 \2", _IMPORT.sub("", texts[name]))
        exported = ", ".join(found[1] for found in _EXPORT.findall(texts[name]))
        parts += [f"const {_variable(name)} = (() => {{", *own, body, f"return {{ {exported} }};", "})();"]
    return "\n".join(parts)


def _variable(name: str) -> str:
    return f"m_{re.sub(r'[^a-z0-9]', '_', name.removesuffix('.js'), flags=re.IGNORECASE)}"


def _digests(texts: Iterable[str]) -> str:
    found = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in found) or "'none'"
