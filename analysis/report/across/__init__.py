"""Sections over all families of a run: what came out, comparisons, ablations, cost, quality."""
