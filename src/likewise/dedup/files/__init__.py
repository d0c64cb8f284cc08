"""Files deduplicated stage by stage, within a budget of memory."""
