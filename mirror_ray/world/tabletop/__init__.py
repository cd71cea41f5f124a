"""A table: a card, and the two viewers of it."""
