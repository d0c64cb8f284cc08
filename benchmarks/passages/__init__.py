"""Copied passages: PAN 2013, a class of essays, unrelated texts, peers."""
