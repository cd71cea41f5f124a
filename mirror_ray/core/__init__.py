"""Types, identities, errors, and what is read safely from outside: everything else rests on it."""
