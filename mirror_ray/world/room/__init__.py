"""The room with a mirror and cubes: scene, motion, collision, cameras and evidence."""
