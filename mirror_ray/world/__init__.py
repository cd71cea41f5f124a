"""Rooms as live simulations: motion, collision, camera, and the ground truth of each frame."""
