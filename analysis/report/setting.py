"""The setting that a family's figures show if the family was played under several."""

from dataclasses import dataclass

from mirror_ray.analysis.quoting import literal, sql_number
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import setting_text


@dataclass(frozen=True, slots=True)
class Setting:
    """A temperature and a variant, with a text for people."""

    text: str
    temperature: float | None
    variant: str

    @property
    def where(self) -> str:
        """The SQL condition that only this setting's rows fulfil."""
        return self.where_of("")

    def where_of(self, table: str) -> str:
        """Return the same condition for one table's columns, whose name ends with a dot:
        ``pairs.``."""
        return (
            f"{table}temperature is not distinct from {sql_number(self.temperature)} "
            f"and {table}variant = {literal(self.variant)}"
        )


def main_setting(run: Reading, family: str) -> Setting | None:
    """Return the setting with the most episodes, of equals the plainest; None without episodes."""
    if family not in run.families_with_views():
        return None
    rows = run.rows(
        f"select temperature, variant from episode.{family} "  # noqa: S608 - a view's name
        "group by temperature, variant order by count(*) desc, len(variant), variant, temperature "
        "limit 1"
    )
    if not rows:
        return None
    return Setting(setting_text(rows[0]), **rows[0])
