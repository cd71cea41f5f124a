"""Three pictures, side by side, of a person who moves a hand."""
