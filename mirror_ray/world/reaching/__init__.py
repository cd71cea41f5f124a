"""A person before a mirror, who moves a hand."""
