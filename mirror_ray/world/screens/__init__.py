"""Three pictures of a person side by side, who moves a hand."""
