"""The cost and pace of the run, over all families."""

from mirror_ray.analysis.plots.latency import latency
from mirror_ray.analysis.plots.pace import pace
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import three_digits_text, usd_text
from mirror_ray.analysis.report.section import Column, Section, TableCell
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.analysis.spending import spending_sql


def section(run: Reading) -> Section | None:
    """Return cost, tokens, latency and pace; None without requests."""
    if not run.recorded_families():
        return None
    asks = run.every(
        "stage",
        "asked",
        "family, condition, model, episode_id, tokens_in, tokens_out, tokens_cached, cost_usd, "
        "latency_s, is_latest, is_priced, "
        "try_cast(started_at as timestamptz) as started_at",
    )
    spending = spending_sql(run)
    file = section_file(
        __name__,
        run,
        columns={
            "cost": lambda _key, heading: Column(heading, _cost),
            "latency": lambda _key, heading: Column(heading, _latency),
        },
        asks=asks,
        spending=spending or "",
    )
    return file.section(
        file.table("asks_and_costs"),
        file.table("spending") if spending else None,
        file.figure("latency", latency),
        file.figure("pace", pace),
    )


def _cost(row: Row) -> TableCell:
    known = row["cost_usd"]
    if row["n_unpriced"] and not known:
        known = None
    return TableCell(usd_text(known), "at least" if row["n_unpriced"] and known is not None else "")


def _latency(row: Row) -> TableCell:
    late = row["latency_p95_s"]
    return TableCell(
        three_digits_text(row["latency_p50_s"]),
        "" if late is None else f"95 % ≤ {three_digits_text(late)}",
    )
