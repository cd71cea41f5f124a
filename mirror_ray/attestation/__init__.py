"""Seals: the signed contents of a run directory, which anybody can check later."""
