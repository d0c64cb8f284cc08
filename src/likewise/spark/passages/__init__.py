"""Passages and their families on Spark, from the documents to the rows."""
