"""How far the data can be trusted: reading of replies, failed episodes, retries, broken rules.

Knows what every row says of itself; does not know what it means for a metric.
"""

from analysis.plots.stacked_shares import stacked_shares
from analysis.plots.style import BAD, GOOD, NEUTRAL, WORSE
from analysis.reading import Reading
from analysis.report.cells import number, share_of, words
from analysis.report.section import Figure, Section, Table

_READINGS = {
    "strict": GOOD,
    "cleaned": "#56B4E9",
    "coerced": NEUTRAL,
    "repaired": BAD,
    "reasked": "#CC79A7",
    "failed": WORSE,
    "not read": "#4d4d4d",
}


def section(run: Reading) -> Section | None:
    """Reading, failures and retries per model; None without episodes."""
    if not run.families():
        return None
    asks = run.every(
        "shard", "steps", "family, model, parse_status, superseded, error_kind, attempts"
    )
    readings = (
        f"with asks as (\n{asks}\n)\n\n"
        "select model, '' as panel, coalesce(parse_status, 'not read') as kind, count(*) as n\n"
        "from asks\n"
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
        "    count(*) filter (where error_kind <> 'none') as n_errors,\n"
        "    count(*) filter (where attempts > 1) as n_retried,\n"
        "    max(attempts) as most_attempts\n"
        "from asks\n"
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
    return Section(
        "quality",
        "Data quality",
        "A failed episode is one that an error ended: it is counted, left out of every estimate, "
        "and bounded by low_if_failed and high_if_failed in its family's metric view. A reply that "
        "could not be read is never repaired in silence.",
        (
            Figure(
                "reading_of_replies",
                "How replies were read",
                "strict is exactly what was asked for; each further kind took more to read, and "
                "failed could not be read at all.",
                readings,
                stacked_shares(run.rows(readings), kinds=_READINGS, title="share of replies"),
            ),
            Table(
                "asks_quality",
                "Errors and retries",
                "Shares of asks. An ask is retried when its first attempt met a limit, a server's "
                "error or silence; the attempts are in shard.<family>_steps: failed_attempts.",
                asked,
                run.table(asked),
                (
                    words("model", "model"),
                    share_of("n_unread", "not readable", of="n_asks"),
                    share_of("n_reasked", "asked again", of="n_asks"),
                    share_of("n_errors", "ended in an error", of="n_asks"),
                    share_of("n_retried", "retried", of="n_asks"),
                    number("most_attempts", "most attempts"),
                ),
                group=lambda row: str(row["family"]),
            ),
            Table(
                "failed_episodes",
                "Failed episodes",
                "Episodes that an error ended, by condition and model, and those that were played "
                "more than once.",
                failed,
                run.table(failed),
                (
                    words("model", "model"),
                    number("n_episodes", "episodes"),
                    share_of("n_failed", "failed", of="n_episodes"),
                    words("error_kinds", "why"),
                    share_of("n_played_again", "played again", of="n_episodes"),
                ),
                group=lambda row: f"{row['family']} {row['condition']}",
            ),
        ),
    )
