"""metacog's second bank of generated questions: forty kinds, each at ten levels of difficulty."""
