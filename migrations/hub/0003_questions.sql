-- What questions ask, as functions of the hub's owner that ask for rights themselves. A policy makes the planner take
-- a question for much more work than it is, and to plan one over all partitions takes longer than to answer it: a
-- function's statements are planned once a connection, whatever they are asked about.
--
-- What may be read is a hashed set in all of them: `IS TRUE` behind IN keeps the planner from a join that goes through
-- all repositories for each row, as a comparison with an array does. OFFSET keeps it from reading whole tables to join.

-- The files that answer imports: in each repository the one that declares the name, else the one that stands for the
-- module. Where several packages offer a module, those count that the asking repository says it requires. What nobody
-- answers is told too, without a provider.
CREATE OR REPLACE FUNCTION tx.answered(needed tx.need[])
RETURNS TABLE (
    repository bigint, file bigint, line integer, ecosystem text, module text, name text, import_type text,
    provider bigint, target bigint, package text, is_exact boolean, is_required boolean
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH readable AS MATERIALIZED (SELECT unnest(tx.readable()) AS id),
    keys AS MATERIALIZED (SELECT DISTINCT n.ecosystem, n.module, n.name FROM unnest(needed) n),
    offered AS MATERIALIZED (
        SELECT k.ecosystem, k.module, k.name, o.repository, o.file, o.package, o.name = k.name AS is_exact
        FROM keys k
        CROSS JOIN LATERAL (
            SELECT *
            FROM tx.offers
            WHERE ecosystem = k.ecosystem AND module = k.module AND name IN (k.name, '')
            OFFSET 0
        ) o
        WHERE (o.repository IN (SELECT id FROM readable)) IS TRUE
    ),
    answers AS MATERIALIZED (
        SELECT a.*
        FROM offered a
        WHERE a.is_exact OR (a.ecosystem, a.module, a.name, a.repository) NOT IN (
            SELECT x.ecosystem, x.module, x.name, x.repository FROM offered x WHERE x.is_exact
        )
    ),
    required AS MATERIALIZED (
        SELECT p.ecosystem, p.name, p.repository
        FROM (SELECT DISTINCT a.ecosystem, a.package FROM answers a) a
        CROSS JOIN LATERAL (
            SELECT *
            FROM tx.packages
            WHERE ecosystem = a.ecosystem AND name = a.package AND NOT is_provided
            OFFSET 0
        ) p
    ),
    joined AS (
        SELECT
            *, bool_or(is_required) OVER (PARTITION BY repository, file, line, ecosystem, module, name) AS has_required
        FROM (
            SELECT
                n.*, a.repository AS provider, a.file AS target, a.package, a.is_exact,
                -- Which is hashed; a join went through all of them for each.
                (n.repository, a.ecosystem, a.package) IN (
                    SELECT r.repository, r.ecosystem, r.name FROM required r
                ) AS is_required
            FROM unnest(needed) n
            LEFT JOIN answers a ON a.ecosystem = n.ecosystem AND a.module = n.module AND a.name = n.name
            WHERE (n.repository IN (SELECT id FROM readable)) IS TRUE AND a.repository IS DISTINCT FROM n.repository
        ) pairs
    )
    SELECT DISTINCT
        j.repository, j.file, j.line, j.ecosystem, j.module, j.name, j.import_type,
        j.provider, j.target, j.package, j.is_exact, j.is_required
    FROM joined j
    WHERE (j.provider IS NULL OR j.is_required OR NOT j.has_required) AND (j.wanted IS NULL OR j.wanted = j.target);
END $$;

-- The imports that lead from other repositories into these files, by these names alone when given; at most so many. A
-- need by a name that another file of the same repository declares is none of a file that only stands for the module.
CREATE OR REPLACE FUNCTION tx.needs_of(repositories bigint[], files bigint[], names text[], most integer) RETURNS tx.need[]
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        WITH readable AS MATERIALIZED (SELECT unnest(tx.readable()) AS id),
        offered AS MATERIALIZED (
            SELECT o.*
            FROM unnest(repositories, files) f (repository, node)
            CROSS JOIN LATERAL (
                SELECT * FROM tx.offers WHERE repository = f.repository AND file = f.node OFFSET 0
            ) o
            WHERE (o.repository IN (SELECT id FROM readable)) IS TRUE
        )
        SELECT array_agg(
            (n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, n.wanted)::tx.need
        )
        FROM (
            (
                SELECT n.*, o.file AS wanted
                FROM offered o
                CROSS JOIN LATERAL (
                    SELECT *
                    FROM tx.needs
                    WHERE ecosystem = o.ecosystem AND module = o.module AND name = o.name
                    OFFSET 0
                ) n
                WHERE (names IS NULL OR n.name = ANY(names)) AND (n.repository IN (SELECT id FROM readable)) IS TRUE
                LIMIT most
            )
            UNION ALL
            (
                SELECT n.*, o.file
                FROM offered o
                CROSS JOIN LATERAL (
                    SELECT * FROM tx.needs WHERE ecosystem = o.ecosystem AND module = o.module AND name <> '' OFFSET 0
                ) n
                WHERE o.name = '' AND (names IS NULL OR n.name = ANY(names))
                  AND (n.repository IN (SELECT id FROM readable)) IS TRUE
                  AND NOT EXISTS (
                    SELECT
                    FROM tx.offers x
                    WHERE x.repository = o.repository AND x.ecosystem = n.ecosystem
                      AND x.module = n.module AND x.name = n.name
                    OFFSET 0
                  )
                LIMIT most
            )
        ) n
    );
