"""selfid's room: scene, motion, collision, cameras and evidence."""
