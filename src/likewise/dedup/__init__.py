"""Deduplication: one document of each cluster of similar ones is kept."""
