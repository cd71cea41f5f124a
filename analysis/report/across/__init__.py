"""Sections over all families of a run: leading metrics, comparisons, ablations, cost, quality."""
