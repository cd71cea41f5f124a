"""contingency's screens: three pictures of a person side by side, who moves a hand."""
