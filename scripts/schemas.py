"""Writes the JSON Schemas that docs/json.md tells of; `--check` only says whether they are up to date."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tx_graph.faces.schemas import published

PLACE = Path(__file__).resolve().parents[1] / "docs" / "schemas" / "tx.json"


def written() -> str:
    """Return the schemas, each of the definitions on a line of its own."""
    whole = published()
    definitions = ",\n".join(f"{json.dumps(name)}: {json.dumps(one)}" for name, one in whole.pop("$defs").items())
    return f'{json.dumps(whole)[:-1]}, "$defs": {{\n{definitions}\n}}}}\n'


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PLACE.write_text(written(), encoding="utf-8")
    elif PLACE.read_text(encoding="utf-8") != written():
        sys.exit("docs/schemas/tx.json is not up to date. Run scripts/docs.")
