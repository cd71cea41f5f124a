"""What families share when they query a model: asking again, the channel of an answer."""
