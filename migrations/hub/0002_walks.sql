-- What a walk and a look at dependents ask, as functions of the hub's owner that ask for rights themselves. A policy
-- makes the planner take a question for much more work than it is, and to plan one over all partitions takes longer
-- than to answer it: a function's statements are planned once a connection, whatever they are asked about.

-- Without the weight equal keys share a place: 94 bytes an edge instead of 144. Of a node with 20,000 edges of one kind
-- the heaviest are found in 3 ms instead of 1.
DROP INDEX tx.edges_by_source, tx.edges_by_target;
CREATE INDEX edges_by_source ON tx.edges (repository, source, lane);
CREATE INDEX edges_by_target ON tx.edges (repository, target, lane);

-- An import that no file of its own repository answers; `wanted` is the file that it was found by.
CREATE TYPE tx.need AS (
    repository bigint, file bigint, line integer, ecosystem text, module text, name text, import_type text, wanted bigint
);

-- The files that answer imports: in each repository the one that declares the name, else the one that stands for the
-- module. Where several packages offer a module, those count that the asking repository says it requires. What nobody
-- answers is told too, without a provider.
CREATE FUNCTION tx.answered(needed tx.need[])
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
        WHERE o.repository IN (SELECT id FROM readable)
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
            WHERE n.repository IN (SELECT id FROM readable) AND a.repository IS DISTINCT FROM n.repository
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
-- OFFSET keeps the planner from reading whole tables to join them.
CREATE FUNCTION tx.needs_of(repositories bigint[], files bigint[], names text[], most integer) RETURNS tx.need[]
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
            WHERE o.repository IN (SELECT id FROM readable)
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
                WHERE (names IS NULL OR n.name = ANY(names)) AND n.repository IN (SELECT id FROM readable)
                LIMIT most
            )
            UNION ALL
            (
                SELECT n.*, o.file
                FROM offered o
                CROSS JOIN LATERAL (
                    SELECT * FROM tx.needs WHERE ecosystem = o.ecosystem AND module = o.module AND name <> '' OFFSET 0
                ) n
                WHERE o.name = '' AND (names IS NULL OR n.name = ANY(names)) AND n.repository IN (SELECT id FROM readable)
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

CREATE TYPE tx.place AS (repository bigint, node bigint, kind text);

-- The edges that lead away from nodes, in the lanes that are asked for: parallel arrays of where a lane stands in the
-- question, its number, of which kind of node it starts, and whether it is read from its source. A node gives of each
-- no more than `fan_out`, its heaviest. Among them, at the places `importing` and `imported`, are imports across
-- repositories. `to_learnings` are the lanes that may lead to a learning: those to one that is superseded are left out.
-- `home` is the repository of the target.
CREATE FUNCTION tx.leaving(
    nodes bigint[], places integer[], lanes smallint[], kinds text[], ways boolean[], lightest float8, fan_out integer,
    importing integer, imported integer, imports smallint, to_learnings smallint[], most integer
)
RETURNS TABLE (place integer, source bigint, target bigint, weight real, lane smallint, home bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    asked tx.place[];
    needed tx.need[] := '{}';
BEGIN
    asked := ARRAY(
        SELECT (n.repository, n.node, n.kind)::tx.place
        FROM unnest(nodes) a (node)
        CROSS JOIN LATERAL (SELECT * FROM tx.nodes WHERE node = a.node OFFSET 0) n
        WHERE n.repository IN (SELECT unnest(tx.readable()))
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
        needed := needed || (
            SELECT tx.needs_of(array_agg(a.repository), array_agg(a.node), NULL, most)
            FROM unnest(asked) a
            WHERE a.kind = 'file'
        );
    END IF;
    RETURN QUERY
    WITH lane AS MATERIALIZED (
        SELECT * FROM unnest(places, lanes, kinds, ways) l (place, lane, kind, is_forward)
    ),
    found AS (
        SELECT l.place, a.node AS source, e.target, e.weight, l.lane, a.repository AS home
        FROM unnest(asked) a
        JOIN lane l ON l.kind = a.kind AND l.is_forward
        CROSS JOIN LATERAL (
            SELECT target, weight
            FROM tx.edges
            WHERE repository = a.repository AND source = a.node AND lane = l.lane AND weight >= lightest
            ORDER BY weight DESC, target DESC
            LIMIT fan_out
        ) e
        UNION ALL
        SELECT l.place, a.node, e.source, e.weight, l.lane, a.repository
        FROM unnest(asked) a
        JOIN lane l ON l.kind = a.kind AND NOT l.is_forward
        CROSS JOIN LATERAL (
            SELECT source, weight
            FROM tx.edges
            WHERE repository = a.repository AND target = a.node AND lane = l.lane AND weight >= lightest
            ORDER BY weight DESC, source DESC
            LIMIT fan_out
        ) e
        UNION ALL
        SELECT DISTINCT way.place, way.source, way.target, 1.0::real, imports, way.home
        FROM (SELECT * FROM tx.answered(needed) WHERE cardinality(needed) > 0) c
        CROSS JOIN LATERAL (
            VALUES (importing, c.file, c.target, c.provider), (imported, c.target, c.file, c.repository)
        ) way (place, source, target, home)
        WHERE c.target IS NOT NULL AND way.place IS NOT NULL AND way.source IN (SELECT a.node FROM unnest(asked) a)
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
