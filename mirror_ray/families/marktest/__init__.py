"""The marktest family; other packages use only `family.FAMILY`."""
