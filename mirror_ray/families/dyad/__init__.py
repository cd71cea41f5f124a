"""Everything of dyad; `family.FAMILY` is what others see of it."""
