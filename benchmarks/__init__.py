"""Measures tx beside other tools (`scripts/bench` runs these) and on questions of others (`questions`, `locomo`)."""
