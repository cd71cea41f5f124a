"""The reference agents of contingency."""
