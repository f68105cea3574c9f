"""Five networks on cudnnkit's operations, small enough to copy."""
