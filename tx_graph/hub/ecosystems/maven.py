"""Java and its kin: artifacts by pom.xml and build.gradle, the types of their packages, and imports of others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, fromstring

from tx_graph.code.imports import NO_SURFACE
from tx_graph.code.resolvers import RepositoryIndex, basename, joined, parent, upward
from tx_graph.code.uses.meaning import Meanings
from tx_graph.hub.ecosystems import Asking, Need, Offer, Package, is_aside

RESOLVER = "java"
SEPARATOR = "."
_MANIFEST = re.compile(r"pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml")
_SETTING = re.compile(r"""^[ \t]*+(group|version|rootProject\.name)[ \t]*+=?[ \t]*+["']([^"'$\n]+)["']""", re.MULTILINE)
_COORDINATES = re.compile(r"""["']([\w.-]+):([\w.-]+)(?::([^"'$:@]+))?(?::[^"']*)?["']""")
_BY_PARTS = re.compile(r"""group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']""")
_PROPERTY = re.compile(r"\$\{([^{}]+)\}")
_NAMES = {"group": "group", "version": "version", "GROUP": "group", "VERSION_NAME": "version"}
_NAMES["POM_ARTIFACT_ID"] = "rootProject.name"
"""Properties of a build with its coordinates, those of the plug-in that most publish with among them."""
_DEEPEST = 8  # parents of a POM that are followed


def packages(index: RepositoryIndex) -> Iterator[Package]:
    """Yield what manifests provide and require."""
    for path in index.called(_MANIFEST):
        if not path.endswith(".toml") and (name := _artifact(path, index)) and not is_aside(path):
            yield Package(path, name, is_provided=True, range=_version(path, index))
        text = index.text(path) or ""
        if path.endswith(".toml"):
            yield from _catalog(path, index)
        elif path.endswith(".xml"):
            root, said = _pom(text), _properties(path, index)
            for one in root.iter("dependency") if root is not None else ():
                group, artifact = (_filled(_child(one, tag), said) for tag in ("groupId", "artifactId"))
                if group and artifact:
                    yield Package(
                        path, f"{group}:{artifact}", is_provided=False, range=_filled(_child(one, "version"), said)
                    )
        else:
            for group, artifact, version in _COORDINATES.findall(text):
                yield Package(path, f"{group}:{artifact}", is_provided=False, range=version)
            for group, artifact in _BY_PARTS.findall(text):
                yield Package(path, f"{group}:{artifact}", is_provided=False)


def offers(index: RepositoryIndex, meanings: Meanings) -> Iterator[Offer]:  # noqa: ARG001 - names need no following
    """Yield the types of the sources that are no tests, by their full names and in their packages."""
    for path, surface in index.surfaces(RESOLVER).items():
        manifest = next(
            (found for above in upward(parent(path)) if (found := _manifest_in(above, index)) is not None), None
        )
        name = _artifact(manifest, index) if manifest else ""
        if not name or manifest is None or is_aside(manifest) or is_aside(path[len(parent(manifest)) :]):
            continue
        for offered in surface.offers:
            package, called = offered.place or surface.package, offered.name.removesuffix("()")
            if package:
                yield Offer(path, name, f"{package}.{called}")
                yield Offer(path, name, package, called)


def needs(asking: Asking) -> Iterator[Need]:
    """Yield the types of others that a file imports; a name that is nested in one, or a member, stands beside it."""
    surface = asking.index.surfaces(RESOLVER).get(asking.path, NO_SURFACE)
    for one, reason in asking.specifiers:
        if reason != "external":
            continue
        names = one.module.split(".")
        capital = next((place for place, part in enumerate(names) if part[:1].isupper()), len(names) - 1)
        module, inner = ".".join(names[: capital + 1]), names[capital + 1 :]
        if one.name == "*" and not names[capital][:1].isupper():  # of a package
            for name in surface.uses:
                yield Need(one.line, one.module, name, one.type)
        else:
            yield Need(one.line, module, next(iter(inner), one.name or ""), one.type)


# --- manifests ----------------------------------------------------------------------------------------


def _manifest_in(directory: str, index: RepositoryIndex) -> str | None:
    names = ("pom.xml", "build.gradle", "build.gradle.kts")
    places = (f"{directory}/{name}" if directory else name for name in names)
    return next(filter(index.is_file, places), None)


