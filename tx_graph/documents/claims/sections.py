"""Sections that prose links to: what stands behind the `#` of a link to a document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, cached_property

from tx_graph.anchors.tracing import Place
from tx_graph.documents.claims.ground import Fate, Ground, Said
from tx_graph.documents.claims.reading import AGENT_FILES, Claim, folded, shares_half
from tx_graph.documents.reading import read_document, slug_of
from tx_graph.history.departed import Moment

_SITE = re.compile(
    r"mkdocs\.ya?ml|zensical\.toml|docusaurus\.config\.\w+|conf\.py|_config\.ya?ml|antora\.ya?ml|book\.toml|docfx\.json"
    r"|(?:astro|next|nuxt|gatsby|vocs|fumadocs)[.-]config\.\w+|\.?vitepress|\.vuepress|hugo\.\w+|config\.toml|mint\.json"
    r"|docs\.json|SUMMARY\.md|_sidebar\.\w+|sidebars\.\w+|\.readthedocs\.ya?ml|_toc\.yml|mix\.exs|typedoc\.\w+"
)
"""Names of files by which a generator of sites is known: each makes anchors of its own."""
_BY_HOST = re.compile(
    r"(?:.*/)?(?:README|CONTRIBUTING|DEVELOPMENT|SECURITY|HACKING|INSTALL|SUPPORT)(?:\.\w+)?", re.IGNORECASE
)
_INCLUDED = re.compile(r"\{[%{]|--8<--|^:::|^import |^\.\. include|<!--\s*(?:include|embed)", re.MULTILINE)
_CALLED = re.compile(r"^#{1,6} .*\{\s*#", re.MULTILINE)  # headings that say themselves what they go by
_ALIKE = 0.8  # the least likeness of two names, by difflib


class Sections:
    """Holds the parts of documents against their headings, where the host alone makes anchors of these."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._names_of = cache(self._names)

    def holds(self, claim: Claim) -> bool:
        """Whether a document that is here has a section, or may get it from elsewhere; a missing one is a lost path."""
        for place in claim.places:
            path, _, part = place.rpartition("#")
            if path in self._ground.files:
                names = self._names_of(path)
                first = re.sub(r"-\d+$", "", part)  # it may be the second of a name, however counted
                return not names or not names.isdisjoint((folded(part), folded(first)))
        return True

    def _names(self, path: str) -> frozenset[str]:
        """Return the names that sections of a document may go by; none where not all of its text is in the file."""
        text = self._ground.tree.read_text(path)
        if text is None or _INCLUDED.search(text):  # or a sparse checkout leaves it out
            return frozenset()
        names: set[str] = set(re.findall(r"(?:id|name)=[\"']([^\"']+)", text))
        # Sites may make sections of what front matter has, and let headings say what they go by.
        names |= {*re.findall(r"^(\w+):", text, re.MULTILINE), *re.findall(r"\{\s*#([\w.-]+)", text)}
        headings = re.findall(r"^#{1,6} +(\S.*)$", text, re.MULTILINE)  # in blocks that do not end, too
        names |= {said for one in headings for said in re.findall(r"<!--([^<>]+)-->", one)}
        names |= {one.rstrip(" #") for one in headings}
        for section in read_document(path, text).sections:
            bare = re.sub(r"(?<!\s)\s*\[[^][]*\]$", "", section.title)  # generators of sites may leave badges out
            names |= {
                section.slug,
                slug_of(bare),
                slug_of(section.title),
                *section.labels,
            }
        return frozenset(map(folded, names))

    @cached_property
    def _has_site(self) -> bool:
        return any(_SITE.fullmatch(name) for name in self._ground.by_name)

    def lost(self, missing: Mapping[Said, Moment]) -> dict[Said, Fate]:
        """Return what became of sections that documents had."""
        evidence = self._ground.evidence
        lost: defaultdict[Place, list[Said]] = defaultdict(list)
        for one in missing:
            place = next(one for one in one.claim.places if one.rpartition("#")[0] in self._ground.files)
            path, _, part = place.rpartition("#")
            if not self._has_site or _BY_HOST.fullmatch(path) or AGENT_FILES.fullmatch(path):
                lost[path, f"#{part}"].append(one)
        if evidence is None or not lost:
            return {}
        evidence.prepare({path for path, _ in lost})
        left = {place: departure for place in lost if (departure := evidence.departure(*place))}
        now = self._ground.traced(left)
        fates = {}
        for where, departure in left.items():
            new = "".join(now.get(where, ()))
            is_spelled = "--" not in new or _BY_HOST.fullmatch(where[0]) is not None  # a site may make one dash of both
            path, _, part = new.rpartition("#")
            others = self._names_of(path) - {folded(part)} if new else ()
            text = (self._ground.tree.read_text(path) or "") if new else ""
            is_certain = is_spelled and shares_half(where[1], part) and not _CALLED.search(text)
            # What is called much the same is what was reworded, though its text is below another heading now.
            is_certain = is_certain and not get_close_matches(folded(where[1]), others, n=1, cutoff=_ALIKE)
            fates[where] = Fate(
                self._ground.commit_named(departure.base.removesuffix("^")),
                now=new if is_certain else "",
                was="".join(where),
                perhaps="" if is_certain else new,
            )
        # In another language headings are others, and links may be left as they were.
        return {
            one: fate._replace(is_unsure=one.prose.is_translated)
            for where, fate in fates.items()
            for one in lost[where]
        }
