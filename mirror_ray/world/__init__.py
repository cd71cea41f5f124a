"""Rooms as live simulation: motion, collision, camera, and the ground truth of each frame."""
