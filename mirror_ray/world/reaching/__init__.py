"""A person in front of a mirror, who moves a hand."""
