"""Stands in for python where that would take hours or the registry: benchmarks stop once their arguments are read."""

from __future__ import annotations

import os
import subprocess
import sys

PARSE = """
import argparse, sys
parse = argparse.ArgumentParser.parse_args
def parsed(parser, *arguments):
    print(parse(parser, *arguments))
    sys.exit()
argparse.ArgumentParser.parse_args = parsed
from importlib import import_module
sys.exit(import_module(sys.argv.pop(1)).main(sys.argv[1:]))
"""

arguments = sys.argv[1:]
os.environ.pop("SITE")
if arguments[:3] == ["-P", "-m", "scripts.benchmarks"]:
    arguments = ["-P", "-c", PARSE, "scripts.benchmarks.__main__", *arguments[3:]]
elif arguments[:2] in (["-m", "benchmarks.questions"], ["-m", "benchmarks.locomo"], ["-m", "benchmarks.facts"]):
    arguments = ["-c", PARSE, *arguments[1:]]
elif arguments[:2] == ["-m", "pytest"]:
    arguments = ["-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", "tests/graph", *arguments[2:]]
elif arguments[:2] == ["-m", "sphinx"]:
    sys.exit()
elif arguments[:2] == ["-m", "build"]:
    target = ["-t", "wheel"] if "--wheel" in arguments else []
    arguments = ["-m", "hatchling", "build", *target]
sys.exit(subprocess.run([sys.executable, *arguments], check=False).returncode)
