"""Prints the bill of materials of a release (CycloneDX): what is locked, the libraries of the page, the model."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from tx_graph.vectors.models import DEFAULT_MODEL, MINILM_FILES
from tx_graph.version import __version__

ROOT = Path(__file__).resolve().parents[1]
VENDOR = ROOT / "tx_graph" / "view" / "page" / "vendor"
_LOCKED = re.compile(
    r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\\n]+?))? \\\n((?:    --hash=sha256:\w+(?: \\)?\n)+)", re.MULTILINE
)
# As the model's card says. Its files are installed by `tx model install` alone, and checked against their digests.
_MODEL_LICENSE = "Apache-2.0"


def materials(locked: str) -> Bom:
    """Return what the text of a lock file names, each with the digests of all files that may be installed for it."""
    bom = Bom()
    root = Component(
        type=ComponentType.APPLICATION,
        name="tx-graph",
        version=__version__,
        bom_ref="tx-graph",
        purl=PackageURL("pypi", None, "tx-graph", __version__),
        licenses=[DisjunctiveLicense(id="MIT")],
    )
    bom.metadata.component = root
    for name, version, marker, hashes in _LOCKED.findall(locked):
        bom.components.add(
            Component(
                name=name,
                version=version,
                bom_ref=f"{name}=={version}",
                purl=PackageURL("pypi", None, name, version),
                hashes=[_sha256(one) for one in re.findall(r"sha256:(\w+)", hashes)],
                properties=[Property(name="tx:installed-if", value=marker)] if marker else [],
            )
        )
    for one in json.loads((VENDOR / "manifest.json").read_text("utf-8")):
        bom.components.add(
            Component(
                name=one["name"],
                version=one["version"],
                bom_ref=f"{one['name']}@{one['version']}",
                purl=PackageURL("npm", None, one["name"], one["version"]),
                hashes=[_sha256(one["sha256"])],
                licenses=[DisjunctiveLicense(id=one["licence"])],
            )
        )
    for file in MINILM_FILES:
        bom.components.add(
            Component(
                type=ComponentType.MACHINE_LEARNING_MODEL,
                name=f"sentence-transformers/{DEFAULT_MODEL}/{file.name}",
                bom_ref=f"{DEFAULT_MODEL}/{file.name}",
                hashes=[_sha256(file.sha256)],
                licenses=[DisjunctiveLicense(id=_MODEL_LICENSE)],
            )
        )
    bom.register_dependency(root, bom.components)
    return bom


def _sha256(digest: str) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=digest)


if __name__ == "__main__":
    found = materials((ROOT / "requirements.txt").read_text("utf-8"))
    # What differs from one run to the next: the same commit gives the same bytes.
    text = JsonV1Dot6(found).output_as_string(indent=2)
    text = re.sub(r'\n *"(?:serialNumber|timestamp)": "[^"]*",?', "", text)
    sys.stdout.write(text + "\n")
