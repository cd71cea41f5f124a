"""Seals: what a run directory recorded, signed, and checked later by somebody else."""
