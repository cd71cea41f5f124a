"""Types, identities, errors and safe reading of outside data, on which all other packages build."""
