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
