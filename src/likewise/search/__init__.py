"""Step 4: candidates, verified pairs and clusters.

::

    collection.py ─ scan ─→ copies collapsed ─→ candidates (bands) ─→ verified ─→ pairs.py
                                             └→ exact join ─────────↗
"""
