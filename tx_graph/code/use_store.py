"""What files say about their names as rows, and where to look for users of a name."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from tx_graph.code.file_store import AMONG, among
from tx_graph.code.uses import NO_USES, Uses, name_hash, unpack
from tx_graph.core.database import Store
from tx_graph.graph.edges import NodeId


class UseStore(Store):
    """Keeps the uses in source files."""

    def replace(self, packed: Mapping[NodeId, bytes]) -> None:
        """Make these the only uses of their files; empty: none. Needs a transaction."""
        self.forget(packed)
        self._database.write_many(
            "INSERT INTO file_uses (file, uses) VALUES (?, ?)", ((file, data) for file, data in packed.items() if data)
        )
        named = {(name_hash(name), file) for file, data in packed.items() if data for name in unpack(data).names}
        self._database.write_many("INSERT OR IGNORE INTO used_names (name, file) VALUES (?, ?)", sorted(named))

    def forget(self, files: Iterable[NodeId]) -> None:
        """Forget what is known of these files. Needs a transaction."""
        before = self._database.rows(f"SELECT file, uses FROM file_uses WHERE file {AMONG}", among(list(files)))
        self._database.write_many(
            "DELETE FROM used_names WHERE name = ? AND file = ?",
            ((name_hash(name), file) for file, data in before for name in unpack(data).names),
        )
        self._database.write(f"DELETE FROM file_uses WHERE file {AMONG}", among([file for file, _ in before]))

    def of_file(self, path: str) -> Uses:
        """Return what a file says; nothing where it was not read."""
        data = self._database.value(
            "SELECT uses FROM file_uses WHERE file = (SELECT node_id FROM files WHERE path = ?)", (path,)
        )
        return unpack(data) if data else NO_USES

    def files_using(self, names: Collection[str]) -> list[str]:
        """Return the files that may use a symbol by one of these names, by path."""
        rows = self._database.rows(
            f"""
            SELECT DISTINCT f.path
            FROM used_names u
            JOIN files f ON f.node_id = u.file
            WHERE u.name {AMONG}
            ORDER BY f.path
            """,
            among([NodeId(name_hash(name)) for name in names]),
        )
        return [path for (path,) in rows]

    def files(self) -> list[str]:
        """Return every file whose uses are known, by path."""
        return [
            path
            for (path,) in self._database.rows(
                "SELECT f.path FROM file_uses u JOIN files f ON f.node_id = u.file ORDER BY f.path"
            )
        ]

    def targets(self, path: str) -> dict[tuple[str, str | None], str]:
        """Return the file that each import of a file means, by module and name; those that mean none are left out."""
        rows = self._database.rows(
            """
            SELECT s.module, s.name, t.path
            FROM import_specifiers s
            JOIN files t ON t.node_id = s.target
            WHERE s.file = (SELECT node_id FROM files WHERE path = ?)
            ORDER BY s.position DESC
            """,
            (path,),
        )
        return {(module, name): target for module, name, target in rows}

    def re_exported(self, path: str) -> set[str]:
        """Return the modules of the imports by which a file hands something on."""
        rows = self._database.rows(
            """
            SELECT module
            FROM import_specifiers
            WHERE import_type = 're-export' AND file = (SELECT node_id FROM files WHERE path = ?)
            """,
            (path,),
        )
        return {module for (module,) in rows}

    def specifiers(self, ending: str) -> list[tuple[str, str, str, str]]:
        """Return (path, module, scope, path of the file that it means) of the imports in files that end like this."""
        return self._database.rows(
            """
            SELECT f.path, s.module, s.scope, t.path
            FROM import_specifiers s
            JOIN files f ON f.node_id = s.file
            JOIN files t ON t.node_id = s.target
            WHERE f.path LIKE '%' || ?
            ORDER BY f.path, s.position
            """,
            (ending,),
        )

    def surfaces(self, ending: str) -> list[tuple[str, str, list[str]]]:
        """Return (path, package, names it offers) of the files that end like this, by path."""
        rows = self._database.rows(
            """
            SELECT f.path, s.package, s.offers
            FROM source_surfaces s
            JOIN files f ON f.node_id = s.file
            WHERE f.path LIKE '%' || ?
            ORDER BY f.path
            """,
            (ending,),
        )
        return [(path, package, [one[0] for one in json.loads(offers)]) for path, package, offers in rows]
