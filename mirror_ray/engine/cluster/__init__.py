"""Ray's session, and the actors that are placed in it."""
