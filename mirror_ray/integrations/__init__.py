"""Our rooms in others' programs."""
