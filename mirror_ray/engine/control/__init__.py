"""The local socket by which a run that plays is paused, stopped and given other limits."""
