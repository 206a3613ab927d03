"""The guard in front of all that git carries or that leaves: what may be a secret is refused, and never shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tx_graph.core.errors import UsageError

if TYPE_CHECKING:
    from tx_graph.core.suspicions import Suspicion

_CUES = (
    "pass", "pw", "secret", "cred", "token", "key", "auth", "login", "log-in", "log in", "logs in", "log on",
    "logged ", "sign", "account", "@", "://", " -u", "--user", "-----",
)  # fmt: skip
_RUN = re.compile(r"[A-Za-z0-9+/=_-]{16,4000}")
_BEFORE = 40
"""Characters that are shown before a secret, so that it is found again."""
REDACTED = "[redacted: "
"""How the words begin that stand in the place of a secret."""
_HINT = "Say where it is kept, not what it is."


class SecretSuspected(UsageError):
    """A text that is to be stored, or to leave, may hold a secret; the message never does."""


def suspected(text: str, *, quick: bool = False) -> Sequence[Suspicion]:
    """Return where `text` may have secrets. Most texts have nothing like one, and no rule is loaded for them.

    With `quick` the detector of vendors' keys is not asked, for it takes 0.3 s to open.
    """
    low = text.lower()
    if not any(cue in low for cue in _CUES) and not any(map(str.isdigit, "".join(_RUN.findall(text)))):
        return ()
    if quick:
        from tx_graph.core.suspicions import spoken

        return spoken(text)
    from tx_graph.core.secrets import suspicions

    return suspicions(text)


def without_secrets(text: str, *, quick: bool = False) -> str:
    """Return `text` with `[redacted: kind]` in the place of what may be a secret; the same text where nothing may."""
    if not (found := suspected(text, quick=quick)):
        return text
    from tx_graph.core.suspicions import replaced

    return replaced(text, found)


def described(text: str, found: Sequence[Suspicion]) -> str:
    """Return what a text may hold, and where, without showing it: `a password in "always set PGPASSWORD=****"`."""
    kind, start, _ = found[0]
    before = text[max(0, start - _BEFORE) : start].rpartition("\n")[2]
    # A word with a digit may be a part of it.
    shown = " ".join("****" if any(map(str.isdigit, word)) else word for word in before.split())
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f'{"an" if kind[:1] in "aeiou" else "a"} {kind} in "{shown}{" " if before[-1:].isspace() else ""}****"{more}'


def refuse(texts: Iterable[str], *, what: str, force: bool | None) -> None:
    """Refuse texts that may hold a secret, unless with `force`; None is for who may not force it.

    `what` begins the sentence that says so.

    Raises:
        SecretSuspected: One of them may hold a secret.
    """
    if force:
        return
    for text in texts:
        if found := suspected(text):
            hint = _HINT if force is None else f"{_HINT} If it is no secret: --force."
            raise SecretSuspected(f"{what} may hold a secret: {described(text, found)}.", hint=hint)
