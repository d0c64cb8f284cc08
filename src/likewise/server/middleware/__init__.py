"""Middleware for every request: access, limits, headers, log."""
