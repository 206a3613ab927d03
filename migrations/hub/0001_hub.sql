-- What many repositories know. One whole commit of each repository, put there by `tx hub:publish` and by nothing else.
--
-- A node is known by the first eight bytes of a hash of its repository, kind and key, so that rows say the same
-- whoever wrote them, and are compared without looking anything up; an entity's leaves out the repository, so that
-- entities of one name are one node. `owner` is the node of what a row is derived from, a file, learning, fact or
-- entity: it is replaced with all its rows when their digest changed.
--
-- Each table has its repository first in its primary key and is partitioned by it. Partitions lie in a schema that
-- nobody but the hub's owner may use: row-level security is asked where a table is, not where its rows lie.

CREATE TABLE tx.hub (
    id          integer PRIMARY KEY CHECK (id = 1),
    version     integer NOT NULL,                       -- the last migration that was applied
    has_vectors boolean NOT NULL                        -- whether vectors are kept: the extension was there
);

-- One row per repository, with the commit that the hub shows of it.
CREATE TABLE tx.repositories (
    id           bigint      PRIMARY KEY,               -- hash of the name
    name         text        NOT NULL UNIQUE,           -- github.com/owner/name
    commit_sha   text        NOT NULL DEFAULT '',
    committed_at timestamptz,
    published_at timestamptz,
    tool         text        NOT NULL DEFAULT '',       -- version of the tx that published it
    digest       bytea       NOT NULL DEFAULT '',       -- of all that was published: the same, and nothing is sent
    counts       jsonb       NOT NULL DEFAULT '{}',     -- rows by what they are, for `hub:repositories`
    -- Or who may publish one repository could take the number of another, and by that its rows.
    CHECK (id = ('x' || left(encode(sha256(convert_to(name, 'UTF8')), 'hex'), 16))::bit(64)::bigint)
);

-- Who may read or publish which repositories. Asked by every policy below; written by the hub's owner.
CREATE TABLE tx.grants (
    role        regrole NOT NULL,
    pattern     text    NOT NULL,                       -- of LIKE, made of a glob
    glob        text    NOT NULL,
    may_publish boolean NOT NULL,                       -- else it may only read
    PRIMARY KEY (role, glob, may_publish)
);

CREATE TABLE tx.nodes (
    repository bigint   NOT NULL,
    node       bigint   NOT NULL,
    owner      bigint   NOT NULL,
    kind       text     NOT NULL,                       -- learning, file, symbol, section, entity, commit
    key        text     NOT NULL,                       -- uid, path, qualified name
    digest     bytea,                                   -- of all rows of an owner; NULL for what is none
    PRIMARY KEY (repository, node)
) PARTITION BY HASH (repository);
CREATE INDEX nodes_by_node ON tx.nodes (node);
CREATE INDEX nodes_by_owner ON tx.nodes (repository, owner);
CREATE INDEX nodes_by_key ON tx.nodes (repository, key);

-- 60 bytes a row, and two indexes whose equal keys share a place.
CREATE TABLE tx.edges (
    repository  bigint   NOT NULL,
    source      bigint   NOT NULL,
    target      bigint   NOT NULL,
    weight      real     NOT NULL,
    lane        smallint NOT NULL,                      -- 16 × which of the edge tables of a workspace it is from, + type
    relation    smallint NOT NULL,
    description text                                    -- last, and NULL where there is none: it takes no room
) PARTITION BY HASH (repository);
CREATE INDEX edges_by_source ON tx.edges (repository, source, lane, weight);
CREATE INDEX edges_by_target ON tx.edges (repository, target, lane, weight);

CREATE TABLE tx.files (
    repository   bigint  NOT NULL,
    node         bigint  NOT NULL,
    path         text    NOT NULL,
    language     text,
    size         bigint  NOT NULL,
    content_hash text,
    PRIMARY KEY (repository, node)
) PARTITION BY HASH (repository);

