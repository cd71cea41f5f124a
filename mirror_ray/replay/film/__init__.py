"""The layout of a replayed episode: pages, a strip, and the files they are written to."""
