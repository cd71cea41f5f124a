"""The selfid family; other packages use only `family.FAMILY`."""
