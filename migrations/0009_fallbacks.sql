-- 1: the anchor counts only where the others of its learning are lost.
ALTER TABLE file_anchors ADD COLUMN fallback INTEGER NOT NULL DEFAULT 0;
