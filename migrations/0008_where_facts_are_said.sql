-- Fingerprints of the section or symbol that says a fact, as its record has them: NULL where its source names none.
ALTER TABLE facts ADD COLUMN source_print TEXT;
