"""The journal: replies and finished episodes that no shard holds yet, and all costs."""
