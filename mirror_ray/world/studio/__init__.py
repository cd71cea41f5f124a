"""A studio: figures posed before a mirror."""
