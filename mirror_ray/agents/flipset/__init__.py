"""The agents of flipset."""
