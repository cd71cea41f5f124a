"""selfid's second section: every metric of arXiv 2605.08816, and what identifications say."""

from collections.abc import Callable

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    condition_text,
    number_text,
    share_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.pivots import pivot_sql, pivoted
from mirror_ray.analysis.report.section import ReportTable, Section, TableQuery
from mirror_ray.analysis.undefined_metrics import Conditions, is_here, without_mirror
from mirror_ray.contract.metrics import METRICS

_CLAIM_KINDS = ("palette", "off palette", "nothing yet", "something else", "unread")
_SUMMARY = pivot_sql(
    "metric.selfid",
    "condition, temperature, variant, model",
    figures="estimate, se, ci_low, ci_high, n",
)
_CLAIMS = """\
select
    condition,
    temperature,
    variant,
    model,
    coalesce(columns(* exclude (condition, temperature, variant, model)), 0)
from (
    pivot (
        select condition, temperature, variant, model, kind, share from metric.selfid_claims
    )
    on kind in ('palette', 'off palette', 'nothing yet', 'something else', 'unread')
    using first(share)
    group by condition, temperature, variant, model
)
order by condition, temperature, variant, model"""


def section(run: Reading) -> Section | None:
    """The tables over every setting; None without selfid's episodes."""
    if "selfid" not in run.families():
        return None
    return Section(
        "selfid_metrics",
        "selfid: every metric",
        "Every model, condition and setting, with what its identifications say.",
        (_summary(run, without_mirror(run.connection)), _CLAIMS_TABLE.of(run)),
    )


def _summary(run: Reading, no_mirror: Conditions) -> ReportTable:
    return ReportTable(
        "selfid_summary",
        "All metrics with their intervals",
        "Means ± standard error, 95 % intervals under them: Wilson's for shares, BCa over scenes "
        "for counts of steps (TTD, MGD). n is the number of episodes that define the metric; "
        "episodes with an error are not among them.",
        _SUMMARY,
        run.table(_SUMMARY),
        (
            words("model", "model"),
            *(
                pivoted(
                    metric.name,
                    metric.heading,
                    se="se",
                    show=number_text if metric.kind == "count" else share_text,
                    is_here=_is_here(metric.name, no_mirror),
                )
                for metric in METRICS["selfid"].metrics
                if metric.is_shown
            ),
        ),
        group=condition_text,
    )


def _is_here(metric: str, no_mirror: Conditions) -> Callable[[Row], bool]:
    return lambda row: is_here("selfid", metric, row["condition"], no_mirror)


_CLAIMS_TABLE = TableQuery(
    "selfid_claims",
    "What identifications say",
    "The share of all steps whose identification commits to a colour of the palette, to one "
    "off it (a wrong claim), to nothing yet, or says something else; and of those without a "
    "reply that could be read.",
    _CLAIMS,
    (words("model", "model"), *(share_column(kind, kind) for kind in _CLAIM_KINDS)),
    group=condition_text,
)
