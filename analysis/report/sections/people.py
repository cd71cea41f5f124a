"""People and models on the scenes that people have played: each person, their vote, agreement."""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import estimate_column, number_column, share_column, words
from mirror_ray.analysis.report.section import Section, TableQuery
from mirror_ray.core.identity import variant_words

_SCORES = """\
select * from summary.people
order by family, condition, temperature, variant, not is_person, model <> 'human/majority', model"""
_AGREEMENT = """\
select * from summary.people_agreement order by family, condition, temperature, variant"""


def section(run: Reading) -> Section | None:
    """Two tables; None where nobody has played."""
    if not any(_has_people(run, family) for family in run.families()):
        return None
    parts = [_SCORES_TABLE.of(run)]
    if run.rows("select 1 from summary.people_agreement limit 1"):
        parts.append(_AGREEMENT_TABLE.of(run))
    return Section(
        "people",
        "How do people answer?",
        "People saw the same words and pictures as the models, and answered by keys. A model "
        "is shown here on the scenes that people met, and so may differ from its "
        "whole.",
        tuple(parts),
    )


def _has_people(run: Reading, family: str) -> bool:
    # Checked before the people's views are queried, because these read the scores of every episode.
    sql = f"select 1 from shard.{family}_episodes where starts_with(model, 'human/') limit 1"  # noqa: S608
    return bool(run.rows(sql))


def _place(row: Row) -> str:
    at = "" if row["temperature"] is None else f", temperature {row['temperature']:g}"
    return f"{row['family']} {row['condition']}{at}, {variant_words(row['variant'])}"


_SCORES_TABLE = TableQuery(
    "people",
    "People and models on the same scenes",
    "The family's leading metric; human/majority is what most of those who met a scene "
    "answered. A tie is reported, and counts as no answer. Intervals: Wilson's, over scenes.",
    _SCORES,
    (
        words("model", "model"),
        estimate_column("right", key="estimate", low="ci_low", high="ci_high", n="n"),
        number_column("n_tied", "ties"),
    ),
    group=_place,
)
_AGREEMENT_TABLE = TableQuery(
    "people_agreement",
    "Do people agree?",
    "Over the scenes that two people or more have answered: how often two of them said the "
    "same, and Fleiss' κ, which is 0 where the shares of the answers alone would give as much.",
    _AGREEMENT,
    (
        number_column("n_scenes", "scenes"),
        number_column("n_answers", "answers"),
        share_column("agreement", "agreement"),
        share_column("kappa", "κ"),
    ),
    group=_place,
)
