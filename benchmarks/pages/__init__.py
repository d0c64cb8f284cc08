"""Report and app in a browser."""
