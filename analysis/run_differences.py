"""How two runs differ besides scores: model versions as reported, judges, prompts, programs.

Expects the manifest's keys, but trusts no value: each is shown as printable text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import usd_text
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.manifest import mapping_of, of_all_runs
from mirror_ray.records.sandboxed_duckdb import confine

_MOST_CHARS = 200
_MOST_LINES = 40
_NO_SETTING = frozenset(
    {"name", "limits", "timeout_s", "latency_s", "flex", "tier", "fallback", "standard"}
)
"""Keys of a model's entry that do not change its replies."""

_VERSIONS = """
select model, string_agg(distinct model_version, ', ' order by model_version) as versions
from ({asks}) as asks
where model_version is not null
group by model
"""

_JUDGES = """
select judge, count(*) as n, count(verdict) as n_verdicts, sum(cost_usd) as usd,
    count(cost_usd) as n_priced
from stage.judged
group by judge
order by judge
"""

# A judge reads several replies of one scene.
_WORDS = """
with words as (
    select * exclude (ask, system, "user")
            replace (regexp_replace(variant, '\\+prompts=[^+]+', '') as variant),
        md5(coalesce(system, '')) as system, md5(coalesce("user", '')) as asked
    from ({asks}) as asks
    where ask = 1
)
select family, condition, variant, model, temperature, scene_seed, run,
    string_agg(distinct system, ' ' order by system) as system,
    string_agg(distinct asked, ' ' order by asked) as asked
from words
group by all
"""

_WORDS_DIFFER = """
select of_a.family, of_a.condition, of_a.variant, count(*) as n,
    count(*) filter (where of_a.system <> of_b.system) as n_systems,
    count(*) filter (where of_a.asked <> of_b.asked) as n_asked
from of_a inner join of_b using (family, condition, variant, model, scene_seed, run)
where of_a.temperature is not distinct from of_b.temperature
group by all
having n_systems > 0 or n_asked > 0
order by all
"""


def run_differences(
    a: duckdb.DuckDBPyConnection,
    b: duckdb.DuckDBPyConnection,
    manifests: Sequence[Mapping[str, Any]],
) -> list[str]:
    """Return readable lines on the differences; none if nothing is known to differ. `manifests` are
    those of a and b."""
    runs = (Reading(a), Reading(b))
    versions = [_versions(run) for run in runs]
    lines = [
        *_changes("called itself", *versions, both=True),
        *_changes("judge", *map(_judges, runs, versions)),
        *_words(*runs),
        *_of_manifests(*manifests),
    ]
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], *([f"… and {more:,} more differences"] if more > 0 else [])]


def _versions(run: Reading) -> Mapping[str, str]:
    asks = run.every("shard", "steps", "model, model_version")
    rows = run.rows(_VERSIONS.format(asks=asks)) if asks else []
    return {row["model"]: row["versions"] for row in rows}


def _judges(run: Reading, versions: Mapping[str, str]) -> Mapping[str, str]:
    rows = run.rows(_JUDGES) if run.has("stage.judged", "judge") else []
    return {row["judge"]: _readings(row, versions.get(row["judge"])) for row in rows}


def _readings(row: Row, version: str | None) -> str:
    n, n_none = row["n"], row["n"] - row["n_verdicts"]
    at_least = "at least " if 0 < row["n_priced"] < n else ""
    parts = [
        f"{n:,} readings",
        *([f"{n_none:,} of them no verdict"] if n_none else []),
        f"{at_least}{usd_text(row['usd'])}" if row["n_priced"] else "of unknown price",
        *([f"called itself {version}"] if version else []),
    ]
    return ", ".join(parts)


def _words(a: Reading, b: Reading) -> Iterator[str]:
    columns = 'family, condition, variant, model, temperature, scene_seed, run, ask, system, "user"'
    with duckdb.connect() as both:
        confine(both)
        for name, run in (("of_a", a), ("of_b", b)):
            asks = run.every("stage", "steps", columns)
            if not asks:
                return
            both.register(name, run.table(_WORDS.format(asks=asks)))
        rows = both.execute(_WORDS_DIFFER).fetchall()
    for family, condition, variant, n, systems, asked in rows:
        where = _line(f"{family} {condition} {variant}")
        yield f"words of {where}: {systems:,} of {n:,} instructions, {asked:,} first questions"


def _of_manifests(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    yield from _changes("program", of_all_runs(a, "versions"), of_all_runs(b, "versions"))
    before, now = of_all_runs(a, "protocols"), of_all_runs(b, "protocols")
    yield from _changes("protocol of", before, now, both=True)
    before, now = of_all_runs(a, "models"), of_all_runs(b, "models")
    for model in before:
        if model in now:
            entries = (
                # A key that an earlier version did not know counts as left out.
                {
                    key: value
                    for key, value in mapping_of(each[model]).items()
                    if key not in _NO_SETTING and value not in (None, {}, [])
                }
                for each in (before, now)
            )
            yield from _changes(_line(model), *entries)
    yield from _changes("not sent to", of_all_runs(a, "withheld"), of_all_runs(b, "withheld"))


def _changes(
    what: str, before: Mapping[str, Any], now: Mapping[str, Any], *, both: bool = False
) -> Iterator[str]:
    """Yield a line for each key whose values differ; if `both`, only for keys that are in both."""
    keys = [*before, *(key for key in now if key not in before)]
    for key in keys:
        if both and not (key in before and key in now):
            continue
        if before.get(key) != now.get(key):
            values = " → ".join(_line(each.get(key, "nothing")) for each in (before, now))
            yield f"{what} {_line(key)}: {values}"


def _line(value: object) -> str:
    said = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return one_printable_line(said, _MOST_CHARS)
