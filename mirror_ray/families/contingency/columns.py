"""contingency's columns besides the common ones."""

from mirror_ray.contract.column_file import column_file

STEP_COLUMNS, EPISODE_COLUMNS, FACT_COLUMNS = column_file("mirror_ray.families.contingency")
