"""metacog's third section: the sensitivity of its findings to assumptions and to the way of
asking."""

from collections.abc import Mapping

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate,
    number,
    number_text,
    share,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import (
    Cell,
    Column,
    Figure,
    Section,
    TableQuery,
    with_rows,
)
from mirror_ray.families.metacog.sections.section import paradigm_text, place_text, summary_text

_BASELINES: Mapping[str, str] = {
    "none": "nothing",
    "domain": "domains",
    "confidence": "wagers",
    "self_consistency": "agreement",
    "platt": "Platt",
    "conformal": "conformal",
}
"""Baseline → what it separates, in a word."""

_ESCALATED = """\
from agency.metacog_baselines
order by
    temperature, setting, model,
    list_position(
        ['none', 'domain', 'confidence', 'self_consistency', 'platt', 'conformal'], baseline
    )"""
_RESOLVER = """\
from agency.metacog_parts_resolver
where
    policy = 'median_or_bottom_k' and paradigm = 'autonomous' and task_set = 'fixed'
    and (q * 10)::integer % 2 = 0
order by temperature, setting, information, model, q"""
_MISSING = """\
from agency.metacog_parts_missing
where policy = 'median_or_bottom_k' and n_missing > 0
order by temperature, setting, task_set, paradigm, information, model"""
_SCALING = """\
from summary.metacog_scaling
where slope is not null
order by temperature, setting, metric"""
_TEMPERATURE = """\
from summary.metacog_temperature
where difference is not null
order by setting, temperature, other_temperature, model, metric"""


_METRIC = Column("metric", lambda row: Cell(summary_text(row["metric"])), is_number=False)


def section(run: Reading) -> Section | None:
    """Baselines, resolvers, missing answers, sizes, temperatures; None where none were played."""
    if "metacog" not in run.families():
        return None
    escalated, resolved = run.rows(_ESCALATED), run.rows(_RESOLVER)
    parts = with_rows(
        _escalation(escalated) if escalated else None,
        _resolver(resolved) if resolved else None,
        *(one.of(run) for one in _TABLES),
    )
    if not parts:
        return None
    return Section(
        "metacog_sensitivity",
        "metacog: what the findings rest on",
        "The same replies under other assumptions: single questions escalated in place of whole "
        "domains, others who take over and are not always right, answers that are missing, other "
        "sizes and temperatures.",
        parts,
    )


def _escalation(rows: list[Row]) -> Figure:
    several = len({place_text(row) for row in rows}) > 1
    return Figure(
        "metacog_escalating",
        "Which questions should go to somebody else?",
        "Questions of experiment 1 that are neither escalated nor right, and those escalated: the "
        "fewer of both the better. Each rule escalates as many as lie in weak domains, conformal "
        "its own number. Agreement needs several replies to each question.",
        _ESCALATED,
        heat_map(
            [
                {
                    "model": row["model"],
                    "panel": what + (f", {place_text(row)}" if several else ""),
                    "column": _BASELINES[row["baseline"]],
                    "value": row[key],
                    "label": share_text(row[key]),
                    "description": f"{row['model']}, by {_BASELINES[row['baseline']]}: "
                    f"{share_text(row[key])} {what}, n={row['n']}",
                }
                for row in rows
                for key, what in (
                    ("failure_rate", "neither escalated nor right"),
                    ("escalation", "escalated"),
                )
            ],
            columns=list(_BASELINES.values()),
            title="share of questions",
            across=2,
            cell_px=60,
        ),
    )


def _resolver(rows: list[Row]) -> Figure:
    several = len({place_text(row) for row in rows}) > 1
    return Figure(
        "metacog_resolver",
        "What if the resolver is wrong, too?",
        "Parts of experiment 9 that are right in the end, by how often those who take over are "
        "right. A level line hands nothing over; where lines cross, the better model depends on "
        "the help it gets. Lines of models that do the same lie on each other.",
        _RESOLVER,
        curves(
            [
                {
                    "model": row["model"],
                    "panel": row["information"] + (f", {place_text(row)}" if several else ""),
                    "value": row["q"],
                    "estimate": row["success"],
                    "low": None,
                    "high": None,
                    "description": f"{row['model']}, {row['information']}: "
                    f"{share_text(row['success'])} where they are right in "
                    f"{share_text(row['q'])}",
                }
                for row in rows
            ],
            title="those who take over are right",
            values=[0, 0.2, 0.4, 0.6, 0.8, 1],
            spacing="linear",
        ),
    )


_TABLES = (
    TableQuery(
        "metacog_baselines",
        "By domain or by question",
        "Escalating whole weak domains against escalating single questions, on the wagers of "
        "experiment 1: lowest wagers first; answers first that other replies to the question do "
        "not repeat; by a logistic fit; up to a conformal quantile.",
        _ESCALATED,
        (
            words("model", "model"),
            Column("by", lambda row: Cell(_BASELINES[row["baseline"]]), is_number=False),
            share("escalation", "escalated"),
            share("failure_rate", "neither escalated nor right"),
            number("n", "n"),
        ),
        group=place_text,
    ),
    TableQuery(
        "metacog_missing",
        "Answers that are missing",
        "Confident failures where parts that the model went ahead on have no answer: all of them "
        "right, left out, each answer standing for those of its domain and difficulty, all wrong.",
        _MISSING,
        (
            words("model", "model"),
            words("information", "under"),
            Column("paradigm", lambda row: Cell(paradigm_text(row)), is_number=False),
            number("n_weak", "weak parts"),
            number("n_missing", "missing"),
            share("cfr_low", "as right"),
            share("cfr_complete", "left out"),
            share("cfr_weighted", "weighted"),
            share("cfr_high", "as wrong"),
        ),
        group=lambda row: f"{row['task_set']} tasks, {place_text(row)}",
    ),
    TableQuery(
        "metacog_scaling",
        "Does size help?",
        "What ten times the parameters change (experiment 8): slope over the base-10 logarithm of "
        "parameters, with Student's 95 % interval, by least squares.",
        _SCALING,
        (
            _METRIC,
            estimate("slope", key="slope", n="n_models"),
            share("r", "r"),
        ),
        group=place_text,
    ),
    TableQuery(
        "metacog_temperature",
        "Two temperatures",
        "Every metric of a model at a higher temperature less that at a lower one.",
        _TEMPERATURE,
        (
            words("model", "model"),
            _METRIC,
            share("estimate", "lower"),
            share("other_estimate", "higher"),
            share("difference", "difference"),
            number("n", "n"),
        ),
        group=lambda row: (
            f"{number_text(row['temperature'])} → {number_text(row['other_temperature'])}, "
            f"{row['setting']}"
        ),
    ),
)
