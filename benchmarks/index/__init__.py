"""The index: speed, passages, kills, readers."""
