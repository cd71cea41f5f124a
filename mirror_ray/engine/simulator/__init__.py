"""A Simulator's process: it plays episodes and draws their pictures."""
