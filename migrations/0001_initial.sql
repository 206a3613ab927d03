-- The first schema: nodes, learnings with their anchors and links, files with their imports and co-changes.
-- Edges name their ends by integer node id (62 bytes an edge, indexes included, against 346 with text);
-- the views at the end give them back as text.

-- Whose database this is: one row. TX_DB may name any file, and that of another repository is refused.
CREATE TABLE workspace (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    root TEXT    NOT NULL                             -- absolute path
);

-- One row per thing an edge can point at; `key` is a uid, a path, a qualified name.
CREATE TABLE nodes (
    id   INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('learning', 'file', 'symbol', 'section', 'entity', 'task', 'run', 'commit')),
    key  TEXT NOT NULL,
    UNIQUE (kind, key)
);

-- One row per learning this database has ever seen. A row outlives its record (`present` = 0), so that a
-- local number never comes to mean another learning when branches are switched.
CREATE TABLE learnings (
    id            INTEGER PRIMARY KEY,                -- the local number; rows stay, so none is given out twice
    uid           TEXT    NOT NULL UNIQUE,
    node_id       INTEGER NOT NULL UNIQUE REFERENCES nodes (id),
    content       TEXT    NOT NULL,
    category      TEXT,
    keywords      TEXT    NOT NULL DEFAULT '[]',      -- JSON array of text
    status        TEXT    NOT NULL CHECK (status IN ('staged', 'active', 'superseded', 'retracted')),
    confidence    REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    source_type   TEXT    NOT NULL
        CHECK (source_type IN ('manual', 'agent', 'run', 'task', 'document', 'transcript', 'commit', 'comment')),
    source_ref    TEXT,
    created_at    TEXT    NOT NULL,
    updated_at    TEXT    NOT NULL,                   -- when this database last saw it change
    removed_at    TEXT,
    removal_reason TEXT,
    superseded_by TEXT,                               -- uid
    record        TEXT    NOT NULL,                   -- file name under .tx/learnings/
    present       INTEGER NOT NULL DEFAULT 1,         -- 0: its record is not in the working tree
    usage_count   INTEGER NOT NULL DEFAULT 0,
    helpful_score REAL    NOT NULL DEFAULT 0,         -- sum of votes in [0, 1]
    last_used_at  TEXT
);

CREATE INDEX learnings_by_content ON learnings (substr(content, 1, 64));
CREATE INDEX learnings_by_time ON learnings (created_at DESC, id DESC);
CREATE INDEX learnings_withheld ON learnings (node_id)
    WHERE present = 0 OR removed_at IS NOT NULL OR status IN ('staged', 'superseded', 'retracted');

-- One row per record file as it was last read; `problem` says why it was skipped.
CREATE TABLE records (
    kind         TEXT    NOT NULL CHECK (kind IN ('learnings', 'facts', 'entities')),  -- its directory
    name         TEXT    NOT NULL,
    size         INTEGER NOT NULL,
    mtime_ns     INTEGER NOT NULL,
    content_hash TEXT    NOT NULL,
    uid          TEXT,
    problem      TEXT,
    problem_line INTEGER,
    PRIMARY KEY (kind, name)
) WITHOUT ROWID;

-- Unique also so that it is chosen without statistics: the primary key would look at every record of the kind.
CREATE UNIQUE INDEX records_by_uid ON records (kind, uid) WHERE problem IS NULL;

