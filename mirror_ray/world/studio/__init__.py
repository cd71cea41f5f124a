"""mirrorqa's studio: figures posed before a mirror."""
