"""The report's controls: what a blind replay reaches, and what is lost without pictures."""

from collections.abc import Iterator

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import interval_text, metric_text, share_text, words
from mirror_ray.analysis.report.section import Column, Figure, ReportTable, Section, TableCell
from mirror_ray.contract.metrics import METRICS

_REPLAYER = """\
select * from contrast.replayer
where family = '{family}' and metric = '{metric}'
order by condition, model, temperature, variant, arrangement"""
_GROUNDED = """\
select * from contrast.grounded
where family = '{family}' and metric = '{metric}'
order by picture, condition, model, temperature, variant"""


def section(run: Reading) -> Section | None:
    """Return the replayer's and the blind pictures' results; None without either."""
    parts = [part for family in run.families() for part in _parts(run, family)]
    if not parts:
        return None
    return Section(
        "controls",
        "Controls",
        "Does a model need to look? A replayer repeats its recorded replies without looking; blind "
        "pictures send something else in a picture's place.",
        tuple(parts),
    )


def _parts(run: Reading, family: str) -> Iterator[Figure | ReportTable]:
    if family not in METRICS:
        return
    metric = METRICS[family].leading
    name = metric_text(family, metric)
    replayer = _REPLAYER.format(family=family, metric=metric)
    table = run.table(replayer)
    if table.num_rows:
        elsewhere = [row for row in run.rows(replayer) if row["arrangement"] == "other"]
        yield Figure(
            f"replayer_{family}",
            f"{family}: {name} of a blind replay in another scene",
            "A model that looks does better in a new scene than its own recorded moves.",
            replayer,
            dumbbell(
                [_ends(row, "replay_estimate", "estimate", row["condition"]) for row in elsewhere],
                left="replayed",
                right="the model",
                title=name,
            ),
        )
        yield ReportTable(
            f"replays_{family}",
            f"{family}: {name} that a blind replay reaches",
            "In the same scene, in it from another start pose (moved), and in another scene.",
            replayer,
            table,
            (
                *(words(one, one) for one in ("condition", "model", "variant", "arrangement")),
                _share("estimate", "estimate"),
                _share("replay", "replay_estimate", "replay_ci_low", "replay_ci_high"),
                _share("reached", "reached"),
            ),
        )
    grounded = _GROUNDED.format(family=family, metric=metric)
    table = run.table(grounded)
    if table.num_rows:
        rows = run.rows(grounded)
        yield Figure(
            f"grounded_{family}",
            f"{family}: {name} with and without pictures",
            "On equal scenes; a panel for what was sent in a picture's place.",
            grounded,
            dumbbell(
                [
                    _ends(
                        row,
                        "blind_estimate",
                        "shown_estimate",
                        f"{row['condition']} · {row['picture'].replace('_', ' ')}",
                    )
                    for row in rows
                ],
                left="without",
                right="with the picture",
                title=name,
            ),
        )
        yield ReportTable(
            f"grounded_shares_{family}",
            f"{family}: share of {name} that needs the picture",
            "Grounded: 1 - without / with the picture, with its 95 % interval over scenes.",
            grounded,
            table,
            (
                *(words(one, one) for one in ("picture", "condition", "model", "variant")),
                _share("shown", "shown_estimate"),
                _share("without", "blind_estimate"),
                _share("grounded", "grounded", "ci_low", "ci_high"),
            ),
        )


def _share(heading: str, key: str, low: str = "", high: str = "") -> Column:
    def show(row: Row) -> TableCell:
        small = interval_text(row[low], row[high], share_text) if low else ""
        return TableCell(share_text(row[key]), small)

    return Column(heading, show)


def _ends(row: Row, left: str, right: str, panel: str) -> Row:
    about = f"{row['model']}: {share_text(row[left])} against {share_text(row[right])}"
    return {
        "model": row["model"],
        "condition": panel,
        "left": row[left],
        "right": row[right],
        "description": about,
    }
