"""Step 5: the passages that documents share."""
