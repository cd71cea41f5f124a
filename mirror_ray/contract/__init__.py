"""The interface of a family, through which the rest of the package uses it."""
