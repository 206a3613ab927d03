-- Up to where this database has the journal, which keeps what cannot be derived (`core/journal.py`): one row. Without
-- it, or where the journal goes on, what the journal says is taken in first.
CREATE TABLE journal (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    name       TEXT    NOT NULL,                      -- of the journal: another one has another
    generation INTEGER NOT NULL,                      -- how often it was written anew
    size       INTEGER NOT NULL,                      -- in bytes, up to there
    tail       INTEGER NOT NULL,                      -- CRC-32 of the last bytes up to there
    base       INTEGER NOT NULL                       -- its size when it was last written anew
);

-- The same table, whose ends are nodes: what was said of sections is kept before these are read.
ALTER TABLE extracted_edges RENAME TO extracted_edges_before;
CREATE TABLE extracted_edges (
    source      INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    target      INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    relation    TEXT    NOT NULL,
    weight      REAL    NOT NULL CHECK (weight > 0 AND weight <= 1),
    description TEXT    NOT NULL DEFAULT '',
    origin      TEXT    NOT NULL,                     -- who said so: a model's name, agent, vectors
    source_hash TEXT    NOT NULL,                     -- content_hash of both sections then
    target_hash TEXT    NOT NULL,
    PRIMARY KEY (source, target, relation, origin)
) WITHOUT ROWID;
INSERT INTO extracted_edges SELECT * FROM extracted_edges_before;
DROP TABLE extracted_edges_before;
CREATE INDEX extracted_edges_by_target ON extracted_edges (target);

-- The same table with one event more: that somebody took an anchor away.
ALTER TABLE invalidation_log RENAME TO invalidation_log_before;
CREATE TABLE invalidation_log (
    id           INTEGER PRIMARY KEY,
    learning     INTEGER NOT NULL REFERENCES nodes (id),
    anchor_type  TEXT    NOT NULL,
    anchor_value TEXT    NOT NULL,                    -- as it was called before the change
    at           TEXT    NOT NULL,
    event        TEXT    NOT NULL CHECK (event IN (
        'drifted', 'invalid', 'healed', 'relocated', 'refreshed', 'confirmed',
        'invalidated', 'restored', 'pinned', 'unpinned', 'pruned', 'refused', 'unlinked'
    )),
    detected_by  TEXT    NOT NULL,                    -- the command
    old_status   TEXT    NOT NULL,
    new_status   TEXT    NOT NULL,
    drift        TEXT,
    reason       TEXT,
    detail       TEXT    NOT NULL DEFAULT '',
    commit_sha   TEXT,                                -- the commit that changed the code, if known
    old_place    TEXT,
    new_place    TEXT,
    old_hash     TEXT,
    new_hash     TEXT,
    anchor       TEXT    NOT NULL                     -- JSON: the anchor as its record had it before
);
INSERT INTO invalidation_log SELECT * FROM invalidation_log_before;
DROP TABLE invalidation_log_before;
CREATE INDEX invalidation_log_by_anchor ON invalidation_log (learning, anchor_type, anchor_value, id);

-- One row per link between learnings that somebody made, took back or restored.
CREATE TABLE link_log (
    id          INTEGER PRIMARY KEY,
    source      INTEGER NOT NULL REFERENCES nodes (id),
    target      INTEGER NOT NULL REFERENCES nodes (id),
    relation    TEXT    NOT NULL,
    weight      REAL    NOT NULL,                     -- of the link that came or went
    at          TEXT    NOT NULL,
    event       TEXT    NOT NULL CHECK (event IN ('related', 'unrelated', 'restored')),
    detected_by TEXT    NOT NULL                      -- the command
);
CREATE INDEX link_log_by_source ON link_log (source, id);

-- The same table with one kind more: votes that are shared.
ALTER TABLE records RENAME TO records_before;
CREATE TABLE records (
    kind         TEXT    NOT NULL CHECK (kind IN ('learnings', 'facts', 'entities', 'feedback')),  -- its directory
    name         TEXT    NOT NULL,
    size         INTEGER NOT NULL,
    mtime_ns     INTEGER NOT NULL,
    content_hash TEXT    NOT NULL,
    uid          TEXT,
    problem      TEXT,
    problem_line INTEGER,
    PRIMARY KEY (kind, name)
) WITHOUT ROWID;
INSERT INTO records SELECT * FROM records_before;
DROP TABLE records_before;
CREATE UNIQUE INDEX records_by_uid ON records (kind, uid) WHERE problem IS NULL;

-- One row per vote that has a record, whoever gave it; those without one are counted in `learnings` alone.
CREATE TABLE votes (
    uid        TEXT    PRIMARY KEY,
    learning   TEXT    NOT NULL,                      -- uid
    helpful    REAL    NOT NULL,                      -- in [0, 1]
    created_at TEXT    NOT NULL,
    record     TEXT    NOT NULL                       -- file name under .tx/feedback/
) WITHOUT ROWID;
CREATE INDEX votes_by_learning ON votes (learning, helpful);
