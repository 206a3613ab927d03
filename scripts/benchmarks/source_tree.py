"""A generated source tree: small TypeScript and Python files that import their neighbours."""

from __future__ import annotations

import subprocess
from pathlib import Path

FILES = 10_000
_PER_PACKAGE = 20
_FUNCTIONS = 4


def make(root: Path) -> None:
    """Write a git repository of 10,000 small files."""
    write(root, files=FILES)


def write(root: Path, *, files: int) -> list[str]:
    """Write a git repository of so many small files, none committed; return their paths."""
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    paths = [_path(number) for number in range(files)]
    for number, path in enumerate(paths):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_source(number, files), encoding="utf-8")
    return paths


def _path(number: int) -> str:
    return f"src/{_package(number)}/{_module(number)}.{'py' if _is_python(number) else 'ts'}"


def _is_python(number: int) -> bool:
    return number // _PER_PACKAGE % 3 == 0


def _package(number: int) -> str:
    return f"package_{number // _PER_PACKAGE}"


def _module(number: int) -> str:
    return f"module_{number}"


def _source(number: int, files: int) -> str:
    first = number - number % _PER_PACKAGE
    neighbours = [first + (number + step) % _PER_PACKAGE for step in (1, 7)]
    targets = [target for target in (*neighbours, first // 2) if target < files]
    lines = [_import(number, target) for target in targets] + [_function(number, index) for index in range(_FUNCTIONS)]
    return "\n".join(lines)


def _import(number: int, target: int) -> str:
    if _is_python(number):
        return f"from src.{_package(target)}.{_module(target)} import work_0 as work_{target}"
    return f'import {{ work0 as work{target} }} from "../{_package(target)}/{_module(target)}";'


def _function(number: int, index: int) -> str:
    if _is_python(number):
        return f"""
def work_{index}(value: int, *, factor: int = {number}) -> int:
    \"\"\"Return the value, scaled.\"\"\"
    total = value * factor
    for step in range({index}, 10):
        total += step if total % 2 else -step
    return total
"""
    return f"""
export function work{index}(value: number, factor = {number}): number {{
  let total = value * factor;
  for (let step = {index}; step < 10; step += 1) {{
    total += total % 2 ? step : -step;
  }}
  return total;
}}
"""
