"""What every request passes through: access, limits, headers, log."""
