"""Says whether a run's prompts have our own wording or that of a prompt set."""

from mirror_ray.analysis.reading import Reading

_SETS = """\
select distinct regexp_extract(variant, '\\+prompts=([^+]+)', 1) as name
from episode.{family}
order by name"""


def prompt_wording(run: Reading, family: str, what: str) -> str:
    """Return a sentence for a section's text.

    Args:
        what: the prompts that no paper prints, e.g. ``the variants``.
    """
    names = [row["name"] for row in run.rows(_SETS.format(family=family))]
    said = ", ".join(f"prompt set {name}" if name else "our wording" for name in names)
    return f" Prompts of {what}: {said}."
