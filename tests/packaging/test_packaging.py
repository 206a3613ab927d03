"""What is built can be installed, and finds what it needs where it landed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tx_graph.faces.cli.completion.scripts import Shell, script_for
from tx_graph.faces.operations import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
MUSL = "musllinux_1_2_x86_64"

LINUX = {"sys_platform": "linux", "platform_machine": "x86_64", "python_version": "3.13"}
ALL_NATIVE = {"ast-grep-py", "fastembed", "kingfisher-secret-scanner", "pysqlite3", "sqlite-vec"}
NATIVE = ALL_NATIVE | {"sqlean-py"}

SHELLS = {
    Shell.BASH: "bash-completion/completions/tx",
    Shell.ZSH: "zsh/site-functions/_tx",
    Shell.FISH: "fish/vendor_completions.d/tx.fish",
}

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """Return what the command prints; fail the test with its messages when it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(target: str, into: Path, *, source: Path = ROOT, **environment: str) -> Path:
    """Return the one distribution built from `source`."""
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into, cwd=source, **environment)
    (built,) = into.iterdir()
    return built


def build_editable(into: Path) -> Path:
    """Return the wheel that an editable installation installs."""
    into.mkdir()
    run(sys.executable, "-c", "import sys, hatchling.build as b; b.build_editable(sys.argv[1])", into)
    (built,) = into.iterdir()
    return built


def unpack(sdist: Path, into: Path) -> Path:
    """Return the source tree inside the sdist."""
    into.mkdir()
    run(sys.executable, "-m", "tarfile", "-e", sdist, into)
    (source,) = into.iterdir()
    return source


def install(wheel: Path, into: Path) -> Path:
    """Return the interpreter of a new virtual environment with the wheel, and our dependencies behind it."""
    run(sys.executable, "-m", "venv", "--without-pip", into)
    python = into / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    offline = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    run(sys.executable, "-m", "pip", "--python", python, "install", *offline, wheel)
    site_packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    # Directories named in a .pth file come after the environment's own, and their .pth files are not read.
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python


def migration_directory(python: Path, *, cwd: Path) -> Path:
    """Return where the installed package finds its migrations."""
    code = "from tx_graph.core.migrations import migration_directory as d; print(d())"
    return Path(run(python, "-c", code, cwd=cwd).strip())


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


SEARCH = {"fastembed", "kingfisher-secret-scanner", "numpy", "sqlite-vec", "tokenizers"}
"""What only the extras `search` and `transcripts` ask for."""


