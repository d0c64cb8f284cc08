"""Similar pairs: speed, recall and memory, beside peers."""
