"""Checks several renderers at once on one device: whether they draw, and draw the same."""
