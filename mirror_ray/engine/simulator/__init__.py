"""A Simulator's process, which plays episodes and draws their pictures."""
