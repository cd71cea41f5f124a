"""Rooms as live simulation: motion, collision, camera, and the truth about each frame."""
