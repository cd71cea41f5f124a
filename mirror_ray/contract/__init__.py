"""What a family is: the interface through which the rest of the package uses it."""