def _artifact(path: str, index: RepositoryIndex) -> str:
    """Return `group:artifact` of a manifest, with what those above it say; empty where that cannot be told."""
    return index.remember(("artifact", path), lambda: _named(path, index))


def _named(path: str, index: RepositoryIndex) -> str:
    if path.endswith(".xml"):
        said = _properties(path, index)
        group, artifact = said.get("project.groupId", ""), said.get("project.artifactId", "")
    else:
        said = _gradle(path, index)
        group, artifact = said.get("group", ""), said.get("rootProject.name", "") or basename(parent(path))
    return f"{group}:{artifact}" if group and artifact and "${" not in f"{group}{artifact}" else ""


def _catalog(path: str, index: RepositoryIndex) -> Iterator[Package]:
    """Yield what a catalog of Gradle names: `"group:name:version"`, or `module` or `group` and `name` in a table."""
    data = index.toml(path) or {}
    libraries, versions = data.get("libraries"), data.get("versions")
    for said in libraries.values() if isinstance(libraries, dict) else ():
        one = said if isinstance(said, dict) else {"module": said}
        group, artifact, version = f"{one.get('module') or ''}::".split(":")[:3]
        wanted = one.get("version")
        if isinstance(wanted, dict) and isinstance(versions, dict):
            wanted = versions.get(wanted.get("ref"))
        group, artifact = group or str(one.get("group", "")), artifact or str(one.get("name", ""))
        if group and artifact:
            yield Package(
                path, f"{group}:{artifact}", is_provided=False, range=wanted if isinstance(wanted, str) else version
            )


def _version(path: str, index: RepositoryIndex) -> str:
    said = _properties(path, index) if path.endswith(".xml") else _gradle(path, index)
    return said.get("project.version") or said.get("version") or ""


def _gradle(path: str, index: RepositoryIndex) -> dict[str, str]:
    """Return what a build says in literals, of group and version also what those above it and properties say."""
    found: dict[str, str] = {}
    for above in upward(parent(path)):
        inside = f"{above}/" if above else ""
        for name in ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"):
            if above == parent(path) or not name.startswith("settings"):
                for key, value in _SETTING.findall(index.text(f"{inside}{name}") or ""):
                    found.setdefault(key, value)
        for line in (index.text(f"{inside}gradle.properties") or "").splitlines():
            key, _, value = line.partition("=")
            if named := _NAMES.get(key.strip()):
                found.setdefault(named, value.strip())
    return found


def _properties(path: str, index: RepositoryIndex) -> dict[str, str]:
    """Return the properties of a POM and of its parents in the repository; its own coordinates are among them."""
    found: dict[str, str] = {}
    at: str | None = path
    for depth in range(_DEEPEST):
        root = _pom(index.text(at) or "") if at else None
        if root is None or at is None:
            break
        above = root.find("parent")
        for tag in ("groupId", "version", *(("artifactId",) if not depth else ())):
            value = _child(root, tag) or (_child(above, tag) if above is not None and tag != "artifactId" else "")
            if value:
                found.setdefault(f"project.{tag}", value)
        for one in root.findall("properties/*"):
            found.setdefault(one.tag, (one.text or "").strip())
        place = (_child(above, "relativePath") or "../pom.xml") if above is not None else ""
        at = _joined(parent(at), place) if place else None
    return {key: _filled(value, found) for key, value in found.items()}


def _joined(directory: str, place: str) -> str | None:
    found = joined(directory, place)
    return found if found is None or found.endswith(".xml") else f"{found}/pom.xml"


def _pom(text: str) -> Element | None:
    """Return the root of a POM, without namespaces; one that declares entities is not read."""
    if "<!ENTITY" in text or "<!DOCTYPE" in text:
        return None
    try:
        return fromstring(re.sub(r'\sxmlns(?::\w+)?="[^"]*"|\sxsi:\w+="[^"]*"', "", text))  # noqa: S314
    except (ParseError, ValueError):
        return None


def _child(node: Element, tag: str) -> str:
    return (node.findtext(tag) or "").strip()


def _filled(text: str, said: dict[str, str]) -> str:
    return _PROPERTY.sub(lambda match: said.get(match[1].replace("pom.", "project."), match[0]), text)
