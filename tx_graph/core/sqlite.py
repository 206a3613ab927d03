"""The SQLite binding, decided once and imported from nowhere else.

Two SQLite libraries in one process break each other's POSIX locks, so every room gets its connections here.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tx_graph.core.dataclass import dataclass

if TYPE_CHECKING:
    import sqlite3

    Connection = sqlite3.Connection


_PACKAGE = Path(__file__).resolve().parent.parent
MIGRATIONS = next(filter(Path.is_dir, (_PACKAGE / "_migrations", _PACKAGE.parent / "migrations")), None)
"""Where the SQL files are: inside an installed package, or at the top of a checkout; None where they are missing."""
LATEST_VERSION = (
    max((int(name[:4]) for name in os.listdir(MIGRATIONS) if name.endswith(".sql")), default=0) if MIGRATIONS else 0
)
"""The number of the newest migration."""

APPLICATION_ID = 0x74784744
"""What the header of a database says that is tx's: `txGD`."""
Loader = Callable[[str], ModuleType | None]
"""Gives a module by name, or None where it is not installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """The DB-API module in use, and whether it can load sqlite-vec."""

    module: Any
    name: str
    loads_extensions: bool

    @property
    def sqlite_version(self) -> str:
        """The version of the SQLite library behind it."""
        return str(self.module.sqlite_version)


def choose_binding(load: Loader) -> Binding:
    """Return the first binding that serves: pysqlite3, an able standard module, sqlean, the standard module."""
    if pysqlite3 := load("pysqlite3"):
        return Binding(module=pysqlite3, name="pysqlite3", loads_extensions=_able(pysqlite3))
    standard = load("sqlite3")
    if standard and _able(standard):
        return Binding(module=standard, name="sqlite3", loads_extensions=True)
    if sqlean := load("sqlean"):
        return Binding(module=sqlean, name="sqlean", loads_extensions=_able(sqlean))
    return Binding(module=standard, name="sqlite3", loads_extensions=False)


def _able(module: ModuleType) -> bool:
    return hasattr(module.Connection, "enable_load_extension")


@cache
def binding() -> Binding:
    """Return this process's binding."""

    def installed(name: str) -> ModuleType | None:
        with suppress(ImportError):
            return importlib.import_module(name)
        return None

    chosen = choose_binding(installed)
    if chosen.name == "sqlean":
        # sqlite-utils looks for pysqlite3 first: under that name it shares this library with us.
        sys.modules["pysqlite3"] = chosen.module
        sys.modules["pysqlite3.dbapi2"] = chosen.module.dbapi2
    return chosen


@cache
def vector_extension() -> str | None:
    """Return the path of sqlite-vec's loadable file, None where it is not installed.

    The package itself is not imported: that would import numpy.
    """
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        return None
    found = next(Path(spec.submodule_search_locations[0]).glob("vec0.*"), None)
    return str(found.with_suffix("")) if found else None


def load_vector_extension(connection: Connection) -> bool:
    """Load sqlite-vec into `connection`; return whether that worked."""
    path = vector_extension()
    if path is None or not binding().loads_extensions:
        return False
    try:
        connection.enable_load_extension(True)  # noqa: FBT003 - the DB-API takes no keyword
        connection.load_extension(path)
        connection.enable_load_extension(False)  # noqa: FBT003
    except binding().module.Error:
        return False
    return True
