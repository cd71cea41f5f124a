"""Asks sent to a maker many at a time, and read once it has done them."""
