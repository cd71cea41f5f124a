"""How sure a model is of what it sees, by its acts: bets, questions handed over, forecasts."""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file


def section(run: Reading) -> Section | None:
    """One table; None if every episode was played in the natural channel."""
    if not run.has("episode.stakes", "bet") or not run.rows("select 1 from episode.stakes limit 1"):
        return None
    file = section_file(__name__, run, groups={"place": _place})
    return file.section(*file.tables())


def _place(row: Row) -> str:
    at = "" if row["temperature"] is None else f", temperature {row['temperature']:g}"
    return f"{row['family']} {row['condition']}{at}, {row['setting']}"
