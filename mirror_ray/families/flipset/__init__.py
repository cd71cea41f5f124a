"""The flipset family; other packages use only `family.FAMILY`."""
