"""Everything of mirrorqa; `family.FAMILY` is what others see of it."""
