"""Step 2: prepare text and cut it into shingles."""
