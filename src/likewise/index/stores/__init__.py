"""Where an index is kept; `registry.py` lists the stores."""
