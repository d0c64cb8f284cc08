"""The command line as a whole."""
