"""Python: distributions by their manifests, the modules that they ship, and the imports of other distributions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from configparser import ConfigParser, Error
from typing import Any

from tx_graph.code.resolvers import RepositoryIndex, basename, child, joined, parent
from tx_graph.code.resolvers.python import ENDINGS, PROJECT_FILES, SOURCE_DIRECTORIES
from tx_graph.code.uses.meaning import Meanings
from tx_graph.core.dataclass import dataclass
from tx_graph.hub.ecosystems import Asking, Need, Offer, Package, declared_by, is_aside, members, spread

RESOLVER = "python"
SEPARATOR = "."
_REQUIREMENTS = re.compile(r"requirements[\w.-]*\.(?:txt|in)")
_MANIFESTS = re.compile("|".join([*map(re.escape, PROJECT_FILES), _REQUIREMENTS.pattern]))
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#@)]*)")
_LEFT_OUT = frozenset(
    "ci bin debian doc docs documentation manpages news newsfragments changelog test tests unit_test unit_tests example"
    " examples scripts tools util utils python build benchmark benchmarks exercise exercises htmlcov fixtures tasks"
    " fabfile site_scons conftest setup noxfile".split()
)
"""What setuptools never takes for a package that lies beside a manifest (its FlatLayoutPackageFinder), and alike."""

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Distribution:
    """What a manifest says: `places` are paths of packages and modules, `homes` are directories of such.

    `takes_all`: packages beside the manifest belong to it, whatever they are called.
    """

    manifest: str
    name: str = ""
    version: str = ""
    requires: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()
    takes_all: bool = True


def packages(index: RepositoryIndex) -> Iterator[Package]:
    """Yield what manifests provide and require."""
    for one in _distributions(index):
        if one.name and not is_aside(one.manifest):
            yield Package(one.manifest, normalised(one.name), is_provided=True, range=one.version)
        for text in one.requires:
            if found := _REQUIREMENT.match(text):
                yield Package(one.manifest, normalised(found[1]), is_provided=False, range="".join(found[2].split()))


def normalised(name: str) -> str:
    """Return a name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def offers(index: RepositoryIndex, meanings: Meanings) -> Iterator[Offer]:
    """Yield the modules that distributions ship, in their packages too, and what these hand on of other files."""
    modules = index.by_stem(ENDINGS)
    for one in _distributions(index):
        if not one.name or is_aside(one.manifest):
            continue
        name = normalised(one.name)
        for module, path in _shipped(one, modules):
            yield Offer(path, name, module)
            package, _, last = module.rpartition(".")
            if package:
                yield Offer(path, name, package, last)
            uses = meanings.uses(path)
            if basename(path).startswith("__init__.") or any(binding.local == "*" for binding in uses.bindings):
                for handed, file in declared_by(path, meanings).items():
                    if file != path and f"{path.removesuffix(basename(path))}{handed}" not in modules:
                        yield Offer(file, name, module, handed)


def needs(asking: Asking) -> Iterator[Need]:
    """Yield the imports of other distributions, with what is used of modules that are imported whole."""
    outside = [one for one, _ in asking.specifiers if not one.module.startswith(".")]
    taken: dict[str, list[tuple[int, str]]] = {}
    for module, line, name in members(asking.uses):
        taken.setdefault(module, []).append((line, name))
    yield from spread(outside, taken, lambda one: one.name or "")


