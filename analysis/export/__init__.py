"""A run in the formats of other tools: Inspect's logs, dataset folders with a card, Croissant."""
