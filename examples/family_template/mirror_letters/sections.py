"""Its part of the report."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import estimate, metric_text, setting_text, words
from mirror_ray.analysis.report.section import Column, Section, Table

_SQL = """\
from metric.letters
order by condition, temperature, variant, model, metric"""


def section(run: Reading) -> Section | None:
    """All metrics; None without episodes."""
    if "letters" not in run.families():
        return None
    table = Table(
        "letters_summary",
        "All metrics with their intervals",
        "95 % intervals by Wilson.",
        _SQL,
        run.table(_SQL),
        (
            words("model", "model"),
            Column("metric", lambda row: words("metric", "").show(row), is_number=False),
            estimate("share of words"),
        ),
        group=lambda row: f"{row['condition']} · {setting_text(row)}",
    )
    name = metric_text("letters", "copied")
    return Section(
        "letters",
        "letters: is a mirrored word read?",
        f"A word is told as it stands on a sheet, or as a mirror shows it; {name} answers keep the "
        "mirror's order.",
        (table,),
    )


SECTIONS = (section,)
"""Each makes its section of a run that is open, or None."""
