"""One module per language family, with its `READER`; some share or keep a part of their work beside it."""
