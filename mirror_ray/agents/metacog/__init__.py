"""The agents of metacog."""
