"""When a sweep has asked enough: the rules of its `until`, on complete rounds of shared units."""
