"""What families share when they query a model: asking again, and the channel of an answer."""
