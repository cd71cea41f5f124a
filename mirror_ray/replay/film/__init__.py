"""The layout of a replayed episode: pages, a strip, and the files that contain them."""