-- What others may use: declarations that are not hidden.
CREATE TABLE tx.symbols (
    repository bigint  NOT NULL,
    file       bigint  NOT NULL,
    position   integer NOT NULL,
    name       text    NOT NULL,                        -- qualified inside its file
    kind       text    NOT NULL,
    line_start integer NOT NULL,
    line_end   integer NOT NULL,
    signature  text    NOT NULL,
    PRIMARY KEY (repository, file, position)
) PARTITION BY HASH (repository);

CREATE TABLE tx.learnings (
    repository    bigint   NOT NULL,
    node          bigint   NOT NULL,
    uid           text     NOT NULL,
    content       text     NOT NULL,
    category      text,
    keywords      text[]   NOT NULL DEFAULT '{}',
    status        text     NOT NULL,                    -- active or superseded
    confidence    real     NOT NULL,
    source_type   text     NOT NULL,
    source_ref    text,
    created_at    text     NOT NULL,
    superseded_by text,                                 -- uid
    words         tsvector NOT NULL,
    length        integer  NOT NULL,                    -- words in it
    PRIMARY KEY (repository, node)
) PARTITION BY HASH (repository);
CREATE INDEX learnings_by_words ON tx.learnings USING gin (words);
CREATE INDEX learnings_by_uid ON tx.learnings (uid);

-- The ties of learnings with the verdict at the commit that was published.
CREATE TABLE tx.anchors (
    repository bigint  NOT NULL,
    learning   bigint  NOT NULL,
    position   integer NOT NULL,
    type       text    NOT NULL,                        -- glob, hash, symbol, lines
    place      text    NOT NULL,                        -- PATH, PATH::SYMBOL, PATH:L1-L2
    target     bigint,                                  -- node; NULL for a glob
    status     text    NOT NULL,                        -- valid, drifted, invalid
    drift      text,
    reason     text,
    pinned     boolean NOT NULL,
    fallback   boolean NOT NULL,
    PRIMARY KEY (repository, learning, position)
) PARTITION BY HASH (repository);
CREATE INDEX anchors_by_target ON tx.anchors (repository, target) WHERE target IS NOT NULL;

CREATE TABLE tx.sections (
    repository bigint  NOT NULL,
    node       bigint  NOT NULL,
    document   bigint  NOT NULL,                        -- node of the file
    position   integer NOT NULL,                        -- in the order of the source
    level      integer NOT NULL,
    title      text    NOT NULL,
    slug       text    NOT NULL,
    line_start integer NOT NULL,
    line_end   integer NOT NULL,
    PRIMARY KEY (repository, node)
) PARTITION BY HASH (repository);
CREATE INDEX sections_by_document ON tx.sections (repository, document);

-- The text of sections in pieces; a search finds a piece and returns its section.
CREATE TABLE tx.chunks (
    repository bigint   NOT NULL,
    section    bigint   NOT NULL,
    position   integer  NOT NULL,
    document   bigint   NOT NULL,
    headings   text     NOT NULL,
    text       text     NOT NULL,
    words      tsvector NOT NULL,
    length     integer  NOT NULL,
    PRIMARY KEY (repository, section, position)
) PARTITION BY HASH (repository);
CREATE INDEX chunks_by_words ON tx.chunks USING gin (words);
CREATE INDEX chunks_by_document ON tx.chunks (repository, document);

-- `node` is the same in every repository that speaks of an entity of this name.
CREATE TABLE tx.entities (
    repository  bigint   NOT NULL,
    node        bigint   NOT NULL,
    key         text     NOT NULL,                      -- the name as it is recognised
    name        text     NOT NULL,
    type        text     NOT NULL,
    description text     NOT NULL,
    aliases     text[]   NOT NULL DEFAULT '{}',
    words       tsvector NOT NULL,
    length      integer  NOT NULL,
    PRIMARY KEY (repository, node)
) PARTITION BY HASH (repository);
CREATE INDEX entities_by_words ON tx.entities USING gin (words);
CREATE INDEX entities_by_node ON tx.entities (node);

