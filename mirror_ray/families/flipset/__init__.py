"""Everything of flipset; `family.FAMILY` is what others see of it."""
