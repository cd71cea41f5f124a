"""The reference agents of dyad."""
