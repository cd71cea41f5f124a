"""What families share of asking a model: asking again, the channel of an answer."""
