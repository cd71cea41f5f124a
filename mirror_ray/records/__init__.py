"""What is kept: the column contract, the journal of paid replies, the Parquet shards."""
