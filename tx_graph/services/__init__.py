"""Use cases: they bring storage, records, codebase and embeddings together and print nothing."""
