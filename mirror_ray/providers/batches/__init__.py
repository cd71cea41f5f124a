"""Requests sent to a provider in batches, and replies read once it has processed them."""
