"""Every error a user can meet: what happened, what to do next, and the exit status it ends with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class TxError(Exception):
    """An expected failure: a sentence that says what happened and where, what to do next, and nearest valid values."""

    status: ClassVar[int] = 70
    code: ClassVar[str] = "internal"

    def __init_subclass__(cls, *, status: int | None = None, code: str = "") -> None:
        """Say with which exit status, and under which name in JSON, a kind of failure ends."""
        cls.status, cls.code = cls.status if status is None else status, code or cls.code

    def __init__(self, message: str, *, hint: str = "", candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.candidates = tuple(candidates)


class UsageError(TxError, status=2, code="usage"):
    """The request itself is wrong: a bad number, an empty text, options that exclude each other."""


class OutsideRepository(UsageError):
    """A path leads out of the repository."""


class NotFound(TxError, status=3, code="not_found"):
    """A reference names nothing, or more than one thing."""


class NotInitialised(TxError, status=4, code="not_initialised"):
    """No .tx directory where one is needed."""


class StorageError(TxError, status=5, code="storage"):
    """The database or a record file cannot be read or written."""


class RepositoryError(TxError, status=6, code="repository"):
    """Git is missing, refuses, or the directory is not what the command needs."""


class ModelError(TxError, status=7, code="model"):
    """A model is missing, broken or unreachable."""


class ModelUnusable(ModelError):
    """No question to a language model will be answered: its library, its key or the permission is missing."""


class QuestionRefused(ModelError):
    """A language model will not answer one question, however often it is asked."""
