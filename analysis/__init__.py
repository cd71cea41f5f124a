"""Shards in, tables out: DuckDB views over a run, intervals, and how they are shown."""
