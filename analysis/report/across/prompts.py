"""The prompts of every condition, as its first scene was asked."""

from collections.abc import Iterator

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import ReportListing
from mirror_ray.core.untrusted import one_printable_line, printable

_MOST_CHARS, _MOST_PROMPTS = 20_000, 60
_PROMPTS = """\
with first as (
    select condition, variant, min_by(episode_id, (scene_seed, run, model)) as episode_id
    from shard.{family}_steps
    where take = 1
    group by condition, variant
)

select
    first.condition,
    first.variant,
    min_by(asks.system, asks.ask)[:{most}] as system,
    min_by(asks.user, asks.ask)[:{most}] as user
from first
inner join shard.{family}_steps as asks using (episode_id)
group by first.condition, first.variant
order by first.condition, first.variant"""


def prompts(run: Reading) -> Iterator[ReportListing]:
    """One text per family."""
    for family in run.families():
        rows = run.rows(_PROMPTS.format(family=family, most=_MOST_CHARS))
        said = [row for row in rows if row["system"] or row["user"]]
        if said:
            more = len(said) - _MOST_PROMPTS
            yield ReportListing(
                f"how_prompts_{family}",
                f"{family}: prompts",
                "The first ask of each condition's first scene, as it was sent, pictures left out; "
                "the words of every request are in the columns system and user of "
                f"shard.{family}_steps."
                + (f" {more} more conditions are not shown." if more > 0 else ""),
                "\n\n".join(_texts(said[:_MOST_PROMPTS])),
            )


def _texts(rows: list[Row]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for row in rows:
        where = one_printable_line(f"{row['condition']} · {row['variant']}")
        for part in ("system", "user"):
            text = row[part]
            if not text:
                continue
            before = seen.setdefault(text, f"{where}, {part}")
            same = before != f"{where}, {part}"
            body = f"the same as {before}" if same else printable(text, _MOST_CHARS)
            yield f"── {where} · {part} ──\n{body}"
