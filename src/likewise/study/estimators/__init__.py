"""Estimators of the similarity of two texts, each a small function of the same shape."""