CREATE TABLE tx.facts (
    repository   bigint   NOT NULL,
    node         bigint   NOT NULL,                     -- hash of the uid
    uid          text     NOT NULL,
    subject      bigint   NOT NULL,
    subject_name text     NOT NULL,
    predicate    text     NOT NULL,
    object       bigint,
    told         text     NOT NULL,                     -- the object's name, or the value
    confidence   real     NOT NULL,
    status       text     NOT NULL,
    source       text     NOT NULL,
    source_ref   text,
    created_at   text     NOT NULL,
    valid_until  text,
    words        tsvector NOT NULL,
    length       integer  NOT NULL,
    PRIMARY KEY (repository, node)
) PARTITION BY HASH (repository);
CREATE INDEX facts_by_words ON tx.facts USING gin (words);
CREATE INDEX facts_by_subject ON tx.facts (subject, predicate);

-- The packages that a repository makes, and those that it asks for, by its manifests.
CREATE TABLE tx.packages (
    repository  bigint  NOT NULL,
    manifest    bigint  NOT NULL,                       -- node of the file
    ecosystem   text    NOT NULL,                       -- pypi, npm, go, cargo, maven
    name        text    NOT NULL,                       -- as its registry compares names
    is_provided boolean NOT NULL,                       -- else it is required
    range       text    NOT NULL DEFAULT '',            -- the versions that are asked for, or the one there is
    PRIMARY KEY (repository, manifest, ecosystem, name, is_provided)
) PARTITION BY HASH (repository);
CREATE INDEX packages_by_name ON tx.packages (ecosystem, name, is_provided);

-- By which names other repositories may ask for a file: a module, and a name in it where that is declared in
-- another file than the module's own.
CREATE TABLE tx.offers (
    repository bigint NOT NULL,
    file       bigint NOT NULL,
    ecosystem  text   NOT NULL,
    package    text   NOT NULL,
    module     text   COLLATE "C" NOT NULL,             -- sqlite_utils.db, @vue/shared, golang.org/x/text/width
    name       text   NOT NULL DEFAULT '',              -- '': the module itself
    PRIMARY KEY (repository, file, ecosystem, module, name)
) PARTITION BY HASH (repository);
CREATE INDEX offers_by_module ON tx.offers (ecosystem, module, name);

-- The imports that no file of their own repository answers.
CREATE TABLE tx.needs (
    repository  bigint  NOT NULL,
    file        bigint  NOT NULL,
    position    integer NOT NULL,
    line        integer NOT NULL,
    ecosystem   text    NOT NULL,
    module      text    COLLATE "C" NOT NULL,           -- so that what is below a module is a range of the index
    name        text    NOT NULL DEFAULT '',
    import_type text    NOT NULL,                       -- static, re-export, dynamic, type-only
    PRIMARY KEY (repository, file, position)
) PARTITION BY HASH (repository);
CREATE INDEX needs_by_module ON tx.needs (ecosystem, module, name);

-- A glob that was granted to a role counts for whoever is a member of it.
ALTER TABLE tx.repositories ENABLE ROW LEVEL SECURITY;
ALTER TABLE tx.grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tx.grants FOR SELECT USING (pg_has_role(current_user, role::oid, 'USAGE'));
CREATE POLICY reading ON tx.repositories FOR SELECT
    USING (EXISTS (SELECT FROM tx.grants g WHERE name LIKE g.pattern));
CREATE POLICY publishing ON tx.repositories FOR ALL
    USING (EXISTS (SELECT FROM tx.grants g WHERE g.may_publish AND name LIKE g.pattern))
    WITH CHECK (EXISTS (SELECT FROM tx.grants g WHERE g.may_publish AND name LIKE g.pattern));

-- What the user may publish; to the owner of the hub, whom no policy is asked about, all of it.
CREATE VIEW tx.publishable WITH (security_invoker) AS
SELECT id
FROM tx.repositories r
WHERE EXISTS (SELECT FROM tx.grants g WHERE g.may_publish AND r.name LIKE g.pattern);

DO $$
DECLARE
    parent text;
