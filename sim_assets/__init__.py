"""MJCF and its builders: room, humanoid, boxes, colours. Imports nothing of ours."""
