"""What of a repository's own words is worth knowing: rules for commit messages, comments and decision records."""
