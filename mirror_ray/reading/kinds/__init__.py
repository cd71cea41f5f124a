"""The kinds of answer: how a piece of text that should hold one is read."""
