from pathlib import Path

from tests.attack.conftest import lost


def test_what_is_attacked_is_whole_before(victim: Path) -> None:
    assert lost(victim) == []
