from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.vectors.local_hub import LocalHub, Page
from tests.vectors.small_model import CONTENTS, FILES
from tx_graph.core.errors import ModelError
from tx_graph.core.ports import Progress
from tx_graph.vectors.download import HUB_REPOSITORY, ModelHub, Source
from tx_graph.vectors.installation import ModelState, ModelStore
from tx_graph.vectors.models import ModelFile, default_directory

ROOT = Path(__file__).parents[2]

INSTALL = """
import json, sys
from pathlib import Path
from tx_graph.vectors.models import ModelFile
from tx_graph.vectors.installation import ModelStore
from tx_graph.vectors.download import ModelHub
directory, url, files = sys.argv[1], sys.argv[2], [ModelFile(**file) for file in json.loads(sys.argv[3])]
store = ModelStore(Path(directory), files=files, sources=[ModelHub(url)], check=lambda directory: None)
print(store.install().downloaded)
"""


def page(name: str) -> str:
    """Where the hub has a file."""
    return f"/{HUB_REPOSITORY}/resolve/main/{name}"


def serve(hub: LocalHub) -> None:
    """Let the hub serve the small model as it should."""
    hub.pages |= {page(name): Page(body=body) for name, body in CONTENTS.items()}


@pytest.fixture
def store(tmp_path: Path, hub: LocalHub) -> ModelStore:
    """A place for a model, which the hub serves as it should."""
    serve(hub)
    return store_at(tmp_path / "cache" / "model", ModelHub(hub.url))


def stalled(hub: LocalHub, sent: int) -> threading.Event:
    """Let the hub send the beginning of the weights, and the rest when the event is set."""
    stall = threading.Event()
    hub.pages[page("model.safetensors")] = Page(body=CONTENTS["model.safetensors"], sent=sent, stall=stall)
    return stall


def accept(directory: Path) -> None:
    """Take any model for a good one."""


def store_at(directory: Path, *sources: Source) -> ModelStore:
    return ModelStore(directory, files=FILES, sources=sources, check=accept)


def installing(directory: Path, hub: LocalHub) -> subprocess.Popen[str]:
    """Start an install in a process of its own."""
    files = json.dumps([file._asdict() for file in FILES])
    command = [sys.executable, "-c", INSTALL, str(directory), hub.url, files]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def leftovers(directory: Path) -> list[Path]:
    return [path for path in directory.parent.iterdir() if path.is_dir() and path != directory]


class FakeSource:
    """Delivers given contents, or fails to write them."""

    name = "a fake source"

    def __init__(self, contents: dict[str, bytes], *, error: OSError | None = None) -> None:
        self._contents = contents
        self._error = error

    def fetch(self, files: Sequence[ModelFile], into: Path, progress: Progress) -> None:
        if self._error:
            raise self._error
        for name, body in self._contents.items():
            (into / name).write_bytes(body)


def test_nothing_is_there_before_the_install_and_status_asks_no_network(store: ModelStore, hub: LocalHub) -> None:
    status = store.status(verify=True)
    assert (status.state, status.size_bytes, status.source) == (ModelState.MISSING, 0, "")
    assert hub.requests == []


def test_an_install_downloads_once_and_says_from_where(store: ModelStore, hub: LocalHub) -> None:
    seen: list[tuple[int, int | None]] = []
    installation = store.install(lambda done, total: seen.append((done, total)))
    size = sum(map(len, CONTENTS.values()))
    assert (installation.downloaded, installation.failures) == (True, ())
    assert installation.status == store.status(verify=True)
    assert (installation.status.state, installation.status.source) == (ModelState.INSTALLED, hub.url)
    assert installation.status.size_bytes == size
    assert {name: (store.directory / name).read_bytes() for name in CONTENTS} == CONTENTS
    assert leftovers(store.directory) == []
    assert seen[-1] == (size, size)  # progress counts the bytes of all files
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    hub.requests.clear()
    assert not store.install().downloaded
    assert hub.requests == []


_WEIGHTS, _TOKENS = CONTENTS["model.safetensors"], CONTENTS["tokenizer.json"]


@pytest.mark.parametrize(
    ("name", "served", "message"),
    [
        ("model.safetensors", Page(status=404), r"model\.safetensors: HTTP status 404"),
        ("model.safetensors", Page(body=_WEIGHTS[:-1]), "is incomplete: 319999 of 320000 bytes"),
        ("tokenizer.json", Page(body=_TOKENS, sent=3), r"tokenizer\.json .*incomplete"),
        ("tokenizer.json", Page(body=b"x" * 5_000_000), "more than the expected"),
        ("tokenizer.json", Page(body=_TOKENS[::-1]), r"tokenizer\.json .* has the digest"),
    ],
    ids=["missing", "truncated", "cut off", "endless", "other bytes"],
)
def test_what_is_not_the_model_is_refused_and_leaves_nothing(
    store: ModelStore, hub: LocalHub, name: str, served: Page, message: str
) -> None:
    hub.pages[page(name)] = served
    with pytest.raises(ModelError, match=message) as caught:
        store.install()
    assert caught.value.hint
    assert store.status().state is ModelState.MISSING
    assert not store.directory.exists()
    assert leftovers(store.directory) == []


def test_every_source_that_failed_gives_its_reason(tmp_path: Path, hub: LocalHub) -> None:
    wrong = FakeSource({**CONTENTS, "tokenizer.json": b"{}"})
    with pytest.raises(ModelError, match=r"HTTP status 404.*tokenizer\.json from a fake source is incomplete"):
        store_at(tmp_path / "model", ModelHub(hub.url), wrong).install()


