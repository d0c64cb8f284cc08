"""What makes a text look like another one than it is: flagged, and undone before matching."""

from likewise.text.obfuscation.tricks import Flag, Tricks, find_tricks

__all__ = ["Flag", "Tricks", "find_tricks"]
