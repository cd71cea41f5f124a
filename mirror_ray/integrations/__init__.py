"""The rooms as environments and tasks of other programs."""
