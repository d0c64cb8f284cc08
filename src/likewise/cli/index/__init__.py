"""`likewise index`: documents in a database, and new ones checked against it."""
