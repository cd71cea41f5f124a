"""FlipSet's second section: L2 against its controls, against chance, and by model family.

The figures follow arXiv 2602.15892.
"""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate,
    number,
    p_text,
    setting_text,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import Cell, Column, Section, Table

_COMPOSITION = """\
pivot (
    select temperature, variant, model, metric, n, estimate, ci_low, ci_high
    from metric.flipset_composition
)
on metric using
    first(estimate) as estimate, first(ci_low) as ci_low, first(ci_high) as ci_high, first(n) as n
group by temperature, variant, model
order by temperature, variant, model"""
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
    tables = (
        _composition(run),
        _deficits(run),
        _chance(run),
        _below(run),
        _correlations(run),
        _families(run),
    )
    return Section(
        "flipset_controls",
        "flipset: what L2 is made of",
        "A model may know that the monkey sees something else (ToM), be able to turn a card in its "
        "mind (MR), and yet say what it sees itself. The controls show the same cards, in the same "
        "order of the options. ToM's right answer is always the same statement: read it beside "
        "L2, not alone.",
        tuple(table for table in tables if table.data.num_rows),
    )


def _composition(run: Reading) -> Table:
    return Table(
        "flipset_composition",
        "L2 against its parts",
        "Were L2 no more than knowing that the other sees something else (ToM) and turning a card "
        "in the mind (MR), its accuracy would be their product. A negative deficit: the parts are "
        "there and are not put together. Over the n strings that all three have. Intervals of L2, "
        "ToM and MR are Wilson's, those of product and deficit by the delta method over strings: "
        "none where all strings pull alike.",
        _COMPOSITION,
        run.table(_COMPOSITION),
        (
            words("model", "model"),
            _of("l2", "L2"),
            _of("tom", "ToM"),
            _of("mr", "MR"),
            _of("product", "ToM × MR"),
            _of("deficit", "deficit"),
        ),
        group=setting_text,
    )


def _chance(run: Reading) -> Table:
    return Table(
        "flipset_chance",
        "Against chance",
        "Exact one-sided binomial tests of accuracy. Below chance is no ignorance: it takes a "
        "reason to be wrong so often.",
        _CHANCE,
        run.table(_CHANCE),
        (
            words("model", "model"),
            number("n_correct", "correct"),
            number("n", "of"),
            Column("chance", lambda row: Cell(share_text(row["chance"]))),
            Column("p above", lambda row: Cell(p_text(row["p_above"]))),
            Column("p below", lambda row: Cell(p_text(row["p_below"]))),
        ),
        group=_setting_of_condition,
    )


def _below(run: Reading) -> Table:
    return Table(
        "flipset_chance_models",
        "Models below chance",
        "How many models are below and above chance by their accuracy, and by the exact tests at "
        "5 %.",
        _BELOW,
        run.table(_BELOW),
        (
            words("condition", "condition"),
            number("n", "models"),
            number("n_below", "below"),
            number("n_below_p05", "p < .05"),
            number("n_above", "above"),
            number("n_above_p05", "p < .05"),
            Column("median accuracy", lambda row: Cell(share_text(row["median_accuracy"]))),
        ),
        group=setting_text,
    )


def _deficits(run: Reading) -> Table:
    return Table(
        "flipset_composition_models",
        "Deficits over models",
        "Median and quartiles of L2 less ToM × MR, how many models have a negative one, and of how "
        "many its interval lies below 0; a model whose strings all pull alike has none.",
        _DEFICITS,
        run.table(_DEFICITS),
        (
            number("n", "models"),
            Column("median", lambda row: Cell(share_text(row["median_deficit"]))),
            Column("lower quartile", lambda row: Cell(share_text(row["lower_quartile"]))),
            Column("upper quartile", lambda row: Cell(share_text(row["upper_quartile"]))),
            number("n_negative", "negative"),
            number("n_negative_p05", "interval below 0"),
        ),
        group=setting_text,
    )


def _correlations(run: Reading) -> Table:
    return Table(
        "flipset_correlations",
        "Do models that pass one pass the other?",
        "Pearson's r over models, with Fisher's interval and a two-sided p.",
        _CORRELATIONS,
        run.table(_CORRELATIONS),
        (
            words("condition", "condition"),
            words("control", "control"),
            estimate("r"),
            Column("p", lambda row: Cell(p_text(row["p"]))),
        ),
        group=setting_text,
    )


def _families(run: Reading) -> Table:
    return Table(
        "flipset_families",
        "By model family",
        "Means over a family's models, each counted once; intervals by their spread. Sizes are the "
        "catalogue's, else by name, of the models that have one.",
        _FAMILIES,
        run.table(_FAMILIES),
        (
            words("model_family", "family"),
            number("n", "models"),
            Column("parameters", _parameters),
            words("metric", "share"),
            estimate("mean over models", n=""),
            Column("lowest", lambda row: Cell(share_text(row["lowest"]))),
            Column("highest", lambda row: Cell(share_text(row["highest"]))),
        ),
        group=_setting_of_condition,
    )


def _parameters(row: Row) -> Cell:
    """The range of a family's sizes, in billions."""
    low, high = row["smallest_b"], row["largest_b"]
    if low is None:
        return Cell("–")
    return Cell(f"{low:g} B" if low == high else f"{low:g}–{high:g} B")


def _of(metric: str, heading: str) -> Column:
    """A pivoted metric."""
    return estimate(
        heading,
        key=f"{metric}_estimate",
        low=f"{metric}_ci_low",
        high=f"{metric}_ci_high",
        n=f"{metric}_n",
    )


def _setting_of_condition(row: Row) -> str:
    return f"{row['condition']} · {setting_text(row)}"
