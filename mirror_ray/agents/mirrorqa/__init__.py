"""The agents of mirrorqa."""
