"""Deduplication: one document of each cluster of similar ones is kept, and all is told."""
