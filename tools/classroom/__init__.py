"""A made-up class of essays with planted copies, whose every word has a known origin."""
