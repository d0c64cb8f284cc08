"""The single-file HTML report, and in `static/` the pages of report and app."""
