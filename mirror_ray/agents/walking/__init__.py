"""What the agents that walk through a room share: what they see, remember and head for."""
