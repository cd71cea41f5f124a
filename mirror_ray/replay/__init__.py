"""A recorded episode again: without a model, and without Ray."""
