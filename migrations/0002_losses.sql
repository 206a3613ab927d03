-- One row per thing that could not be carried over when this database took the place of one of an older shape, or of
-- a damaged one. A database is renewed by whichever command opens it; 'tx doctor' tells of it afterwards.
CREATE TABLE losses (
    id   INTEGER PRIMARY KEY,
    kept TEXT NOT NULL,                               -- the file where it still is
    what TEXT NOT NULL                                -- a sentence
);
