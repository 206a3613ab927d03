"""The hub: what many repositories know, in one PostgreSQL. The extra `hub` brings what it needs."""
