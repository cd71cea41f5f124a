"""selfid's metrics as functions of the thresholds for evidence and for nearness.

Both thresholds are chosen at reading time: they cost no call.
"""

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import interval_text, number_text, share_text
from mirror_ray.analysis.report.defined_panels import defined_panels
from mirror_ray.analysis.report.section import Figure, Section
from mirror_ray.analysis.report.setting import main_setting

_PANELS = {
    "mcr": "MCR · looked",
    "mtato": "MTATO · right and looked",
    "cr": "CR · guessed before looking",
    "arsc": "ARSC · first claim wrong",
    "sc": "SC · corrected itself",
}
_NEAR = {"near": "near the selected cube", "tsa_near": "right and near"}
_EVIDENCE = """\
from ablation.selfid_thresholds
where condition = {condition} and {setting}
order by metric, model, threshold_px"""
_RADIUS = """\
from ablation.selfid_near_radius
where condition = {condition} and {setting}
order by metric, model, radius_m"""


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
    where = {"condition": literal(first), "setting": setting.where}
    evidence, radius = _EVIDENCE.format(**where), _RADIUS.format(**where)
    by_pixels = run.rows(evidence)
    if not by_pixels:  # an error ended all episodes
        return None
    points, missing = defined_panels(_points(by_pixels, _PANELS, "threshold_px"), "estimate")
    parts = [
        Figure(
            "selfid_evidence_threshold",
            "How much reflection counts as evidence",
            "Metrics that rest on evidence, by the pixels of the own reflection (at 640×480) from "
            "which a frame counts; the default is 50. A flat curve does not depend on the choice."
            + missing,
            evidence,
            curves(
                points,
                title="pixels, logarithmic",
                values=sorted({row["threshold_px"] for row in by_pixels}),
                spacing="log",
                across=3,
            ),
        )
    ]
    if rows := run.rows(radius):
        near, not_near = defined_panels(_points(rows, _NEAR, "radius_m"), "estimate")
        parts.append(
            Figure(
                "selfid_near_radius",
                "How near is near",
                "The share of selections made within a distance of the cube, and of successes "
                "that were." + not_near,
                radius,
                curves(
                    near,
                    title="metres between centres",
                    values=sorted({row["radius_m"] for row in rows}),
                    spacing="linear",
                    across=2,
                ),
            )
        )
    return Section(
        "selfid_thresholds",
        "selfid: choices made when reading",
        f"The same episodes under other definitions ({first}, {setting.text}); nothing was played "
        "again.",
        tuple(parts),
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
            "description": f"{row['model']}, {number_text(row[column])}: "
            f"{share_text(row['estimate'])} "
            f"({interval_text(row['ci_low'], row['ci_high'], share_text)}), n = {row['n']}",
        }
        for metric in panels
        for row in rows
        if row["metric"] == metric
    ]
