"""Says whose wording the prompts have that no paper prints: ours, or that of a prompt set."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.contract.metrics import METRICS

_SETS = """\
select distinct regexp_extract(variant, '\\+prompts=([^+]+)', 1) as name
from episode.{family}
where {where}
order by name"""


def prompt_wording(run: Reading, family: str) -> str:
    """Return a sentence for the notes of a family's tables; "" if the run has no such prompts."""
    metrics = METRICS.get(family)
    if metrics is None or not metrics.our_words:
        return ""
    sets = run.rows(_SETS.format(family=family, where=metrics.our_words_in))
    said = ", ".join(f"prompt set {row['name']}" if row["name"] else "our wording" for row in sets)
    return f" Prompts of {metrics.our_words}: {said}." if sets else ""
