"""The dyad family; other packages use only `family.FAMILY`."""