END $$;

-- A name by which a file may be asked for, with those of its module that other files of its repository declare, and
-- whether another repository offers the module too.
CREATE TYPE tx.offer AS (
    repository bigint, file bigint, ecosystem text, module text, name text, declared text[], is_contested boolean
);

-- The edges that lead away from nodes, in the lanes that are asked for: parallel arrays of where a lane stands in the
-- question, its number, of which kind of node it starts, and whether it is read from its source. A node gives of each
-- no more than `fan_out`, its heaviest. Among them, at the places `importing` and `imported`, are imports across
-- repositories. `to_learnings` are the lanes that may lead to a learning: those to one that is superseded are left out.
-- `home` is the repository of the target.
CREATE OR REPLACE FUNCTION tx.leaving(
    nodes bigint[], places integer[], lanes smallint[], kinds text[], ways boolean[], lightest float8, fan_out integer,
    importing integer, imported integer, imports smallint, to_learnings smallint[], most integer
)
RETURNS TABLE (place integer, source bigint, target bigint, weight real, lane smallint, home bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    readable bigint[] := tx.readable();
    asked tx.place[];
    offered tx.offer[];
    repositories bigint[] := '{}';
    files bigint[] := '{}';
    needed tx.need[] := '{}';
BEGIN
    asked := ARRAY(
        SELECT (n.repository, n.node, n.kind)::tx.place
        FROM tx.nodes n
        WHERE n.node = ANY(nodes) AND (n.repository IN (SELECT unnest(readable))) IS TRUE
    );
    IF importing IS NOT NULL THEN
        needed := ARRAY(
            SELECT (n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, NULL)::tx.need
            FROM unnest(asked) a
            CROSS JOIN LATERAL (
                SELECT * FROM tx.needs WHERE repository = a.repository AND file = a.node OFFSET 0
            ) n
            WHERE a.kind = 'file'
            LIMIT most
        );
    END IF;
    IF imported IS NOT NULL THEN
        offered := ARRAY(
            SELECT (o.repository, o.file, o.ecosystem, o.module, o.name, x.declared, x.is_contested)::tx.offer
            FROM unnest(asked) a
            CROSS JOIN LATERAL (SELECT * FROM tx.offers WHERE repository = a.repository AND file = a.node OFFSET 0) o
            CROSS JOIN LATERAL (
                SELECT
                    array_agg(x.name) FILTER (WHERE x.repository = o.repository AND x.name <> '') AS declared,
                    bool_or(x.repository <> o.repository AND x.repository IN (SELECT unnest(readable))) AS is_contested
                FROM tx.offers x
                WHERE x.ecosystem = o.ecosystem AND x.module = o.module
            ) x
            WHERE a.kind = 'file'
        );
        SELECT coalesce(array_agg(o.repository), '{}'), coalesce(array_agg(o.file), '{}')
        INTO repositories, files
        FROM (SELECT DISTINCT o.repository, o.file FROM unnest(offered) o WHERE o.is_contested) o;
        IF cardinality(files) > 0 THEN
            needed := needed || tx.needs_of(repositories, files, NULL, most);
        END IF;
    END IF;
    RETURN QUERY
    WITH lane AS MATERIALIZED (
        SELECT * FROM unnest(places, lanes, kinds, ways) l (place, lane, kind, is_forward)
    ),
    way AS MATERIALIZED (
        SELECT l.kind, l.is_forward, array_agg(l.lane) AS lanes
        FROM lane l
        GROUP BY l.kind, l.is_forward
    ),
    -- Who needs a module that one repository alone offers is answered by it, whatever is required.
    importers AS (
        (
            SELECT o.file AS source, n.file AS target, n.repository AS home
            FROM unnest(offered) o
            CROSS JOIN LATERAL (
                SELECT * FROM tx.needs WHERE ecosystem = o.ecosystem AND module = o.module AND name = o.name OFFSET 0
            ) n
            WHERE o.file <> ALL(files) AND n.repository <> o.repository
              AND (n.repository IN (SELECT unnest(readable))) IS TRUE
            LIMIT most
        )
        UNION ALL
        (
            SELECT o.file, n.file, n.repository
            FROM unnest(offered) o
            CROSS JOIN LATERAL (
                SELECT * FROM tx.needs WHERE ecosystem = o.ecosystem AND module = o.module AND name <> '' OFFSET 0
            ) n
            WHERE o.name = '' AND o.file <> ALL(files) AND n.name <> ALL(coalesce(o.declared, '{}'))
              AND n.repository <> o.repository AND (n.repository IN (SELECT unnest(readable))) IS TRUE
            LIMIT most
        )
    ),
    crossing AS (
        SELECT imported AS place, i.source, i.target, i.home FROM importers i
        UNION
        SELECT way.*
        FROM (SELECT * FROM tx.answered(needed) WHERE cardinality(needed) > 0) c
        CROSS JOIN LATERAL (
            VALUES (importing, c.file, c.target, c.provider), (imported, c.target, c.file, c.repository)
        ) way (place, source, target, home)
        WHERE c.target IS NOT NULL AND way.place IS NOT NULL AND way.source IN (SELECT a.node FROM unnest(asked) a)
    ),
    -- All lanes of a node are read at once, each in the order of its weights.
    found AS (
        SELECT l.place, e.source, e.target, e.weight, e.lane, e.home
        FROM (
            SELECT w.kind, w.is_forward, a.node AS source, e.target, e.weight, e.lane, a.repository AS home
            FROM unnest(asked) a
            JOIN way w ON w.kind = a.kind AND w.is_forward
            CROSS JOIN LATERAL (
                SELECT
                    target, weight, lane,
                    row_number() OVER (PARTITION BY lane ORDER BY weight DESC, target DESC) AS rank
                FROM tx.edges
                WHERE repository = a.repository AND source = a.node AND lane = ANY(w.lanes) AND weight >= lightest
            ) e
            WHERE e.rank <= fan_out
            UNION ALL
            SELECT w.kind, w.is_forward, a.node, e.source, e.weight, e.lane, a.repository
            FROM unnest(asked) a
            JOIN way w ON w.kind = a.kind AND NOT w.is_forward
            CROSS JOIN LATERAL (
                SELECT
                    source, weight, lane,
                    row_number() OVER (PARTITION BY lane ORDER BY weight DESC, source DESC) AS rank
                FROM tx.edges
                WHERE repository = a.repository AND target = a.node AND lane = ANY(w.lanes) AND weight >= lightest
            ) e
            WHERE e.rank <= fan_out
        ) e
        JOIN lane l USING (kind, is_forward, lane)
        UNION ALL
        SELECT c.place, c.source, c.target, 1.0::real, imports, c.home
        FROM (
            SELECT *, row_number() OVER (PARTITION BY place, source ORDER BY target DESC) AS rank FROM crossing
        ) c
        WHERE c.rank <= fan_out
    )
    SELECT f.place, f.source, f.target, f.weight, f.lane, f.home
    FROM found f
    WHERE NOT (
        f.lane = ANY(to_learnings)
        AND EXISTS (
            SELECT
            FROM tx.learnings l
            WHERE l.repository = f.home AND l.node = f.target AND l.status <> 'active'
            OFFSET 0
        )
    );
END $$;

-- The rows of one kind of text that have words of a question, best first, at most `scored`: those that have most of
-- what its `phrases` tell, by their presence. What more than `common` rows have is only looked for in rows that others
-- found, and in `together`, the whole question. Of each phrase `counts` says how often the row has it, `spread` in how
-- many rows it was met; `total` is how many rows there are.
--
-- PostgreSQL asks a policy before any operator that is not known to tell nothing, which `@@` is not, and so uses no
-- index of words for whoever is asked for rights. Here the rights are part of the question. `ts_rank` of one word is
-- the sum of 1/i² over its places, as a share of π²/6: that tells how many there are without unpacking a whole text.
DROP FUNCTION tx.matching_learnings, tx.matching_chunks, tx.matching_facts;
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
            CREATE FUNCTION tx.worded_%1$s(phrases text[], together tsquery, own bigint, common integer, scored integer)
            RETURNS TABLE (
                repository bigint, node bigint, "position" integer, length integer, counts integer[], total float8,
                spread integer[]
            )
            LANGUAGE plpgsql STABLE SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $b$
            #variable_conflict use_column
            DECLARE
                readable bigint[] := tx.readable();
                whole integer := cardinality(phrases) + 1;
                squares float8[] := ARRAY(
                    SELECT (sum(1.0 / (i * i)) OVER (ORDER BY i) / 1.64493406685 - 1e-6)::float8
                    FROM generate_series(1, 256) i
                );
            BEGIN
                RETURN QUERY
                WITH finder AS MATERIALIZED (
                    SELECT
                        number::integer AS place, phraseto_tsquery('tx.words', phrase) AS query,
                        ARRAY(
                            SELECT quote_literal(lexeme)::tsquery FROM unnest(to_tsvector('tx.words', phrase))
                        ) AS words
                    FROM unnest(phrases) WITH ORDINALITY p (phrase, number)
                    UNION ALL
                    SELECT whole, together, NULL
                ),
                met AS MATERIALIZED (
                    SELECT f.place, l.*
                    FROM finder f
                    CROSS JOIN LATERAL (
                        SELECT t.repository, t.%2$s AS node, %3$s AS position
                        FROM tx.%1$I t
                        WHERE t.words @@ f.query AND t.repository IS DISTINCT FROM own AND %4$s
                          AND (t.repository IN (SELECT unnest(readable))) IS TRUE
                        LIMIT common + 1
                    ) l
                ),
                spread AS MATERIALIZED (
                    SELECT f.place, count(m.place)::integer AS rows
                    FROM finder f
                    LEFT JOIN met m USING (place)
                    GROUP BY f.place
                ),
                visible AS MATERIALIZED (
                    SELECT coalesce(sum((counts ->> '%1$s')::bigint), 0)::float8 AS rows
                    FROM tx.repositories
                    WHERE (id IN (SELECT unnest(readable))) IS TRUE
                ),
                telling AS MATERIALIZED (
                    SELECT
                        s.place, s.rows <= common AS finds,
                        CASE WHEN s.place < whole THEN ln(1 + greatest(v.rows, s.rows) / s.rows) ELSE 0 END AS tells
                    FROM spread s
                    CROSS JOIN visible v
                    WHERE s.rows > 0
                ),
                best AS MATERIALIZED (
                    SELECT m.repository, m.node, m.position
                    FROM met m
                    JOIN telling t USING (place)
                    WHERE t.finds OR m.place = whole OR NOT EXISTS (SELECT FROM telling WHERE finds AND place < whole)
                    GROUP BY m.repository, m.node, m.position
                    ORDER BY sum(t.tells) DESC, m.repository, m.node, m.position
                    LIMIT scored
                )
                SELECT
                    b.repository, b.node, b.position, t.length, c.counts, v.rows,
                    ARRAY(SELECT s.rows FROM spread s WHERE s.place < whole ORDER BY s.place)
                FROM best b
                CROSS JOIN LATERAL (
                    SELECT words, length
                    FROM tx.%1$I
                    WHERE repository = b.repository AND %2$s = b.node AND %3$s = b.position
                    OFFSET 0
                ) t
                CROSS JOIN visible v
                CROSS JOIN LATERAL (
                    SELECT array_agg(
                        CASE WHEN t.words @@ f.query THEN (
                            SELECT coalesce(
                                min(width_bucket(ts_rank('{1, 1, 1, 1}', t.words, w)::float8, squares)), 1
                            )
                            FROM unnest(f.words) w
                        ) ELSE 0 END
                        ORDER BY f.place
                    ) AS counts
                    FROM finder f
                    WHERE f.place < whole
                ) c;
            END $b$
            $f$,
            texts.name, texts.node, texts.place, texts.shown
        );
    END LOOP;
