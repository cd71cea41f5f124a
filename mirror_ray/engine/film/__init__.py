"""How a replayed episode looks: pages, a strip, and the files they are written to."""
