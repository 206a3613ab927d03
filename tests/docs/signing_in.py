"""A small project about signing in, with code, decisions and a history: what most pages work on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.docs.checkout import git
from tests.git_sandbox import DAY, NEW_YEAR_2024

AUTH = '''\
"""Who may come in, and for how long."""

from src.jwt import sign, verify
from src.refresh import renew


def login(name, age):
    # The law says so.
    if age < 18:
        raise PermissionError(name)
    return sign({"user": name, "session": new_session(name)})


def logout(token):
    sessions = open_sessions(verify(token)["user"])
    for session in sessions:
        session.close(reason="logout")
    return len(sessions)


def refresh(token):
    return renew(verify(token))
'''

JWT = '''\
"""Tokens that say who somebody is."""

import hmac

LIFE = {"minutes": 60}


def sign(claims):
    body = encode(claims | {"ends": now() + LIFE})
    return body + "." + digest(body)


def verify(token):
    body, _, signature = token.partition(".")
    if not hmac.compare_digest(signature, digest(body)):
        raise PermissionError("forged")
    return decode(body)
'''

REFRESH = '''\
"""New tokens for old ones."""

from src.jwt import sign


def renew(claims):
    return sign({"user": claims["user"], "session": claims["session"]})
'''

TESTS = """\
from src.auth import login, logout


def test_adults_may_enter():
    assert login("Ada", 36)
"""

SIGNED = """\
# Signed tokens

- Status: Accepted

## Context

Every request asked the session store who was calling.

## Decision

Tokens are signed, and carry their user and their end.

## Consequences

A token cannot be taken back before it ends.
"""

SHORT = """\
# Tokens live fifteen minutes

## Context

A stolen token is good until it ends.

## Decision

Depends on: [Signed tokens](002-signed-tokens.md#decision)

Tokens live for fifteen minutes; `src/refresh.py` renews them while somebody works.

## Consequences

Clocks may differ by a minute, not by more.
"""

GUIDE = """\
# Guide

## Signing in

A login ends when nobody works for a day, see [why](adr/003-short-lives.md#decision).
"""

TOKENS = "# Tokens\n\nWhat a token says, by version.\n"


class Project:
    """A repository whose commits are one day apart; each change adds a line to a file or replaces it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._time = NEW_YEAR_2024
        root.mkdir(parents=True)
        git("init", "--quiet", "--initial-branch=main", at=root)

    def commit(self, message: str, files: Mapping[str, str]) -> None:
        """Write these files, or add a line to those that begin with `+`, and commit all there is."""
        for path, text in files.items():
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            before = place.read_text(encoding="utf-8") if text.startswith("+") and place.exists() else ""
            place.write_text(before + text.removeprefix("+"), encoding="utf-8")
        self._time += DAY
        git("add", "--all", at=self.root)
        git("commit", "--quiet", f"--message={message}", at=self.root, time=self._time)


def signing_in(home: Path) -> Path:
    """Make the project with all of its history, on its branch `main`."""
    project = Project(home / "project")
    project.commit("Let adults log in", {"src/auth.py": AUTH, "src/jwt.py": JWT, "tests/test_auth.py": TESTS})
    project.commit("Say what tokens are", {"docs/tokens.md": TOKENS, "src/refresh.py": REFRESH})
    for number, message in enumerate(MESSAGES):
        line = f"\n# {message}.\n"
        files = {"src/auth.py": f"+{line}", "docs/tokens.md": f"+\n## Version {number + 1}\n\n{message}.\n"}
        if number:
            files["tests/test_auth.py"] = f"+{line}"
        project.commit(message, files)
    project.commit(
        "Fix token expiry", {"src/jwt.py": JWT.replace("60", "15"), "src/auth.py": "+\n# Fifteen minutes.\n"}
    )
    project.commit("Record why tokens are short", {"docs/guide.md": GUIDE, "docs/adr/002-signed-tokens.md": SIGNED})
    project.commit("Tokens live fifteen minutes", {"docs/adr/003-short-lives.md": SHORT})
    return project.root


MESSAGES = (
    "Tell sessions apart",
    "Close all sessions at logout",
    "Refuse forged tokens",
    "Log refusals",
    "Count open sessions",
    "Name who closed a session",
    "Refresh tokens",
    "Keep the session when refreshing",
)
