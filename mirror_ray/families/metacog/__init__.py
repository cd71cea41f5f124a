"""The metacog family; other packages use only `family.FAMILY`."""
