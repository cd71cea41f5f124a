"""letters' section of the report."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import estimate_column, metric_text, setting_text, words
from mirror_ray.analysis.report.section import Column, ReportTable, Section

_SQL = """\
from metric.letters
order by condition, temperature, variant, model, metric"""


def section(run: Reading) -> Section | None:
    """Return a table of all metrics, or None without episodes."""
    if "letters" not in run.families():
        return None
    table = ReportTable(
        "letters_summary",
        "All metrics with their intervals",
        "95 % intervals by Wilson.",
        _SQL,
        run.table(_SQL),
        (
            words("model", "model"),
            Column("metric", lambda row: words("metric", "").show(row), is_number=False),
            estimate_column("share of words"),
        ),
        group=lambda row: f"{row['condition']} · {setting_text(row)}",
    )
    name = metric_text("letters", "copied")
    return Section(
        "letters",
        "letters: is a mirrored word read?",
        f"A word is shown on a sheet or in a mirror; {name} answers keep the mirror's order of "
        "letters.",
        (table,),
    )


SECTIONS = (section,)
"""Functions that return a section for an open run, or None."""
