"""How sure a model is of what it sees, by its acts: bets, questions handed over, forecasts."""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import share_column, words
from mirror_ray.analysis.report.pivots import pivoted
from mirror_ray.analysis.report.section import Section, TableQuery

_METRICS = """\
pivot summary.sureness
on metric in (
    'accuracy_natural', 'accuracy_wager', 'gap', 'sureness_right', 'sureness_wrong', 'ece_wager',
    'auroc_wager', 'skipped', 'cfr', 'ece_predict', 'auroc_predict'
)
using
    first(estimate) as estimate, first(ci_low) as ci_low, first(ci_high) as ci_high, first(n) as n
group by family, condition, model, temperature, setting
order by family, condition, temperature, setting, model"""


def section(run: Reading) -> Section | None:
    """One table; None if every episode was played in the natural channel."""
    if not run.has("episode.stakes", "bet") or not run.rows("select 1 from episode.stakes limit 1"):
        return None
    return Section(
        "sureness",
        "Does it know when it misreads?",
        "The same scenes, asked for an answer alone, for one with a bet, for one or a sure point, "
        "and after a forecast of being right. A model that knows itself bets more on right answers "
        "than on wrong ones and hands over what it would get wrong.",
        (_TABLE.of(run),),
    )


def _place(row: Row) -> str:
    at = "" if row["temperature"] is None else f", temperature {row['temperature']:g}"
    return f"{row['family']} {row['condition']}{at}, {row['setting']}"


_TABLE = TableQuery(
    "sureness",
    "Sure, and right",
    "Of a walk through a room, whether the selected cube is right. Intervals: Wilson's, over "
    "scenes. The measures are those of arXiv 2604.19809, on pictures.",
    _METRICS,
    (
        words("model", "model"),
        pivoted("accuracy_natural", "natural"),
        pivoted("accuracy_wager", "with a bet"),
        share_column("gap_estimate", "gap"),
        share_column("sureness_right_estimate", "bet, right"),
        share_column("sureness_wrong_estimate", "bet, wrong"),
        share_column("ece_wager_estimate", "ECE"),
        share_column("auroc_wager_estimate", "AUROC"),
        pivoted("skipped", "handed over"),
        pivoted("cfr", "confident failures"),
        share_column("ece_predict_estimate", "ECE, forecast"),
        share_column("auroc_predict_estimate", "AUROC, forecast"),
    ),
    group=_place,
)
