"""What is installed for CI and released is locked to the byte, and a release says what is in it."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from cyclonedx.output.json import JsonV1Dot6
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.sbom import VENDOR, materials
from tx_graph.vectors.models import MINILM_FILES
from tx_graph.version import __version__

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DECLARED = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]
RUNTIME = DECLARED["dependencies"]
EXTRAS = DECLARED["optional-dependencies"]
ALL = [line for extra in ("llm", "mcp", "notebook", "search", "transcripts") for line in EXTRAS[extra]]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("requirements.txt", [*RUNTIME, *ALL]),
        ("requirements-dev.txt", [*RUNTIME, *ALL, *EXTRAS["dev"][1:]]),
    ],
)
def test_every_dependency_is_locked_to_a_version_that_is_asked_for(name: str, wanted: list[str]) -> None:
    locked: dict[str, list[str]] = {}
    for found, version in re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / name).read_text("utf-8"), re.MULTILINE):
        locked.setdefault(found, []).append(version)
    for requirement in map(Requirement, wanted):
        versions = locked.get(canonicalize_name(requirement.name), [])
        assert versions, f"{name} lacks {requirement.name}: run scripts/lock"
        assert all(requirement.specifier.contains(one) for one in versions), f"{requirement}: run scripts/lock"


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_locked_file_has_a_digest_and_no_index_is_named(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    entries = re.split(r"\n(?=\S)", text)
    assert all("--hash=sha256:" in entry for entry in entries if not entry.startswith("#"))
    assert "://" not in text


def test_the_bill_of_materials_has_every_locked_package_library_of_the_page_and_the_model_with_their_digests() -> None:
    text = (ROOT / "requirements.txt").read_text("utf-8")
    bill = json.loads(JsonV1Dot6(materials(text)).output_as_string())
    packages = [one for one in bill["components"] if one.get("purl", "").startswith("pkg:pypi/")]
    vendored = json.loads((VENDOR / "manifest.json").read_text("utf-8"))
    assert {f"{one['name']}=={one['version']}" for one in packages} == set(
        re.findall(r"^[\w.-]+==[^\s;]+", text, re.MULTILINE)
    )
    digests = {one["content"] for found in bill["components"] for one in found["hashes"]}
    files = [one["sha256"] for one in vendored] + [file.sha256 for file in MINILM_FILES]
    assert digests == {*re.findall(r"sha256:(\w+)", text), *files}
    (root,) = (one for one in bill["dependencies"] if one["ref"] == "tx-graph")
    assert len(root["dependsOn"]) == len(bill["components"])


def test_the_changelog_has_a_section_of_this_version_that_begins_with_what_changes_for_its_reader() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    _, _, section = text.partition(f"\n## [{__version__}]\n")
    assert section.lstrip().startswith("What changes for you:")
