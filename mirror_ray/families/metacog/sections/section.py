"""metacog's first section: a model's self-knowledge and its adaptation."""

from collections.abc import Sequence

from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    interval_text,
    number_column,
    share_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.prompt_wording import prompt_wording
from mirror_ray.analysis.report.section import (
    Column,
    Figure,
    ReportTable,
    Section,
    TableCell,
    TableQuery,
    with_rows,
)
from mirror_ray.core.shipped_files import shipped_rows
from mirror_ray.families.metacog.sections.texts import section_texts

_NAMES = shipped_rows("mirror_ray.families.metacog", "summary_metrics.csv")
_HEADINGS = {metric: heading for metric, _, _, heading in _NAMES if heading}
_RELIABILITY = "from metric.metacog_reliability order by temperature, setting, model, bin"
_ATTACKS = """\
from metric.metacog_attacks
order by temperature, setting, channel, model, attack"""
_CHANNELS = """\
from metric.metacog_convergence
order by temperature, setting, channel_1, channel_2, model"""
_ACRONYMS = {
    *("ai", "ars", "cce", "cfr", "ece", "fdr", "kdi", "mci", "sar", "ssr", "tii"),
    *("c1", "c2", "c3", "c4"),
}
_FORMULAS = (
    "Formulas as in arXiv 2604.19809. CCE is shown as Equation 1 has it and as the published code "
    "computes it. BCa 95 % intervals over scenes, where scenes make up a metric. A dash: not "
    "played, or nothing varies."
)


def section(run: Reading) -> Section | None:
    """Table 4's parts, reliability, attacks and channels; None without metacog's episodes."""
    if "metacog" not in run.families():
        return None
    parts: list[Figure | ReportTable] = []
    if rows := run.rows(_RELIABILITY):
        parts.append(
            Figure(
                *section_texts("metacog_reliability"),
                _RELIABILITY,
                scatter(
                    _reliability(rows),
                    across=4,
                    titles=("wager", "share right"),
                    diagonal=True,
                ),
            )
        )
    parts += [
        _summary(run, "metacog_knowing", "What it knows of itself", "knowing"),
        _summary(run, "metacog_adapting", "How it adapts, and to whom", "adapting"),
        TableQuery(
            *section_texts("metacog_attacks"),
            _ATTACKS,
            (
                words("model", "model"),
                _spaced("channel", "channel"),
                _spaced("attack", "attack"),
                share_column("clean_signal", "signal, clean"),
                share_column("mean_signal", "attacked"),
                share_column("robustness", "robustness"),
                share_column("clean_accuracy", "accuracy, clean"),
                share_column("accuracy", "attacked"),
                number_column("n", "n"),
            ),
            group=row_setting_text,
        ).of(run),
        TableQuery(
            *section_texts("metacog_channels"),
            _CHANNELS,
            (
                words("model", "model"),
                _spaced("channel_1", "channel"),
                _spaced("channel_2", "and"),
                share_column("spearman", "Spearman"),
                number_column("n", "n"),
            ),
            group=row_setting_text,
        ).of(run),
    ]
    return Section(
        "metacog",
        "metacog: what does a model know of itself, and does it act on it?",
        "Questions of eight domains are asked through channels that show how sure a model is: "
        "wagers, skipping, choosing the harder task, tools, and hedging (arXiv 2604.19809). "
        "Experiment 1 asks about single domains, 2 in everyday words that hide the domain, 3 about "
        "two domains at once; 4 reports a failure, true or not; 5 presses for confidence; 6 has "
        "the own reply (a), flawed requests (b) and answers under pressure (c) judged; 9 gives "
        "tasks to do, hand over or defer. A staircase seeks each domain's level."
        + prompt_wording(run, "metacog", "experiments 4 and 9"),
        with_rows(*parts),
    )


def row_setting_text(row: Row) -> str:
    """A row's temperature and setting."""
    at = "" if row["temperature"] is None else f"temperature {row['temperature']:g}, "
    return f"{at}{row['setting']}"


def summary_text(metric: str) -> str:
    """The heading of a metric of `summary.metacog`: ``Brier``, ``CFR C2``, ``AI true tools``."""
    said = (word.upper() if word in _ACRONYMS else word for word in metric.split("_"))
    return _HEADINGS.get(metric) or " ".join(said)


def paradigm_text(row: Row) -> str:
    """A row's paradigm of experiment 9."""
    return "all paradigms" if row["paradigm"] == "all" else row["paradigm"].replace("_", " ")


def summary_sql(metrics: Sequence[str]) -> str:
    """SQL for one row per model: these metrics of `summary.metacog`, their n and intervals."""
    columns = ",\n".join(
        f"    any_value({source}) filter (where found.metric = '{metric}') as {metric}{suffix}"
        for metric in metrics
        for source, suffix in (
            ("found.estimate", ""),
            ("found.n", "_n"),
            ("ci_low", "_low"),
            ("ci_high", "_high"),
        )
    )
    return (
        f"select\n    found.temperature,\n    found.setting,\n    found.model,\n{columns}\n"
        "from summary.metacog as found\n"
        "left join summary.metacog_intervals as drawn\n"
        "    on found.model = drawn.model\n"
        "    and found.temperature is not distinct from drawn.temperature\n"
        "    and found.setting = drawn.setting\n"
        "    and found.metric = drawn.metric\n"
        "group by found.temperature, found.setting, found.model\n"
        "order by found.temperature, found.setting, found.model"
    )


def bca(heading: str, metric: str) -> Column:
    """A metric of `summary_sql` with its interval; its n is in the files, for want of room."""
    return estimate_column(heading, key=metric, low=f"{metric}_low", high=f"{metric}_high")


def _spaced(key: str, heading: str) -> Column:
    """A setting's value in words: ``opt out``."""
    return Column(heading, lambda row: TableCell(row[key].replace("_", " ")), is_number=False)


def _summary(run: Reading, name: str, title: str, part: str) -> ReportTable:
    metrics = [metric for metric, of, _, _ in _NAMES if of == part]
    sql = summary_sql(metrics)
    return ReportTable(
        name,
        title,
        _FORMULAS,
        sql,
        run.table(sql),
        (
            words("model", "model"),
            *(bca(_HEADINGS[metric], metric) for metric in metrics),
        ),
        group=row_setting_text,
    )


def _reliability(rows: list[Row]) -> list[Row]:
    names = short_names(row["model"] for row in rows)
    several = len({row_setting_text(row) for row in rows}) > 1
    return [
        {
            "panel": f"{names[row['model']]}, {row_setting_text(row)}"
            if several
            else names[row["model"]],
            "x": row["confidence"],
            "y": row["accuracy"],
            "low": row["ci_low"],
            "high": row["ci_high"],
            "n": row["n"],
            "label": "",
            "description": f"{row['model']}: wagers {share_text(row['confidence'])}, right "
            f"{share_text(row['accuracy'])}, n={row['n']}, 95 % "
            + interval_text(row["ci_low"], row["ci_high"], share_text),
        }
        for row in rows
    ]
