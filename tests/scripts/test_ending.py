"""What becomes of the suite when somebody ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ENDLESS = """
import subprocess
import sys
from pathlib import Path

import pytest

@pytest.fixture
def child():
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        Path(__file__).with_name(f"{process.pid}.pid").touch()
        try:
            yield process
        finally:
            process.kill()

@pytest.mark.parametrize("number", [1, 2])
def test_endless(child, number):
    child.wait()
"""


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_sigterm_ends_the_suite_and_all_that_its_tests_started(tmp_path: Path, workers: str) -> None:
    (tmp_path / "test_endless.py").write_text(ENDLESS, encoding="utf-8")
    options = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-p", "tests.conftest", "-n", workers]
    command = [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider", str(tmp_path)]
    expected = max(int(workers), 1)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as suite:
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob("*.pid"))) < expected:
            assert suite.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        suite.send_signal(signal.SIGTERM)
        printed, _ = suite.communicate(timeout=60)
    assert suite.returncode == 128 + signal.SIGTERM, printed.decode()
    assert not [file.name for file in tmp_path.glob("*.pid") if _is_running(int(file.stem))]
