"""metacog's section on its readings: how far judges and rules agree, and where they do not."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import estimate_column, number_column, share_column, words
from mirror_ray.analysis.report.section import Section, TableQuery, with_rows
from mirror_ray.families.metacog.sections.texts import section_texts

_AGREEMENT = """\
from metric.metacog_judged
order by judge, experiment, rubric, key_kind, model"""
_VERDICTS = """\
select judge, experiment, key_kind, rules, verdict, count(*)::integer as readings
from episode.metacog_readings_judged
where not is_same
group by judge, experiment, key_kind, rules, verdict
order by judge, experiment, key_kind, rules, verdict"""


def section(run: Reading) -> Section | None:
    """Agreement and disagreements; None without a judge."""
    if "metacog" not in run.families() or not run.rows("from stage.metacog_judged limit 1"):
        return None
    parts = (
        TableQuery(
            *section_texts("metacog_judged"),
            _AGREEMENT,
            (
                words("judge", "judge"),
                words("experiment", "of"),
                words("key_kind", "key"),
                words("model", "model"),
                estimate_column("agreement", key="agreement", n="n"),
                share_column("kappa", "kappa"),
                number_column("n_unread", "unread"),
                number_column("n_open", "open"),
            ),
        ),
        TableQuery(
            *section_texts("metacog_disagreements"),
            _VERDICTS,
            (
                words("judge", "judge"),
                words("experiment", "of"),
                words("key_kind", "key"),
                words("rules", "rules"),
                words("verdict", "judge says"),
                number_column("readings", "readings"),
            ),
        ),
    )
    return Section(
        *section_texts("metacog_readings"),
        with_rows(*(part.of(run) for part in parts)),
    )
