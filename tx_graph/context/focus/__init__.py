"""context/focus."""
