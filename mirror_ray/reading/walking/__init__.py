"""How models that walk a room name actions, cubes and their own body in replies."""
