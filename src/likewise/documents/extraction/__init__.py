"""Text from files of every format: worker processes, cache, file types, limits."""
