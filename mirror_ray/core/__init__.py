"""Types, identities, errors and safe reading of outside data, the base of all other packages."""
