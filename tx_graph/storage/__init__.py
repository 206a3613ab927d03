"""SQLite: the database, its migrations and one store per concept. SQL lives here alone."""
