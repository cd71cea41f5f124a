"""Shards in, tables out: DuckDB views over a run, intervals, and their display."""
