"""The quality of the data: reading of replies, errors, retries, violated invariants."""

from collections.abc import Iterator

from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across.bounds import bounds
from mirror_ray.analysis.report.cells import (
    number_column,
    occurred,
    share_of,
    words,
)
from mirror_ray.analysis.report.section import Figure, ReportTable, Section

_READINGS = {
    "strict": GOOD,
    "cleaned": "#56B4E9",
    "coerced": NEUTRAL,
    "repaired": BAD,
    "reasked": "#CC79A7",
    "unreadable": WORSE,
    "not read": "#4d4d4d",
}


def section(run: Reading) -> Section | None:
    """Reading, errors and retries per model; None without episodes."""
    if not run.families():
        return None
    asks = run.every(
        "stage", "asked", "family, model, parse_status, superseded, has_failed, attempts, is_latest"
    )
    readings = (
        f"with asks as (\n{asks}\n)\n\n"
        "select\n"
        "    model,\n"
        "    '' as panel,\n"
        "    case parse_status when 'failed' then 'unreadable'\n"
        "        else coalesce(parse_status, 'not read') end as kind,\n"
        "    count(*) as n\n"
        "from asks\n"
        "where is_latest\n"
        "group by all\n"
        "order by all"
    )
    asked = (
        f"with asks as (\n{asks}\n)\n\n"
        "select\n"
        "    family,\n"
        "    model,\n"
        "    count(*) as n_asks,\n"
        "    count(*) filter (where parse_status = 'failed') as n_unread,\n"
        "    count(*) filter (where superseded) as n_reasked,\n"
        "    count(*) filter (where has_failed) as n_errors,\n"
        "    count(*) filter (where attempts > 1) as n_retried,\n"
        "    max(attempts) as most_attempts\n"
        "from asks\n"
        "where is_latest\n"
        "group by family, model\n"
        "order by family, model"
    )
    episodes = run.every("stage", "episodes", "family, condition, model, error_kind, take")
    failed = (
        f"with episodes as (\n{episodes}\n)\n\n"
        "select\n"
        "    family,\n"
        "    condition,\n"
        "    model,\n"
        "    count(*) as n_episodes,\n"
        "    count(*) filter (where error_kind <> 'none') as n_failed,\n"
        "    string_agg(distinct error_kind, ', ' order by error_kind)\n"
        "        filter (where error_kind <> 'none') as error_kinds,\n"
        "    count(*) filter (where take > 1) as n_played_again\n"
        "from episodes\n"
        "group by family, condition, model\n"
        "order by family, condition, model"
    )
    data, ended = run.table(asked), run.table(failed)
    retried = {
        "n_retried": share_of("n_retried", "retried", of="n_asks"),
        "most_attempts": number_column("most_attempts", "most attempts"),
    }
    return Section(
        "quality",
        "Data quality",
        "An episode that ended with an error is not a wrong one: it is counted, left out of every "
        "estimate, and bounded by low_if_failed and high_if_failed in its family's metric view. A "
        "reply that could not be read is never repaired in silence.",
        (
            Figure(
                "reading_of_replies",
                "How replies were read",
                "strict is exactly what was asked for; each further kind took more to read, and "
                "unreadable could not be read at all.",
                readings,
                stacked_shares(run.rows(readings), kinds=_READINGS, title="share of replies"),
            ),
            ReportTable(
                "asks_quality",
                "Errors and retries",
                "Shares of requests. A request is retried when its first attempt met a limit, a "
                "server's error or silence; the attempts are in shard.<family>_steps: "
                "failed_attempts. What never occurred has no column.",
                asked,
                data,
                (
                    words("model", "model"),
                    *occurred(
                        data,
                        {
                            "n_unread": share_of("n_unread", "not readable", of="n_asks"),
                            "n_reasked": share_of("n_reasked", "asked again", of="n_asks"),
                            "n_errors": share_of("n_errors", "ended in an error", of="n_asks"),
                            **(retried if any(data.column("n_retried").to_pylist()) else {}),
                        },
                    ),
                ),
                group=lambda row: str(row["family"]),
                tells=lambda row: any(
                    row[name] for name in ("n_unread", "n_reasked", "n_errors", "n_retried")
                ),
                silence="each reply could be read as it first came, and no request was retried or "
                "ended in an error",
            ),
            ReportTable(
                "failed_episodes",
                "Episodes with an error",
                "Episodes that an error ended, by condition and model, and those that were played "
                "more than once.",
                failed,
                ended,
                (
                    words("model", "model"),
                    number_column("n_episodes", "episodes"),
                    *occurred(
                        ended,
                        {
                            "n_failed": share_of("n_failed", "errors", of="n_episodes"),
                            "error_kinds": words("error_kinds", "why"),
                            "n_played_again": share_of(
                                "n_played_again", "played again", of="n_episodes"
                            ),
                        },
                    ),
                ),
                group=lambda row: f"{row['family']} {row['condition']}",
                tells=lambda row: bool(row["n_failed"] or row["n_played_again"]),
                silence="no episode ended in an error, and none was played more than once",
            ),
            *bounds(run),
            *_broken_rules(run),
        ),
    )


def _broken_rules(run: Reading) -> Iterator[ReportTable]:
    """Violated invariants of the definitions; a sound run has none."""
    for family in run.families():
        view = f"metric.{family}_violations"
        if not run.has(view, "invariant"):
            continue
        sql = (
            "select invariant, condition, model, count(*) as n\n"
            f"from {view}\n"
            "group by invariant, condition, model\n"
            "order by invariant, condition, model"
        )
        data = run.table(sql)
        if data.num_rows:
            yield ReportTable(
                f"violations_{family}",
                f"{family}: rules that do not hold",
                "What follows from the metrics' definitions, or from how episodes are played, and "
                "is not so in the data: a mistake of the program or a damaged record.",
                sql,
                data,
                (
                    words("condition", "condition"),
                    words("model", "model"),
                    number_column("n", "episodes"),
                ),
                group=lambda row: str(row["invariant"]),
            )
