"""What a family is: the one object that the rest of the package sees of it."""
