"""A studio: figures posed in front of a mirror."""
