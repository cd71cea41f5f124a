"""People and models on the scenes that people have played: each person, their vote, agreement."""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.core.identity import variant_words


def section(run: Reading) -> Section | None:
    """Two tables; None where nobody has played."""
    if not any(_has_people(run, family) for family in run.families()):
        return None
    file = section_file(__name__, run, groups={"place": _place})
    return file.section(*file.tables())


def _has_people(run: Reading, family: str) -> bool:
    # Checked before the people's views are queried, because these read the scores of every episode.
    sql = f"select 1 from shard.{family}_episodes where starts_with(model, 'human/') limit 1"  # noqa: S608
    return bool(run.rows(sql))


def _place(row: Row) -> str:
    at = "" if row["temperature"] is None else f", temperature {row['temperature']:g}"
    return f"{row['family']} {row['condition']}{at}, {variant_words(row['variant'])}"
