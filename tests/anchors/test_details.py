"""Learnings that are tied to constants, fields and functions inside others: found again when they are renamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.anchors.bank import Bank

CODE = '''"""Limits."""

TIMEOUT = 30
RETRIES = 5
BACKOFF = {"first": 0.5, "factor": 2, "most": 60}


def fetch(url):
    def attempt(number):
        wait = BACKOFF["first"] * BACKOFF["factor"] ** number
        return min(wait, BACKOFF["most"]), url

    return attempt


class Pool:
    size = 10
    """Connections."""
'''


@pytest.fixture
def limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    bank = Bank(tmp_path, monkeypatch)
    bank.write("limits.py", CODE)
    bank.write("other.py", '"""Nothing yet."""\n')
    bank.git.commit()
    return bank


def told(bank: Bank) -> tuple[str, str | None]:
    [checked] = bank.verify().checked
    judgement = checked.judgement
    there = judgement.relocated_to.spec if judgement.relocated_to else None
    return f"{judgement.verdict.value}{f':{judgement.drift.value}' if judgement.drift else ''}", there


@pytest.mark.parametrize("is_committed", [True, False])
@pytest.mark.parametrize(
    ("spec", "old", "new", "verdict"),
    [
        ("RETRIES", "RETRIES = 5", "ATTEMPTS = 5", ("relocated", "limits.py::ATTEMPTS")),
        ("RETRIES", "RETRIES = 5", "RETRIES = 6", ("drifted:body", None)),
        ("RETRIES", "RETRIES = 5", "ATTEMPTS = 6", ("invalid", None)),
        ("RETRIES", "RETRIES = 5", "ATTEMPTS = 5\nTRIES = 5", ("invalid", None)),
        ("RETRIES", "RETRIES = 5\n", "", ("invalid", None)),
        ("fetch::attempt", "attempt", "once_more", ("relocated", "limits.py::fetch::once_more")),
        ("Pool::size", "class Pool", "class Connections", ("relocated", "limits.py::Connections::size")),
        ("TIMEOUT", "TIMEOUT = 30", "TIMEOUT  =  30", ("drifted:format", None)),
    ],
)
def test_a_detail_is_known_by_its_code(
    limits: Bank, spec: str, old: str, new: str, verdict: tuple[str, str | None], *, is_committed: bool
) -> None:
    limits.add("It was measured", f"limits.py::{spec}")
    limits.write("limits.py", CODE.replace(old, new))
    if is_committed:
        limits.git.commit()
    assert told(limits) == verdict


def test_a_constant_that_moves_to_another_file_is_known_by_its_name(limits: Bank) -> None:
    limits.add("It was measured", "limits.py::BACKOFF")
    line = next(line for line in CODE.split("\n") if line.startswith("BACKOFF"))
    limits.write("limits.py", CODE.replace(f"{line}\n", "from other import BACKOFF\n"))
    limits.write("other.py", f'"""Of others."""\n\n{line}\n')
    limits.git.commit()
    assert told(limits) == ("relocated", "other.py::BACKOFF")


def test_what_was_there_before_is_no_new_name(limits: Bank) -> None:
    limits.write("limits.py", CODE.replace("RETRIES = 5", "RETRIES = 5\nWORKERS = 5"))
    limits.git.commit()
    limits.add("It was measured", "limits.py::RETRIES")
    limits.write("limits.py", CODE.replace("RETRIES = 5", "WORKERS = 5"))
    limits.git.commit()
    assert told(limits) == ("invalid", None)
