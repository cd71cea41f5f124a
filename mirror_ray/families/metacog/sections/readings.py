"""metacog's section on its readings: how far judges and rules agree, and where they do not."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import estimate, number, share, words
from mirror_ray.analysis.report.section import Section, Table, with_rows

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
        Table(
            "metacog_judged",
            "Judges and rules",
            "Share of replies that both read alike, with Wilson's 95 % interval over tasks, and "
            "Cohen's kappa. Unread: the judge's reply was no verdict. Open: no rule can tell.",
            _AGREEMENT,
            run.table(_AGREEMENT),
            (
                words("judge", "judge"),
                words("experiment", "of"),
                words("key_kind", "key"),
                words("model", "model"),
                estimate("agreement", key="agreement", n="n"),
                share("kappa", "kappa"),
                number("n_unread", "unread"),
                number("n_open", "open"),
            ),
        ),
        Table(
            "metacog_disagreements",
            "Where they differ",
            "Readings by what the rules and the judge say; the replies are in "
            "episode.metacog_readings_judged.",
            _VERDICTS,
            run.table(_VERDICTS),
            (
                words("judge", "judge"),
                words("experiment", "of"),
                words("key_kind", "key"),
                words("rules", "rules"),
                words("verdict", "judge says"),
                number("readings", "readings"),
            ),
        ),
    )
    return Section(
        "metacog_readings",
        "metacog: who read the replies",
        "A judge reads free answers and the replies to requests. Its reading of requests counts in "
        "the tables above; its verdicts on answers count where matching is set to judge.",
        with_rows(*parts),
    )
