"""Jobs, hooks and lines of cron come into files that others have filled, and go out of them without a trace."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import Client
from tx_graph.faces.setup.setting_up import set_up

LISTS = [
    "repos:\n- repo: x\n  rev: '1'\n  hooks: [{id: a}]\n",
    "# ours\r\nrepos:\r\n\r\n    # why\r\n    - repo: x\r\n      hooks: []\r\nci: {skip: [a]}\r\n",
    "default_stages: [commit]\nrepos:   # all\n  - {repo: x, hooks: []}",
]


def repos(path: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load(path.read_bytes())["repos"])


@pytest.mark.parametrize("before", LISTS)
def test_an_item_comes_first_in_the_list_that_is_there(tmp_path: Path, before: str) -> None:
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_bytes(before.encode())
    others = repos(path)
    for _ in range(2):
        set_up(tmp_path, Client.PRE_COMMIT, write=True)
        first, *rest = repos(path)
        assert [one["entry"] for one in first["hooks"]] == [
            "tx verify --staged --since HEAD",
            "tx graph:check-changes --staged",
        ]
        assert rest == others
    set_up(tmp_path, Client.PRE_COMMIT, undo=True)
    assert path.read_bytes() == before.encode()


@pytest.mark.parametrize(
    "before", ["include: a.yml\n", "include: [a.yml]\n", "include:\n", "- a\n", "a: [\n", "{a: 1}\n"]
)
def test_yaml_of_another_shape_is_left_to_people(tmp_path: Path, before: str) -> None:
    path = tmp_path / ".gitlab-ci.yml"
    path.write_text(before)
    with pytest.raises(UsageError, match=r"In \.gitlab-ci\.yml|not plain YAML") as refusal:
        set_up(tmp_path, Client.GITLAB, write=True)
    assert refusal.value.hint
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert path.read_text() == before


def test_gitlab_includes_the_job_beside_what_it_includes_already(tmp_path: Path) -> None:
    path = tmp_path / ".gitlab-ci.yml"
    path.write_text(before := "include:\n  - local: other.yml\nbuild:\n  script: !reference [.a, script]\n")
    set_up(tmp_path, Client.GITLAB, write=True)
    assert "  - local: .gitlab/tx.yml\n" in path.read_text()
    job = yaml.safe_load((tmp_path / ".gitlab/tx.yml").read_text())["tx-review"]
    assert job["artifacts"]["reports"].keys() == {"codequality", "junit"}
    set_up(tmp_path, Client.GITLAB, undo=True)
    assert path.read_text() == before
    assert not (tmp_path / ".gitlab").exists()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A crontab in a file, for a program of that name which reads and writes it as cron's does."""
    table, program = tmp_path / "table", tmp_path / "bin" / "crontab"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncase "$1" in -l) cat {table} ;; -r) rm {table} ;; -) cat > {table} ;; esac\n', encoding="utf-8"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return table


@pytest.mark.skipif(os.name != "posix", reason="cron is there where POSIX is")
def test_each_repository_has_its_own_line_of_cron(tmp_path: Path, table: Path) -> None:
    table.write_text(before := "MAILTO=me\n5 5 * * * true\n")
    roots = [tmp_path / name for name in ("a", "a b", "a b/100%")]
    for root in roots:
        root.mkdir()
        set_up(root, Client.CRON, write=True, command="true")
    lines = [line for line in table.read_text().splitlines() if line.startswith("30 6")]
    assert len(lines) == len(roots)
    for line in lines:  # as cron hands it to the shell
        subprocess.run(["sh", "-ec", line.split("  ", 1)[1].replace(r"\%", "%")], check=True)
    for root in roots:
        set_up(root, Client.CRON, undo=True)
    assert table.read_text() == before


def test_without_cron_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="no cron here"):
        set_up(tmp_path, Client.CRON, write=True)
