"""Environments as users have them: the wheel, built once, and what it asks for with an extra or without."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from tests.journeys.traveller import Traveller, install

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("", "search", "mcp", "notebook")


@pytest.fixture(scope="session")
def environments(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Mapping[str, Path]:
    """Return an environment for each extra; all processes of a run share them."""
    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "journeys"
    shared.mkdir(exist_ok=True)
    made = {extra: shared / (extra or "plain") for extra in EXTRAS}
    with (shared / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not (dist := shared / "dist").exists():
            command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(dist)]
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
            for extra, directory in made.items():
                install(next(dist.iterdir()), directory, *([extra] if extra else []))
    return made


@pytest.fixture
def user(tmp_path: Path, environments: Mapping[str, Path]) -> Traveller:
    """Somebody who has just installed tx, without extras, and has typed nothing yet."""
    return Traveller(tmp_path, environments)
