"""The report's controls: what a blind replay scores, and what is lost without pictures."""

from functools import partial

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import share_text
from mirror_ray.analysis.report.section import Part, Section
from mirror_ray.analysis.report.section_file import measured_families, section_file


def section(run: Reading) -> Section | None:
    """Return the results of the replayer and of blind pictures; None if there are neither."""
    parts: list[Part | None] = []
    for family in measured_families(run):
        file = section_file(__name__, run, leading=family)
        name = file.slots["name"]
        parts += [
            file.figure("replayer_{family}", partial(_replayed, name)),
            file.table("replays_{family}"),
            file.figure("grounded_{family}", partial(_grounded, name)),
            file.table("grounded_shares_{family}"),
        ]
    return section_file(__name__, run).section(*parts)


def _replayed(name: str, rows: list[Row]) -> Chart:
    return dumbbell(
        [
            _ends(row, "replay_estimate", "estimate", row["condition"])
            for row in rows
            if row["arrangement"] == "other"
        ],
        left="replayed",
        right="the model",
        title=name,
    )


def _grounded(name: str, rows: list[Row]) -> Chart:
    return dumbbell(
        [
            _ends(
                row,
                "blind_estimate",
                "shown_estimate",
                f"{row['condition']} · {row['picture'].replace('_', ' ')}",
            )
            for row in rows
        ],
        left="without",
        right="with the picture",
        title=name,
    )


def _ends(row: Row, left: str, right: str, panel: str) -> Row:
    about = f"{row['model']}: {share_text(row[left])} against {share_text(row[right])}"
    return {
        "model": row["model"],
        "condition": panel,
        "left": row[left],
        "right": row[right],
        "description": about,
    }