def _shipped(one: _Distribution, modules: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the file of every module of a distribution."""
    directory = parent(one.manifest)
    called = normalised(one.name).replace("-", "_")
    places = list(filter(None, (joined(directory, place) for place in one.places)))
    homes = [place for home in one.homes if (place := joined(directory, home)) is not None]
    if not places and not homes:
        homes = [child(directory, name) for name in SOURCE_DIRECTORIES if name not in modules]
        homes = [home for home in homes if any(stem.startswith(f"{home}/") for stem in modules)]
    if not places and (not homes or directory in homes):
        places = _beside(directory, called, modules, takes_all=one.takes_all)
        homes = [home for home in homes if home != directory]
    for stem, path in modules.items():
        home = next((parent(place) for place in places if stem == place or stem.startswith(f"{place}/")), None)
        if home is None:
            home = next((home for home in homes if stem.startswith(f"{home}/")), None)
        if home is not None:
            parts = stem[len(home) :].lstrip("/").split("/")
            if all(part.isidentifier() for part in parts):
                yield ".".join(parts), path


def _beside(directory: str, called: str, modules: Mapping[str, str], *, takes_all: bool) -> list[str]:
    """Return the packages beside a manifest, and the module that is called like the distribution."""
    beside = [stem for stem, path in modules.items() if parent(stem) == directory]
    named = [stem for stem in beside if basename(stem).lower() == called]
    packages = [stem for stem in beside if modules[stem].startswith(f"{stem}/") and basename(stem) not in _LEFT_OUT]
    if named and not takes_all:
        return named
    if named or packages:
        return list(dict.fromkeys([*named, *packages]))
    spaces = {
        stem[len(directory) :].lstrip("/").split("/")[0]
        for stem in modules
        if f"{stem}/".startswith(child(directory, ""))
    }
    return [child(directory, space) for space in sorted(spaces) if space.lower() == called.partition("_")[0]]


# --- manifests ----------------------------------------------------------------------------------------


def _distributions(index: RepositoryIndex) -> list[_Distribution]:
    """Return what all manifests say."""
    return index.remember("distributions", lambda: [_read(path, index) for path in index.called(_MANIFESTS)])


def _read(path: str, index: RepositoryIndex) -> _Distribution:
    name = basename(path)
    if name == "pyproject.toml":
        return _of_pyproject(path, index.toml(path) or {})
    text = index.text(path) or ""
    if name == "setup.cfg":
        return _of_cfg(path, text)
    if name == "setup.py":
        return _of_setup(path, text)
    lines = (line for line in text.splitlines() if line.strip()[:1] not in ("", "#", "-", ".", "/"))
    return _Distribution(manifest=path, requires=tuple(line for line in lines if "://" not in line.partition("@")[0]))


def _of_pyproject(path: str, data: Table) -> _Distribution:
    project, tool = _at(data, "project"), _at(data, "tool")
    poetry, hatch = _at(tool, "poetry"), _at(tool, "hatch", "build", "targets", "wheel")
    setuptools, uv = _at(tool, "setuptools"), _at(tool, "uv", "build-backend")
    requires = _texts(project.get("dependencies"))
    for group in (*_at(project, "optional-dependencies").values(), *_at(data, "dependency-groups").values()):
        requires += _texts(group)
    groups = [poetry, {"dependencies": poetry.get("dev-dependencies")}, *_at(poetry, "group").values()]
    for group in groups:
        entries = _at(group, "dependencies") if isinstance(group, dict) else {}
        ranges = {
            key: one if isinstance(one, str) else _at(entries, key).get("version", "") for key, one in entries.items()
        }
        requires += [f"{key} {said}".replace("*", "") for key, said in ranges.items() if key != "python"]
    places = _texts(hatch.get("packages")) + _texts(hatch.get("only-include")) + _texts(setuptools.get("py-modules"))
    homes = _texts([_at(tool, "maturin").get("python-source"), _at(tool, "pdm", "build").get("package-dir")])
    named = setuptools.get("packages")
    root = _at(setuptools, "package-dir").get("", "")
    if isinstance(named, dict):
        homes += _texts(_at(setuptools, "packages", "find").get("where"))
    places += [f"{root}/{one.replace('.', '/')}" for one in _texts(named)]
    homes += [root] if root else []
    for one in poetry.get("packages") or ():
        if isinstance(one, dict) and "*" not in (include := str(one.get("include", ""))):
            places.append(f"{one.get('from', '')}/{include}".strip("/"))
    for one in _texts(uv.get("module-name")):
        places.append(f"{uv.get('module-root', 'src')}/{one.replace('.', '/')}")
    if flit := _at(tool, "flit", "module").get("name"):
        homes_of_flit = ("src", "") if isinstance(flit, str) else ()
        places += [f"{home}/{flit}".strip("/") for home in homes_of_flit]
    backend = str(_at(data, "build-system").get("build-backend", "setuptools"))
    return _Distribution(
        manifest=path,
        name=str(project.get("name") or poetry.get("name") or ""),
        version=str(project.get("version") or poetry.get("version") or ""),
        requires=tuple(requires),
        places=tuple(one.removesuffix(".py") for one in places),
        homes=tuple(homes),
        takes_all="setuptools" in backend,
    )


def _of_cfg(path: str, text: str) -> _Distribution:
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Error:
        return _Distribution(manifest=path)

    def lines(section: str, key: str) -> list[str]:
        return [
            one.strip() for one in parser.get(section, key, fallback="").replace(",", "\n").splitlines() if one.strip()
        ]

    requires = parser.get("options", "install_requires", fallback="").splitlines()
    if parser.has_section("options.extras_require"):
        requires += [
            line for text in dict(parser.items("options.extras_require")).values() for line in text.splitlines()
        ]
    root = next((one.partition("=")[2].strip() for one in lines("options", "package_dir") if one.startswith("=")), "")
    homes = lines("options.packages.find", "where") or ([root] if root else [])
    named = [] if ":" in parser.get("options", "packages", fallback=":") else lines("options", "packages")
    return _Distribution(
        manifest=path,
        name=parser.get("metadata", "name", fallback=""),
        version=parser.get("metadata", "version", fallback="").partition(":")[0].removesuffix("attr"),
        requires=tuple(requires),
        places=tuple(f"{root}/{one.replace('.', '/')}" for one in [*named, *lines("options", "py_modules")]),
        homes=tuple(homes),
    )


def _of_setup(path: str, text: str) -> _Distribution:
    """Return what the call of `setup` says in literals, also by names of the module that stand for literals."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return _Distribution(manifest=path)
    known: dict[str, Any] = {}

    def literal(node: ast.expr) -> Any:  # noqa: ANN401 - whatever a literal may be
        try:
            return known.get(node.id) if isinstance(node, ast.Name) else ast.literal_eval(node)
        except (ValueError, TypeError, RecursionError):
            return None

    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            known[node.targets[0].id] = literal(node.value)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setup")]
    given = {word.arg or "": word.value for call in calls for word in call.keywords}
    said = {name: literal(node) for name, node in given.items()}
    extras = said.get("extras_require")
    requires = _texts(said.get("install_requires")) + _texts(said.get("tests_require"))
    for group in extras.values() if isinstance(extras, dict) else ():
        requires += _texts(group)
    directories = said.get("package_dir")
    root = str(directories.get("", "")) if isinstance(directories, dict) else ""
    finding = given.get("packages")
    where = [literal(one) for one in finding.args[:1]] if isinstance(finding, ast.Call) else []
    where += (
        [literal(one.value) for one in finding.keywords if one.arg == "where"] if isinstance(finding, ast.Call) else []
    )
    named = [*_texts(said.get("packages")), *_texts(said.get("py_modules"))]
    return _Distribution(
        manifest=path,
        name=next(iter(_texts(said.get("name"))), ""),
        version=next(iter(_texts(said.get("version"))), ""),
        requires=tuple(requires),
        places=tuple(f"{root}/{one.replace('.', '/')}".strip("/") for one in named),
        homes=tuple(_texts(where) or ([root] if root else [])),
    )


def _at(table: Table, *keys: str) -> Table:
    for key in keys:
        value = table.get(key)
        table = value if isinstance(value, dict) else {}
    return table


def _texts(values: object) -> list[str]:
    """Return a text, or those among values, as a list."""
    if isinstance(values, str):
        return [values]
    return [one for one in values if isinstance(one, str)] if isinstance(values, list | tuple) else []
