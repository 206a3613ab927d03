from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vectors.local_hub import LocalHub
from tests.vectors.small_model import write_network
from tx_graph.vectors.models import default_directory, has_expected_sizes


@pytest.fixture
def hub() -> Iterator[LocalHub]:
    with LocalHub() as running:
        yield running


@pytest.fixture(scope="session")
def random_network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a network of MiniLM's shape and random weights (42 MB)."""
    directory = tmp_path_factory.mktemp("network")
    write_network(directory)
    return directory


@pytest.fixture(scope="session")
def real_model() -> Path:
    """The directory of the installed all-MiniLM-L6-v2."""
    directory = default_directory()
    if not has_expected_sizes(directory):
        pytest.skip(f"all-MiniLM-L6-v2 is not installed in {directory}: run 'tx model install'")
    return directory
