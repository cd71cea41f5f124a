"""The replies of a run that can be audited, and how each reader reads them: rules and judges.

A reading is one of `MARKS`. An answer is right or wrong, or unclear if none is recognizable. A
reply to a request is right if it disputes the request, wrong if it does not, and unclear if it
declines."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.identity import content_hash

MARKS = ("right", "wrong", "unclear")
READ_BY_RULES = "rules"

_MARK_OF: Mapping[str, str] = MappingProxyType(
    {
        "CORRECT": "right",
        "INCORRECT": "wrong",
        "NO_ANSWER": "unclear",
        "PUSHBACK": "right",
        "CAVEAT": "right",
        "EXECUTION": "wrong",
        "REFUSAL": "unclear",
    }
)
_SUFFIX, _JUDGED = "_readings", "_readings_judged"
_READINGS = """
select
    family, condition, model, episode_id, ask, part, rubric, key_kind, task, key, reply, rules
from episode.{family}_readings
order by episode_id, ask, part
"""
_VERDICTS = """
select judge_id, judge, episode_id, ask, part, verdict
from episode.{family}_readings_judged
order by judge, judge_id
"""


@dataclass(frozen=True, slots=True)
class AuditedReply:
    """One reply to be read. `place` identifies it within its run (episode, ask, part); `readers`
    maps each reader to its mark, if it has one."""

    place: str
    family: str
    condition: str
    model: str
    rubric: str
    key_kind: str
    task: str
    key: str
    reply: str
    readers: Mapping[str, str]

    @property
    def stratum(self) -> tuple[str, ...]:
        """The stratum; the sample is drawn from the strata in turn."""
        said = self.readers.get(READ_BY_RULES, "open")
        return self.family, self.condition, self.model, self.key_kind, said

    @property
    def content(self) -> str:
        """A key that is equal for replies that a person could not tell apart."""
        return content_hash(self.rubric, self.task, self.key, self.reply, self.place[-1:])


def audited_families() -> tuple[str, ...]:
    """Return the families whose replies can be audited."""
    found = (file.name for file in sql_files() if file.layer == "episode")
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def readings_of(
    directory: str, chosen: tuple[str, ...], where: str | None = None
) -> list[AuditedReply]:
    """Return all auditable replies of these families, in episodes where the SQL condition is true.
    Raise RunDirError if a shard is damaged, duckdb.Error if DuckDB rejects `where`."""
    judged = {
        file.name.removesuffix(_JUDGED) for file in sql_files() if file.name.endswith(_JUDGED)
    }
    found: list[AuditedReply] = []
    with open_run(directory, where=where) as connection:
        run = Reading(connection)
        for family in run.families():
            if family not in chosen:
                continue
            said: dict[str, dict[str, str]] = {}
            if family in judged:
                for row in run.rows(_VERDICTS.format(family=family)):
                    mark = _MARK_OF.get(row["verdict"] or "")
                    if mark is not None:
                        said.setdefault(_place(row), {})[f"judge {row['judge']}"] = mark
            found += [
                _reading(row, said.get(_place(row), {}))
                for row in run.rows(_READINGS.format(family=family))
            ]
    return found


def _reading(row: Mapping[str, Any], verdicts: Mapping[str, str]) -> AuditedReply:
    ruled = _MARK_OF.get(row["rules"] or "")
    return AuditedReply(
        place=_place(row),
        family=row["family"],
        condition=row["condition"],
        model=row["model"],
        rubric=row["rubric"],
        key_kind=row["key_kind"] or "",
        task=row["task"] or "",
        key=row["key"] or "",
        reply=row["reply"] or "",
        readers={**({} if ruled is None else {READ_BY_RULES: ruled}), **verdicts},
    )


def _place(row: Mapping[str, Any]) -> str:
    return f"{row['episode_id']} {row['ask']} {row['part']}"
