"""FlipSet's second section: L2 against its controls, against chance, and by model family.

The figures follow arXiv 2602.15892.
"""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    condition_text,
    estimate_column,
    number_column,
    p_value,
    setting_text,
    share_column,
    words,
)
from mirror_ray.analysis.report.pivots import pivot_sql, pivoted
from mirror_ray.analysis.report.section import Column, Section, TableCell, TableQuery, with_rows

_COMPOSITION = pivot_sql("metric.flipset_composition", "temperature, variant, model")
_CHANCE = "from metric.flipset_chance order by condition, temperature, variant, model"
_CORRELATIONS = """\
from metric.flipset_correlations
order by temperature, variant, condition, control"""
_BELOW = "from metric.flipset_chance_models order by condition, temperature, variant"
_DEFICITS = "from metric.flipset_composition_models order by temperature, variant"
_FAMILIES = """\
from metric.flipset_families
where metric in ('accuracy', 'egocentric')
order by condition, temperature, variant, metric, model_family"""


def section(run: Reading) -> Section | None:
    """L2 compared with its controls; None without FlipSet's episodes."""
    if "flipset" not in run.families():
        return None
    return Section(
        "flipset_controls",
        "flipset: what L2 is made of",
        "A model may know that the monkey sees something else (ToM), be able to turn a card in its "
        "mind (MR), and yet say what it sees itself. The controls show the same cards, in the same "
        "order of the options. ToM's right answer is always the same statement: read it next to "
        "L2, not alone.",
        with_rows(*(one.of(run) for one in _TABLES)),
    )


def _parameters(row: Row) -> TableCell:
    low, high = row["smallest_b"], row["largest_b"]
    if low is None:
        return TableCell("–")
    return TableCell(f"{low:g} B" if low == high else f"{low:g}–{high:g} B")


_TABLES = (
    TableQuery(
        "flipset_composition",
        "L2 against its parts",
        "Were L2 no more than knowing that the other sees something else (ToM) and turning a card "
        "in the mind (MR), its accuracy would be their product. A negative deficit: the parts are "
        "there and are not put together. Over the n strings that all three have. Intervals of L2, "
        "ToM and MR by Wilson, those of product and deficit by the delta method over strings: "
        "none where all strings pull alike.",
        _COMPOSITION,
        (
            words("model", "model"),
            pivoted("l2", "L2"),
            pivoted("tom", "ToM"),
            pivoted("mr", "MR"),
            pivoted("product", "ToM × MR"),
            pivoted("deficit", "deficit"),
        ),
        group=setting_text,
    ),
    TableQuery(
        "flipset_composition_models",
        "Deficits over models",
        "Median and quartiles of L2 less ToM × MR, how many models have a negative one, and of how "
        "many its interval lies below 0; a model whose strings all pull alike has none.",
        _DEFICITS,
        (
            number_column("n", "models"),
            share_column("median_deficit", "median"),
            share_column("lower_quartile", "lower quartile"),
            share_column("upper_quartile", "upper quartile"),
            number_column("n_negative", "negative"),
            number_column("n_negative_p05", "interval below 0"),
        ),
        group=setting_text,
    ),
    TableQuery(
        "flipset_chance",
        "Against chance",
        "Exact one-sided binomial tests of accuracy. Below chance is not ignorance: it takes a "
        "reason to be wrong so often.",
        _CHANCE,
        (
            words("model", "model"),
            number_column("n_correct", "correct"),
            number_column("n", "of"),
            share_column("chance", "chance"),
            p_value("p_above", "p above"),
            p_value("p_below", "p below"),
        ),
        group=condition_text,
    ),
    TableQuery(
        "flipset_chance_models",
        "Models below chance",
        "How many models are below and above chance by their accuracy, and by the exact tests at "
        "5 %.",
        _BELOW,
        (
            words("condition", "condition"),
            number_column("n", "models"),
            number_column("n_below", "below"),
            number_column("n_below_p05", "p < .05"),
            number_column("n_above", "above"),
            number_column("n_above_p05", "p < .05"),
            share_column("median_accuracy", "median accuracy"),
        ),
        group=setting_text,
    ),
    TableQuery(
        "flipset_correlations",
        "Do models that pass one pass the other?",
        "Pearson's r over models, with Fisher's interval and a two-sided p.",
        _CORRELATIONS,
        (
            words("condition", "condition"),
            words("control", "control"),
            estimate_column("r"),
            p_value(),
        ),
        group=setting_text,
    ),
    TableQuery(
        "flipset_families",
        "By model family",
        "Means over a family's models, each counted once; intervals by their spread. Sizes are the "
        "catalogue's, else by name, of the models that have one.",
        _FAMILIES,
        (
            words("model_family", "family"),
            number_column("n", "models"),
            Column("parameters", _parameters),
            words("metric", "share"),
            estimate_column("mean over models", n=""),
            share_column("lowest", "lowest"),
            share_column("highest", "highest"),
        ),
        group=condition_text,
    ),
)
