"""The mirrorqa family; other packages use only `family.FAMILY`."""
