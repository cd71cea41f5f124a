"""Everything of metacog; `family.FAMILY` is what others see of it."""
