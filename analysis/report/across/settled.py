"""What `until` decided, and which episodes were therefore not played."""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import chance_text, number_column, setting_text, words
from mirror_ray.analysis.report.section import Column, ReportTable, Section, TableCell

_CELLS = """\
select *
from metric.settled
order by family, condition, temperature, variant, model"""
_VERDICTS = """\
select *
from twin.settled
order by family, condition, temperature, variant, model, against"""


def section(run: Reading) -> Section | None:
    """Return cells and verdicts; None if every episode of the run was played."""
    cells = run.table(_CELLS)
    if not cells.num_rows:
        return None
    parts = [
        ReportTable(
            "settled_cells",
            "Units asked of those planned",
            "A unit is a scene, a string or a picture with all its repetitions. A cell was asked "
            "as long as one of its comparisons was open, or its interval wider than the bound.",
            _CELLS,
            cells,
            (
                words("model", "model"),
                words("rule", "rule"),
                number_column("bound", "bound"),
                number_column("n_planned", "planned"),
                number_column("n_asked", "asked"),
            ),
            group=_question,
        )
    ]
    verdicts = run.table(_VERDICTS)
    if verdicts.num_rows:
        parts.append(
            ReportTable(
                "settled_verdicts",
                "Verdicts",
                "Of McNemar's exact test over all planned units, the level shared by the "
                "comparisons of a question, and how probable it was when no more was asked.",
                _VERDICTS,
                verdicts,
                (
                    words("model", "model"),
                    words("verdict", "is"),
                    words("against", "than, or from"),
                    Column("probability", lambda row: TableCell(chance_text(row["probability"]))),
                    number_column("only_model", "only this one"),
                    number_column("only_against", "only the other"),
                    number_column("n_asked", "asked"),
                    number_column("n_planned", "planned"),
                ),
                group=_question,
            )
        )
    return Section(
        "settled",
        "What was settled early",
        "Units were asked in one random order, the same for every model, and looked at after "
        "complete rounds. In simulated boards of models such verdicts were those of the whole "
        "design in 97 % or more, never the opposite one, and 95 % intervals held the true share in "
        "93.5 % or more (docs/stopping.md). No p is given for what rests on a cell that was "
        "stopped early.",
        tuple(parts),
    )


def _question(row: Row) -> str:
    return f"{row['family']} {row['condition']} · {setting_text(row)} · {row['metric']}"
