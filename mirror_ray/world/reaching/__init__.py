"""marktest's room: a person before a mirror, who moves a hand."""
