-- Who uses which symbol: what each file says about its names, and where to look for the users of one.

-- The file that an import means, so that names can be followed through it; the first of them where it means several.
ALTER TABLE import_specifiers ADD COLUMN target INTEGER;

CREATE TABLE file_uses (
    file INTEGER PRIMARY KEY REFERENCES files (node_id) ON DELETE CASCADE,
    uses BLOB    NOT NULL                             -- packed; says nothing of other files, so it never gets stale
);

-- The files to look into for users of a symbol. Rows may outlive a file: they only say where to look.
CREATE TABLE used_names (
    name INTEGER NOT NULL,                            -- CRC-32 of the name in UTF-8
    file INTEGER NOT NULL,
    PRIMARY KEY (name, file)
) WITHOUT ROWID;
