"""The agents of selfid."""
