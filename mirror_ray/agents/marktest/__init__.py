"""The reference agents of marktest."""
