"""What `llm` has: models by their names and aliases, those of plugins included."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import llm

from tx_graph.errors import ModelUnusable
from tx_graph.llm.asking import AsyncAnswers, ThreadAnswers
from tx_graph.llm.failures import in_one_line
from tx_graph.ports import Model

AnyModel = llm.Model | llm.KeyModel | llm.AsyncModel | llm.AsyncKeyModel
_MODEL_VARIABLE = "LLM_MODEL"
"""As in the command `llm prompt`."""
_WAYS = "Pass --model NAME ('llm models' lists them), or set one for good: 'llm models default NAME'."


def find(name: str | None, *, most_at_once: int) -> Model:
    """Return a model by name or alias; where it can be asked without a thread, it is.

    Raises:
        ModelUnusable: None is named, there is no such model, or llm cannot list its models.
    """
    with _explained():
        wanted = name or os.environ.get(_MODEL_VARIABLE) or _standard()
        known = _by_name()
    if not wanted:
        raise ModelUnusable("No language model is chosen.", hint=_WAYS)
    if wanted not in known:
        raise ModelUnusable(
            f"llm knows no model '{wanted}'.",
            hint="'llm models' lists those that are installed; 'llm install' adds plugins with others.",
            candidates=difflib.get_close_matches(wanted, known, n=5, cutoff=0.5),
        )
    model = known[wanted]
    if isinstance(model, llm.Model | llm.KeyModel):
        return ThreadAnswers(model, most_at_once=most_at_once)
    return AsyncAnswers(model)


def _standard() -> str | None:
    """Return the model that the user has set: what llm itself falls back on is nobody's choice to pay for."""
    default: str | None = llm.get_default_model(default=None)  # type: ignore[no-untyped-call]
    return default


def _by_name() -> Mapping[str, AnyModel]:
    """Return all models by every name they have, as async ones where they are; an id wins over an alias."""
    entries = [(_preferred(entry.async_model, entry.model), entry.aliases) for entry in llm.get_models_with_aliases()]
    names = {alias: model for model, aliases in entries for alias in aliases}
    return names | {model.model_id: model for model, _ in entries}


def _preferred(one: AnyModel | None, other: AnyModel) -> AnyModel:
    return other if one is None else one


@contextmanager
def _explained() -> Iterator[None]:
    """Turn whatever a plugin or a broken file of settings does into one sentence."""
    try:
        yield
    except Exception as error:
        raise ModelUnusable(
            f"llm cannot list its models: {in_one_line(error)}.", hint="'llm models' should work first."
        ) from error
