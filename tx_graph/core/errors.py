"""Every error a user can meet: what happened, what to do next, and the exit status it ends with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class TxError(Exception):
    """An expected failure, explained in one sentence.

    Attributes:
        message: One clear sentence saying what happened and where.
        hint: What to do next; empty when the message says it all.
        candidates: The nearest valid values, when a name was not found.
    """

    status: ClassVar[int] = 70
    code: ClassVar[str] = "internal"

    def __init__(self, message: str, *, hint: str = "", candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.candidates = tuple(candidates)


class UsageError(TxError):
    """The request itself is wrong: a bad number, an empty text, options that exclude each other."""

    status = 2
    code = "usage"


class OutsideRepository(UsageError):
    """A path leads out of the repository."""


class NotFound(TxError):
    """A reference names nothing, or more than one thing."""

    status = 3
    code = "not_found"


class NotInitialised(TxError):
    """No .tx directory where one is needed."""

    status = 4
    code = "not_initialised"


class StorageError(TxError):
    """The database or a record file cannot be read or written."""

    status = 5
    code = "storage"


class RepositoryError(TxError):
    """Git is missing, refuses, or the directory is not what the command needs."""

    status = 6
    code = "repository"


class ModelError(TxError):
    """A model is missing, broken or unreachable."""

    status = 7
    code = "model"


class ModelUnusable(ModelError):
    """No question to a language model will be answered: its library, its key or the permission is missing."""


class QuestionRefused(ModelError):
    """A language model will not answer one question, however often it is asked."""
