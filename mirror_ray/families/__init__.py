"""The benchmarks, one folder each. No family imports another."""
