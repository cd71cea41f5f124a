"""A table with a card, and its two viewers."""
