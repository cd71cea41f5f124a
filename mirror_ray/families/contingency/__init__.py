"""The contingency family; other packages use only `family.FAMILY`."""
