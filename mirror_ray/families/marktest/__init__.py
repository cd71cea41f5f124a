"""Everything of marktest; `family.FAMILY` is what others see of it."""
