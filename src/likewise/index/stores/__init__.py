"""Where an index is kept: one protocol, an SQLite file or PostgreSQL."""
