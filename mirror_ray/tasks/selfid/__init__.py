"""Embodied mirror self-identification, E1–E5 (arXiv 2605.08816)."""
