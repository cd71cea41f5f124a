"""Everything of textmirror; `family.FAMILY` is what others see of it."""
