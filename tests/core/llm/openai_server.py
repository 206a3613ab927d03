"""A real HTTP server on 127.0.0.1 that speaks the OpenAI protocol, and answers as a test tells it to, well or badly."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.local_server import Handler, LocalServer

MODEL, BLOCKING = "local-model", "blocking-model"
"""The same server as two models of llm: its plugin can wait for the first one without a thread, not for the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the server does with a question: it holds it back until `hold` is set, and may hang up instead."""

    text: str = ""
    status: int = 200
    hold: threading.Event | None = None
    drop: bool = False


Answering = Callable[[str, int], Answer]
"""Answers a question, which is the whole text that was sent, system prompt included; the number counts from 1."""


class OpenAIServer(LocalServer):
    """Answers questions and watches what is asked of it.

    `most_at_once` is the largest number of questions that were under way at a time, `hung_up` counts those whose asker
    was gone before the answer, and `asked` is set once there is a first question.
    """

    def __init__(self, answering: Answering) -> None:
        super().__init__(_Handler)
        self.answering = answering
        self.questions: list[str] = []
        self.most_at_once = 0
        self.hung_up = threading.Semaphore(0)
        self.asked = threading.Event()
        self._under_way = 0
        self._lock = threading.Lock()

    def register(self, directory: Path) -> None:
        """Make the server known to an llm whose files lie in `directory`."""
        base = f"{self.url}/v1"
        chat = {"model_id": MODEL, "aliases": ["local"], "model_name": "m", "api_base": base}
        blocking = {"model_id": BLOCKING, "model_name": "b", "api_base": base, "completion": True}
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "extra-openai-models.yaml").write_text(json.dumps([chat, blocking]), encoding="utf-8")

    def begin(self, question: str) -> Answer:
        """Take note of a question and return what to do with it."""
        with self._lock:
            self.questions.append(question)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            number = len(self.questions)
        self.asked.set()
        return self.answering(question, number)

    def end(self) -> None:
        """Take note that a question is no longer under way."""
        with self._lock:
            self._under_way -= 1


class _Handler(Handler):
    def do_POST(self) -> None:  # noqa: N802 (the base class's name)
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = self.server.owner.begin(_text_of(asked))
        try:
            is_wanted = answer.hold is None or self._wait(answer.hold)
        finally:
            self.server.owner.end()
        if not is_wanted:
            self.server.owner.hung_up.release()
        elif answer.drop:
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self._reply(answer, is_chat=self.path.endswith("/chat/completions"))

    def _wait(self, hold: threading.Event) -> bool:
        """Wait until the answer may go out; return whether anybody is still there to hear it."""
        for _ in range(3_000):
            if hold.wait(timeout=0.01):
                return True
            if select.select([self.connection], [], [], 0)[0]:  # readable, though all was read: it is closed
                return False
        return True

    def _reply(self, answer: Answer, *, is_chat: bool) -> None:
        body = json.dumps(_completion(answer, is_chat=is_chat)).encode()
        self.begin(answer.status, "application/json", len(body), x_should_retry="false")  # that is our own affair
        self.wfile.write(body)


def _text_of(asked: dict[str, object]) -> str:
    messages = asked.get("messages")
    if not isinstance(messages, list):
        return str(asked["prompt"])
    return "\n".join(str(message["content"]) for message in messages)


def _completion(answer: Answer, *, is_chat: bool) -> dict[str, object]:
    if answer.status >= 400:
        return {"error": {"message": answer.text or "out of order", "type": "server_error"}}
    content = {"message": {"role": "assistant", "content": answer.text}} if is_chat else {"text": answer.text}
    return {
        "id": "1",
        "object": "chat.completion" if is_chat else "text_completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", **content}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
