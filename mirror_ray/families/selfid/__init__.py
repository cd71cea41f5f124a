"""Everything of selfid; `family.FAMILY` is what others see of it."""
