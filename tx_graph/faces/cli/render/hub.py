"""The hub: what was made, published, granted, and who uses what in other repositories."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import (
    echo,
    note,
    print_each,
    print_fields,
    printable,
    reading_width,
    shortened,
    styled,
)
from tx_graph.faces.cli.render.words import more

if TYPE_CHECKING:
    from tx_graph.hub.conflicts import Disagreement
    from tx_graph.hub.dependents import Dependents
    from tx_graph.hub.making import Made
    from tx_graph.hub.publishing import Published
    from tx_graph.hub.repositories import Forgotten, HubStatus, Repository
    from tx_graph.hub.rights import Changed, Right, Rights


_SHORT = 12  # characters of a commit
_MOST = 10  # things to name
_SURE = {"name": " ", "file": "~", "package": "?"}


def made(found: Made) -> None:
    """Print that there is a hub now."""
    echo(f"The hub at {found.hub} is {'ready' if found.is_changed else 'up to date'} (schema {found.schema}).")
    if not found.has_vectors:
        echo("The server has no extension 'vector' that may be made here: search is by words alone.")


def published(done: Published) -> None:
    """Print what the hub shows now of a repository, what changed by that, and what was held back."""
    verb = "would show" if done.dry_run else "shows"
    echo(f"The hub at {done.hub} {verb} {printable(done.repository)} as of {done.commit[:_SHORT]}.")
    print_fields([(what, f"{count:,}") for what, count in done.rows.items()])
    for what, kinds in (("New", done.added), ("Changed", done.updated), ("Gone", done.removed)):
        if kinds:
            echo(f"{what}: {', '.join(counted(count, kind) for kind, count in kinds.items())}.")
    if not done.is_changed:
        echo("Nothing has changed since the last time.")
    for one in done.held_back[:_MOST]:
        echo(printable(f"Held back: {one.kind} {one.ref}, which may hold a {one.holds}."))
    if len(done.held_back) > _MOST:
        echo(f"Held back: {len(done.held_back) - _MOST:,} more; --json names all.")


def repositories(found: Sequence[Repository]) -> None:
    """Print the repositories that a hub shows as a table."""
    if not found:
        note("The hub shows no repository that you may read. Publish one: tx hub:publish")
        return
    print_each(
        found,
        {
            "repository": lambda one: one.name,
            "as of": lambda one: f"{one.commit[:_SHORT]}, {one.age}",
            "files": lambda one: f"{one.rows.get('files', 0):,}",
            "learnings": lambda one: f"{one.rows.get('learnings', 0):,}",
            "facts": lambda one: f"{one.rows.get('facts', 0):,}",
            "sections": lambda one: f"{one.rows.get('sections', 0):,}",
        },
        right=["files", "learnings", "facts", "sections"],
    )


def conflicts(found: Sequence[Disagreement]) -> None:
    """Print which facts repositories claim differently."""
    for one in found:
        echo(printable(f"{one.subject} {one.predicate}:"))
        for claim in one.claims:
            said = " ".join(claim.told.split())
            echo(printable(f"  {said}  ({claim.repository}, as of {claim.commit[:_SHORT]}, {claim.age}: {claim.ref})"))
    if found:
        note("Where one is wrong: tx fact:retract FACT in its repository, then tx hub:publish")
    else:
        note("No repository claims otherwise than another.")


def dependents(found: Dependents) -> None:
    """Print who uses something: a line for each place, below its repository."""
    for number, (repository, own) in enumerate(groupby(found.dependents, key=lambda one: one.repository)):
        told = list(own)
        echo(
            f"{'' if number == 0 else chr(10)}{styled(printable(repository), bold=True)}"
            f"  as of {told[0].commit[:_SHORT]}, {told[0].age}"
        )
        places = [f"{one.path}:{one.line}" for one in told]
        width = max(map(len, places))
        for place, one in zip(places, told, strict=True):
            head = f"  {printable(place):{width}} {_SURE[one.certainty]}"
            leads = f" → {one.target}" if one.target and one.target not in found.target else ""
            said = f"{one.module}{': ' if one.names else ''}{', '.join(one.names)}{leads}"
            echo(f"{head}{shortened(printable(said), reading_width() - len(head))}")
    nearest = sorted(found.requirements, key=lambda one: -one.path.count("/"))  # that nearest to the top counts
    manifests = {one.repository: one for one in nearest}
    if manifests:
        heading = f"Required by {len(manifests):,} {'repository' if len(manifests) == 1 else 'repositories'}"
        echo(f"{chr(10) if found.dependents else ''}{styled(heading, bold=True)}")
    for name, manifest in sorted(manifests.items())[:_MOST]:
        echo(printable(f"  {name}  {manifest.path}  {manifest.range}".rstrip()))
    if len(manifests) > _MOST:
        echo(f"  and {len(manifests) - _MOST:,} more; --json has all.")


def dependent_rows(found: Dependents) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Return the columns of --tsv, and their rows."""
    headings = ("repository", "commit", "path", "line", "module", "names", "import_type", "certainty", "target")
    return headings, [
        (
            *(one.repository, one.commit, one.path, one.line, one.module),
            *(",".join(one.names), one.type, one.certainty, one.target or ""),
        )
        for one in found.dependents
    ]


def dependent_remarks(found: Dependents) -> list[str]:
    """Return why there is nothing, that there is more, and what the marks mean."""
    unsure = {one.certainty for one in found.dependents}
    return [
        found.remark,
        more(found.total, shown=len(found.dependents)),
        f"There are more than the {found.total:,} that were looked at." if found.is_cut else "",
        "~ marks imports of the module, of which no name is known to be declared there." if "file" in unsure else "",
        "? marks imports of the package that no file of it is known to answer." if "package" in unsure else "",
    ]


def status(found: HubStatus) -> None:
    """Print what a hub is, and how this repository stands there."""
    shown, behind = found.shown, ""
    if shown and found.behind:
        behind = f", {counted(found.behind, 'commit')} behind HEAD"
    elif shown and shown.commit != found.head:
        behind = ", which is not in this clone" if found.behind is None else ", which HEAD comes before"
    print_fields(
        [
            ("hub", f"{found.hub} (schema {found.schema})"),
            ("search", "by words and meaning" if found.vectors else "by words alone"),
            ("repositories", f"{found.repositories:,}"),
            ("this one", printable(found.name) or "has no name there: tx config set hub.repository NAME"),
            ("as of", f"{shown.commit[:_SHORT]}, {shown.age}{behind}" if shown else "never published"),
        ]
    )


def forgotten(done: Forgotten) -> None:
    """Print that a hub shows a repository no longer."""
    echo(f"The hub at {done.hub} has forgotten {printable(done.name)}.")


def changed(done: Changed, command: str) -> None:
    """Print what a role may do now, or may no longer."""
    verb = "may" if command == "hub:grant" else "was revoked: to"
    for one in done.rights:
        is_known = "" if done.is_changed else ", as before"
        echo(printable(f"{one.role} {verb} {_may(one)} {one.repositories}{is_known}."))


def rights(found: Rights) -> None:
    """Print rights as a table."""
    if found.is_owner:
        note(f"{printable(found.user)} owns the hub at {found.hub}, and may do everything.")
    if found.rights:
        print_each(
            found.rights,
            {"role": lambda one: one.role, "may": _may, "repositories": lambda one: one.repositories},
        )
    else:
        note("Nothing was granted. Grant something: tx hub:grant ROLE --repositories GLOB --read")


def _may(right: Right) -> str:
    return "publish" if right.publish else "read"
