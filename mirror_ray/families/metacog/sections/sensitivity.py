"""metacog's third section: how its findings depend on assumptions and on how questions are put."""

from mirror_ray.analysis.report.section_file import section_of, text_column
from mirror_ray.families.metacog.sections.section import paradigm_text, summary_text

section = section_of(
    __name__,
    columns={
        "metric": text_column(lambda row: summary_text(row["metric"])),
        "paradigm": text_column(paradigm_text),
    },
)
"""Makes baselines, resolvers, missing answers, sizes and temperatures; None if none were played."""
