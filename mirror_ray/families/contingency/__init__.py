"""Everything of contingency; `family.FAMILY` is what others see of it."""
