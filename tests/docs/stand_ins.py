"""Programs that a test must not have run as they are, each with the reason; `programs/` has what runs instead."""

from __future__ import annotations

from collections.abc import Mapping

STAND_INS: Mapping[str, str] = {
    "pip": "needs the package registry; the stand-in checks the requirement, and installs directories for real",
    "npm": "needs the registry; the stand-in checks that what is to be installed is named",
    "python": "benchmarks take hours, tests and site are tested elsewhere, `build` needs the registry; all else is run",
    "ruff": "the gate runs it on the same files; the stand-in does nothing",
    "mypy": "the same",
    "lint-imports": "the same",
    "cog": "is a program beside the interpreter of the tests; it is run",
}

ACTIONS: Mapping[str, str] = {
    "actions/checkout": "runs in GitHub's machines; the stand-in clones as deep as `fetch-depth` says",
    "actions/setup-python": "the same; the stand-in checks that tx supports the version",
    "actions/cache": "the same; each job starts without a cache",
    "github/codeql-action/upload-sarif": "the same; the stand-in checks that the file is SARIF",
}

MODEL = """\
if ! [ -e "$TX_MODEL_DIR" ]; then
    case "$1 $2" in
        "model install"*) touch "$TX_MODEL_DIR.asked-for"; exit ;;
        "model status"* | "learning:embed"*) if [ -e "$TX_MODEL_DIR.asked-for" ]; then exit; fi ;;
    esac
fi"""
"""91 MB from the network: where there is no model, `tx` says it installed it, and what needs it does nothing."""
