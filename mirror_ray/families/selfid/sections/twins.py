"""selfid's counterfactual twins: whether choices follow the body."""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import interval_text, share_text, words
from mirror_ray.analysis.report.section import Column, ReportTable, Section, TableCell

_TWINS = "from metric.selfid_twins order by twin, condition, temperature, setting, model"
_CHANGED = {
    "body_color": "the body in another cube's colour",
    "cube_places": "two cubes in each other's place",
}


def section(run: Reading) -> Section | None:
    """The table; None where no scene was played with its twin."""
    data = run.table(_TWINS)
    if not data.num_rows:
        return None
    table = ReportTable(
        "selfid_twins",
        "Pairs of a scene and its twin",
        "Followed: right in both. Stayed: the same answer for another body, or the same place "
        "regardless of its cube. The rest went elsewhere in one of the two, or chose nothing. "
        "Below each share its 95 % interval; chance is that of an independent guess of a cube "
        "in each of the two.",
        _TWINS,
        data,
        (
            words("condition", "condition"),
            words("model", "model"),
            Column("followed", lambda row: _share(row, "followed")),
            Column("by chance", lambda row: _chance(row, "followed")),
            Column("stayed", lambda row: _share(row, "stayed")),
            Column("by chance", lambda row: _chance(row, "stayed")),
            Column("pairs", lambda row: TableCell(str(row["n"]))),
        ),
        group=lambda row: f"{_CHANGED[row['twin']]} · {row['setting']}",
    )
    return Section(
        "selfid_twins",
        "selfid: twins",
        "The same scene with one thing changed. An agent that goes by its body changes its answer "
        "with the body, and keeps it when cubes change places.",
        (table,),
    )


def _share(row: Row, name: str) -> TableCell:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return TableCell(share_text(row[name]), interval_text(low, high, share_text))


def _chance(row: Row, name: str) -> TableCell:
    return TableCell(share_text(row[f"{name}_chance"]))
