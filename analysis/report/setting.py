"""The one setting that a family's figures show, where it was played under several.

Knows temperatures and variants; does not know what they change.
"""

from dataclasses import dataclass

from analysis.reading import Reading
from analysis.report.cells import setting_text


@dataclass(frozen=True, slots=True)
class Setting:
    """A temperature and a variant.

    Args:
        text: for people.
        where: the SQL condition that holds of its rows alone.
    """

    text: str
    where: str


def main_setting(run: Reading, family: str) -> Setting | None:
    """The setting of most episodes, of equals the plainest; None without episodes."""
    rows = run.rows(
        f"select temperature, variant from episode.{family} "  # noqa: S608 - a view's name
        "group by temperature, variant order by count(*) desc, len(variant), variant, temperature "
        "limit 1"
    )
    if not rows:
        return None
    temperature, variant = rows[0]["temperature"], rows[0]["variant"].replace("'", "''")
    at = "temperature is null" if temperature is None else f"temperature = {temperature!r}"
    return Setting(setting_text(rows[0]), f"{at} and variant = '{variant}'")