BEGIN
    FOREACH parent IN ARRAY ARRAY[
        'nodes', 'edges', 'files', 'symbols', 'learnings', 'anchors', 'sections', 'chunks', 'entities', 'facts',
        'packages', 'offers', 'needs'
    ] LOOP
        FOR part IN 0..7 LOOP
            EXECUTE format(
                'CREATE TABLE tx_parts.%I PARTITION OF tx.%I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
                parent || '_' || part, parent, part
            );
        END LOOP;
        -- The repositories that a user sees are those that the policy on `repositories` lets through. As an array they
        -- are worked out once a statement; a subquery would be for each partition, and where it is rescanned for each row.
        EXECUTE format('ALTER TABLE tx.%I ENABLE ROW LEVEL SECURITY', parent);
        EXECUTE format(
            'CREATE POLICY reading ON tx.%I FOR SELECT '
            'USING (repository = ANY (ARRAY(SELECT id FROM tx.repositories)))', parent
        );
        -- One a command: a policy for all of them would be asked by whoever reads, too.
        EXECUTE format(
            'CREATE POLICY adding ON tx.%I FOR INSERT '
            'WITH CHECK (repository = ANY (ARRAY(SELECT id FROM tx.publishable)))', parent
        );
        EXECUTE format(
            'CREATE POLICY changing ON tx.%I FOR UPDATE '
            'USING (repository = ANY (ARRAY(SELECT id FROM tx.publishable)))', parent
        );
        EXECUTE format(
            'CREATE POLICY removing ON tx.%I FOR DELETE '
            'USING (repository = ANY (ARRAY(SELECT id FROM tx.publishable)))', parent
        );
    END LOOP;
END $$;

-- Words as a workspace's full-text search knows them: what arrives are words alone, identifiers split already.
CREATE TEXT SEARCH DICTIONARY tx.porter (TEMPLATE = snowball, LANGUAGE = porter);
CREATE TEXT SEARCH CONFIGURATION tx.words (PARSER = pg_catalog.default);
ALTER TEXT SEARCH CONFIGURATION tx.words ADD MAPPING FOR
    asciiword, word, numword, int, uint, float, sfloat, version, hword, asciihword, numhword, hword_part,
    hword_asciipart, hword_numpart WITH tx.porter;

-- What a user may read, for the functions below, which run as the owner of the hub: whom `SET ROLE` names, if anybody.
CREATE FUNCTION tx.readable() RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(array_agg(r.id), '{}')
    FROM tx.repositories r
    CROSS JOIN (SELECT coalesce(nullif(current_setting('role'), 'none'), session_user)::name AS name) asker
    WHERE pg_has_role(asker.name, current_user, 'USAGE') OR EXISTS (
        SELECT FROM tx.grants g WHERE pg_has_role(asker.name, g.role::oid, 'USAGE') AND r.name LIKE g.pattern
    )
$$;

-- The rows that match each of some queries, by its number from 1, at most so many of each. PostgreSQL asks a policy
-- before any operator that is not known to tell nothing, which `@@` is not, and so uses no index of words for whoever
-- is asked for rights. Here the rights are part of the question.
DO $$
DECLARE
    texts record;
BEGIN
    FOR texts IN SELECT * FROM (VALUES
        ('learnings', 'node', '0', $q$status = 'active'$q$),
        ('chunks', 'section', 'position', 'true'),
        ('facts', 'node', '0', $q$status = 'confirmed' AND valid_until IS NULL$q$)
    ) t (name, node, place, shown) LOOP
        EXECUTE format(
            $f$
            CREATE FUNCTION tx.matching_%1$s(queries tsquery[], own bigint, most integer)
            RETURNS TABLE (query integer, repository bigint, node bigint, "position" integer)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $b$
                SELECT f.number::integer, l.repository, l.%2$s, l.place
                FROM unnest(queries) WITH ORDINALITY f (query, number)
                CROSS JOIN LATERAL (
                    SELECT t.repository, t.%2$s, %3$s AS place
                    FROM tx.%1$I t
                    WHERE t.words @@ f.query AND t.repository = ANY ((SELECT tx.readable())::bigint[])
                      AND t.repository IS DISTINCT FROM own AND %4$s
                    LIMIT most
                ) l
            $b$
            $f$,
            texts.name, texts.node, texts.place, texts.shown
        );
    END LOOP;
END $$;