END $$;

-- The vectors of one kind that are nearest to a question's with their cosines, and those of rows that its words found.
-- Those of another model are left out afterwards: they are near to it by chance alone, and an index of vectors that is
-- to skip them reads all it has where nothing else is there. It runs as who asks, for policies see to rights here, and
-- where the operator of vectors lies is known to their search path. 50 are as many as a search looks at.
DO $$
DECLARE
    kind text;
BEGIN
    FOREACH kind IN ARRAY ARRAY['learning', 'chunk', 'fact'] LOOP
        EXECUTE format(
            $f$
            CREATE FUNCTION tx.nearest_%1$s(
                question text, made_by text, own bigint, repositories bigint[], nodes bigint[], positions integer[]
            )
            RETURNS TABLE (repository bigint, node bigint, "position" integer, cosine float8)
            LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $b$
            #variable_conflict use_column
            BEGIN
                RETURN QUERY
                WITH asked AS MATERIALIZED (SELECT question::halfvec(384) AS vector)
                SELECT n.repository, n.node, n.position, 1 - n.distance
                FROM (
                    SELECT *, vector <=> (SELECT a.vector FROM asked a) AS distance
                    FROM tx.vectors
                    WHERE kind = %1$L AND repository IS DISTINCT FROM own
                    ORDER BY vector <=> (SELECT a.vector FROM asked a)
                    LIMIT 50
                ) n
                WHERE n.model = made_by
                UNION
                SELECT v.repository, v.node, v.position, 1 - (v.vector <=> (SELECT a.vector FROM asked a))
                FROM unnest(repositories, nodes, positions) k (repository, node, "position")
                CROSS JOIN LATERAL (
                    SELECT *
                    FROM tx.vectors
                    WHERE repository = k.repository AND kind = %1$L AND node = k.node AND position = k.position
                    OFFSET 0
                ) v
                WHERE v.model = made_by;
            END $b$
            $f$,
            kind
        );
    END LOOP;
