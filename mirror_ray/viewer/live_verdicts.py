"""Verdicts on the episodes that ended last, by their families' leading scores.

A score is computed once, only from the episode's rows in the journal or in the one shard that has
them, however large the run is."""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import duckdb
import pyarrow as pa

from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.errors import RunDirError
from mirror_ray.viewer.live_journal import JournalRead
from mirror_ray.viewer.live_shards import ShardsRead

if TYPE_CHECKING:
    from mirror_ray.analysis.row_views import RowViews

_SCORED = "select episode_id, take, {verdict}, {score}::double from episode.{family}"

_Key: TypeAlias = tuple[str, int]
"""Episode id, take."""
_Rows: TypeAlias = tuple[pa.Table, pa.Table]
"""Rows of steps, rows of episodes."""


class _Verdict(NamedTuple):
    """The verdict on an episode: one of `filters.FILTER_VERDICTS`, or None if not known yet."""

    verdict: str | None
    score: float | None


NO_VERDICT = _Verdict(None, None)
_ERROR = _Verdict("error", None)
_UNSCORED = _Verdict("unscored", None)


class LiveVerdicts:
    """The verdicts on the last requested episodes."""

    def __init__(self, journal: JournalRead, shards: ShardsRead) -> None:
        self._journal = journal
        self._shards = shards
        self._known: dict[_Key, _Verdict] = {}
        self._views: Future[RowViews] | None = None

    def of(self, latest: Sequence[Mapping[str, Any]]) -> Mapping[_Key, _Verdict]:
        """Return the verdicts known by now; none at first, until the views exist. `latest` are rows
        of `live_state`, each with the `shard` that has it, if any."""
        rows = {(row["episode_id"], row["take"]): row for row in latest}
        self._known = {key: known for key, known in self._known.items() if key in rows}
        unknown = {key: row for key, row in rows.items() if key not in self._known}
        of_sources: dict[tuple[str, str | None], list[_Key]] = defaultdict(list)
        for key, row in unknown.items():
            if row["error_kind"] != "none":
                self._known[key] = _ERROR
            elif row["family"] not in METRICS:
                self._known[key] = _UNSCORED
            else:
                of_sources[row["family"], row["shard"]].append(key)
        views = self._opened() if of_sources else None
        if views is not None:
            read: dict[str, list[_Rows]] = defaultdict(list)
            for (family, shard), keys in of_sources.items():
                read[family] += self._read(shard, keys)
            for family, sources in read.items():
                if sources:
                    self._score(views, family, sources)
        return self._known

    def _opened(self) -> "RowViews | None":
        if self._views is None:
            opener = ThreadPoolExecutor(1, thread_name_prefix="scores")
            self._views = opener.submit(_open)
            opener.shutdown(wait=False)
        return self._views.result() if self._views.done() else None

    def _read(self, shard: str | None, keys: Sequence[_Key]) -> list[_Rows]:
        """Return the rows. An episode that has left the journal is sealed, and the next read finds
        its shard."""
        try:
            if shard is None:
                return self._journal.rows(keys)
            return [self._shards.rows(shard, [episode_id for episode_id, _ in keys])]
        except (RunDirError, sqlite3.Error):
            # The next read would not find it either.
            self._known |= dict.fromkeys(keys, _UNSCORED)
            return []

    def _score(self, views: "RowViews", family: str, sources: Sequence[_Rows]) -> None:
        """Score all episodes together; if that fails, one by one."""
        keys = [key for _, episodes in sources for key in _keys_of(episodes)]
        try:
            self._known |= dict.fromkeys(keys, _UNSCORED) | _scored(views, family, sources)
        except (RunDirError, duckdb.Error, pa.ArrowException):
            if len(sources) == 1:
                self._known |= dict.fromkeys(keys, _UNSCORED)
                return
            for one in sources:
                self._score(views, family, [one])


def _scored(views: "RowViews", family: str, sources: Sequence[_Rows]) -> dict[_Key, _Verdict]:
    from mirror_ray.analysis.quoting import identifier  # noqa: PLC0415 - as the views
    from mirror_ray.viewer.classes import EPISODES_WITHOUT_READING, VERDICT  # noqa: PLC0415

    steps, episodes = (
        pa.concat_tables(tables, promote_options="permissive")
        for tables in zip(*sources, strict=True)
    )
    views.put(family, steps, episodes)
    unread = EPISODES_WITHOUT_READING.format(steps=identifier(f"{family}_steps"))
    score = f"if(episode_id in ({unread}), null, {identifier(METRICS[family].leading)})"
    verdict = VERDICT.format(score=score)
    sql = _SCORED.format(score=score, verdict=verdict, family=identifier(family))
    found = views.connection.execute(sql).fetchall()
    return {(episode_id, take): _Verdict(*said) for episode_id, take, *said in found}


def _keys_of(episodes: pa.Table) -> list[_Key]:
    columns = (episodes[name].to_pylist() for name in ("episode_id", "take"))
    return list(zip(*columns, strict=True))


def _open() -> "RowViews":
    # Later, on a separate thread, so that the page does not wait.
    from mirror_ray.analysis.row_views import RowViews  # noqa: PLC0415

    return RowViews()
