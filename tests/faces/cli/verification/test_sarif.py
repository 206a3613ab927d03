"""--format sarif: valid by the official schema, and what code scanning needs to show and to recognise findings."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

import fastjsonschema
import pytest

from tests.faces.cli.terminal import Checkout, CommandLine
from tests.isolation import ROOT
from tx_graph.anchors.reports import RULES

SCHEMA = ROOT / "fixtures" / "sarif" / "sarif-schema-2.1.0.json"


@pytest.fixture(scope="module")
def validate() -> Any:  # noqa: ANN401 - a generated function
    return fastjsonschema.compile(json.loads(SCHEMA.read_text(encoding="utf-8")))


def run_of(tx: CommandLine) -> Any:  # noqa: ANN401 - JSON
    """Return the one run of the log."""
    (run,) = tx("graph:verify --format sarif").document["runs"]
    return run


def location(result: Any) -> tuple[str, int, int]:  # noqa: ANN401 - JSON
    """Return where a result points at."""
    (one,) = result["locations"]
    physical = one["physicalLocation"]
    assert physical["artifactLocation"]["uriBaseId"] == "SRCROOT"
    region = physical["region"]
    return (physical["artifactLocation"]["uri"], region["startLine"], region["endLine"])


def break_in_every_way(tx: CommandLine, checkout: Checkout) -> None:
    """Make anchors of all verdicts there are."""
    checkout.write(
        "src/b.py", "def body():\n    return 1\n\n\ndef head(a):\n    return a\n\n\ndef note():\n    # a\n    x()\n"
    )
    checkout.write("src/gone.py", "one = 1\n")
    checkout.write("docs/guide.txt", "first\nsecond\n")
    for spec in ("src/b.py::body", "src/b.py::head", "src/b.py::note", "src/gone.py", "docs/guide.txt:L1-L2"):
        tx.add(f"About {spec}", "--anchor", spec)
    checkout.git("add", "--all")
    tx.add("About texts", "--anchor", "docs/*.txt")
    checkout.commit()
    checkout.edit("return 1", "return 2", path="src/b.py")
    checkout.edit("head(a)", "head(a, b)", path="src/b.py")
    checkout.edit("# a", "# b", path="src/b.py")
    checkout.edit("def login", "def enter")
    (checkout.root / "src" / "gone.py").unlink()
    checkout.write("docs/guide.txt", "other\n")
    checkout.git("rm", "--cached", "--quiet", "docs/guide.txt")


def test_the_log_is_valid_by_the_official_schema(tx: CommandLine, checkout: Checkout, validate: Any) -> None:  # noqa: ANN401
    validate(tx.ok("graph:verify --format sarif").document)
    break_in_every_way(tx, checkout)
    outcome = tx("graph:verify --format sarif")
    validate(outcome.document)
    found = {result["ruleId"] for result in outcome.document["runs"][0]["results"]}
    assert found == {
        "tx/drifted-body",
        "tx/drifted-signature",
        "tx/drifted-comment",
        "tx/relocated",
        "tx/file-deleted",
        "tx/content-missing",
        "tx/pattern-matches-nothing",
    }
    assert (outcome.status, outcome.err) == (1, "")


def test_every_result_points_at_a_line_that_exists(tx: CommandLine, checkout: Checkout) -> None:
    break_in_every_way(tx, checkout)
    for result in run_of(tx)["results"]:
        path, first, last = location(result)
        lines = (checkout.root / unquote(path)).read_text(encoding="utf-8").splitlines()
        assert 1 <= first <= last <= len(lines)


def test_a_rule_says_how_serious_it_is_and_what_to_do(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(">= 18", "< 18")
    run = run_of(tx)
    (result,) = run["results"]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (result["ruleId"], rule["id"], result["level"]) == ("tx/drifted-body", "tx/drifted-body", "warning")
    assert (rule["name"], rule["defaultConfiguration"]["level"]) == ("DriftedBody", "warning")
    assert "tx graph:confirm" in rule["help"]["text"]
    assert len({rule.id for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    assert location(result) == ("src/auth.py", 4, 6)


def test_a_finding_is_recognised_when_its_code_has_moved(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(">= 18", "< 18")
    (before,) = run_of(tx)["results"]
    checkout.edit("import os", "import os\nimport sys")
    (after,) = run_of(tx)["results"]
    assert location(after) == ("src/auth.py", 5, 7)
    assert after["partialFingerprints"] == before["partialFingerprints"]


def test_learnings_about_one_place_are_one_result_that_names_them_all(tx: CommandLine, checkout: Checkout) -> None:
    """Services tell results apart by rule and line, and would drop the second."""
    tx.add("Ages are whole years", "--anchor", "src/auth.py::login")
    checkout.edit(">= 18", "< 18")
    (result,) = run_of(tx)["results"]
    assert "Only adults may enter" in result["message"]["text"]
    assert "Ages are whole years" in result["message"]["text"]
    assert len(result["properties"]["learnings"]) == 2


def test_a_path_is_a_uri(tx: CommandLine, checkout: Checkout) -> None:
    path = "src/o d/ü#1%.py"
    checkout.write(path, "def f():\n    return 1\n")
    tx.add("Odd", "--anchor", f"{path}::f")
    checkout.edit("1", "2", path=path)
    (result,) = run_of(tx)["results"]
    assert location(result)[0] == "src/o%20d/%C3%BC%231%25.py"