def requirements(wheel: Path) -> list[Requirement]:
    """Return what the wheel asks for, with what the extras `search` and `transcripts` do."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])
    return [Requirement(line) for line in lines if not re.search("extra == '(?!search|transcripts)", line)]


def asked(wheel: Path, platform: dict[str, str], *extras: str) -> set[str]:
    """Return the names of what an installation with these extras asks for on this platform."""
    environments = [{**platform, "extra": extra} for extra in ("", *extras)]
    return {
        line.name for line in requirements(wheel) if not line.marker or any(map(line.marker.evaluate, environments))
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("dist") / "wheel")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("source")
    return unpack(build("sdist", directory / "sdist"), directory / "tree")


def test_a_wheel_holds_the_whole_package_and_its_migrations(wheel: Path) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tx_graph").rglob("*.py")}
    scripts = (path.relative_to(ROOT / "migrations") for path in (ROOT / "migrations").rglob("*.sql"))
    migrations = {f"tx_graph/_migrations/{path.as_posix()}" for path in scripts}
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert modules | migrations | {"tx_graph/py.typed"} <= held


def test_a_wheel_brings_a_page_for_man_with_every_command_and_completion_for_each_shell(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (data,) = {name.partition("/")[0] for name in archive.namelist() if ".data/" in name}
        page = archive.read(f"{data}/data/share/man/man1/tx.1").decode()
        for shell, place in SHELLS.items():
            assert archive.read(f"{data}/data/share/{place}").decode() == script_for(shell)
    told = [line.removeprefix(".B ").replace("\\-", "-") for line in page.splitlines()]
    assert set(COMMANDS) <= set(told)
    assert not [line for line in page.splitlines() if line.startswith("'")]  # roff would take it for an order


def test_the_same_commit_gives_the_same_bytes_wherever_it_is_built(source: Path, wheel: Path, tmp_path: Path) -> None:
    built = [build("wheel", tmp_path / str(n), source=source, SOURCE_DATE_EPOCH=str(10**9)) for n in range(2)]
    assert built[0].read_bytes() == built[1].read_bytes()
    assert built[0].read_bytes() != wheel.read_bytes()  # the date is that of the commit


def test_a_wheel_offers_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "tx = tx_graph.faces.cli.main:main" in archive.read(entry_points).decode()


def test_an_installed_wheel_finds_its_own_migrations(wheel: Path, tmp_path: Path) -> None:
    python = install(wheel, tmp_path / "venv")
    found = migration_directory(python, cwd=tmp_path)
    assert found.is_relative_to(tmp_path)
    assert found.name == "_migrations"
    assert names(found) == names(ROOT / "migrations")


def test_an_editable_install_finds_the_migrations_of_the_checkout(tmp_path: Path) -> None:
    python = install(build_editable(tmp_path / "dist"), tmp_path / "venv")
    assert migration_directory(python, cwd=tmp_path) == ROOT / "migrations"


def test_an_sdist_keeps_the_migrations_at_the_top(source: Path) -> None:
    assert names(source / "migrations") == names(ROOT / "migrations")
    assert (source / "LICENSE").is_file()


def test_a_wheel_from_the_sdist_is_the_wheel_from_the_checkout(wheel: Path, source: Path, tmp_path: Path) -> None:
    again = build("wheel", tmp_path / "dist", source=source)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
    assert {str(line) for line in requirements(wheel)} == {str(line) for line in requirements(again)}
    found = migration_directory(install(again, tmp_path / "venv"), cwd=tmp_path)
    assert names(found) == names(ROOT / "migrations")


@pytest.mark.parametrize("from_sdist", [False, True])
def test_a_wheel_for_musl_says_so_and_asks_only_for_what_musl_has(
    from_sdist: bool, source: Path, tmp_path: Path
) -> None:
    tree = source if from_sdist else ROOT
    built = build("wheel", tmp_path / "dist", source=tree, TX_WHEEL_PLATFORM=MUSL)
    assert built.name.endswith(f"-py3-none-{MUSL}.whl")
    names = {line.name for line in requirements(built)}
    assert names & NATIVE == {"pysqlite3"}
    assert "numpy" in names


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        (LINUX, ALL_NATIVE),
        ({**LINUX, "platform_machine": "aarch64"}, ALL_NATIVE - {"pysqlite3"} | {"sqlean-py"}),
        ({**LINUX, "platform_machine": "riscv64"}, set()),
        ({**LINUX, "python_version": "3.15"}, {"kingfisher-secret-scanner", "sqlite-vec"}),
        ({**LINUX, "sys_platform": "darwin", "platform_machine": "arm64"}, ALL_NATIVE),
        ({**LINUX, "sys_platform": "darwin"}, ALL_NATIVE - {"pysqlite3"} | {"sqlean-py"}),
        (
            {**LINUX, "sys_platform": "darwin", "python_version": "3.14"},
            {"ast-grep-py", "kingfisher-secret-scanner", "sqlean-py", "sqlite-vec"},
        ),
        ({**LINUX, "sys_platform": "win32", "platform_machine": "AMD64"}, ALL_NATIVE),
        ({**LINUX, "sys_platform": "win32", "platform_machine": "ARM64"}, {"kingfisher-secret-scanner"}),
    ],
    ids=lambda value: "-".join(value.values()) if isinstance(value, dict) else "",
)
def test_a_platform_is_asked_only_for_what_has_a_wheel_there(
    platform: dict[str, str], expected: set[str], wheel: Path
) -> None:
    assert asked(wheel, platform, "search", "transcripts") & NATIVE == expected


def test_an_installation_without_extras_has_neither_the_runtime_of_models_nor_the_scanner(wheel: Path) -> None:
    assert asked(wheel, LINUX).isdisjoint(SEARCH)
    assert asked(wheel, LINUX, "search", "transcripts") >= SEARCH
