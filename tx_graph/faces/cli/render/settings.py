"""Settings and the embedding model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.core.settings import SETTINGS, AllSettings, OneSetting, literal
from tx_graph.faces.cli.render.terminal import (
    echo,
    print_table,
    printable,
    reading_width,
    styled,
    wrapped,
)

if TYPE_CHECKING:  # what downloads is slow to import, and settings need none of it
    from tx_graph.core.trust import Allowance
    from tx_graph.vectors.installation import ModelAction, ModelAnswer

_INDENT = "  "


def settings(found: AllSettings | OneSetting) -> None:
    """Print a value, or all settings as a table; a list has no room there and follows below it."""
    if isinstance(found, OneSetting):
        echo("\n".join(found.value) if isinstance(found.value, tuple) else str(found.value))
        return
    rows, lists = [], []
    for key, value in found.settings.items():
        cell = str(value)
        if isinstance(value, tuple):
            cell = f"{len(value)}, listed below" if value else "none"
            lists += [(key, value)] if value else []
        origin = "file" if key in found.given else "default"
        rows.append((key, cell, "not allowed" if key in found.withheld else origin, SETTINGS[key].summary))
    print_table(["setting", "value", "from", "what it does"], rows)
    for key, value in lists:
        echo(f"\n{styled(key, bold=True)}")
        for line in wrapped(", ".join(value), reading_width() - len(_INDENT)):
            echo(f"{_INDENT}{line}")
    for group, formula in found.formulas.items():
        echo(f"\n{styled(f'score by {group}.*', bold=True)}")
        for line in wrapped(formula, reading_width() - len(_INDENT)):
            echo(f"{_INDENT}{line}")


def allowance(found: Allowance, every: bool, revoke: bool) -> None:  # noqa: FBT001 - the options
    """Print what is allowed from now on, or the repositories where something is."""
    if every:
        rows = [(one.root, ", ".join(one.names), one.at) for one in found.repositories]
        print_table(["repository", "allowed", "since"], rows)
    elif revoke:
        echo("Revoked: " + ", ".join(found.repositories[0].names))
    for name, value in found.asked.items():
        is_link = name not in SETTINGS
        told = f"{'' if revoke else 'Allowed: '}{name} {'-> ' + value if is_link else '= ' + literal(value)}"
        echo(printable(told))
    if not found.asked and not every and not revoke:
        echo("There is nothing to allow: no setting here runs, loads or sends anything.")


def model(found: ModelAnswer) -> None:
    """Print how a model is."""
    from tx_graph.vectors.installation import ModelState
    from tx_graph.vectors.models import DEFAULT_MODEL

    status = found.status
    if found.name != DEFAULT_MODEL:
        echo(f"{found.name}: {status.state} in {status.path}")
    elif status.state is ModelState.MISSING:
        echo(f"{found.name}: not installed; 'tx model install' puts it into {status.path}")
    else:
        detail = f" ({status.detail})" if status.detail else ""
        echo(f"{found.name}: {status.state}{detail}, {status.size_bytes / 1e6:.1f} MB in {status.path}")


def failures(found: ModelAnswer, action: ModelAction) -> list[str]:
    """Return what was tried first; let the command fail where a model that is asked about is not there."""
    from tx_graph.vectors.installation import ModelAction, ModelState

    if action is ModelAction.STATUS and found.status.state is not ModelState.INSTALLED:
        raise SystemExit(1)
    return [f"tried first: {failure}" for failure in found.failures]
