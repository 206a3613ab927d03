"""Anchors everything in a repository, has a formatter go over it, and counts what the verifier says then.

No program changed, so whatever counts as a finding is wrong.
"""

from __future__ import annotations

import argparse
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from scripts.benchmarks.survival.git import git_output
from scripts.benchmarks.survival.verifier import judgements, take
from scripts.benchmarks.workdir import Workdir, default_workdir
from tx_graph.anchors.verdict import Judgement
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import read_symbols

_RANGE = 5
"""Lines of the range that is anchored in the middle of each file."""
_OF_OTHERS = frozenset({"node_modules", ".tx"})

Change = Callable[[Path], None]


def main(arguments: Sequence[str]) -> int:
    """Print how many anchors there are of each verdict after the change; return 1 if there is a finding."""
    options = _parser().parse_args(arguments)
    change = _to_crlf if options.crlf else lambda root: _run(options.reformat, root)
    with Workdir(path=options.workdir).temporary() as directory:
        clone = directory / options.repository.resolve().name
        git_output(None, "clone", "--quiet", "--no-checkout", str(options.repository.resolve()), str(clone))
        git_output(clone, "checkout", "--quiet", "--detach", options.revision)
        found = verified(clone, change)
    if options.details:
        options.details.write_text("".join(f"{line}\n" for line in findings(found)), encoding="utf-8")
    print(_table(found))
    return 1 if any(one.is_finding for one in found) else 0


def verified(root: Path, change: Change) -> list[Judgement]:
    """Return what is said of anchors to all of a working tree that were taken before the change."""
    take(root, anchors(root))
    change(root)
    return judgements(root)


def anchors(root: Path) -> Iterator[Mapping[str, str]]:
    """Yield an anchor to each text file, to lines in its middle, and to each symbol."""
    for path in _text_files(root):
        source = (root / path).read_bytes()
        yield {"path": path, "type": "hash"}
        count = len(source.removesuffix(b"\n").split(b"\n"))
        if count > _RANGE:
            first = (count - _RANGE) // 2 + 1
            yield {"path": path, "lines": f"{first}-{first + _RANGE - 1}", "type": "lines"}
        for symbol in read_symbols(path, source) if language_of(path) else ():
            yield {"path": path, "symbol": symbol.name, "type": "symbol"}


def findings(found: Iterable[Judgement]) -> Iterator[str]:
    """Yield a line for each verdict above `format`: what, how far, and the verifier's own words."""
    for one in found:
        if (outcome := _outcome(one)) not in ("valid", "format"):
            yield "\t".join((one.anchor.type, one.anchor.spec, outcome, one.detail or str(one.reason or "")))


def _text_files(root: Path) -> Iterator[str]:
    """Yield the tracked files that are text and are not empty."""
    listed = git_output(root, "ls-files", "-z").decode("utf-8").split("\0")
    return (path for path in listed if path and _is_text(root / path) and not _is_of_others(path))


def _is_text(file: Path) -> bool:
    content = file.read_bytes() if file.is_file() and not file.is_symlink() else b""
    return bool(content) and b"\0" not in content


def _is_of_others(path: str) -> bool:
    return not _OF_OTHERS.isdisjoint(path.split("/"))


def _to_crlf(root: Path) -> None:
    for path in _text_files(root):
        content = (root / path).read_bytes()
        (root / path).write_bytes(content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


def _run(command: str, root: Path) -> None:
    """Run a formatter, which may fail on files that it cannot read."""
    subprocess.run(command, shell=True, cwd=root, check=False)  # noqa: S602 - the command of whoever measures


def _outcome(judgement: Judgement) -> str:
    return judgement.drift.value if judgement.drift else judgement.verdict.value


def _table(found: Sequence[Judgement]) -> str:
    counts = Counter((one.anchor.type.value, _outcome(one)) for one in found)
    lines = [f"{count:>8,}  {kind:<8}{outcome}" for (kind, outcome), count in sorted(counts.items())]
    wrong = sum(one.is_finding for one in found)
    return "\n".join([*lines, "", f"{wrong:,} of {len(found):,} anchors are findings"])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench anchors", description="Measure what anchors say of a repository that was reformatted."
    )
    parser.add_argument("repository", type=Path, metavar="REPO", help="a git repository")
    parser.add_argument("--at", dest="revision", default="HEAD", metavar="REV", help="what is anchored (%(default)s)")
    change = parser.add_mutually_exclusive_group(required=True)
    change.add_argument("--reformat", metavar="COMMAND", help="a formatter's command line, run in a clone")
    change.add_argument("--crlf", action="store_true", help="give all lines the ends that Windows has, instead")
    parser.add_argument("--details", type=Path, metavar="FILE", help="write there what is above format")
    parser.add_argument(
        "--workdir", type=Path, default=default_workdir(), metavar="DIR", help="where the clone lies (%(default)s)"
    )
    return parser
