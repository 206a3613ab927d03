"""learnings."""
