"""The journal: replies and finished episodes that are not sealed yet, and all costs."""
