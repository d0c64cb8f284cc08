"""Laws of the estimates and of the search."""
