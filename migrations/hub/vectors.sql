-- Vectors, where the server has the extension: applied when a hub is made, or by a later `tx hub:init`.
CREATE TABLE tx.vectors (
    repository bigint       NOT NULL,
    kind       text         NOT NULL,                   -- learning, chunk, fact
    node       bigint       NOT NULL,                   -- of the learning, section or fact
    position   integer      NOT NULL,                   -- of the chunk in its section, else 0
    owner      bigint       NOT NULL,
    model      text         NOT NULL,
    vector     halfvec(384) NOT NULL,
    PRIMARY KEY (repository, kind, node, position)
) PARTITION BY HASH (repository);
CREATE INDEX vectors_by_owner ON tx.vectors (repository, owner);
CREATE INDEX vectors_of_learnings ON tx.vectors USING hnsw (vector halfvec_cosine_ops) WHERE kind = 'learning';
CREATE INDEX vectors_of_chunks ON tx.vectors USING hnsw (vector halfvec_cosine_ops) WHERE kind = 'chunk';
CREATE INDEX vectors_of_facts ON tx.vectors USING hnsw (vector halfvec_cosine_ops) WHERE kind = 'fact';

DO $$
BEGIN
    FOR part IN 0..7 LOOP
        EXECUTE format(
            'CREATE TABLE tx_parts.%I PARTITION OF tx.vectors FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
            'vectors_' || part, part
        );
    END LOOP;
END $$;
ALTER TABLE tx.vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY reading ON tx.vectors FOR SELECT USING (repository = ANY (ARRAY(SELECT id FROM tx.repositories)));
CREATE POLICY adding ON tx.vectors FOR INSERT WITH CHECK (repository = ANY (ARRAY(SELECT id FROM tx.publishable)));
CREATE POLICY changing ON tx.vectors FOR UPDATE USING (repository = ANY (ARRAY(SELECT id FROM tx.publishable)));
CREATE POLICY removing ON tx.vectors FOR DELETE USING (repository = ANY (ARRAY(SELECT id FROM tx.publishable)));
UPDATE tx.hub SET has_vectors = true;
