"""Checks the names in a run's rows, which become file names, headings and labels."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.records.shard_checks import MOST_COUNT, MOST_NAME_CHARS, damaged

_NAMES = ("sweep", "family", "condition", "model", "variant", "error_kind")
_IDS = ("episode_id", "cell_id")

_NO_ID = "not regexp_full_match({column}, '[0-9A-Za-z_-]{{1,64}}')"
# Control and format characters, and ends of lines.
_NO_NAME = "length({column}) > {most} or regexp_matches({column}, '[\\p{{C}}\\p{{Zl}}\\p{{Zp}}]')"

# Times that both DuckDB and Python can parse.
_NO_TIME = (
    "try_cast({column} as timestamp) is null or not regexp_full_match({column}, "
    "'[1-9]\\d{{3}}-\\d\\d-\\d\\d"
    "([T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{{1,6}})?)?(Z|[+-]\\d\\d:\\d\\d)?)?')"
)

_QUERY = """\
select '{column}' as named, {column} as value
from {layer}.{family}_{kind}
where {wrong}
limit 1"""
_TAKES = """\
select 'take' as named, take::varchar as value
from {layer}.{family}_{kind}
where take is null or take not between 1 and {most}
limit 1"""


@contextmanager
def sound_run(directory: str | Sequence[str], *, hold: bool = False) -> Iterator[Reading]:
    """Open a run, or several as one; refuse rows without a valid name."""
    with open_run(directory, hold=hold) as connection:
        run = Reading(connection)
        require_sound_rows(run, directory)
        yield run


def require_sound_rows(run: Reading, directory: str | Sequence[str]) -> None:
    """Refuse rows without a name, or with an invalid one. The RunDirError names the directories,
    family, column and value."""
    said = directory if isinstance(directory, str) else " ".join(directory)
    conditions = {
        **{one: _NO_NAME.format(column=one, most=MOST_NAME_CHARS) for one in _NAMES},
        **{one: _NO_ID.format(column=one) for one in _IDS},
    }
    wrong = {one: f"{one} is null or {condition}" for one, condition in conditions.items()}
    started = f"started_at <> '' and ({_NO_TIME.format(column='started_at')})"
    times = {
        "episodes": {"finished_at": _NO_TIME.format(column="finished_at")},
        "steps": {"started_at": started},
    }
    for family in run.recorded_families():
        for kind in ("episodes", "steps"):
            place = {"layer": "shard", "family": family, "kind": kind}
            queries = [
                _QUERY.format(column=column, wrong=condition, **place)
                for column, condition in (wrong | times[kind]).items()
            ]
            queries.append(_TAKES.format(most=MOST_COUNT, **place))
            found = run.rows("\nunion all\n".join(f"({query})" for query in queries))
            if found:
                named, value = found[0]["named"], str(found[0]["value"])[:80]
                raise damaged(f"{said}: {kind} of {family}", f"{value!r} as {named}")