END $$;

-- What was found as it is told, and of which commit: of each kind the first `most`, in the order in which they are
-- asked for. `verdict` is the worst that was published: 1 valid, 2 drifted, 3 invalid.
CREATE FUNCTION tx.told(
    kinds text[], repositories bigint[], nodes bigint[], positions integer[], most integer
)
RETURNS TABLE (
    kind text, node bigint, ref text, title text, content text, verdict integer,
    repository bigint, name text, commit_sha text, committed_at timestamptz
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    readable bigint[] := tx.readable();
BEGIN
    IF 'learning' = ANY(kinds) THEN
        RETURN QUERY
        SELECT
            'learning', l.node, l.uid, coalesce(l.category, ''), l.content, (
                SELECT max(array_position(ARRAY['valid', 'drifted', 'invalid'], status))
                FROM tx.anchors
                WHERE repository = l.repository AND learning = l.node AND NOT fallback
            ),
            r.id, r.name, r.commit_sha, r.committed_at
        FROM unnest(kinds, repositories, nodes) WITH ORDINALITY a (kind, repository, node, number)
        CROSS JOIN LATERAL (
            SELECT * FROM tx.learnings WHERE repository = a.repository AND node = a.node OFFSET 0
        ) l
        CROSS JOIN LATERAL (SELECT * FROM tx.repositories WHERE id = a.repository OFFSET 0) r
        WHERE a.kind = 'learning' AND l.status = 'active' AND (a.repository IN (SELECT unnest(readable))) IS TRUE
        ORDER BY a.number
        LIMIT most;
    END IF;
    IF 'section' = ANY(kinds) THEN
        RETURN QUERY
        SELECT
            'section', c.section, n.key, c.headings, c.text, NULL::integer,
            r.id, r.name, r.commit_sha, r.committed_at
        FROM unnest(kinds, repositories, nodes, positions) WITH ORDINALITY
            a (kind, repository, node, "position", number)
        CROSS JOIN LATERAL (
            SELECT *
            FROM tx.chunks
            WHERE repository = a.repository AND section = a.node AND position = a.position
            OFFSET 0
        ) c
        CROSS JOIN LATERAL (SELECT * FROM tx.nodes WHERE repository = a.repository AND node = a.node OFFSET 0) n
        CROSS JOIN LATERAL (SELECT * FROM tx.repositories WHERE id = a.repository OFFSET 0) r
        WHERE a.kind = 'section' AND (a.repository IN (SELECT unnest(readable))) IS TRUE
        ORDER BY a.number
        LIMIT most;
    END IF;
    IF 'fact' = ANY(kinds) THEN
        RETURN QUERY
        SELECT
            'fact', f.node, f.uid, f.subject_name, f.predicate || ': ' || f.told, NULL::integer,
            r.id, r.name, r.commit_sha, r.committed_at
        FROM unnest(kinds, repositories, nodes) WITH ORDINALITY a (kind, repository, node, number)
        CROSS JOIN LATERAL (SELECT * FROM tx.facts WHERE repository = a.repository AND node = a.node OFFSET 0) f
        CROSS JOIN LATERAL (SELECT * FROM tx.repositories WHERE id = a.repository OFFSET 0) r
        WHERE a.kind = 'fact' AND f.status = 'confirmed' AND f.valid_until IS NULL AND (a.repository IN (SELECT unnest(readable))) IS TRUE
        ORDER BY a.number
        LIMIT most;
    END IF;
END $$;
