"""Keys: which of them say something of a document, and which only how it is to be shown."""

from __future__ import annotations

from tx_graph.analysis.relations.predicates import PREDICATES, predicate_of

_LAYOUT = frozenset(
    """layout template permalink url uri link slug id uid uuid key sidebar nav navigation navbar navtitle weight order
    position pos index toc tocdepth outline hide hidden draft drafts published publish unlisted listed prev next
    image images cover thumbnail banner hero icon logo logos avatar color colors colour theme css cssclass cssclasses
    class classes style styles script scripts js head meta robots canonical canonical_url redirect redirects
    redirect_from redirect_to aliases alias name title titles linktitle link_title short_title subtitle headline h1
    titletemplate pagetitle page_title page_type lang locale language comments comment search footer header features
    actions editlink edit_url custom_edit_url sitemap jupyter jupytext kernelspec orphan html_meta substitutions myst
    math mathjax katex latex mermaid highlight cascade outputs build menu menus series_order excerpt_separator
    grand_parent has_children has_toc full_width wide width cols columns ishomepage home lastupdated last_updated_at
    contributors_list pagefind tableofcontents collapsible collapsed expanded exclude noindex include includes
    feed rss render jsx esm format output pdf geometry fontsize documentclass bibliography csl reference_section_title
    globs alwaysapply allowed_tools model tools argument_hint disable_model_invocation""".split()
)
"""Of generators of sites, notebooks, pandoc, and of what agents are told about files."""
_LAYOUT_BEGINNINGS = (
    *("sidebar_", "nav_", "toc_", "hide_", "show_", "enable_", "disable_", "pagination_", "og_", "og:", "twitter_"),
    *("redirect_", "css_", "js_", "html_", "meta_", "menu_", "page_", "header_", "footer_", "image_", "cover_", "seo_"),
)
_LAYOUT_TYPES = frozenset("doc docs page pages post posts blog default list single home section landing".split())
_BUMPS = frozenset({"patch", "minor", "major"})
"""What a changeset says of a package."""
_STATES = frozenset(
    "deprecated experimental stable beta alpha archived obsolete approved accepted rejected internal public required "
    "breaking reviewed implemented superseded".split()
)
"""What may be true or false of a document; any other switch is one of a generator."""
_TRUTHS = frozenset({"true", "false", "yes", "no", "on", "off"})
_COUNTS = frozenset(
    "version year number priority effort score estimate level phase milestone release adr rfc pep since until "
    "issue pr ticket".split()
)
"""What may be a bare number; under any other key it says where a page comes among its like."""

_ASIDES = frozenset(
    """note notes example examples warning tip tips caution important attention danger error hint info see usage todo
    fixme hack xxx ps nb tldr tl_dr update edit question answer q a input output result results step figure fig table
    listing source code default defaults returns return raises args arguments parameters yields""".split()
)
"""How a remark begins, `Note: …`, and not what something has."""

PEOPLE = frozenset(
    """author authors decider deciders decision_maker decision_makers owner owners maintainer maintainers reviewer
    reviewers approver approvers consulted informed stakeholder stakeholders participant participants contributor
    contributors assignee assignees editor editors driver drivers champion champions shepherd shepherds sponsor
    sponsors responsible accountable proposer proposers lead leads attendees""".split()
)
_LISTS = PEOPLE | frozenset(
    "tags tag labels label keywords categories topics areas components scopes teams platforms languages".split()
)
_TIMES = frozenset(
    """date created created_at creation_date updated updated_at last_updated last_update last_modified modified decided
    decided_on decision_date start_date accepted_on proposed_on review_date last_reviewed reviewed_on date_created
    date_updated date_accepted expires valid_until""".split()
)
STATUS = "status"
STATUS_HEADINGS = frozenset({"status", "decision_status", "current_status"})
HEADINGS = _TIMES | PEOPLE | {"tags", "categories", "labels"}
"""Headings of decision records under which nothing but a value stands."""
_ANCHORS = (_TIMES | PEOPLE | {STATUS, "technical_story", "rfc_pr", "tracking_issue", "feature_name", "supersedes"}) - {
    "lead",
    "leads",
    "contributors",
    "driver",
    "drivers",
}


_POINTING = frozenset(
    """next previous prev home toc index back top see see_further ref refs reference references cf example examples
    mentions link links read_more read_also further_reading""".split()
)


def is_pointer(predicate: str) -> bool:
    """Whether a link of this predicate only leads readers on, and says nothing of either end."""
    return predicate in _POINTING


def is_layout(key: str) -> bool:
    """Whether a key of front matter, in snake_case, says only how or where a page is shown."""
    return not key or key in _LAYOUT or key.startswith(_LAYOUT_BEGINNINGS)


def is_setting(predicate: str, value: str) -> bool:
    """Whether what front matter says under a key is a setting of a generator: a switch, a place in an order."""
    low = value.lower()
    if low in _TRUTHS:
        return predicate not in _STATES
    if low.replace(".", "", 1).lstrip("-").isdigit():
        return predicate not in _COUNTS and predicate not in _TIMES and predicate not in PREDICATES
    return low in _LAYOUT_TYPES if predicate == "type" else low in _BUMPS


def is_aside(predicate: str) -> bool:
    """Whether a line that begins so is a remark to the reader."""
    return predicate in _ASIDES


def tells_of_document(predicate: str) -> bool:
    """Whether a line of this key shows that the lines around it speak of the document itself."""
    return predicate in _ANCHORS


def is_list(predicate: str) -> bool:
    """Whether commas part the values of a key."""
    return predicate in _LISTS


__all__ = [
    "HEADINGS",
    "PEOPLE",
    "STATUS",
    "STATUS_HEADINGS",
    "is_aside",
    "is_layout",
    "is_list",
    "is_pointer",
    "is_setting",
    "predicate_of",
    "tells_of_document",
]
