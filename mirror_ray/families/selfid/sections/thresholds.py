"""selfid's metrics as functions of the thresholds for evidence and for nearness.

Both thresholds are chosen at reading time: they cost no call.
"""

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import estimate_text, number_text
from mirror_ray.analysis.report.defined_panels import defined_panels
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.analysis.report.setting import main_setting

_PANELS = {
    "mcr": "MCR · looked",
    "mtato": "MTATO · right and looked",
    "cr": "CR · guessed before looking",
    "arsc": "ARSC · first claim wrong",
    "sc": "SC · corrected itself",
}
_NEAR = {"near": "near the selected cube", "tsa_near": "right and near"}


def section(run: Reading) -> Section | None:
    """The curves of the first condition that has a mirror; None without selfid's episodes."""
    setting = main_setting(run, "selfid")
    if setting is None:
        return None
    first = run.rows(
        "select min(condition) as condition from stage.selfid_episodes "  # noqa: S608 - quoted
        f"where mirror_present and {setting.where}"
    )[0]["condition"]
    if first is None:
        return None
    file = section_file(
        __name__,
        run,
        first=first,
        condition=literal(first),
        where=setting.where,
        setting=setting.text,
    )
    by_pixels, by_radius = file.rows("selfid_evidence_threshold"), file.rows("selfid_near_radius")
    if not by_pixels:  # an error ended all episodes
        return None
    points, missing = defined_panels(_points(by_pixels, _PANELS, "threshold_px"), "estimate")
    near, not_near = defined_panels(_points(by_radius, _NEAR, "radius_m"), "estimate")
    return file.section(
        file.drawn(
            "selfid_evidence_threshold",
            curves(
                points,
                title="pixels, logarithmic",
                values=sorted({row["threshold_px"] for row in by_pixels}),
                spacing="log",
                across=3,
            ),
            also=missing,
        ),
        file.drawn(
            "selfid_near_radius",
            curves(
                near,
                title="metres between centres",
                values=sorted({row["radius_m"] for row in by_radius}),
                spacing="linear",
                across=2,
            ),
            also=not_near,
        )
        if by_radius
        else None,
    )


def _points(rows: list[Row], panels: dict[str, str], column: str) -> list[Row]:
    return [
        {
            "model": row["model"],
            "panel": panels[row["metric"]],
            "value": row[column],
            "estimate": row["estimate"],
            "low": row["ci_low"],
            "high": row["ci_high"],
            "description": f"{row['model']}, {number_text(row[column])}: {estimate_text(row)}",
        }
        for metric in panels
        for row in rows
        if row["metric"] == metric
    ]
