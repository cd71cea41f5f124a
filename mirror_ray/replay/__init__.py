"""Plays recorded episodes again, without a model and without Ray."""
