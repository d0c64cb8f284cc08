"""Experiments: the estimators of the literature and how well they do, on any text."""
