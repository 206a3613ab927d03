-- The commit that was checked out when an anchor was taken: code that it has elsewhere already is a lookalike, and what
-- came later may be where the anchored code went. NULL outside git, for lines, and for anchors from before this column.
ALTER TABLE file_anchors ADD COLUMN taken_at TEXT;
