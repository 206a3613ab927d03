"""Models of `llm` that answer: without a thread where their plugin can, else each question in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from tx_graph.errors import ModelError
from tx_graph.llm.failures import explained

if TYPE_CHECKING:
    import llm


class AsyncAnswers:
    """A model whose plugin can wait without a thread: to cancel a question closes its connection."""

    def __init__(self, model: llm.AsyncModel | llm.AsyncKeyModel) -> None:
        self._model = model
        self._wording = _Wording()

    @property
    def name(self) -> str:
        """The model's id in llm, whatever alias it was asked for by."""
        return self._model.model_id

    async def ask(self, question: str, *, system: str, within: float) -> str:
        """Return the answer to one question.

        Raises:
            ModelError: There is none.
        """
        return await _in_time(lambda: self._wording.asked(self._ask, question, system), self.name, within)

    async def _ask(self, prompt: str, system: str | None) -> str:
        return await self._model.prompt(prompt, system=system, stream=False).text()


class ThreadAnswers:
    """A model whose plugin blocks: a question given up keeps its place until its thread ends.

    So never more than `most_at_once` are under way, also where none is ever answered. The threads do not keep the
    program from ending.
    """

    def __init__(self, model: llm.Model | llm.KeyModel, *, most_at_once: int) -> None:
        self._model = model
        self._free = asyncio.Semaphore(most_at_once)
        self._wording = _Wording()

    @property
    def name(self) -> str:
        """The model's id in llm, whatever alias it was asked for by."""
        return self._model.model_id

    async def ask(self, question: str, *, system: str, within: float) -> str:
        """Return the answer to one question.

        Raises:
            ModelError: There is none, or no place became free in time.
        """
        return await _in_time(lambda: self._wording.asked(self._ask, question, system), self.name, within)

    async def _ask(self, prompt: str, system: str | None) -> str:
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()

        def work() -> None:
            outcome = self._outcome(prompt, system)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(self._finish, answer, outcome)

        threading.Thread(target=work, name=f"asking {self.name}", daemon=True).start()
        return await answer

    def _outcome(self, prompt: str, system: str | None) -> str | Exception:
        try:
            return self._model.prompt(prompt, system=system, stream=False).text()
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything; it is explained where it is awaited
            return error

    def _finish(self, answer: asyncio.Future[str], outcome: str | Exception) -> None:
        self._free.release()
        if answer.done():  # given up meanwhile
            return
        if isinstance(outcome, str):
            answer.set_result(outcome)
        else:
            answer.set_exception(outcome)


class _Wording:
    """Says what is to hold for all questions apart from them, or before each where a model takes it no other way."""

    def __init__(self) -> None:
        self._apart = True

    async def asked(self, ask: Callable[[str, str | None], Awaitable[str]], question: str, system: str) -> str:
        """Return the answer."""
        if self._apart:
            try:
                return await ask(question, system)
            except NotImplementedError:  # llm's way to say that a model takes no system prompt
                self._apart = False
        return await ask(f"{system}\n{question}", None)


async def _in_time(answer: Callable[[], Awaitable[str]], model: str, within: float) -> str:
    """Return an awaited answer.

    Raises:
        ModelError: It does not come in `within` seconds, or anything goes wrong.
    """
    try:
        async with asyncio.timeout(within) as limit:
            return await answer()
    except TimeoutError as error:
        if limit.expired():
            raise ModelError(f"The model {model} gave no answer within {within:g} s.") from None
        raise explained(error, model=model) from error
    except Exception as error:
        raise explained(error, model=model) from error
