"""What keeps the tables: an append-only log in SQLite or PostgreSQL, its JSON, and the lists that follow from it."""
