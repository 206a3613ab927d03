"""`tx doc:verify` in each form that CI services take, valid by its schema, and its exit status."""

from __future__ import annotations

import json

from tests.faces.cli.terminal import Checkout, CommandLine
from tests.faces.cli.verification.test_severity import FORMS, checked_junit, validators


def test_each_form_tells_each_finding_with_its_place_and_the_status_says_whether_there_is_one(
    tx: CommandLine, checkout: Checkout
) -> None:
    checkout.write("src/old/keys.py", "KEYS = 'a', 'b', 'c'\n")
    checkout.write("docs/guide.md", "# Keys\n\nThey are in `src/old/keys.py`.\n")
    checkout.git("add", "--all")
    checkout.commit()
    assert {form: tx("doc:verify", "--format", form).status for form in FORMS} == dict.fromkeys(FORMS, 0)
    (checkout.root / "src/old/keys.py").unlink()
    told = {form: tx("doc:verify", "--format", form) for form in FORMS}
    assert {form: one.status for form, one in told.items()} == dict.fromkeys(FORMS, 1)
    gitlab, sarif = (json.loads(told[form].out) for form in ("gitlab", "sarif"))
    for validate, document in zip(validators(), (gitlab, sarif), strict=True):
        validate(document)
    (issue,) = gitlab
    assert (issue["check_name"], issue["severity"]) == ("tx/prose-gone", "major")
    assert issue["location"] == {"path": "docs/guide.md", "lines": {"begin": 3, "end": 3}}
    (result,) = sarif["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 3
    place = "file=docs/guide.md,line=3,endLine=3,title=A document names what is gone"
    assert told["github"].out.startswith(f"::error {place}::'src/old/keys.py' is gone")
    suite = checked_junit(told["junit"].out)
    assert [suite.attrib[name] for name in ("tests", "failures")] == ["2", "1"]
