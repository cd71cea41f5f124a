"""The local socket by which a run in progress is paused, stopped and given other limits."""
