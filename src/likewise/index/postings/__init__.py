"""Entries of an index: (key, document) pairs in sorted segments, and how they are looked up."""
