-- Code is found by its pieces, which take the place of the words of whole files. All of it is read again from the
-- working tree at the next index.
DROP TABLE file_words;
DROP TABLE worded_files;

-- One row per piece of a file: lines that belong together, so that an answer has a place.
CREATE TABLE code_chunks (
    id         INTEGER PRIMARY KEY,
    file       INTEGER NOT NULL,
    line_start INTEGER NOT NULL,                      -- both included, counted from 1
    line_end   INTEGER NOT NULL
);
CREATE INDEX code_chunks_by_file ON code_chunks (file);

-- What stands in the pieces, by their ids. The index keeps no text: `chunked_files` has what is needed to take it out.
CREATE VIRTUAL TABLE code_words USING fts5 (words, content = '', tokenize = 'porter unicode61');

-- The files that were cut into pieces, as they were then; also those that have none.
CREATE TABLE chunked_files (
    node_id  INTEGER PRIMARY KEY,
    size     INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    version  TEXT    NOT NULL,                        -- of the rules by which they were read and cut
    words    BLOB    NOT NULL                         -- of each piece, in their order, compressed
);

-- What a file is called and what it declares, in one short text: found by words, and by meaning.
CREATE TABLE file_cards (
    id   INTEGER PRIMARY KEY,                         -- the node of the file
    text TEXT NOT NULL
);
CREATE VIRTUAL TABLE file_cards_fts USING fts5 (text, content = 'file_cards', content_rowid = 'id', tokenize = 'porter unicode61');
CREATE TRIGGER file_cards_after_adding AFTER INSERT ON file_cards
BEGIN INSERT INTO file_cards_fts (rowid, text) VALUES (new.id, new.text); END;
CREATE TRIGGER file_cards_after_removal AFTER DELETE ON file_cards
BEGIN INSERT INTO file_cards_fts (file_cards_fts, rowid, text) VALUES ('delete', old.id, old.text); END;

CREATE TABLE card_vectors (
    card_id      INTEGER PRIMARY KEY REFERENCES file_cards (id) ON DELETE CASCADE,
    model        TEXT    NOT NULL,
    dimension    INTEGER NOT NULL,
    content_hash TEXT    NOT NULL,                    -- of the text that was embedded
    vector       BLOB    NOT NULL CHECK (length(vector) = dimension * 4)
);
CREATE INDEX card_vectors_by_model ON card_vectors (model, card_id);

-- The same table with one subject more: what is embedded of files.
ALTER TABLE vector_index_state RENAME TO vector_index_state_before;
CREATE TABLE vector_index_state (
    subject   TEXT    PRIMARY KEY CHECK (subject IN ('learnings', 'chunks', 'entities', 'cards')),
    model     TEXT    NOT NULL,
    dimension INTEGER NOT NULL,
    stale     INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO vector_index_state SELECT subject, model, dimension, stale FROM vector_index_state_before;
DROP TABLE vector_index_state_before;

-- Who declares a name, in upper or lower case.
CREATE INDEX symbols_by_name ON symbols (simple COLLATE NOCASE);

-- Renames that history tells, each later than those before it, and moves in the working tree that nobody has
-- committed yet, whose sha is NULL. A commit that touches too many files to be kept still tells them.
CREATE TABLE file_moves (
    id  INTEGER PRIMARY KEY,
    sha TEXT,
    old TEXT NOT NULL,
    new TEXT NOT NULL
);

-- The path under which the file is now, where it is another one; what commits did to the old path they did to this.
ALTER TABLE commit_paths ADD COLUMN present TEXT;

CREATE INDEX commit_paths_by_present ON commit_paths (present);

-- Whether renames were looked for when messages were read; else all are read again.
ALTER TABLE commit_index ADD COLUMN with_renames INTEGER NOT NULL DEFAULT 0;

-- What came from one source, in order.
CREATE INDEX learnings_by_source ON learnings (source_ref, source_type, created_at, id)
    WHERE source_ref IS NOT NULL AND source_type <> 'commit';
