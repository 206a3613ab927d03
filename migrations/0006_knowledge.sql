-- The words of facts, kept equal by triggers: recall finds facts by what they say, not by their entities alone.
CREATE VIRTUAL TABLE facts_fts USING fts5 (subject, predicate, told, tokenize = 'porter unicode61');
INSERT INTO facts_fts (rowid, subject, predicate, told)
SELECT id, subject_name, replace(predicate, '_', ' '), coalesce(value, object_name) FROM facts;
CREATE TRIGGER facts_words_after_adding AFTER INSERT ON facts
BEGIN
    INSERT INTO facts_fts (rowid, subject, predicate, told)
    VALUES (new.id, new.subject_name, replace(new.predicate, '_', ' '), coalesce(new.value, new.object_name));
END;
CREATE TRIGGER facts_words_after_removal AFTER DELETE ON facts
BEGIN DELETE FROM facts_fts WHERE rowid = old.id; END;

ALTER TABLE facts ADD COLUMN faded_at TEXT;   -- when nobody's confirmation ever came; the record says both
ALTER TABLE facts ADD COLUMN private  INTEGER; -- 1: of whoever works here; no record, the journal keeps it

-- Facts with a literal value, by that: what a question says word for word may be one.
CREATE INDEX facts_by_value ON facts (lower(value)) WHERE value IS NOT NULL;

-- One embedding per fact, as in learning_vectors.
CREATE TABLE fact_vectors (
    fact_id      INTEGER PRIMARY KEY REFERENCES facts (id) ON DELETE CASCADE,
    model        TEXT    NOT NULL,
    dimension    INTEGER NOT NULL,
    content_hash TEXT    NOT NULL,                    -- of the text that was embedded
    vector       BLOB    NOT NULL CHECK (length(vector) = dimension * 4)
);
CREATE INDEX fact_vectors_by_model ON fact_vectors (model, fact_id);
CREATE TRIGGER facts_version_after_vector_of_fact AFTER INSERT ON fact_vectors
BEGIN UPDATE facts_version SET version = version + 1; END;
CREATE TRIGGER facts_version_after_removal_of_vector_of_fact AFTER DELETE ON fact_vectors
BEGIN UPDATE facts_version SET version = version + 1; END;

-- The same table with one subject more: facts.
ALTER TABLE vector_index_state RENAME TO vector_index_state_before;
CREATE TABLE vector_index_state (
    subject   TEXT    PRIMARY KEY CHECK (subject IN ('learnings', 'chunks', 'entities', 'cards', 'facts')),
    model     TEXT    NOT NULL,
    dimension INTEGER NOT NULL,
    stale     INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO vector_index_state SELECT subject, model, dimension, stale FROM vector_index_state_before;
DROP TABLE vector_index_state_before;

-- What questions called up in the last minute, whichever process asked: true of one version of the facts alone.
CREATE TABLE recollections (
    question TEXT    PRIMARY KEY,                     -- what makes spellings of it one, and the limits
    version  INTEGER NOT NULL,                        -- of facts_version
    at       TEXT    NOT NULL,
    found    TEXT    NOT NULL                         -- JSON: anchors, facts with their scores and paths, counts
) WITHOUT ROWID;

-- A record that was edited by hand says something else: neither its words nor its vector are what they were.
CREATE TRIGGER facts_words_after_change AFTER UPDATE OF subject_name, predicate, object_name, value ON facts
WHEN (old.subject_name, old.predicate, coalesce(old.value, old.object_name))
    <> (new.subject_name, new.predicate, coalesce(new.value, new.object_name))
BEGIN
    UPDATE facts_fts
    SET subject = new.subject_name, predicate = replace(new.predicate, '_', ' '),
        told = coalesce(new.value, new.object_name)
    WHERE rowid = new.id;
    DELETE FROM fact_vectors WHERE fact_id = new.id;
    UPDATE vector_index_state SET stale = 1 WHERE subject = 'facts';
END;
