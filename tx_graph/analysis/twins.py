"""Files whose names say that they belong together: a source and its test, its header, its style sheet. Pure."""

from __future__ import annotations

import re

_TEST_BEFORE = re.compile(r"^(?:tests?|spec)[_-]", re.IGNORECASE)
_TEST_BEHIND = re.compile(r"(?:[_-](?:tests?|spec)|(?<=[a-z0-9])(?:Tests?|Spec))$")
_SHORTEST = 3
"""Letters of a name that is no mere accident."""


def stem(path: str) -> str:
    """Return what the name of a file shares with that of its test (`a/test_auth.py`, `auth.spec.ts` → `auth`).

    Empty for a name that says too little.
    """
    first = path.rpartition("/")[2].partition(".")[0]
    found = _TEST_BEHIND.sub("", _TEST_BEFORE.sub("", first))
    return found if len(found) >= _SHORTEST else ""
