"""Step 5: what two texts have in common, measured in every way."""
