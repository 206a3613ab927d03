"""Cases of one shape as a table: short ones stand several to a line."""

from __future__ import annotations


def rows(table: str) -> list[tuple[str, ...]]:
    """Return the rows of a table, parted by `¦` or line ends; cells are parted by `→`, and `⏎` is a line end in one."""
    written = (row for line in table.strip().splitlines() for row in line.split("¦"))
    return [tuple(cell.strip().replace("⏎", "\n") for cell in row.split("→")) for row in written]


def cells(table: str) -> list[str]:
    """Return the rows of a table of one column."""
    return [row for (row,) in rows(table)]
