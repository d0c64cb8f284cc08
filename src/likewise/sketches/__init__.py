"""Step 3: signatures of texts, and what they estimate."""
