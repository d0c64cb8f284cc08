"""Benchmarks found in training data: planted items, beside the overlap of 13-grams."""
