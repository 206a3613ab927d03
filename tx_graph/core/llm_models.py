"""Models of `llm` that answer: without a thread where their plugin can, else each question in a thread of its own."""

from __future__ import annotations

import asyncio
import difflib
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache

import llm

from tx_graph.core.errors import ModelError, ModelUnusable, QuestionRefused
from tx_graph.core.ports import Model
from tx_graph.core.text import cut, inert_line

_NO_ACCESS = (401, 402, 403, 404)
"""Statuses of HTTP that every question would meet: no key, no money, no permission, no such model."""
_NOT_THIS_ONE = (400, 413, 422)  # statuses that say that this question is too long, or not allowed
_LONGEST = 200  # characters of a reason; providers send whole pages


def explained(error: Exception, *, model: str) -> ModelError:
    """Return what a plugin raised, in words; its kind tells whether asking again makes sense."""
    reason = in_one_line(error)
    if isinstance(error, llm.NeedsKeyException):
        return ModelUnusable(
            f"The model {model} needs a key: {reason}.", hint="Store it with 'llm keys set', or choose another model."
        )
    # The libraries of providers keep the status of HTTP in one of two places.
    bearers = (error, getattr(error, "response", None))
    status = next((one for bearer in bearers if isinstance(one := getattr(bearer, "status_code", None), int)), None)
    if status in _NO_ACCESS:
        return ModelUnusable(f"The model {model} cannot be used: {reason}.", hint="Check its name and key in llm.")
    if status in _NOT_THIS_ONE:
        return QuestionRefused(f"The model {model} refuses the question: {reason}.")
    return ModelError(f"The model {model} gave no answer: {reason}.")


def in_one_line(error: BaseException) -> str:
    """Return what an exception says, short and without a full stop; its kind where it says nothing."""
    return cut(inert_line(str(error)).rstrip(".") or type(error).__name__, _LONGEST)


class _Answers:
    """A model, by its id in llm, whatever alias it was asked for by.

    What is to hold for all questions is said apart from them, or before each where a model takes it no other way.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._is_apart = True

    async def _ask(self, prompt: str, system: str | None) -> str:
        raise NotImplementedError

    async def ask(self, question: str, *, system: str, within: float) -> str:
        """Return the answer to one question."""
        try:
            async with asyncio.timeout(within) as limit:
                if self._is_apart:
                    try:
                        return await self._ask(question, system)
                    except NotImplementedError:  # llm's way to say that a model takes no system prompt
                        self._is_apart = False
                return await self._ask(f"{system}\n{question}", None)
        except TimeoutError as error:
            if limit.expired():
                raise ModelError(f"The model {self.name} gave no answer within {within:g} s.") from None
            raise explained(error, model=self.name) from error
        except Exception as error:
            raise explained(error, model=self.name) from error


class AsyncAnswers(_Answers):
    """A model whose plugin can wait without a thread: to cancel a question closes its connection."""

    def __init__(self, model: llm.AsyncModel | llm.AsyncKeyModel) -> None:
        super().__init__(model.model_id)
        self._model = model
        # llm's own plugin makes a client, and a connection, for each question. It asks itself for one.
        self._client = cache(model.get_client) if hasattr(model, "get_client") else None
        if self._client:
            model.get_client = self._client  # type: ignore[union-attr]

    async def _ask(self, prompt: str, system: str | None) -> str:
        try:
            return await self._model.prompt(prompt, system=system, stream=False).text()
        except asyncio.CancelledError:
            if self._client:
                self._client.cache_clear()  # the connection of what nobody waits for goes with it
            raise


class ThreadAnswers(_Answers):
    """A model whose plugin blocks: a question given up keeps its place until its thread ends.

    So never more than `most_at_once` are under way, also where none is ever answered. The threads do not keep the
    program from ending.
    """

    def __init__(self, model: llm.Model | llm.KeyModel, *, most_at_once: int) -> None:
        super().__init__(model.model_id)
        self._model = model
        self._free = asyncio.Semaphore(most_at_once)

    async def _ask(self, prompt: str, system: str | None) -> str:
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()

        def work() -> None:
            outcome: str | Exception
            try:
                outcome = self._model.prompt(prompt, system=system, stream=False).text()
            except Exception as error:  # noqa: BLE001 - a plugin may raise anything; it is explained where it is awaited
                outcome = error
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(self._finish, answer, outcome)

        threading.Thread(target=work, name=f"asking {self.name}", daemon=True).start()
        return await answer

    def _finish(self, answer: asyncio.Future[str], outcome: str | Exception) -> None:
        self._free.release()
        if answer.done():  # given up meanwhile
            return
        if isinstance(outcome, str):
            answer.set_result(outcome)
        else:
            answer.set_exception(outcome)


AnyModel = llm.Model | llm.KeyModel | llm.AsyncModel | llm.AsyncKeyModel
_MODEL_VARIABLE = "LLM_MODEL"  # as in the command `llm prompt`
_WAYS = "Pass --model NAME ('llm models' lists them), or set one for good: 'llm models default NAME'."


def find(name: str | None, *, most_at_once: int) -> Model:
    """Return a model by name or alias; where it can be asked without a thread, it is."""
    try:
        wanted = name or os.environ.get(_MODEL_VARIABLE)
        if not wanted:  # the model that the user has set: what llm itself falls back on is nobody's choice to pay for
            wanted = llm.get_default_model(default=None)  # type: ignore[no-untyped-call]
        known = _by_name()
    except Exception as error:  # whatever a plugin or a broken file of settings does
        raise ModelUnusable(
            f"llm cannot list its models: {in_one_line(error)}.", hint="'llm models' should work first."
        ) from error
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


def _by_name() -> Mapping[str, AnyModel]:
    """Return all models by every name they have, as async ones where they are; an id wins over an alias."""
    entries = [(_preferred(entry.async_model, entry.model), entry.aliases) for entry in llm.get_models_with_aliases()]
    names = {alias: model for model, aliases in entries for alias in aliases}
    return names | {model.model_id: model for model, _ in entries}


def _preferred(one: AnyModel | None, other: AnyModel) -> AnyModel:
    return other if one is None else one
