"""The cost and pace of the run, over all families."""

from mirror_ray.analysis.plots.latency import latency
from mirror_ray.analysis.plots.pace import pace
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    number_column,
    share_of,
    three_digits_text,
    usd_column,
    usd_text,
    words,
)
from mirror_ray.analysis.report.section import Column, Figure, ReportTable, Section, TableCell
from mirror_ray.analysis.spending import spending_sql

_BINS = 60
_BOUGHT_NO_READING = (
    ("n_failed", "failed attempts", "failed_usd", "of failed"),
    ("n_reasked", "asked again", "reasked_usd", "of asked again"),
    ("n_unread", "not read", "unread_usd", "of not read"),
)
"""Column of the count, its heading, column of the cost, its heading."""


def section(run: Reading) -> Section | None:
    """Cost, tokens, latency and pace; None without asks."""
    if not run.recorded_families():
        return None
    asks = run.every(
        "stage",
        "asked",
        "family, condition, model, episode_id, tokens_in, tokens_out, tokens_cached, cost_usd, "
        "latency_s, is_latest, is_priced, "
        "try_cast(started_at as timestamptz) as started_at",
    )
    costs = (
        f"with asks as (\n{asks}\n)\n\n"
        "select\n"
        "    family,\n"
        "    model,\n"
        "    count(distinct episode_id) as n_episodes,\n"
        "    count(*) filter (is_latest) as n_asks,\n"
        "    sum(tokens_in)::bigint as tokens_in,\n"
        "    sum(tokens_out)::bigint as tokens_out,\n"
        "    sum(tokens_cached)::bigint as tokens_cached,\n"
        "    count(*) filter (is_latest and is_priced) as n_priced,\n"
        "    n_asks - n_priced as n_unpriced,\n"
        "    sum(cost_usd) as cost_usd,\n"
        "    sum(cost_usd) / nullif(count(distinct episode_id), 0) as episode_usd,\n"
        "    quantile_cont(latency_s, 0.5) as latency_p50_s,\n"
        "    quantile_cont(latency_s, 0.95) as latency_p95_s\n"
        "from asks\n"
        "group by family, model\n"
        "order by family, model"
    )
    spread = (
        f"with asks as (\n{asks}\n)\n\n"
        "select\n"
        "    model,\n"
        "    count(latency_s) as n,\n"
        "    quantile_cont(latency_s, 0.05) as p5_s,\n"
        "    quantile_cont(latency_s, 0.25) as p25_s,\n"
        "    quantile_cont(latency_s, 0.5) as p50_s,\n"
        "    quantile_cont(latency_s, 0.75) as p75_s,\n"
        "    quantile_cont(latency_s, 0.95) as p95_s\n"
        "from asks\n"
        "where latency_s is not null\n"
        "group by model\n"
        "order by model"
    )
    over_time = (
        f"with asks as (\n{asks}\n),\n\n"  # noqa: S608 - our own names
        "span as (\n"
        "    select min(started_at) as first, max(started_at) as last from asks\n"
        "),\n\n"
        "bins as (\n"
        "    select\n"
        "        asks.model,\n"
        "        greatest(1, ceil(epoch(span.last - span.first) / "
        f"{_BINS}))::bigint as width_s,\n"
        "        floor(epoch(asks.started_at - span.first) / width_s)::bigint as bin\n"
        "    from asks cross join span\n"
        ")\n\n"
        "select\n"
        "    bin * width_s / 60 as minute,\n"
        "    width_s,\n"
        "    model,\n"
        "    count(*) * 60 / width_s as per_minute\n"
        "from bins\n"
        "where bin is not null\n"
        "group by model, bin, width_s\n"
        "order by model, bin"
    )
    parts: list[Figure | ReportTable] = [_costs(run, costs)]
    if (spent := spending_sql(run)) is not None:
        parts.append(_spending(run, spent))
    if rows := run.rows(spread):
        parts.append(
            Figure(
                "latency",
                "How long replies took",
                "Seconds from sending a request to its reply, retries included: the middle half as "
                "a bar, the median in it, the middle 90 % as a line.",
                spread,
                latency(rows),
            )
        )
    if rows := run.rows(over_time):
        parts.append(
            Figure(
                "pace",
                "Asks over the time of the run",
                "Asks sent per minute; a gap is time in which no process ran, or none was allowed "
                "to send.",
                over_time,
                pace(rows),
            )
        )
    return Section(
        "costs",
        "Cost and throughput",
        "All that was sent and paid for episodes that have ended, once each: re-asks included, and "
        "what failed in earlier takes of episodes.",
        tuple(parts),
    )


def _costs(run: Reading, sql: str) -> ReportTable:
    return ReportTable(
        "asks_and_costs",
        "Asks, tokens and money",
        "If the price of some requests is unknown, a sum of costs is a lower bound.",
        sql,
        run.table(sql),
        (
            words("model", "model"),
            number_column("n_episodes", "episodes"),
            number_column("n_asks", "asks"),
            number_column("tokens_in", "tokens in"),
            number_column("tokens_out", "out"),
            number_column("tokens_cached", "cached"),
            Column("cost", _cost),
            share_of("n_priced", "priced asks", of="n_asks"),
            usd_column("episode_usd", "per episode"),
            Column("latency, s", _latency),
        ),
        group=lambda row: str(row["family"]),
    )


def _spending(run: Reading, sql: str) -> ReportTable:
    data = run.table(sql)
    return ReportTable(
        "spending",
        "Money that bought no reading",
        "The whole cost, and next to each count the known cost of attempts that failed, of replies "
        "that could not be read and were asked for again, and of replies that could not be read at "
        "all. What never occurred has no columns.",
        sql,
        data,
        (
            words("model", "model"),
            Column("cost", _cost),
            *(
                column
                for count, heading, cost, of in _BOUGHT_NO_READING
                if any(data.column(count).to_pylist())
                for column in (number_column(count, heading), usd_column(cost, of))
            ),
        ),
        group=lambda row: str(row["family"]),
        tells=lambda row: bool(row["n_failed"] or row["n_reasked"] or row["n_unread"]),
        silence="no attempt failed, and no reply was asked for again or could not be read",
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
