"""Deduplication: scale, kills, skew, Spark."""
