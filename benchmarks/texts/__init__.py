"""Texts to measure on: made corpora, and real texts in many languages."""