def test_the_next_source_is_tried_when_one_fails(tmp_path: Path, hub: LocalHub) -> None:
    store = store_at(tmp_path / "model", ModelHub(hub.url), FakeSource(CONTENTS))
    installation = store.install()
    assert installation.status.source == "a fake source"
    assert len(installation.failures) == 1


def test_a_silent_server_is_given_up_on(store: ModelStore, hub: LocalHub) -> None:
    stall = stalled(hub, 100)
    with pytest.raises(ModelError, match="no answer in time"):
        store_at(store.directory, ModelHub(hub.url, timeout=0.2)).install()
    stall.set()


def test_a_server_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="refused"):
        store_at(tmp_path / "model", ModelHub("http://127.0.0.1:9")).install()


def test_a_model_that_computes_nonsense_is_not_installed(tmp_path: Path, hub: LocalHub) -> None:
    def reject(directory: Path) -> None:
        raise ModelError(f"{directory.name} computes nonsense")

    serve(hub)
    store = ModelStore(tmp_path / "model", files=FILES, sources=[ModelHub(hub.url)], check=reject)
    with pytest.raises(ModelError, match="nonsense"):
        store.install()
    assert store.status().state is ModelState.MISSING
    assert leftovers(store.directory) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_install_leaves_no_model_and_the_next_one_cleans_up(store: ModelStore, hub: LocalHub) -> None:
    stall = stalled(hub, 1000)
    with installing(store.directory, hub) as process:
        assert hub.reached_half.wait(timeout=20)
        process.send_signal(signal.SIGKILL)
    stall.set()
    assert store.status().state is ModelState.MISSING
    assert len(leftovers(store.directory)) == 1
    serve(hub)
    assert store.install().status.state is ModelState.INSTALLED
    assert leftovers(store.directory) == []


def test_a_second_install_waits_for_the_first_and_downloads_nothing(store: ModelStore, hub: LocalHub) -> None:
    stall, directory = stalled(hub, 1000), store.directory
    with installing(directory, hub) as first, installing(directory, hub) as second:
        assert hub.reached_half.wait(timeout=20)
        stall.set()
        said = [first.communicate(timeout=20)[0].strip(), second.communicate(timeout=20)[0].strip()]
    assert sorted(said) == ["False", "True"]
    assert hub.paths().count(page("model.safetensors")) == 1


def test_damage_is_found_and_mended_by_the_next_install(store: ModelStore) -> None:
    store.install()
    os.truncate(store.directory / "model.safetensors", 7)
    status = store.status()
    assert status.state is ModelState.DAMAGED
    assert "model.safetensors has 7 bytes" in status.detail
    assert store.install().downloaded
    assert store.status(verify=True).state is ModelState.INSTALLED
    (store.directory / "tokenizer.json").write_bytes(_TOKENS[::-1])
    assert store.status().state is ModelState.INSTALLED  # only verifying finds a flipped byte
    assert store.status(verify=True).state is ModelState.DAMAGED
    assert store.install().downloaded
    (store.directory / "tokenizer.json").unlink()
    assert store.status().detail == "tokenizer.json is missing"


def test_removing_frees_the_space_and_may_be_repeated(store: ModelStore) -> None:
    size = store.install().status.size_bytes
    assert store.remove() == size
    assert not store.directory.exists()
    assert store.remove() == 0


def test_removing_a_model_that_never_was_creates_nothing(tmp_path: Path) -> None:
    assert store_at(tmp_path / "cache" / "model").remove() == 0
    assert list(tmp_path.iterdir()) == []


def test_other_content_of_the_directory_is_left_alone(store: ModelStore) -> None:
    (store.directory / "mine").mkdir(parents=True)
    assert store.install().status.state is ModelState.INSTALLED
    store.remove()
    assert [path.name for path in store.directory.iterdir()] == ["mine"]


def test_a_full_disk_is_explained(tmp_path: Path) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    store = store_at(tmp_path / "model", FakeSource({}, error=full), FakeSource(CONTENTS))
    with pytest.raises(ModelError, match="No space left") as caught:
        store.install()
    assert "Free about" in caught.value.hint
    assert leftovers(store.directory) == []


def test_a_place_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = store_at(tmp_path / "file" / "model", FakeSource(CONTENTS))
    with pytest.raises(ModelError, match="Cannot install the model") as caught:
        store.install()
    assert "TX_MODEL_DIR" in caught.value.hint


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_place_without_permission_is_explained(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ModelError, match="Permission denied"):
        store_at(tmp_path / "cache" / "model", FakeSource(CONTENTS)).install()


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"TX_MODEL_DIR": "/models/mine", "XDG_CACHE_HOME": "/x"}, "linux", Path("/models/mine")),
        ({"XDG_CACHE_HOME": "/x"}, "linux", Path("/x/tx/models/all-MiniLM-L6-v2")),
        ({"LOCALAPPDATA": "/local"}, "win32", Path("/local/tx/models/all-MiniLM-L6-v2")),
        ({}, "linux", Path.home() / ".cache/tx/models/all-MiniLM-L6-v2"),
        ({}, "darwin", Path.home() / "Library/Caches/tx/models/all-MiniLM-L6-v2"),
    ],
)
def test_the_model_lives_in_the_users_cache(environment: dict[str, str], platform: str, expected: Path) -> None:
    assert default_directory(environment, platform=platform) == expected


def test_a_mirror_named_by_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    assert ModelHub().name == "https://mirror.example"


@pytest.mark.model
def test_the_installed_model_is_intact(real_model: Path) -> None:
    assert ModelStore(real_model, sources=[]).status(verify=True).state is ModelState.INSTALLED
