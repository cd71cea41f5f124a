"""The textmirror family; other packages use only `family.FAMILY`."""
