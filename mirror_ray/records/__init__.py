"""The records of a run: the column contract, the journal of paid replies, the Parquet shards."""
