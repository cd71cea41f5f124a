"""textmirror's second section: other readers, other lengths, and whether the run was sound."""

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.report.cells import estimate_text
from mirror_ray.analysis.report.section_file import section_of


def _by_length(rows: list[Row]) -> Chart | None:
    lengths = sorted({row["n_sentences"] for row in rows})
    if len(lengths) < 2:
        return None
    return curves(
        [
            {
                "model": row["model"],
                "panel": ", ".join(filter(None, (row["what"], _temperature(row)))),
                "value": row["n_sentences"],
                "estimate": row["estimate"],
                "low": row["ci_low"],
                "high": row["ci_high"],
                "description": f"{row['model']}, {row['n_sentences']} sentences, {row['what']}: "
                + estimate_text(row),
            }
            for row in rows
        ],
        title="sentences",
        values=lengths,
        spacing="linear",
        across=2,
        most=None,
    )


def _asked(row: Row) -> str:
    asked = (_temperature(row), row["question"], f"{row['n_sentences']} sentences")
    return ", ".join(filter(None, asked))


def _temperature(row: Row) -> str:
    return "" if row["temperature"] is None else f"temperature {row['temperature']:g}"


section = section_of(
    __name__,
    groups={"asked": _asked, "temperature": _temperature},
    figures={"textmirror_story_lengths": _by_length},
)
"""Makes textmirror's robustness analyses; None without its episodes."""
