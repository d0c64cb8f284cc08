"""The same work done by likewise and by its peers, measured in fresh processes.

Run from the repository's root: ``python -m benchmarks.search.versus_peers --tiny``. See README.md.
"""
