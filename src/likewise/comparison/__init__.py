"""Two texts or two files, by every measure."""