-- What full-text search sees: text with identifiers split, and the places a learning is anchored to.
CREATE VIRTUAL TABLE learnings_fts USING fts5 (content, keywords, places, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE learnings_vocabulary USING fts5vocab (learnings_fts, 'row');

-- One embedding per learning: `vector` is dimension × 4 bytes of little-endian float32, L2-normalised.
CREATE TABLE learning_vectors (
    learning_id  INTEGER PRIMARY KEY REFERENCES learnings (id),
    model        TEXT    NOT NULL,
    dimension    INTEGER NOT NULL,
    content_hash TEXT    NOT NULL,                    -- of the text that was embedded
    vector       BLOB    NOT NULL CHECK (length(vector) = dimension * 4)
);

CREATE INDEX learning_vectors_by_model ON learning_vectors (model, learning_id);

-- For which model each sqlite-vec index over vectors is built; `stale` when rows were written without sqlite-vec. The
-- indexes themselves (learning_vector_index, chunk_vector_index, entity_vector_index, vec0) are made when the first
-- vector arrives.
CREATE TABLE vector_index_state (
    subject   TEXT    PRIMARY KEY CHECK (subject IN ('learnings', 'chunks', 'entities')),
    model     TEXT    NOT NULL,
    dimension INTEGER NOT NULL,
    stale     INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- One row per tie between a learning and code, as its record has it. What graph:verify found stands in `status`,
-- `drift`, `reason` and `last_verified_at`; until it has looked, a tie is valid.
CREATE TABLE file_anchors (
    id               INTEGER PRIMARY KEY,
    learning         INTEGER NOT NULL REFERENCES learnings (node_id),
    file_path        TEXT    NOT NULL,                -- the pattern, for a glob
    file_node        INTEGER REFERENCES nodes (id),   -- NULL for a glob: it is matched when asked
    anchor_type      TEXT    NOT NULL CHECK (anchor_type IN ('glob', 'hash', 'symbol', 'lines')),
    anchor_value     TEXT    NOT NULL,                -- as one writes it: PATH, PATH::SYMBOL, PATH:L1-L2
    content_hash     TEXT,                            -- SHA-256 of what was anchored
    tokens_hash      TEXT,                            -- of its code without comments and white space
    unnamed_hash     TEXT,                            -- of the same without the symbol's own name
    signature_hash   TEXT,
    comments_hash    TEXT,
    sketch           TEXT,                            -- base64; tells similar code
    line_start       INTEGER,
    line_end         INTEGER,
    line_text        TEXT,                            -- what an anchor by lines held
    symbol_fqname    TEXT,
    symbol_node      INTEGER REFERENCES nodes (id),
    weight           REAL    NOT NULL DEFAULT 1 CHECK (weight BETWEEN 0 AND 1),
    pinned           INTEGER NOT NULL DEFAULT 0,      -- 1: exempt from verification
    invalidated_at   TEXT,                            -- when somebody said that it holds no more
    invalid_reason   TEXT,
    status           TEXT    NOT NULL DEFAULT 'valid' CHECK (status IN ('valid', 'drifted', 'invalid')),
    drift            TEXT CHECK (drift IN ('format', 'comment', 'body', 'signature')),
    reason           TEXT,                            -- why it is invalid
    found_at         TEXT,                            -- where the code is now, if it was relocated
    found_lines      TEXT,                            -- the lines it is on now, 10-20
    last_verified_at TEXT,                            -- NULL: never
    verified_hash    TEXT,                            -- of the file's content that the verdict is about
    UNIQUE (learning, anchor_type, anchor_value)
);

CREATE INDEX file_anchors_by_file ON file_anchors (file_node, weight, learning, status) WHERE file_node IS NOT NULL;
CREATE INDEX file_anchors_by_symbol ON file_anchors (symbol_node, weight, learning, status)
    WHERE symbol_node IS NOT NULL;
CREATE INDEX file_anchors_globs ON file_anchors (file_path) WHERE anchor_type = 'glob';

-- One row per file that was read to verify an anchor, as it was then: what did not change need not be read again.
CREATE TABLE anchored_files (
    path         TEXT    PRIMARY KEY,
    size         INTEGER NOT NULL,
    changed_ns   INTEGER NOT NULL,                    -- the later of its times of modification and of change
    content_hash TEXT    NOT NULL                     -- of its text, whatever its line ends
) WITHOUT ROWID;

-- One row per change in the life of an anchor; it outlives the anchor, which `anchor` can bring back.
CREATE TABLE invalidation_log (
    id           INTEGER PRIMARY KEY,
    learning     INTEGER NOT NULL REFERENCES nodes (id),
    anchor_type  TEXT    NOT NULL,
    anchor_value TEXT    NOT NULL,                    -- as it was called before the change
    at           TEXT    NOT NULL,
    event        TEXT    NOT NULL CHECK (event IN (
        'drifted', 'invalid', 'healed', 'relocated', 'refreshed', 'confirmed',
        'invalidated', 'restored', 'pinned', 'unpinned', 'pruned', 'refused'
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

CREATE INDEX invalidation_log_by_anchor ON invalidation_log (learning, anchor_type, anchor_value, id);

-- One row per file of the repository at the last index.
CREATE TABLE files (
    node_id      INTEGER PRIMARY KEY REFERENCES nodes (id),
    path         TEXT    NOT NULL UNIQUE,
    language     TEXT,
    size         INTEGER NOT NULL,
    mtime_ns     INTEGER NOT NULL,
    content_hash TEXT,                                -- NULL when it was not read
    problem      TEXT,                                -- why it was not read or parsed
    stem         TEXT,                                -- what its name shares with that of its test or header
    name         TEXT GENERATED ALWAYS AS             -- the last part of the path
        (replace(path, rtrim(path, replace(path, '/', '')), '')) VIRTUAL
);

CREATE INDEX files_by_name ON files (name, path);
CREATE INDEX files_by_stem ON files (stem) WHERE stem IS NOT NULL;

-- Files that were indexed and are not in the working tree now. Their co-changes wait: history still has them, and
-- another branch may bring the files back.
CREATE TABLE gone_files (
    node_id INTEGER PRIMARY KEY REFERENCES nodes (id)
);

-- Paths as words, so that a question can name a file.
CREATE VIRTUAL TABLE files_fts USING fts5 (path, tokenize = 'porter unicode61');

-- What each source file asks for, as it stands in the text; resolved again when files come and go.
CREATE TABLE import_specifiers (
    file        INTEGER NOT NULL REFERENCES files (node_id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    module      TEXT    NOT NULL,
    name        TEXT,
    import_type TEXT    NOT NULL,
    line        INTEGER NOT NULL,
    scope       TEXT    NOT NULL DEFAULT '',          -- the module inside the file that it stands in
    unresolved  TEXT,                                 -- why it gave no edge; NULL when it did
    PRIMARY KEY (file, position)
) WITHOUT ROWID;

-- What resolving the imports of others has to know of a file, in languages where paths alone do not tell.
CREATE TABLE source_surfaces (
    file    INTEGER PRIMARY KEY REFERENCES files (node_id) ON DELETE CASCADE,
    package TEXT NOT NULL,                            -- the package that it says it belongs to
    offers  TEXT NOT NULL,                            -- JSON array of [name, place]: what others may ask it for
    uses    TEXT NOT NULL                             -- JSON array of text: names that decide its own imports
);

-- Files whose text resolving imports depends on, such as tsconfig.json and what it extends.
CREATE TABLE consulted_files (
    path         TEXT NOT NULL,
    resolver     TEXT NOT NULL,
    content_hash TEXT NOT NULL,                       -- SHA-256 of the text as it was then
    PRIMARY KEY (path, resolver)
) WITHOUT ROWID;

-- One row per declaration in a source file, in source order. No index by name: it would take four times as long to
-- keep as the rows themselves, and reading 35,000 of them takes 10 ms.
CREATE TABLE symbols (
    file       INTEGER NOT NULL REFERENCES files (node_id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    name       TEXT    NOT NULL,                      -- qualified inside its file: AuthService::login
    kind       TEXT    NOT NULL,
    line_start INTEGER NOT NULL,
    line_end   INTEGER NOT NULL,
    signature  TEXT    NOT NULL,                      -- the head of the declaration on one line
    simple     TEXT GENERATED ALWAYS AS               -- the last part of the name
        (replace(name, rtrim(name, replace(name, ':', '')), '')) VIRTUAL,
    PRIMARY KEY (file, position)
) WITHOUT ROWID;

-- One row per pair of files where the first imports the second.
CREATE TABLE file_imports (
    source_file INTEGER NOT NULL REFERENCES nodes (id),
    target_file INTEGER NOT NULL REFERENCES nodes (id),
    import_type TEXT    NOT NULL CHECK (import_type IN ('static', 're-export', 'dynamic', 'type-only')),
    PRIMARY KEY (source_file, target_file)
) WITHOUT ROWID;

CREATE INDEX file_imports_by_target ON file_imports (target_file, source_file, import_type);

-- One row per pair of files that change together; the path of file_a sorts before that of file_b.
CREATE TABLE file_cochanges (
    file_a            INTEGER NOT NULL REFERENCES nodes (id),
    file_b            INTEGER NOT NULL REFERENCES nodes (id),
    correlation_score REAL    NOT NULL CHECK (correlation_score BETWEEN 0 AND 1),  -- Jaccard index
    commit_count      INTEGER NOT NULL,                                          -- commits that touch both
    commits_a         INTEGER NOT NULL,
    commits_b         INTEGER NOT NULL,
    PRIMARY KEY (file_a, file_b)
) WITHOUT ROWID;

-- In the order of weights, so that a walk reads only the strongest partners of a file that has thousands.
CREATE INDEX file_cochanges_by_a ON file_cochanges (file_a, correlation_score, file_b);
CREATE INDEX file_cochanges_by_b ON file_cochanges (file_b, correlation_score, file_a);

-- One row per file that imports or co-changes touch: how many do, both ways. Counted again when these change.
CREATE TABLE file_degrees (
    file   INTEGER PRIMARY KEY REFERENCES nodes (id),
    degree INTEGER NOT NULL
);

CREATE INDEX file_degrees_hubs ON file_degrees (degree, file) WHERE degree > 200;

-- One row per file that HEAD had when co-changes were last counted, and how many of the counted commits touched it.
CREATE TABLE file_commits (
    file    INTEGER PRIMARY KEY REFERENCES nodes (id),
    commits INTEGER NOT NULL
);

-- What was read of git's history and with which eyes, so that the next analysis of co-changes reads only what is new.
CREATE TABLE history (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    head         TEXT    NOT NULL,                    -- the commit where it ends
    shape        TEXT    NOT NULL,                    -- digest of what cuts off or replaces parts of it
    with_renames INTEGER NOT NULL                     -- 1: renames were looked for
);

-- Every path that the commits below touch, numbered from 0 in the order of the rows and within each.
CREATE TABLE history_paths (
    id    INTEGER PRIMARY KEY,
    paths BLOB    NOT NULL                            -- bytes parted by NUL, compressed (zlib): a fifth of the size
);

-- One row per commit without merges, about 25 bytes each. Path numbers are little-endian 32-bit integers.
CREATE TABLE history_commits (
    id      INTEGER PRIMARY KEY,
    time    INTEGER NOT NULL,                         -- the committer's, seconds since the epoch
    paths   BLOB,                                     -- NULL where there are too many to keep
    renames BLOB,                                     -- old and new by turns; NULL where there are none
    sha     BLOB                                      -- NULL unless renames were looked for
);

-- One row per asserted edge; derived ones (anchors, imports, co-changes) have tables of their own. An edge that
-- is taken back keeps its row, with the time; asserted again, it is valid again. `metadata` is for what a later
-- command has to say about an edge it asserts, such as the run or the section it comes from.
CREATE TABLE learning_edges (
    source         INTEGER NOT NULL REFERENCES nodes (id),
    target         INTEGER NOT NULL REFERENCES nodes (id),
    edge_type      TEXT    NOT NULL CHECK (edge_type IN (
        'ANCHORED_TO', 'DERIVED_FROM', 'IMPORTS', 'CO_CHANGES_WITH',
        'SIMILAR_TO', 'LINKS_TO', 'USED_IN_RUN', 'INVALIDATED_BY'
    )),
    relation       TEXT    NOT NULL DEFAULT '' CHECK (relation IN (
        '', 'references', 'elaborates', 'depends_on', 'contradicts',
        'part_of', 'similar_to', 'sequence', 'caused_by'
    )),
    weight         REAL    NOT NULL DEFAULT 1 CHECK (weight BETWEEN 0 AND 1),
    description    TEXT    NOT NULL DEFAULT '',
    metadata       TEXT    NOT NULL DEFAULT '{}',     -- JSON object
    created_at     TEXT    NOT NULL,
    invalidated_at TEXT,                              -- NULL: valid
    PRIMARY KEY (source, target, edge_type, relation)
) WITHOUT ROWID;

-- In the order of weights, for nodes that thousands of edges touch, such as a run or a commit.
CREATE INDEX learning_edges_by_source ON learning_edges (source, weight, target, edge_type) WHERE invalidated_at IS NULL;
CREATE INDEX learning_edges_by_target ON learning_edges (target, weight, source, edge_type, invalidated_at);

-- When each analysis last ran, at which commit and with which options.
CREATE TABLE analyses (
    name        TEXT PRIMARY KEY,                     -- index, imports, cochanges
    finished_at TEXT NOT NULL,
    head        TEXT,
    options     TEXT NOT NULL DEFAULT '{}'            -- JSON object
) WITHOUT ROWID;

-- Tasks and runs are local: no record has them, and they are lost with the database.

-- One row per piece of work.
CREATE TABLE tasks (
    id          INTEGER PRIMARY KEY,                  -- the local number; rows stay, so none is given out twice
    node_id     INTEGER NOT NULL UNIQUE REFERENCES nodes (id),
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL DEFAULT '',
    external_id TEXT    UNIQUE COLLATE NOCASE,        -- what a tracker calls it, GH-123
    created_at  TEXT    NOT NULL,
    updated_at  TEXT    NOT NULL,
    done_at     TEXT                                  -- NULL: open
);

-- One row per attempt at some work.
CREATE TABLE runs (
    id               INTEGER PRIMARY KEY,             -- the local number
    node_id          INTEGER NOT NULL UNIQUE REFERENCES nodes (id),
    task             INTEGER REFERENCES tasks (id),
    agent            TEXT,                            -- who or what worked
    started_at       TEXT    NOT NULL,
    outcome          TEXT    CHECK (outcome IN ('succeeded', 'failed', 'cancelled')),
    finished_at      TEXT,                            -- NULL, like the outcome: it goes on
    transcript_bytes INTEGER,                         -- of UTF-8
    transcript       TEXT                             -- last, so that nothing else is read past it
);

CREATE INDEX runs_by_task ON runs (task) WHERE task IS NOT NULL;

-- One row per learning that was shown in a run. Votes on it are edges of type USED_IN_RUN.
CREATE TABLE run_learnings (
    run      INTEGER NOT NULL REFERENCES runs (id),
    learning INTEGER NOT NULL REFERENCES learnings (node_id),
    position INTEGER NOT NULL,                        -- from 1, when it was first shown
    score    REAL    NOT NULL CHECK (score BETWEEN 0 AND 1),
    shown_at TEXT    NOT NULL,                        -- first
    times    INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (run, learning)
) WITHOUT ROWID;

CREATE INDEX run_learnings_by_learning ON run_learnings (learning, run);

-- Telemetry: what agents did, from their transcripts. Ephemeral and local: it is pruned by age, and no record has it.

-- One row per transcript file, as far as it was read. Each is one session, and so one run.
CREATE TABLE transcripts (
    id          INTEGER PRIMARY KEY,
    path        TEXT    NOT NULL UNIQUE,              -- absolute
    format      TEXT    NOT NULL CHECK (format IN ('claude-code', 'codex', 'plain')),
    run         INTEGER NOT NULL REFERENCES runs (id),
    session     TEXT,                                 -- what the agent calls it
    cwd         TEXT,                                 -- where the agent stood in the end
    size        INTEGER NOT NULL,                     -- of the file when it was read, bytes
    mtime_ns    INTEGER NOT NULL,                     -- -1: too young then to prove anything
    read_bytes  INTEGER NOT NULL,                     -- up to here whole lines were read
    read_hash   TEXT    NOT NULL,                     -- SHA-256 of these bytes: another one, and it was rewritten
    lines       INTEGER NOT NULL,                     -- read so far
    unknown     INTEGER NOT NULL DEFAULT 0,           -- of them, those that say nothing we know
    malformed   INTEGER NOT NULL DEFAULT 0,           -- of them, those that are no JSON
    redacted    INTEGER NOT NULL DEFAULT 0,           -- secrets taken out
    ingested_at TEXT    NOT NULL
);

-- One row per thing that was said or done.
CREATE TABLE telemetry_events (
    id         INTEGER PRIMARY KEY,
    transcript INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
    line       INTEGER NOT NULL,                      -- of the transcript, from 1
    at         TEXT    NOT NULL,                      -- when it happened, or else when the file was last written
    kind       TEXT    NOT NULL CHECK (kind IN ('user', 'agent', 'call', 'result')),
    tool       TEXT,
    call       TEXT,                                  -- ties a result to its call
    failed     INTEGER NOT NULL DEFAULT 0,
    paths      TEXT    NOT NULL DEFAULT '[]',         -- JSON array: files of the repository that a call names
    text       TEXT    NOT NULL                       -- without secrets
);

CREATE INDEX telemetry_events_by_transcript ON telemetry_events (transcript, id, at, failed);
CREATE INDEX telemetry_events_by_time ON telemetry_events (at);

-- What git's history says in words, so that a question finds the files that such changes touched.

-- Up to which commit messages were read, and what cut off or replaced parts of history then (see `history`).
CREATE TABLE commit_index (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    head  TEXT NOT NULL,
    shape TEXT NOT NULL
);

-- One row per commit of HEAD without merges that touches few enough files to say something about each.
-- Later commits have greater ids.
CREATE TABLE commits (
    id      INTEGER PRIMARY KEY,
    sha     TEXT    NOT NULL UNIQUE,
    time    INTEGER NOT NULL,                         -- the committer's, seconds since the epoch
    subject TEXT    NOT NULL,                         -- the first line of its message
    files   INTEGER NOT NULL                          -- how many it touches
);

CREATE TABLE commit_paths (
    id   INTEGER PRIMARY KEY,
    path TEXT    NOT NULL UNIQUE
);

CREATE TABLE commit_files (
    path      INTEGER NOT NULL REFERENCES commit_paths (id),
    commit_id INTEGER NOT NULL REFERENCES commits (id),
    PRIMARY KEY (path, commit_id)
) WITHOUT ROWID;

CREATE INDEX commit_files_by_commit ON commit_files (commit_id, path);

-- Messages without the lines that tools add, identifiers also split; rowid is the commit.
CREATE VIRTUAL TABLE commits_fts USING fts5 (subject, body, tokenize = 'porter unicode61');

-- The words of each text file, each once; rowid is the file's node.
CREATE VIRTUAL TABLE file_words USING fts5 (words, tokenize = 'porter unicode61');

-- The files that were read for their words, as they were then; also those that have none.
CREATE TABLE worded_files (
    node_id  INTEGER PRIMARY KEY,
    size     INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL
);

-- Documents: the repository's own writing. All of it can be read again at any time, but for what a model said.

-- One row per document as it was last read.
CREATE TABLE documents (
    node_id      INTEGER PRIMARY KEY REFERENCES nodes (id),  -- that of its file
    path         TEXT    NOT NULL UNIQUE,
    format       TEXT    NOT NULL CHECK (format IN ('markdown', 'rst', 'text')),
    title        TEXT    NOT NULL,
    size         INTEGER NOT NULL,
    mtime_ns     INTEGER NOT NULL,
    content_hash TEXT    NOT NULL,                    -- SHA-256 of the file
    problems     TEXT    NOT NULL DEFAULT '[]',       -- JSON array of sentences' ends
    aliases      TEXT    NOT NULL DEFAULT '[]'        -- JSON array: other names that its front matter gives it
);

-- Files that were to be read as documents and could not be; `problem` says why.
CREATE TABLE unread_documents (
    path     TEXT    PRIMARY KEY,
    size     INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    problem  TEXT    NOT NULL
) WITHOUT ROWID;

-- The tree of each document. Its first row is the document itself, with what stands before the first heading; a
-- section is what a heading holds up to the next one. One that is too long to be read at once has parts.
CREATE TABLE sections (
    node_id      INTEGER PRIMARY KEY REFERENCES nodes (id) ON DELETE CASCADE,
    document     INTEGER NOT NULL REFERENCES documents (node_id) ON DELETE CASCADE,
    parent       INTEGER REFERENCES sections (node_id) DEFERRABLE INITIALLY DEFERRED,  -- NULL: the document itself
    position     INTEGER NOT NULL,                    -- in the order of the source, from 0 for the document itself
    part         INTEGER NOT NULL DEFAULT 0,          -- from 1: which piece of its parent's own text it is
    level        INTEGER NOT NULL,                    -- of the heading, from 1; 0 for the document itself
    title        TEXT    NOT NULL,
    slug         TEXT    NOT NULL,
    labels       TEXT    NOT NULL DEFAULT '[]',       -- JSON array: other names by which links reach it
    line_start   INTEGER NOT NULL,
    line_end     INTEGER NOT NULL,                    -- the last line of its own text
    content_hash TEXT    NOT NULL,                    -- SHA-256 of its own text
    text         TEXT    NOT NULL                     -- its own, without its sections; empty where parts have it
);

CREATE INDEX sections_by_document ON sections (document, position);
CREATE INDEX sections_by_parent ON sections (parent, position);

-- What search looks at: the text of each section in pieces small enough for an embedder. Searching finds a chunk and
-- returns its section.
CREATE TABLE chunks (
    id           INTEGER PRIMARY KEY,
    section      INTEGER NOT NULL REFERENCES sections (node_id) ON DELETE CASCADE,
    position     INTEGER NOT NULL,                    -- in its section, from 0
    content_hash TEXT    NOT NULL,                    -- SHA-256 of the text with the headings above it
    headings     TEXT    NOT NULL,                    -- titles from the document's down, parted by ' › '
    text         TEXT    NOT NULL
);

CREATE INDEX chunks_by_section ON chunks (section, position);

-- The headings (and the path's words) and the text of a chunk, identifiers also split; rowid is the chunk.
CREATE VIRTUAL TABLE chunks_fts USING fts5 (headings, text, tokenize = 'porter unicode61');

-- One embedding per chunk, as in learning_vectors.
CREATE TABLE chunk_vectors (
    chunk_id     INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    model        TEXT    NOT NULL,
    dimension    INTEGER NOT NULL,
    content_hash TEXT    NOT NULL,                    -- of the text that was embedded, as `chunks` has it
    vector       BLOB    NOT NULL CHECK (length(vector) = dimension * 4)
);

CREATE INDEX chunk_vectors_by_model ON chunk_vectors (model, chunk_id);

-- What sections point at, as they write it. `target` is looked up again when documents, files or symbols come and go.
-- With a predicate it is a relation note: the section is its subject.
CREATE TABLE section_links (
    section   INTEGER NOT NULL REFERENCES sections (node_id) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('link', 'label', 'wiki', 'code', 'name')),
    written   TEXT    NOT NULL,                       -- the destination or name
    text      TEXT    NOT NULL DEFAULT '',            -- the words that carry the link
    predicate TEXT    NOT NULL DEFAULT '',            -- as written, in snake_case: depends_on, supersedes
    line      INTEGER NOT NULL,
    target    INTEGER REFERENCES nodes (id) ON DELETE SET NULL,
    problem   TEXT,                                   -- why a link leads nowhere; NULL for names, which need not
    PRIMARY KEY (section, position)
) WITHOUT ROWID;

CREATE INDEX section_links_by_target ON section_links (target, section) WHERE target IS NOT NULL;
CREATE INDEX section_links_by_predicate ON section_links (predicate, target) WHERE predicate > '';
CREATE INDEX section_links_typed ON section_links (section) WHERE predicate <> '';

-- What a model, an agent or vectors said about two sections. It holds while both say what they said then.
CREATE TABLE extracted_edges (
    source      INTEGER NOT NULL REFERENCES sections (node_id) ON DELETE CASCADE,
    target      INTEGER NOT NULL REFERENCES sections (node_id) ON DELETE CASCADE,
    relation    TEXT    NOT NULL,
    weight      REAL    NOT NULL CHECK (weight > 0 AND weight <= 1),
    description TEXT    NOT NULL DEFAULT '',
    origin      TEXT    NOT NULL,                     -- who said so: a model's name, agent, vectors
    source_hash TEXT    NOT NULL,                     -- content_hash of both sections then
    target_hash TEXT    NOT NULL,
    PRIMARY KEY (source, target, relation, origin)
) WITHOUT ROWID;

CREATE INDEX extracted_edges_by_target ON extracted_edges (target);

-- Every edge that leaves a section, from its place in the tree, its links and the table above: of those that say the
-- same the one of the highest weight. Targets are sections, files and symbols.
CREATE TABLE section_edges (
    source      INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    target      INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    relation    TEXT    NOT NULL CHECK (relation IN (
        'references', 'elaborates', 'depends_on', 'contradicts', 'part_of', 'similar_to', 'sequence', 'caused_by'
    )),
    edge_type   TEXT    NOT NULL CHECK (edge_type IN ('LINKS_TO', 'SIMILAR_TO')),
    weight      REAL    NOT NULL CHECK (weight > 0 AND weight <= 1),
    description TEXT    NOT NULL DEFAULT '',
    origin      TEXT    NOT NULL,                     -- structure, link, or who said so
    PRIMARY KEY (source, target, relation)
) WITHOUT ROWID;

CREATE INDEX section_edges_by_source ON section_edges (source, weight, target, edge_type);
CREATE INDEX section_edges_by_target ON section_edges (target, weight, source, edge_type);

-- Facts: statements about entities. Records and documents are the truth of them; use is counted here.

-- One row per record of an entity, as it was read. Several may speak of one entity: names decide.
CREATE TABLE entity_records (
    uid         TEXT    PRIMARY KEY,
    name        TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    aliases     TEXT    NOT NULL DEFAULT '[]',        -- JSON array of text
    description TEXT    NOT NULL DEFAULT '',
    merged_into TEXT,                                 -- the name of the entity that took its place
    created_at  TEXT    NOT NULL,
    record      TEXT    NOT NULL,                     -- file name under .tx/entities/
    present     INTEGER NOT NULL DEFAULT 1            -- 0: its record is not in the working tree
) WITHOUT ROWID;

-- One row per document that is an entity, or section that is a record of a decision: its title, and by what else it
-- goes. Weaker than any record.
CREATE TABLE entity_documents (
    document    INTEGER PRIMARY KEY REFERENCES sections (node_id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    aliases     TEXT    NOT NULL DEFAULT '[]'         -- JSON array of text
);

-- The entities that records, documents and facts add up to; `key` is the name as it is recognised.
CREATE TABLE entities (
    node_id     INTEGER PRIMARY KEY REFERENCES nodes (id),
    key         TEXT    NOT NULL UNIQUE,
    name        TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    description TEXT    NOT NULL DEFAULT '',
    uid         TEXT,                                 -- of its record; NULL when none describes it
    created_at  TEXT,
    is_claimed  INTEGER NOT NULL DEFAULT 0,           -- 0: it is only named in facts
    mentions    INTEGER NOT NULL DEFAULT 0            -- rows of `mentions` that lead to it
);

CREATE TABLE entity_aliases (
    key    TEXT    PRIMARY KEY,                       -- as it is recognised
    alias  TEXT    NOT NULL,
    entity INTEGER NOT NULL REFERENCES entities (node_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX entity_aliases_by_entity ON entity_aliases (entity, key);

-- Names and aliases, and what is said of an entity; rowid is its node.
CREATE VIRTUAL TABLE entities_fts USING fts5 (names, description, tokenize = 'porter unicode61');

-- One embedding per entity, as in learning_vectors.
CREATE TABLE entity_vectors (
    entity_id    INTEGER PRIMARY KEY REFERENCES entities (node_id) ON DELETE CASCADE,
    model        TEXT    NOT NULL,
    dimension    INTEGER NOT NULL,
    content_hash TEXT    NOT NULL,                    -- of the text that was embedded
    vector       BLOB    NOT NULL CHECK (length(vector) = dimension * 4)
);

CREATE INDEX entity_vectors_by_model ON entity_vectors (model, entity_id);

-- One row per statement. Those that only a document makes have no record, and are replaced when it says otherwise;
-- their row stays, with the time when they ceased to hold.
CREATE TABLE facts (
    id               INTEGER PRIMARY KEY,             -- the local number
    uid              TEXT    NOT NULL UNIQUE,
    subject          INTEGER NOT NULL REFERENCES nodes (id),
    object           INTEGER REFERENCES nodes (id),
    subject_name     TEXT    NOT NULL,                -- as it was written; `subject` is whom that means now
    object_name      TEXT,
    predicate        TEXT    NOT NULL,                -- free text, in snake_case
    value            TEXT,                            -- the literal, where there is no object
    relation         TEXT    NOT NULL DEFAULT 'references' CHECK (relation IN (
        'references', 'elaborates', 'depends_on', 'contradicts', 'part_of', 'similar_to', 'sequence', 'caused_by'
    )),                                               -- what a walk takes the predicate for
    confidence       REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    status           TEXT    NOT NULL CHECK (status IN ('staged', 'confirmed', 'superseded', 'retracted')),
    source           TEXT    NOT NULL CHECK (source IN ('user_edit', 'file', 'system', 'conversation')),
    source_ref       TEXT,
    created_at       TEXT    NOT NULL,
    valid_until      TEXT,                            -- NULL: it holds
    superseded_by    TEXT,                            -- uid
    record           TEXT,                            -- file name under .tx/facts/; NULL: only a document says so
    present          INTEGER NOT NULL DEFAULT 1,      -- 0: its record is not in the working tree
    document         INTEGER REFERENCES documents (node_id) ON DELETE SET NULL,
    section          INTEGER REFERENCES sections (node_id) ON DELETE SET NULL,  -- that says so now
    access_count     INTEGER NOT NULL DEFAULT 0,
    last_accessed_at TEXT,
    CHECK ((object_name IS NULL) <> (value IS NULL)),
    CHECK ((object_name IS NULL) = (object IS NULL))
);

CREATE INDEX facts_by_subject ON facts (subject, confidence, id) WHERE present = 1 AND status IN ('staged', 'confirmed');
CREATE INDEX facts_by_object ON facts (object, confidence, id) WHERE object IS NOT NULL;
CREATE INDEX facts_of_subject ON facts (subject, predicate);
CREATE INDEX facts_by_time ON facts (created_at, id);
CREATE INDEX facts_by_document ON facts (document) WHERE document IS NOT NULL;
CREATE INDEX facts_by_section ON facts (section) WHERE section IS NOT NULL;

-- What documents state with literal values, as they write it. What that means is found out when all are read.
CREATE TABLE document_statements (
    document   INTEGER NOT NULL REFERENCES documents (node_id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,                      -- in the order of the source
    section    INTEGER NOT NULL,                      -- node of the section that says so
    predicate  TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    confidence REAL    NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;

-- Some documents hold several records of decisions. One row per section that stands under the heading of such a one.
CREATE TABLE decision_sections (
    section  INTEGER PRIMARY KEY REFERENCES sections (node_id) ON DELETE CASCADE,
    decision INTEGER NOT NULL                         -- node of that heading's section
);

-- Facts whose document was removed: they are closed when documents are read.
CREATE INDEX facts_adrift ON facts (id)
    WHERE document IS NULL AND record IS NULL AND status IN ('staged', 'confirmed');

CREATE INDEX facts_by_place ON facts (source_ref) WHERE section IS NULL AND source_ref IS NOT NULL;

-- Which sections, learnings and files speak of an entity: how often, or 1 where they are what it is.
CREATE TABLE mentions (
    entity INTEGER NOT NULL REFERENCES entities (node_id) ON DELETE CASCADE,
    node   INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    origin TEXT    NOT NULL CHECK (origin IN ('identity', 'fact', 'text')),  -- it is that; a fact says so; its name
    times  INTEGER NOT NULL DEFAULT 1,
    weight REAL    NOT NULL CHECK (weight > 0 AND weight <= 1),
    PRIMARY KEY (entity, node)
) WITHOUT ROWID;

CREATE INDEX mentions_by_node ON mentions (node, weight, entity);
CREATE INDEX mentions_by_entity ON mentions (entity, weight, node);

CREATE TRIGGER mentions_after_adding AFTER INSERT ON mentions
BEGIN UPDATE entities SET mentions = mentions + 1 WHERE node_id = new.entity; END;
CREATE TRIGGER mentions_after_removal AFTER DELETE ON mentions
BEGIN UPDATE entities SET mentions = mentions - 1 WHERE node_id = old.entity; END;

-- Every name of an entity as it was last looked for in texts; `word` is the most telling of its words, NULL where the
-- name would be found where it is not meant.
CREATE TABLE mention_names (
    name   TEXT    NOT NULL,                          -- as it is written
    entity INTEGER NOT NULL,
    word   TEXT,
    PRIMARY KEY (name, entity)
) WITHOUT ROWID;

CREATE INDEX mention_names_by_word ON mention_names (word, name, entity) WHERE word IS NOT NULL;

-- One row: whether entities have got or lost a name since names were last compared.
CREATE TABLE mention_state (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    names_changed INTEGER NOT NULL
);

INSERT INTO mention_state (id, names_changed) VALUES (1, 1);

CREATE TRIGGER mentions_after_adding_entity AFTER INSERT ON entities
BEGIN UPDATE mention_state SET names_changed = 1; END;
CREATE TRIGGER mentions_after_change_of_entity AFTER UPDATE OF name ON entities WHEN old.name <> new.name
BEGIN UPDATE mention_state SET names_changed = 1; END;
CREATE TRIGGER mentions_after_removal_of_entity AFTER DELETE ON entities
BEGIN UPDATE mention_state SET names_changed = 1; END;
CREATE TRIGGER mentions_after_adding_alias AFTER INSERT ON entity_aliases
BEGIN UPDATE mention_state SET names_changed = 1; END;
CREATE TRIGGER mentions_after_change_of_alias AFTER UPDATE ON entity_aliases
BEGIN UPDATE mention_state SET names_changed = 1; END;
CREATE TRIGGER mentions_after_removal_of_alias AFTER DELETE ON entity_aliases
BEGIN UPDATE mention_state SET names_changed = 1; END;

-- Nodes that may speak of others than before: their text came, changed or went, or a fact points at them. Whoever
-- changes these tables, mentions catch up with it.
CREATE TABLE mention_queue (node INTEGER PRIMARY KEY);

-- Not 'OR IGNORE': the conflict clause of the statement that fires a trigger takes the place of the trigger's own.

CREATE TRIGGER mentions_after_adding_section AFTER INSERT ON sections
BEGIN INSERT INTO mention_queue SELECT new.node_id WHERE new.node_id NOT IN (SELECT node FROM mention_queue); END;
CREATE TRIGGER mentions_after_change_of_section AFTER UPDATE OF text ON sections WHEN old.text <> new.text
BEGIN INSERT INTO mention_queue SELECT new.node_id WHERE new.node_id NOT IN (SELECT node FROM mention_queue); END;
CREATE TRIGGER mentions_after_removal_of_section AFTER DELETE ON sections
BEGIN INSERT INTO mention_queue SELECT old.node_id WHERE old.node_id NOT IN (SELECT node FROM mention_queue); END;
CREATE TRIGGER mentions_after_adding_learning AFTER INSERT ON learnings
BEGIN INSERT INTO mention_queue SELECT new.node_id WHERE new.node_id NOT IN (SELECT node FROM mention_queue); END;
CREATE TRIGGER mentions_after_change_of_learning AFTER UPDATE OF content, present ON learnings
WHEN old.content <> new.content OR old.present <> new.present
BEGIN INSERT INTO mention_queue SELECT new.node_id WHERE new.node_id NOT IN (SELECT node FROM mention_queue); END;
CREATE TRIGGER mentions_after_adding_fact AFTER INSERT ON facts
BEGIN
    INSERT INTO mention_queue SELECT new.section
    WHERE new.section IS NOT NULL AND new.section NOT IN (SELECT node FROM mention_queue);
    INSERT INTO mention_queue
    SELECT id FROM nodes
    WHERE kind IN ('file', 'section', 'learning') AND key = new.source_ref
    AND id NOT IN (SELECT node FROM mention_queue);
END;
CREATE TRIGGER mentions_after_change_of_fact
AFTER UPDATE OF subject, object, status, present, section, source_ref ON facts
BEGIN
    INSERT INTO mention_queue SELECT old.section
    WHERE old.section IS NOT NULL AND old.section NOT IN (SELECT node FROM mention_queue);
    INSERT INTO mention_queue SELECT new.section
    WHERE new.section IS NOT NULL AND new.section NOT IN (SELECT node FROM mention_queue);
    INSERT INTO mention_queue
    SELECT id FROM nodes
    WHERE kind IN ('file', 'section', 'learning') AND key IN (old.source_ref, new.source_ref)
    AND id NOT IN (SELECT node FROM mention_queue);
END;

-- In the order of weights, so that a walk reads only the strongest facts of an entity that has thousands.
CREATE INDEX facts_walked_by_subject ON facts (subject, confidence, object)
    WHERE object IS NOT NULL AND present = 1 AND status IN ('staged', 'confirmed');
CREATE INDEX facts_walked_by_object ON facts (object, confidence, subject)
    WHERE object IS NOT NULL AND present = 1 AND status IN ('staged', 'confirmed');

-- One row: a number that is another one after every change of facts or entities, whoever makes it. That a fact was
-- recalled, and how often an entity is spoken of, are none.
CREATE TABLE facts_version (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    vectors INTEGER NOT NULL                          -- the same for vectors of entities alone
);

INSERT INTO facts_version (id, version, vectors) VALUES (1, 0, 0);

CREATE TRIGGER facts_version_after_adding AFTER INSERT ON facts
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_change AFTER UPDATE OF
    uid, subject, object, subject_name, object_name, predicate, value, confidence, status, source, source_ref,
    created_at, valid_until, superseded_by, record, present, document, section ON facts
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_removal AFTER DELETE ON facts
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_adding_entity AFTER INSERT ON entities
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_change_of_entity AFTER UPDATE OF key, name, type, description ON entities
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_removal_of_entity AFTER DELETE ON entities
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_adding_alias AFTER INSERT ON entity_aliases
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_removal_of_alias AFTER DELETE ON entity_aliases
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_vector AFTER INSERT ON entity_vectors
BEGIN UPDATE facts_version SET version = version + 1, vectors = vectors + 1; END;
CREATE TRIGGER facts_version_after_removal_of_vector AFTER DELETE ON entity_vectors
BEGIN UPDATE facts_version SET version = version + 1, vectors = vectors + 1; END;

-- Every edge of every layer, ends as node ids.
CREATE VIEW graph_edges (layer, type, relation, source, target, weight, description, valid) AS
SELECT 'anchor', 'ANCHORED_TO', anchor_type, learning, file_node, weight, anchor_value, status <> 'invalid'
FROM file_anchors WHERE file_node IS NOT NULL
UNION ALL
SELECT 'anchor', 'ANCHORED_TO', anchor_type, learning, symbol_node, weight, anchor_value, status <> 'invalid'
FROM file_anchors WHERE symbol_node IS NOT NULL
UNION ALL
SELECT 'import', 'IMPORTS', import_type, source_file, target_file, 1.0, '', 1
FROM file_imports
UNION ALL
SELECT 'cochange', 'CO_CHANGES_WITH', '', file_a, file_b, correlation_score, '', 1
FROM file_cochanges
WHERE file_a NOT IN (SELECT node_id FROM gone_files) AND file_b NOT IN (SELECT node_id FROM gone_files)
UNION ALL
SELECT 'asserted', edge_type, relation, source, target, weight, description, invalidated_at IS NULL
FROM learning_edges
UNION ALL
SELECT 'section', edge_type, relation, source, target, weight, description, 1
FROM section_edges
UNION ALL
SELECT 'fact', 'LINKS_TO', relation, subject, object, confidence, predicate || iif(status = 'staged', ' (staged)', ''), 1
FROM facts WHERE object IS NOT NULL AND present = 1 AND status IN ('staged', 'confirmed')
UNION ALL
SELECT 'mention', 'LINKS_TO', 'references', node, entity, weight, origin, 1
FROM mentions;

-- The same for people who query by SQL, with the ends as text.
CREATE VIEW graph_edges_text (layer, edge_type, relation, source_type, source_id, target_type, target_id, weight, description, valid) AS
SELECT e.layer, e.type, e.relation, s.kind, s.key, t.kind, t.key, e.weight, e.description, e.valid
FROM graph_edges e JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target;

CREATE VIEW learning_edges_text (edge_type, source_type, source_id, target_type, target_id, weight, relation, description, metadata, created_at, invalidated_at) AS
SELECT e.edge_type, s.kind, s.key, t.kind, t.key, e.weight, e.relation, e.description, e.metadata, e.created_at, e.invalidated_at
FROM learning_edges e JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target;

CREATE VIEW file_anchors_text (id, learning_id, file_path, anchor_type, anchor_value, content_hash, line_start, line_end, symbol_fqname, last_verified_at, status) AS
SELECT a.id, l.id, a.file_path, a.anchor_type, a.anchor_value, a.content_hash, a.line_start, a.line_end, a.symbol_fqname, a.last_verified_at, a.status
FROM file_anchors a JOIN learnings l ON l.node_id = a.learning;

CREATE VIEW file_imports_text (source_file, target_file, import_type) AS
SELECT s.key, t.key, i.import_type
FROM file_imports i JOIN nodes s ON s.id = i.source_file JOIN nodes t ON t.id = i.target_file;

CREATE VIEW symbols_text (fqname, kind, file, line_start, line_end, signature) AS
SELECT f.path || '::' || s.name, s.kind, f.path, s.line_start, s.line_end, s.signature
FROM symbols s JOIN files f ON f.node_id = s.file;

CREATE VIEW file_cochanges_text (file_a, file_b, correlation_score, commit_count, commits_a, commits_b, last_updated_at) AS
SELECT a.key, b.key, c.correlation_score, c.commit_count, c.commits_a, c.commits_b, (SELECT finished_at FROM analyses WHERE name = 'cochanges')
FROM file_cochanges c JOIN nodes a ON a.id = c.file_a JOIN nodes b ON b.id = c.file_b;

CREATE VIEW facts_text (id, uid, subject, predicate, object, value, confidence, status, source, source_ref, created_at, valid_until, superseded_by, access_count, last_accessed_at) AS
SELECT f.id, f.uid, s.name, f.predicate, o.name, f.value, f.confidence, f.status, f.source, f.source_ref, f.created_at, f.valid_until, f.superseded_by, f.access_count, f.last_accessed_at
FROM facts f JOIN entities s ON s.node_id = f.subject LEFT JOIN entities o ON o.node_id = f.object
WHERE f.present = 1;
