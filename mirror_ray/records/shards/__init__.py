"""Parquet shards: how they are written, listed and read."""
