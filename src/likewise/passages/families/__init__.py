"""Passage families: stretches of wording that the same documents share."""
