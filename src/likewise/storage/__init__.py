"""Data in object stores and on web servers: read in parts, and written complete or not at all."""
