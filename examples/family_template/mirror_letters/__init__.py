"""letters: reading a word in a mirror."""
